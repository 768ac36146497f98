"""What happens to the repository itself on one day: another name, owner or default branch, and back.

Drawn apart from a day's other troubles, so that these do not depend on it. Whatever ends Headgate's
access is undone before the day ends.
"""

import random
from collections.abc import Callable
from enum import StrEnum

from bot.localhub.model import Installation, Repository
from tests.testkit.house import House

_ODDS = 0.25


class Life(StrEnum):
    """One thing that happens to a repository."""

    RENAMED = "renamed"
    TRANSFERRED = "transferred"
    NEW_DEFAULT_BRANCH = "new default branch"
    SUSPENDED = "suspended"
    REMOVED = "removed"
    ARCHIVED = "archived"


class Lives:
    """The lives of one day's repository; `lived` are those that happened."""

    def __init__(self, story: House, seed: int, note: Callable[[str], None]) -> None:
        self._story, self._note = story, note
        self._rng = random.Random(f"lives of day {seed}")
        self._planned = planned(self._rng)
        self._undo: Callable[[], None] | None = None
        self.lived: list[Life] = []

    def go_on(self) -> None:
        """Perhaps the next thing happens, or what ended our access is undone."""
        if self._rng.random() >= _ODDS:
            return
        if self._undo is not None:
            self.restore()
        elif self._planned:
            life = self._planned.pop()
            self._note(f"the repository is {life}")
            self.lived.append(life)
            self._live(life)

    def restore(self) -> None:
        """Headgate has its access again."""
        if self._undo is not None:
            self._note("the repository is back")
            self._undo()
            self._undo = None

    def _live(self, life: Life) -> None:
        story, lives = self._story, self._story.hub.lives
        ada, repository = story.hub.as_user("ada"), self._repository
        match life:
            case Life.RENAMED:
                lives.rename(repository, ada, "store")
            case Life.TRANSFERRED:
                story.hub.add_organization("acme")
                story.hub.install_app(self._installation.app.id, "acme")
                lives.transfer(repository, ada, story.hub.account("acme"))
            case Life.NEW_DEFAULT_BRANCH:
                lives.rename_branch(repository, ada, repository.default_branch, "trunk")
            case Life.SUSPENDED:
                held = self._installation
                story.hub.apps.suspend(held)
                self._undo = lambda: story.hub.apps.unsuspend(held)
            case Life.REMOVED:
                held = self._installation
                held.repository_ids = {repository.id}
                story.hub.apps.remove_repositories(held, [repository])
                self._undo = lambda: story.hub.apps.add_repositories(held, [repository])
            case Life.ARCHIVED:
                lives.archive(repository, ada)
                self._undo = lambda: lives.unarchive(repository, ada)
        story.full_name = repository.full_name

    @property
    def _repository(self) -> Repository:
        return self._story.hub.repository(self._story.full_name)

    @property
    def _installation(self) -> Installation:
        (held,) = self._story.hub.state.installations_on(self._repository)
        return held


def planned(rng: random.Random) -> list[Life]:
    """What is to happen on a day, last first."""
    return rng.sample(list(Life), rng.choice([0, 1, 1, 2]))
