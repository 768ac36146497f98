"""`/headgate why`: what changes wait for, with their places in the queue and what their runs do."""

from bot.core.decide.decision import Decision
from bot.core.decide.people.named_changes import Answer, changes_named
from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.talk import queue_text, replies
from bot.core.talk.doing_text import doing_line
from bot.core.values.command import Command


def explain(
    decision: Decision, run: SpecRun, change: ChangeFacts | None, command: Command, answer: Answer
) -> None:
    """Answer for each change that is meant."""
    for one in changes_named(decision, run, change, command, answer) or ():
        entry = decision.observed.order_store.get(one.order) if one.order else None
        doing = doing_line(entry.doing) if entry is not None and entry.doing is not None else ""
        where = queue_text.place_text(decision.state, f"change:{one.id}", decision.now)
        lines = "\n\n".join(line for line in (where, doing) if line)
        answer.said.append(replies.why_reply(decision.state, decision.policy, one, lines))
