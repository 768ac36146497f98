"""Which incidents have an open issue: from its opening until we close it."""

from bot.core.journal import events as ev
from bot.core.journal.fold_table import folds, on
from bot.core.journal.state import RepositoryState
from bot.core.values.incident import incident_of
from bot.core.values.replacement import newest, replace, without

# Only this many of the newest incidents are closed with a comment.
_INCIDENTS_KEPT = 20


def subject_of_end(slug: str) -> str:
    """Under which the comment goes that tells of the end."""
    return f"over {slug}"


def _opened(state: RepositoryState, event: ev.IssueOpened) -> RepositoryState:
    if event.spec_run or incident_of(event.slug) is None:
        return state
    known = {**state.incidents, event.slug: event.number}
    return replace(state, incidents=newest(known, _INCIDENTS_KEPT))


def _closed(state: RepositoryState, event: ev.IssueClosed) -> RepositoryState:
    if event.spec_run or event.slug not in state.incidents:
        return state
    told = f"comment:{subject_of_end(event.slug)}"
    return replace(
        state,
        incidents=without(state.incidents, event.slug),
        published=without(state.published, told),
    )


INCIDENT_FOLDS = folds(on(ev.IssueOpened, _opened), on(ev.IssueClosed, _closed))
