"""The changes that a command is about."""

from bot.core.decide.asked import Asked, Reply, refuse
from bot.core.decide.decision import Decision
from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.talk import replies


def changes_named(
    decision: Decision, asked: Asked, run: SpecRun
) -> tuple[ChangeFacts, ...] | Reply:
    """A refusal where it names one that is not there."""
    changes = decision.state.changes_of(run.id)
    if not asked.argument:
        return (asked.change,) if asked.change is not None else changes
    wanted = asked.argument.strip("`#")
    found = tuple(c for c in changes if wanted in (c.slug, str(c.issue), str(c.pull)))
    return found or refuse(replies.no_such_change(asked.argument, run, changes))
