"""Forks: a copy of a repository under another account, whose branches may be offered as pulls.

An account has one fork of a repository; a second request returns it. The fork exists before the
answer, while GitHub creates it soon after. There is no syncing, and a fork's branches can be
offered to its own parent only.
"""

from collections.abc import Callable

from bot.localhub.errors import ApiError
from bot.localhub.issues import author
from bot.localhub.model import Account, Actor, Repository, TokenKind, Visibility
from bot.localhub.state import State

Maker = Callable[[str, str, Visibility], Repository]


class Forks:
    """Creates forks; `make` makes an empty repository of an owner and a name."""

    def __init__(self, state: State, make: Maker) -> None:
        self._state = state
        self._make = make

    def create(self, parent: Repository, actor: Actor, name: str | None) -> Repository:
        """The person's fork of a repository, created if there is none.

        403 for a caller that is no person and for the owner; 422 if the name is taken.
        """
        if actor.kind is not TokenKind.USER:
            raise ApiError(403, "Resource not accessible by integration")
        owner = author(actor)
        if owner is parent.owner:
            raise ApiError(403, "You cannot fork a repository that you own.")
        with self._state.lock:
            known = _fork_of(parent, owner)
            if known is not None:
                return known
            try:
                fork = self._make(owner.login, name or parent.name, parent.visibility)
            except ValueError as taken:
                raise ApiError(422, "Name already exists on this account") from taken
            with fork.push_lock:
                fork.git.run(
                    ["fetch", "--quiet", str(parent.git.folder), "+refs/heads/*:refs/heads/*"]
                )
                fork.refs.update(fork.git.read_refs())
            fork.default_branch, fork.parent = parent.default_branch, parent
            # Its owner switches them on.
            fork.has_issues = False
            parent.forks.append(fork)
            return fork


def _fork_of(parent: Repository, owner: Account) -> Repository | None:
    return next((fork for fork in parent.forks if fork.owner is owner), None)


def fetch_commit(fork: Repository, into: Repository, sha: str) -> None:
    """Copy the head commit of a fork's pull into the target repository, as GitHub does."""
    into.git.run(["fetch", "--quiet", str(fork.git.folder), sha])
