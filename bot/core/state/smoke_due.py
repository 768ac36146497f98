"""What the smoke gates of main are asked about, and which landings a red one may come from."""

from bot.core.journal.smoke_state import Smoke
from bot.core.journal.state import LedgerKind, LedgerLine, RepositoryState
from bot.core.values.freeze import FreezeCause
from bot.core.values.smoke import SmokeOutcome

# Smoke gates whose order was lost this often have not run.
SMOKE_ORDERS_MAX = 3


def is_due(state: RepositoryState) -> bool:
    """Whether the smoke gates are to be ordered on main as it is now."""
    smoke = state.smoke
    if smoke is None or smoke.sha != state.main:
        landed = any(line.kind is LedgerKind.LANDED for line in _after(state, smoke))
        return landed or (FreezeCause.SMOKE in state.freezes and state.main is not None)
    order = state.orders.get(smoke.order)
    is_waiting = order is not None and order.is_open
    return smoke.outcome in {None, SmokeOutcome.REPEATED} and not is_waiting


def _after(state: RepositoryState, smoke: Smoke | None) -> tuple[LedgerLine, ...]:
    """The lines of main that are newer than what the smoke gates were asked about last."""
    shas = [line.sha for line in state.ledger]
    return (
        state.ledger[shas.index(smoke.sha) + 1 :] if smoke and smoke.sha in shas else state.ledger
    )


def suspects(state: RepositoryState, smoke: Smoke) -> tuple[LedgerLine, ...]:
    """What came to main since the smoke gates were green last, newest first, up to this commit.

    Where they never were, the landing alone.
    """
    found: list[LedgerLine] = []
    passed = smoke.passed if smoke.passed != smoke.sha else None
    for line in reversed(state.ledger):
        if line.sha == passed or line.kind is LedgerKind.GENESIS:
            break
        if not found and line.sha != smoke.sha:
            continue
        found.append(line)
        if passed is None and line.kind is LedgerKind.LANDED:
            break
    return tuple(found) or state.ledger[-1:]


def is_being_asked(state: RepositoryState) -> bool:
    """Whether an order of smoke gates is out."""
    return any(state.orders[id_].is_smoke for id_ in state.open_orders)
