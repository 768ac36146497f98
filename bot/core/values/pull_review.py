"""What people's reviews say of a pull in the queue."""

from collections.abc import Iterable

from bot.core.values.ids import Frozen, Sha


class PullReview(Frozen):
    """One submitted review of a person; `state` is GitHub's, in capitals.

    `commit` is what was reviewed, empty where GitHub does not know it any more; `body` the text beside its
    comments at lines.
    """

    by: str
    state: str
    commit: Sha
    body: str = ""


class ChangeRequest(Frozen):
    """What one person asks to be changed in a commit."""

    by: str
    commit: Sha
    said: str = ""


class Approvals(Frozen):
    """By people who may write: who approves what would land, who approved something else, who asks for
    changes, of which commits, and what each of these says.

    `by_pushers` approve what would land, and do not count: they may have pushed it. `unresolved` are the places
    of the threads that a rule wants resolved; empty where none does. `owners` are groups of code owners of whom
    one has still to approve, where the policy asks for them.
    """

    by: tuple[str, ...] = ()
    by_pushers: tuple[str, ...] = ()
    outdated: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    against_commits: tuple[Sha, ...] = ()
    against_said: tuple[str, ...] = ()
    unresolved: tuple[str, ...] = ()
    owners: tuple[tuple[str, ...], ...] = ()

    @property
    def requests(self) -> tuple[ChangeRequest, ...]:
        asked = zip(self.against, self.against_commits, self.against_said, strict=False)
        return tuple(ChangeRequest(by=by, commit=commit, said=said) for by, commit, said in asked)


_APPROVED = "APPROVED"
_AGAINST = "CHANGES_REQUESTED"
# GitHub's "latest opinionated review": a comment takes nothing back, a dismissal does.
_OPINIONS = frozenset({_APPROVED, _AGAINST, "DISMISSED"})


def newest_opinions(reviews: Iterable[PullReview]) -> tuple[PullReview, ...]:
    """The newest opinion of each person, oldest first; `reviews` as GitHub lists them, oldest first."""
    newest: dict[str, PullReview] = {}
    for review in reviews:
        if review.state in _OPINIONS:
            newest.pop(review.by, None)
            newest[review.by] = review
    return tuple(one for one in newest.values() if one.state in {_APPROVED, _AGAINST})


def approves(review: PullReview) -> bool:
    """Whether an opinion is an approval; else it asks for changes."""
    return review.state == _APPROVED
