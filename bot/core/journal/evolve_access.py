"""How a repository's own life evolves: under which names it goes, and whether we may work in it."""

from bot.core.journal import events as ev
from bot.core.journal.fold_table import folds, on
from bot.core.journal.state import Away, RepositoryState
from bot.core.values.replacement import replace


def _lost(state: RepositoryState, event: ev.AccessLost) -> RepositoryState:
    """The time counts from the last loss of this kind: a suspension may end in a removal."""
    if state.away is not None and state.away.reason is event.reason:
        return replace(state, away=replace(state.away, lacks=event.lacks))
    return replace(state, away=Away(reason=event.reason, lacks=event.lacks, since=event.seen_at))


ACCESS_FOLDS = folds(
    on(ev.RepositoryChanged, lambda state, event: replace(state, facts=event.facts)),
    on(ev.AccessLost, _lost),
    on(ev.AccessRegained, lambda state, _event: replace(state, away=None)),
)
