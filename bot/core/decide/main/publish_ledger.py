"""The ledger's ref follows the journal."""

from pydantic_core import to_json

from bot.core.decide.decision import Decision
from bot.core.journal.effects import PublishLedger
from bot.core.state.urgency import is_work_at_hand


def next_steps(decision: Decision) -> None:
    """Bring the ledger ref up to the journal, in one push for all new lines."""
    state = decision.state
    published = state.ledger_published
    open_push = any(isinstance(e, PublishLedger) for e in state.open_effects.values())
    if published >= state.ledger_lines or open_push or is_work_at_hand(state):
        return
    decision.intend(
        PublishLedger(
            previous=state.ledger_commit,
            first=published,
            lines=tuple(to_json(line).decode() for line in state.ledger_from(published)),
            at=decision.now,
        )
    )
