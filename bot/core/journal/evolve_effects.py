"""How effects evolve: intended, delayed, and at the end done or refused."""

from bot.core.journal import events as ev
from bot.core.journal.evolve_forgotten import is_asked_for
from bot.core.journal.fold_table import folds, on
from bot.core.journal.state import Delay, RepositoryState
from bot.core.values.ids import ChangeId, EffectKey
from bot.core.values.replacement import newest, replace, without

# Refusals that are about nothing that leaves, as of the ledger, do not grow for ever.
REFUSED_MAX = 2_000


def _intended(state: RepositoryState, event: ev.EffectIntended) -> RepositoryState:
    return replace(state, open_effects={**state.open_effects, event.effect.key: event.effect})


def _delayed(state: RepositoryState, event: ev.EffectDelayed) -> RepositoryState:
    if event.key not in state.open_effects:
        return state
    delay = Delay(
        until=event.until, sentence=event.sentence, tries=event.tries, refusal=event.refusal
    )
    delayed = replace(state, delays={**state.delays, event.key: delay})
    change = state.changes.get(
        getattr(state.open_effects[event.key], "change", None) or ChangeId("")
    )
    if change is None or event.refusal is None or not event.refusal.kind.is_mended_by_people:
        return delayed
    changes = {**state.changes, change.id: replace(change, was_refused=True)}
    return replace(delayed, changes=changes)


def _refused(state: RepositoryState, event: ev.EffectRefused) -> RepositoryState:
    if event.key not in state.open_effects:
        return state
    closed = _closed(state, event.key)
    if not is_asked_for(event.key):
        return closed
    refused = {**state.refused, event.key: event.sentence}
    return replace(closed, refused=newest(refused, REFUSED_MAX))


def _closed(state: RepositoryState, key: EffectKey) -> RepositoryState:
    return replace(
        state,
        open_effects=without(state.open_effects, key),
        delays=without(state.delays, key),
    )


EFFECT_FOLDS = folds(
    on(ev.EffectIntended, _intended),
    on(ev.EffectDone, lambda state, event: _closed(state, event.key)),
    on(ev.EffectDelayed, _delayed),
    on(ev.EffectRefused, _refused),
)
