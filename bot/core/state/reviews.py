"""Which comments of reviews are to be read, and which of them are news."""

from collections.abc import Iterable, Set
from datetime import datetime, timedelta

from bot.core.journal.state import ChangeFacts, RepositoryState
from bot.core.values.ids import Frozen, PullNumber, ReviewCommentId
from bot.core.values.lifecycle import ChangeState
from bot.core.values.review import ReviewComment

# What GitHub shows late is still caught by looking back this far.
_OVERLAP = timedelta(minutes=5)


class ReviewLook(Frozen):
    """The comments that a delivery told of, and the time since when all are listed; None: not now.

    `threads` are pulls whose threads are read.
    """

    comments: tuple[ReviewCommentId, ...] = ()
    since: datetime | None = None
    threads: tuple[PullNumber, ...] = ()


def review_look(
    state: RepositoryState,
    hinted: Iterable[tuple[int, int]],
    turned: Set[int],
    now: datetime,
    *,
    is_full: bool,
) -> ReviewLook:
    """What to read; `hinted` are ids of comments, each with its pull, `turned` pulls in which a thread was
    resolved or opened again. Others' pulls are not asked about.
    """
    comments = tuple(
        ReviewCommentId(comment)
        for comment, pull in dict.fromkeys(hinted)
        if (change := reviewed_change(state, PullNumber(pull))) is not None
        and comment not in change.reviews_read
    )
    return ReviewLook(
        comments=comments,
        since=_since(state, now) if is_full else None,
        threads=tuple(
            pull
            for pull in state.open_pulls
            if (is_full or pull in turned) and _has_threads(state, pull)
        ),
    )


def _has_threads(state: RepositoryState, pull: PullNumber) -> bool:
    """Whether agents were told of threads there, and another may work on it."""
    change = reviewed_change(state, pull)
    return change is not None and bool(change.threads)


def reviewed_change(state: RepositoryState, pull: PullNumber) -> ChangeFacts | None:
    """The change of a pull, unless it has landed: then no agent works on it again."""
    change = state.change_with(pull)
    is_open = change is not None and change.pull == pull and change.state is not ChangeState.LANDED
    return change if is_open else None


# Where somebody's opinion of a change's work holds it, or goes to an agent.
_TO_REVIEW = frozenset(
    {ChangeState.RETRYING, ChangeState.ORDERED, ChangeState.WORKING, ChangeState.OFFERED}
)


def reviewed_changes(state: RepositoryState, hinted: Set[int] | None) -> tuple[PullNumber, ...]:
    """The pulls of changes whose reviews are read; only those that a hint names, unless all are asked
    for (None).
    """
    return tuple(
        pull
        for pull, change in state.open_pulls.items()
        if state.changes[change].state in _TO_REVIEW and (hinted is None or pull in hinted)
    )


def is_news(state: RepositoryState, comment: ReviewComment) -> bool:
    """Whether a comment is a person's, at a change's pull, and not read before."""
    change = reviewed_change(state, comment.pull)
    return comment.author_is_person and change is not None and comment.id not in change.reviews_read


def _since(state: RepositoryState, now: datetime) -> datetime | None:
    """None without a pull that could be reviewed.

    Before the first comment it is the day before: a time that moved with each look would make each
    look another question, and GitHub counts what it did not answer just now.
    """
    if not any(reviewed_change(state, pull) for pull in state.open_pulls):
        return None
    if state.reviews_seen_to is not None:
        return state.reviews_seen_to - _OVERLAP
    return (now - timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
