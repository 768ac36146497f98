"""How pauses evolve: an order that meets one begins or lengthens it, one that gets past it ends it.

Folded before the orders: whether an event is stale is seen by the order as it was.
"""

from collections.abc import Callable
from typing import Protocol

from bot.core.journal import events as ev
from bot.core.journal.fold_table import folds, on
from bot.core.journal.pause_state import Pause
from bot.core.journal.state import OrderFacts, RepositoryState
from bot.core.journal.transitions import ORDERS
from bot.core.values.ids import OrderId
from bot.core.values.pause import Cause
from bot.core.values.replacement import replace


class _AboutOrder(Protocol):
    @property
    def order(self) -> OrderId | None: ...


def _deferred(state: RepositoryState, event: ev.OrderDeferred) -> RepositoryState:
    order = state.orders.get(event.order)
    if order is None or ORDERS.after(order, event) is None:
        return state
    passed = _got_past(state, event.order, lambda cause: cause.is_before(event.cause))
    pauses = {**passed.pauses, event.pause: _met(state.pauses.get(event.pause), order, event)}
    return _without_probe(replace(passed, pauses=pauses), event.order)


def _met(known: Pause | None, order: OrderFacts, event: ev.OrderDeferred) -> Pause:
    """An order that was under way already says nothing new of how long it lasts."""
    is_new = known is None or known.is_met_again_by(order.placed_at)
    return Pause(
        cause=event.cause,
        about=event.about,
        sentence=event.sentence,
        since=known.since if known else event.deferred_at,
        last=max(known.last, event.deferred_at) if known else event.deferred_at,
        until=event.until if known is None or is_new else max(known.until, event.until),
        times=(known.times if known else 0) + is_new,
        main=event.main,
        probe=known.probe if known else None,
    )


def _got_past(
    state: RepositoryState, order: OrderId | None, is_passed: Callable[[Cause], bool]
) -> RepositoryState:
    kept = {
        key: pause
        for key, pause in state.pauses.items()
        if pause.probe is None or pause.probe != order or not is_passed(pause.cause)
    }
    return state if len(kept) == len(state.pauses) else replace(state, pauses=kept)


def _without_probe(state: RepositoryState, order: OrderId | None) -> RepositoryState:
    """The order tests this pause no more, because it did not get that far; another one will."""
    if order is None or all(pause.probe != order for pause in state.pauses.values()):
        return state
    pauses = {
        key: replace(pause, probe=None) if pause.probe == order else pause
        for key, pause in state.pauses.items()
    }
    return replace(state, pauses=pauses)


def _dispatched(state: RepositoryState, event: ev.WorkflowDispatched) -> RepositoryState:
    return _got_past(state, event.order, lambda cause: cause.is_before(Cause.NO_RUNNER))


def _leased(state: RepositoryState, event: ev.OrderLeased) -> RepositoryState:
    return _got_past(state, event.order, lambda cause: cause.is_before(Cause.SANDBOX_REFUSED))


def _reported(state: RepositoryState, event: _AboutOrder) -> RepositoryState:
    return _got_past(state, event.order, lambda _: True)


def _lost(state: RepositoryState, event: ev.AgentLost | ev.GatesLost) -> RepositoryState:
    return _without_probe(state, event.order)


def _put_to_main(state: RepositoryState, event: ev.MainAsked) -> RepositoryState:
    """Main's own order is the better probe."""
    return _without_probe(state, event.because)


def _probed(state: RepositoryState, event: ev.PauseProbed) -> RepositoryState:
    pauses = {
        key: replace(pause, probe=event.order) if key in event.pauses else pause
        for key, pause in state.pauses.items()
    }
    return replace(state, pauses=pauses)


def _ended(state: RepositoryState, event: ev.PausesEnded) -> RepositoryState:
    kept = {key: pause for key, pause in state.pauses.items() if key not in event.pauses}
    if not event.ended_by:
        return replace(state, pauses=kept)
    delays = {key: delay for key, delay in state.delays.items() if delay.refusal is None}
    return replace(state, pauses=kept, delays=delays)


PAUSE_FOLDS = folds(
    on(ev.OrderDeferred, _deferred),
    on(ev.PauseProbed, _probed),
    on(ev.PausesEnded, _ended),
    on(ev.WorkflowDispatched, _dispatched),
    on(ev.OrderLeased, _leased),
    on(ev.WorkHandedIn, _reported),
    on(ev.WorkFailed, _reported),
    on(ev.AgentAsked, _reported),
    on(ev.CandidatePassed, _reported),
    on(ev.CandidateFailed, _reported),
    on(ev.CandidateVoided, _reported),
    on(ev.GatesDoubted, _reported),
    on(ev.ChecksAwaited, _reported),
    on(ev.AdoptionJudged, _reported),
    on(ev.PullGatesDoubted, _reported),
    on(ev.PullPassed, _reported),
    on(ev.PullPassedAsMain, _reported),
    on(ev.PullVoided, _reported),
    on(ev.PullWithdrawn, _reported),
    on(ev.PullEvicted, _reported),
    on(ev.AgentLost, _lost),
    on(ev.GatesLost, _lost),
    on(ev.MainAsked, _put_to_main),
)
