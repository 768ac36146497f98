"""The changes that a command is about, and what has come of its comment so far."""

from dataclasses import dataclass, field

from bot.core.decide.decision import Decision
from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.talk import replies
from bot.core.values.command import Command


@dataclass
class Answer:
    """What has come of a comment so far."""

    said: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


def changes_named(
    decision: Decision, run: SpecRun, change: ChangeFacts | None, command: Command, answer: Answer
) -> tuple[ChangeFacts, ...] | None:
    """The changes that a command is about; None when it names one that is not there."""
    changes = decision.state.changes_of(run.id)
    if not command.argument:
        return (change,) if change is not None else changes
    wanted = command.argument.strip("`#")
    found = tuple(c for c in changes if wanted in (c.slug, str(c.issue), str(c.pull)))
    if not found:
        answer.refused.append(replies.no_such_change(command.argument, run, changes))
        return None
    return found
