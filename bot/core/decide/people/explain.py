"""`/headgate why`: what changes wait for, with their places in the queue and what their runs do."""

from bot.core.decide.decision import Decision
from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.talk import queue_text, replies
from bot.core.talk.activity_text import activity_line
from bot.core.talk.asked_command import AskedCommand, Reply, changes_named, reply


def explain(decision: Decision, asked: AskedCommand, run: SpecRun) -> Reply:
    named = changes_named(decision.state, asked, run)
    return named if isinstance(named, Reply) else reply(*(_why(decision, one) for one in named))


def _why(decision: Decision, change: ChangeFacts) -> str:
    entry = decision.observed.order_store.get(change.order) if change.order else None
    doing = activity_line(entry.doing) if entry is not None and entry.doing is not None else ""
    where = queue_text.place_text(decision.state, f"change:{change.id}", decision.now)
    lines = "\n\n".join(line for line in (where, doing) if line)
    models = decision.observed.models
    return replies.why_reply(decision.state, decision.policy, change, lines, models)
