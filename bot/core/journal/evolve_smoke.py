"""How the smoke gates of main evolve. The state keeps the newest commit only."""

from bot.core.journal import events as ev
from bot.core.journal.evolve_forgotten import without_orders
from bot.core.journal.fold_table import folds, on
from bot.core.journal.smoke_state import Smoke
from bot.core.journal.state import RepositoryState
from bot.core.journal.transitions import ORDERS
from bot.core.values.ids import OrderId, Sha
from bot.core.values.replacement import replace
from bot.core.values.smoke import SmokeOutcome


def check_of_smoke(state: RepositoryState, sha: Sha) -> str:
    """The external id of the check run on a commit of main, or of a further branch."""
    return f"smoke:{state.on_branch}:{sha}" if state.on_branch else f"smoke:{sha}"


def _ordered(state: RepositoryState, event: ev.SmokeOrdered) -> RepositoryState:
    if ORDERS.after(state.orders.get(event.order), event) is None:
        return state
    before = state.smoke
    if before is not None and before.sha == event.sha:
        orders = before.orders + 1
        smoke = replace(before, order=event.order, orders=orders, outcome=None, again_at=None)
    else:
        smoke = Smoke(sha=event.sha, order=event.order, passed=before.passed if before else None)
    probes = {pause.probe for pause in state.pauses.values()}
    known = [o for id_ in _orders_of(before) if (o := state.orders.get(id_)) is not None]
    earlier = tuple(o.id for o in known if o.is_open or o.id in probes)
    after = without_orders(state, {o.id for o in known} - {*earlier})
    return replace(after, smoke=replace(smoke, earlier=earlier))


def _orders_of(smoke: Smoke | None) -> tuple[OrderId, ...]:
    return (*smoke.earlier, smoke.order) if smoke is not None else ()


def _judged(state: RepositoryState, event: ev.SmokeJudged) -> RepositoryState:
    smoke = state.smoke
    if smoke is None or smoke.order != event.order or smoke.outcome is not None:
        return state
    is_green = event.outcome is SmokeOutcome.GREEN
    judged = replace(
        smoke,
        outcome=event.outcome,
        reds=smoke.reds + (event.outcome in {SmokeOutcome.RED, SmokeOutcome.REPEATED}),
        results=event.results,
        sentence=event.sentence,
        waits=smoke.waits + (event.again_at is not None),
        again_at=event.again_at,
        passed=event.sha if is_green else smoke.passed,
    )
    return replace(state, smoke=judged)


def _deferred(state: RepositoryState, event: ev.OrderDeferred) -> RepositoryState:
    """It was no order, as far as the smoke gates are concerned."""
    smoke = state.smoke
    order = state.orders.get(event.order)
    if smoke is None or smoke.order != event.order or ORDERS.after(order, event) is None:
        return state
    return replace(state, smoke=replace(smoke, orders=max(0, smoke.orders - 1)))


def _asked_again(state: RepositoryState, event: ev.SmokeAskedAgain) -> RepositoryState:
    smoke = state.smoke
    if smoke is None or smoke.sha != event.sha or smoke.outcome is None:
        return state
    again = replace(smoke, orders=0, reds=0, waits=0, again_at=None, outcome=SmokeOutcome.REPEATED)
    return replace(state, smoke=again)


SMOKE_FOLDS = folds(
    on(ev.SmokeOrdered, _ordered),
    on(ev.SmokeJudged, _judged),
    on(ev.OrderDeferred, _deferred),
    on(ev.SmokeAskedAgain, _asked_again),
)
