"""Where orders for runners lie, with what their runs say and hand in."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Protocol

from action.order import HEARTBEAT_SECONDS, EventBatch, Order, ToldWords
from action.report import Report
from bot.core.state.observed import Hint, OrderEntry
from bot.core.values.agent_activity import UnshownRun
from bot.core.values.ids import Digest, Frozen, OrderId, RepositoryId, Sha, WorkflowRunId

# A lease ends after three missed heartbeats.
LEASE = timedelta(seconds=3 * HEARTBEAT_SECONDS)


class LeasedOrder(Frozen):
    """The order of a lease token; `is_over` once it is revoked or handed in, not once it expires."""

    repository: RepositoryId
    order: OrderId
    is_over: bool


class ApprovedFile(Frozen):
    """A workflow file as somebody approved it: its content, at a commit of main."""

    path: str
    content: Sha
    commit: Sha


class Transcripts(Protocol):
    """What runs say and do, for some weeks; `tell` replaces what people told one."""

    def tell(
        self, repository: RepositoryId, order: OrderId, told: tuple[ToldWords, ...]
    ) -> None: ...
    def told(self, repository: RepositoryId, order: OrderId) -> tuple[ToldWords, ...]: ...
    def keep(
        self, repository: RepositoryId, order: OrderId, batch: EventBatch, now: datetime
    ) -> None: ...
    def lines(
        self, repository: RepositoryId, order: OrderId, since: int = 0
    ) -> tuple[tuple[int, str], ...]: ...
    def unshown(self, repository: RepositoryId) -> tuple[UnshownRun, ...]: ...
    def shown(self, of: RepositoryId, order: OrderId, at: datetime, *, is_end: bool) -> None: ...


class OrderStore(Protocol):
    """Orders for runners, each with one lease and one report.

    `place` again changes nothing but the file, which orders of older releases lack.
    `take` gives the order to the workflow run that it was dispatched for, again under a fresh token
    until that run has used its token; None where it is in use, revoked, unknown or another run's.
    `hand_in` leaves the hint in the same transaction: a runner hands in only once. `reserve` counts
    the bytes that will come, and returns whether the lease may send so many. `settle` counts those that
    were kept instead, and may renew the lease (until when, now).
    """

    def place(
        self, repository: RepositoryId, order: Order, workflow: ApprovedFile | None = None
    ) -> None: ...
    def workflow(self, repository: RepositoryId, order: OrderId) -> ApprovedFile | None: ...
    def bind(self, repository: RepositoryId, order: OrderId, run: WorkflowRunId) -> None: ...
    def take(
        self,
        repository: RepositoryId,
        order: OrderId,
        run: WorkflowRunId,
        lease: tuple[str, datetime],
        now: datetime,
    ) -> Order | None: ...
    def leased(self, token: str) -> LeasedOrder | None: ...
    def at_work(self, repository: RepositoryId, order: OrderId, now: datetime) -> Order | None: ...
    def renew(self, token: str, until: datetime, now: datetime) -> None: ...
    def reserve(self, token: str, count: int, most: int) -> bool: ...
    def settle(
        self,
        token: str,
        reserved: int,
        kept: tuple[int, Digest | None],
        renewed: tuple[datetime, datetime] | None = None,
    ) -> None: ...
    def revoke(self, repository: RepositoryId, order: OrderId) -> None: ...
    def hand_in(self, token: str, report: Report, digest: Digest, hint: Hint) -> None: ...
    def entries(
        self, repository: RepositoryId, orders: tuple[OrderId, ...]
    ) -> Mapping[OrderId, OrderEntry]: ...
