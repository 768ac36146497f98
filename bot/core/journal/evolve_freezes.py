"""How the freezes and stops of people evolve; those of main stand in `evolve_main`."""

from bot.core.journal import events as ev
from bot.core.journal.fold_table import folds, on
from bot.core.journal.freeze_state import Freeze
from bot.core.journal.state import RepositoryState
from bot.core.values.replacement import replace


def _frozen(state: RepositoryState, event: ev.QueueFrozen) -> RepositoryState:
    freeze = Freeze(why=event.why, by=event.by, since=event.frozen_at, until=event.until)
    return replace(state, freezes={**state.freezes, event.cause: freeze})


def _thawed(state: RepositoryState, event: ev.QueueThawed) -> RepositoryState:
    left = {cause: f for cause, f in state.freezes.items() if cause not in event.causes}
    return replace(state, freezes=left)


def _stopped(state: RepositoryState, event: ev.OrdersStopped) -> RepositoryState:
    stopped = Freeze(why=event.why, by=event.by, since=event.stopped_at)
    return replace(state, orders_stopped=stopped)


def _pauses_ended(state: RepositoryState, event: ev.PausesEnded) -> RepositoryState:
    return replace(state, orders_stopped=None) if event.ended_by else state


FREEZE_FOLDS = folds(
    on(ev.QueueFrozen, _frozen),
    on(ev.QueueThawed, _thawed),
    on(ev.OrdersStopped, _stopped),
    on(ev.PausesEnded, _pauses_ended),
)
