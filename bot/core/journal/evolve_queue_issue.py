"""How the issue that tells of the queue evolves: opened once, then written again."""

from bot.core.journal import events as ev
from bot.core.journal.fold_table import folds, on
from bot.core.journal.state import QUEUE, KeptIssue, RepositoryState
from bot.core.values.replacement import replace


def _opened(state: RepositoryState, event: ev.IssueOpened) -> RepositoryState:
    if event.spec_run or event.slug != QUEUE:
        return state
    return replace(state, queue_issue=KeptIssue(number=event.number))


def _published(state: RepositoryState, event: ev.TextPublished) -> RepositoryState:
    kept = state.queue_issue
    if kept is None or event.subject != f"issue:{kept.number}:{QUEUE}":
        return state
    return replace(state, queue_issue=replace(kept, told_at=event.published_at))


QUEUE_ISSUE_FOLDS = folds(on(ev.IssueOpened, _opened), on(ev.TextPublished, _published))
