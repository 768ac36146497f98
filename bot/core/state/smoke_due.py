"""What the smoke gates of main are asked about, and which landings a red one may come from."""

from datetime import datetime, timedelta

from bot.core.journal.smoke_state import Smoke
from bot.core.journal.state import LedgerKind, LedgerLine, RepositoryState
from bot.core.values.freeze import FreezeCause
from bot.core.values.smoke import SmokeOutcome

# Smoke gates whose order was lost this often have not run.
SMOKE_ORDERS_MAX = 3
# They are asked again after so long, then after twice as long, and so on.
_FIRST_WAIT = timedelta(minutes=5)
_LONGEST_WAIT = timedelta(hours=6)


def next_wait(smoke: Smoke | None) -> timedelta:
    """How long until the smoke gates are asked about the same commit once more."""
    waits = smoke.waits if smoke is not None else 0
    return min(_FIRST_WAIT * (1 << min(waits, 10)), _LONGEST_WAIT)


def is_due(state: RepositoryState, now: datetime) -> bool:
    """Whether the smoke gates are to be ordered on main as it is now."""
    smoke = state.smoke
    if smoke is None or smoke.sha != state.main:
        landed = any(line.kind is LedgerKind.LANDED for line in _after(state, smoke))
        return landed or (FreezeCause.SMOKE in state.freezes and state.main is not None)
    order = state.orders.get(smoke.order)
    is_waiting = order is not None and order.is_open
    if is_waiting:
        return False
    return smoke.outcome in {None, SmokeOutcome.REPEATED} or is_asked_again(state, now)


def is_asked_again(state: RepositoryState, now: datetime) -> bool:
    """Whether enough time has passed; a red main that a person has the queue go on with is left alone."""
    smoke = state.smoke
    if smoke is None or smoke.again_at is None or now < smoke.again_at:
        return False
    return smoke.outcome is SmokeOutcome.NOT_RUN or FreezeCause.SMOKE in state.freezes


def asked_again_at(state: RepositoryState) -> datetime | None:
    """When the smoke gates of main as it is are asked again, if nothing happens before."""
    smoke = state.smoke
    is_of_main = smoke is not None and smoke.sha == state.main
    at = smoke.again_at if smoke is not None and is_of_main else None
    return at if at is not None and is_asked_again(state, at) else None


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
    """Whether an order of smoke gates of this branch is out."""
    out = (state.orders[id_] for id_ in state.open_orders)
    return any(o.is_smoke and o.branch_of_queue == state.on_branch for o in out)
