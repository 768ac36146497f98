"""How the freezes and stops of people evolve; those of main stand in `evolve_main`."""

from bot.core.journal import events as ev
from bot.core.journal.branches import landing_in_githubs_queue
from bot.core.journal.entry_transitions import ENTRIES
from bot.core.journal.evolve_entry import with_entry
from bot.core.journal.fold_table import folds, on
from bot.core.journal.freeze_state import Freeze
from bot.core.journal.hold import Recall
from bot.core.journal.state import RepositoryState
from bot.core.values.replacement import replace, without


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


def _recalled(state: RepositoryState, event: ev.LandingRecalled) -> RepositoryState:
    """Its landing, which waits to look again, is performed at once."""
    entry = state.entries.get(event.entry)
    if entry is None or ENTRIES.after(entry, event) is None:
        return state
    recall = Recall(by=event.by, why=event.why, then=event.then, since=event.recalled_at)
    landing = landing_in_githubs_queue(state, entry.id)
    delays = state.delays if landing is None else without(state.delays, landing.key)
    return with_entry(replace(state, delays=delays), replace(entry, recall=recall))


FREEZE_FOLDS = folds(
    on(ev.QueueFrozen, _frozen),
    on(ev.QueueThawed, _thawed),
    on(ev.LandingRecalled, _recalled),
    on(ev.OrdersStopped, _stopped),
    on(ev.PausesEnded, _pauses_ended),
)
