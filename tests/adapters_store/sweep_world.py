"""A sweep and its clock beside a real journal, for stories about when it looks where."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from types import SimpleNamespace
from typing import cast

import sqlalchemy as sa

from bot.adapters.store.inbox import SqlInbox
from bot.adapters.store.journal import SqlJournal
from bot.core.journal.events import Event, TextPublished
from bot.core.state.observed import HintKind
from bot.core.state.onboarding import OFFERED
from bot.core.state.rate_limits import Priority
from bot.core.values.branch_tips import BranchTips, WatchedBranches
from bot.core.values.github_cost import Cost
from bot.core.values.ids import InstallationId, RepositoryId, Sha
from bot.ports import Retryable, UserError
from bot.shell.process_ports import Ports
from bot.shell.sweep import SweepState, sweep
from tests.adapters_store.kit import INSTALLED, NOW, REPOSITORY, heard, later
from tests.testkit.house import RecordingDoorbell


class ToldTips:
    """GitHub's GraphQL: by repository and branch where it is, or a failure instead.

    A query that asks about the `poison` takes too long.
    """

    def __init__(self) -> None:
        self.tips: dict[RepositoryId, Mapping[str, Sha]] = {}
        self.failure: Retryable | UserError | None = None
        self.poison = RepositoryId(0)
        self.asked: list[tuple[InstallationId, tuple[WatchedBranches, ...]]] = []

    def tips_of(self, asked: Sequence[WatchedBranches]) -> dict[RepositoryId, dict[str, Sha]]:
        found = {one.repository: self.tips.get(one.repository, {}) for one in asked}
        return {repository: dict(tips) for repository, tips in found.items() if tips}


class GivenBudget:
    """Says how long to wait; `spent` is for whom how often."""

    def __init__(self) -> None:
        self.wait: timedelta | None = None
        self.spent: list[str] = []

    def spend(self, whom: str, cost: Cost, priority: Priority, _now: datetime) -> timedelta | None:
        assert (cost.requests, priority) == (1, Priority.SWEEP)
        self.spent += [whom] if self.wait is None else []
        return self.wait


class World:
    """A sweep and its clock; whoever is rung for follows all hints at once."""

    def __init__(self, engine: sa.Engine, inbox: sa.Engine) -> None:
        self.journal = SqlJournal(engine)
        self.bell = RecordingDoorbell()
        self.seconds = 0.0
        self.github = ToldTips()
        self.budget = GivenBudget()
        self.beats = SweepState(installations_listed_at=later(1e8), deliveries_at=later(1e8))
        self.asked_at: list[float] = []
        self.seconds_a_query = 0
        self.most_queries_a_beat = self._queries = 0
        self.looked: dict[RepositoryId, list[float]] = {}
        self.ports = cast(
            "Ports",
            SimpleNamespace(
                journal=self.journal,
                inbox=SqlInbox(inbox),
                doorbell=self.bell,
                clock=self,
                forge=SimpleNamespace(tips=self._tell),
                budget=self.budget,
            ),
        )

    def _tell(self, installation: InstallationId, asked: Sequence[WatchedBranches]) -> BranchTips:
        self.asked_at.append(self.seconds)
        self.github.asked.append((installation, tuple(asked)))
        self._queries += 1
        self.most_queries_a_beat = max(self.most_queries_a_beat, self._queries)
        self.seconds += self.seconds_a_query
        if self.github.failure is not None:
            raise self.github.failure
        if any(one.repository == self.github.poison for one in asked):
            raise Retryable("GitHub answers 502.")
        return BranchTips(of=self.github.tips_of(asked), complaint="Not Found")

    def now(self) -> datetime:
        return later(self.seconds)

    def begin(
        self, repository: RepositoryId = REPOSITORY, installation: InstallationId | None = None
    ) -> None:
        lease = self.journal.acquire(repository, "w", NOW)
        assert lease is not None
        of = installation or INSTALLED.facts.installation_id
        facts = INSTALLED.facts.replace(id=repository, installation_id=of)
        self.journal.append(lease, (INSTALLED.model_copy(update={"facts": facts}),), NOW)
        self.journal.release(lease)

    def hear_a_command(self) -> None:
        self.write(heard(1))

    def open_a_first_pull(self) -> None:
        self.write(
            TextPublished(subject=OFFERED, digest="pull 1", published_at=later(self.seconds))
        )

    def write(self, event: Event) -> None:
        lease = self.journal.acquire(REPOSITORY, "w", later(self.seconds))
        assert lease is not None
        self.journal.append(lease, (event,), later(self.seconds))
        self.journal.release(lease)

    def pass_time(self, seconds: int, beat: int = 5) -> None:
        for _ in range(seconds // beat):
            self._queries = 0
            sweep(self.ports, self.beats)
            for repository in dict.fromkeys(self.bell.take_repositories()):
                waiting = self.journal.hints(repository)
                if any(h.kind is HintKind.EVERYTHING for h in waiting.values()):
                    self.looked.setdefault(repository, []).append(self.seconds)
                self.journal.drop_hints(tuple(waiting))
            self.seconds += beat

    @property
    def pauses(self) -> list[float]:
        looked = self.looked[REPOSITORY]
        return [b - a for a, b in pairwise(looked)]
