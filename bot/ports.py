"""What the shell asks of the world, as Protocols; adapters fulfil them, wiring chooses.

The rule: a port speaks in values of the core and raises only the failures named here. Writes are
never re-sent by an adapter; whoever intends an effect looks first when it was intended before.
Deliberately absent: anything that decides.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Protocol

from action.order import Order
from action.report import Report
from bot.core.journal.events import Event
from bot.core.journal.state import RepositoryState
from bot.core.state.observed import Hint, OrderEntry
from bot.core.state.rate_limits import Priority
from bot.core.state.webhook import Installation
from bot.core.values.candidate import (
    BundleRefusal,
    BundleRules,
    CommitRecipe,
    ImportedHead,
    MergeConflict,
    MergedTree,
    PushResult,
    RefUpdate,
)
from bot.core.values.check_run import CheckRunText
from bot.core.values.github_cost import Cost
from bot.core.values.ids import (
    CommentId,
    Digest,
    EffectKey,
    Frozen,
    InstallationId,
    IssueNumber,
    OrderId,
    PullNumber,
    Ref,
    RepositoryId,
    Sha,
    WorkflowRunId,
)
from bot.core.values.prompt import Asked, Question, Reply
from bot.core.values.redelivery import Attempt
from bot.core.values.repository import (
    Comment,
    CommitFacts,
    Issue,
    IssueEdit,
    Labelling,
    Pull,
    RepositoryFacts,
    Role,
    WorkflowRun,
)


class UserError(Exception):
    """The world says no and will say so again; the sentence is for the person who asked."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class JournalUnreadable(UserError):
    """A journal holds an event that this release cannot read: nothing may be written after it."""


class Retryable(Exception):
    """The world is busy or broken for now. `after` is what the server asked for, if it said."""

    def __init__(self, sentence: str, after: timedelta | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.after = after


class Limited(Retryable):
    """We ask too much: nothing is to be asked for our installation until `after` has passed."""

    def __init__(self, sentence: str, after: timedelta) -> None:
        super().__init__(sentence, after)
        self.after: timedelta = after


class Clock(Protocol):
    """The time, aware, in UTC."""

    def now(self) -> datetime: ...


class Doorbell(Protocol):
    """A nudge that may fail silently; nothing depends on it but speed."""

    def ring_delivery(self, delivery_id: str) -> None: ...
    def ring_repository(self, repository: RepositoryId) -> None: ...
    def ring_prompt(self, repository: RepositoryId, effect: EffectKey) -> None: ...


class Blobs(Protocol):
    """Bytes by the sha256 of their content."""

    def put(self, content: bytes) -> Digest: ...
    def get(self, digest: Digest) -> bytes | None: ...


class Git(Protocol):
    """One bare mirror per repository: a cache that may be deleted at any time.

    Commits and trees are made in the mirror and reach GitHub only by `push`. Raises `Retryable`
    when the remote cannot be reached, `UserError` when it refuses us.
    """

    def fetch(self, repository: RepositoryFacts) -> None: ...
    def fetch_pull(self, repository: RepositoryFacts, pull: PullNumber) -> None: ...
    def remote_ref(self, repository: RepositoryFacts, ref: Ref) -> Sha | None: ...
    def remote_refs(
        self, repository: RepositoryFacts, prefixes: tuple[str, ...]
    ) -> Mapping[Ref, Sha]: ...
    def has(self, repository: RepositoryFacts, sha: Sha) -> bool: ...
    def blobs(
        self, repository: RepositoryFacts, tree: Sha, prefixes: tuple[str, ...]
    ) -> Mapping[str, Sha]: ...
    def files(
        self, repository: RepositoryFacts, tree: Sha, prefixes: tuple[str, ...]
    ) -> Mapping[str, bytes]: ...
    def history(
        self, repository: RepositoryFacts, since: Sha, until: Sha
    ) -> tuple[CommitFacts, ...] | None: ...
    def tree_of(self, repository: RepositoryFacts, commit: Sha) -> Sha: ...
    def changed_paths(self, repository: RepositoryFacts, old: Sha, new: Sha) -> tuple[str, ...]: ...
    def merge(
        self, repository: RepositoryFacts, base: Sha, head: Sha
    ) -> MergedTree | MergeConflict: ...
    def edit_tree(
        self, repository: RepositoryFacts, tree: Sha, edits: Mapping[str, bytes | None]
    ) -> Sha: ...
    def commit(self, repository: RepositoryFacts, recipe: CommitRecipe) -> Sha: ...
    def import_bundle(
        self, repository: RepositoryFacts, bundle: bytes, rules: BundleRules
    ) -> ImportedHead | BundleRefusal: ...
    def push(self, repository: RepositoryFacts, updates: tuple[RefUpdate, ...]) -> PushResult: ...


class Forge(Protocol):
    """GitHub, as far as we use it. Reads return None for what is not there (404).

    Raises `UserError` (403, 422 …), `Retryable` (5xx, timeouts, rate limits). A write that raised
    `Retryable` may have been done: look before doing it again. `move_main` answers None where this
    GitHub has no compare-and-swap for us; then the leased push is the way. `take_reads` tells what
    the calling thread's reads have cost since it last asked.
    """

    def take_reads(self) -> Cost: ...

    def installations(self) -> tuple[Installation, ...]: ...
    def delivery_attempts(self, since: datetime) -> tuple[Attempt, ...]: ...
    def redeliver(self, attempt: int) -> None: ...
    def repository(
        self, installation: InstallationId, full_name: str
    ) -> RepositoryFacts | None: ...
    def comment(self, repository: RepositoryFacts, comment: CommentId) -> Comment | None: ...
    def comments_since(
        self, repository: RepositoryFacts, since: datetime
    ) -> tuple[Comment, ...]: ...
    def role(self, repository: RepositoryFacts, login: str) -> Role: ...
    def issue(self, repository: RepositoryFacts, number: IssueNumber) -> Issue | None: ...
    def issues_by_us(self, repository: RepositoryFacts, since: datetime) -> tuple[Issue, ...]: ...
    def labelled_issues(self, repository: RepositoryFacts, label: str) -> tuple[Issue, ...]: ...
    def labelling(
        self, repository: RepositoryFacts, number: IssueNumber, label: str
    ) -> Labelling | None: ...
    def issue_comments(
        self, repository: RepositoryFacts, number: IssueNumber
    ) -> tuple[Comment, ...]: ...
    def commit_comments(self, repository: RepositoryFacts, sha: Sha) -> tuple[Comment, ...]: ...
    def pull(self, repository: RepositoryFacts, number: PullNumber) -> Pull | None: ...
    def open_pulls(self, repository: RepositoryFacts) -> tuple[Pull, ...]: ...
    def pull_of_branch(self, repository: RepositoryFacts, branch: str) -> Pull | None: ...
    def workflow_run(
        self, repository: RepositoryFacts, run: WorkflowRunId
    ) -> WorkflowRun | None: ...
    def workflow_run_of_order(
        self, repository: RepositoryFacts, order: OrderId, since: datetime
    ) -> WorkflowRun | None: ...
    def check_run_by_us(
        self, repository: RepositoryFacts, sha: Sha, external_id: str
    ) -> int | None: ...

    def move_main(
        self, repository: RepositoryFacts, base: Sha, candidate: Sha
    ) -> PushResult | None: ...
    def open_issue(
        self, repository: RepositoryFacts, title: str, body: str, labels: tuple[str, ...]
    ) -> Issue: ...
    def edit_issue(
        self, repository: RepositoryFacts, number: IssueNumber, edit: IssueEdit
    ) -> None: ...
    def link_sub_issue(
        self, repository: RepositoryFacts, parent: IssueNumber, child_id: int
    ) -> None: ...
    def link_blocked_by(
        self, repository: RepositoryFacts, number: IssueNumber, blocker_id: int
    ) -> None: ...
    def comment_on_issue(
        self, repository: RepositoryFacts, number: IssueNumber, body: str
    ) -> CommentId: ...
    def edit_comment(self, repository: RepositoryFacts, comment: CommentId, body: str) -> None: ...
    def comment_on_commit(self, repository: RepositoryFacts, sha: Sha, body: str) -> None: ...
    def react(self, repository: RepositoryFacts, comment: CommentId, content: str) -> None: ...
    def open_pull(
        self, repository: RepositoryFacts, branch: str, title: str, body: str
    ) -> Pull: ...
    def edit_pull_body(
        self, repository: RepositoryFacts, number: PullNumber, body: str
    ) -> None: ...
    def close_pull(self, repository: RepositoryFacts, number: PullNumber) -> None: ...
    def create_check_run(
        self, repository: RepositoryFacts, sha: Sha, external_id: str, text: CheckRunText
    ) -> int: ...
    def update_check_run(
        self, repository: RepositoryFacts, check_run: int, text: CheckRunText
    ) -> None: ...
    def dispatch_workflow(
        self, repository: RepositoryFacts, workflow: str, inputs: Mapping[str, str]
    ) -> WorkflowRunId | None: ...
    def cancel_workflow_run(self, repository: RepositoryFacts, run: WorkflowRunId) -> None: ...


class LeaseLost(Exception):
    """The repository's lease has another epoch: stop at once, write nothing more."""


class Asking(Frozen):
    """One asking of a question: `id` is made of the effect and of how often it was put off."""

    repository: RepositoryId
    id: str


class Lease(Frozen):
    """The right to write one repository's journal and to act for it (law 5)."""

    repository: RepositoryId
    holder: str
    epoch: int


class Record(Frozen):
    """An event with its place and time in the journal."""

    number: int
    at: datetime
    event: Event


class Model(Protocol):
    """One question to one model; what comes back is text that nobody has believed yet.

    Raises `Retryable` for trouble that passes (overload, limits, 5xx, a connection or a stream that
    breaks off or stalls) and `UserError` for what a repetition would not mend (no key, a bad
    request). Never asks twice by itself.
    """

    def ask(self, model: str, question: Question) -> Reply: ...


class PromptStore(Protocol):
    """Where replies lie until reconcile takes them: one claim and one reply for each asking.

    `claim` gives an asking to one asker, and back to the same one after a restart; None until it
    runs out. `keep` is the moment from which an answer is never paid for twice.
    """

    def claim(self, asking: Asking, holder: str, until: datetime, now: datetime) -> bool: ...
    def keep(self, asking: Asking, asked: Asked) -> None: ...
    def kept(self, repository: RepositoryId) -> Mapping[str, Asked]: ...
    def claims(self, repository: RepositoryId) -> Mapping[str, datetime]: ...
    def forget(self, repository: RepositoryId, askings: tuple[str, ...]) -> None: ...
    def let_go(self, holder: str) -> None: ...


class Remembered(Frozen):
    """An answer of GitHub's as it was last given: its ETag, its `Link` header, its JSON text."""

    etag: str
    link: str
    body: str


class Answers(Protocol):
    """Answers by what was asked, kept to ask "has it changed?", which costs no quota if it has not.

    Whatever is lost here is asked for whole again. Never raises.
    """

    def get(self, question: str) -> Remembered | None: ...
    def put(self, question: str, answer: Remembered) -> None: ...


class Budget(Protocol):
    """What may still be asked of GitHub for one installation (`whom`), all workers together.

    `spend` answers None where it is spent, else nothing is and it may be after so long; `wait` only
    answers. `count` is for what was asked already. A worker has a seat while it sends requests, one
    after another. Never raises, never waits.
    """

    def spend(
        self, whom: str, cost: Cost, priority: Priority, now: datetime
    ) -> timedelta | None: ...
    def wait(
        self, whom: str, cost: Cost, priority: Priority, now: datetime
    ) -> timedelta | None: ...
    def count(self, whom: str, cost: Cost, now: datetime) -> None: ...
    def acquire_slot(self, whom: str, holder: str, now: datetime) -> bool: ...
    def release_slot(self, whom: str, holder: str) -> None: ...


class Journal(Protocol):
    """Events per repository, append-only, and what stands beside them: hints, times to wake or wait.

    `append` checks the lease's epoch in its own transaction, raises `LeaseLost`, and renews; it
    returns the state after the events. Hints that were `followed` are dropped with them. It raises `JournalUnreadable` where `load` ended early. `load` costs what is new since this process last looked.
    """

    def repositories(self) -> tuple[RepositoryId, ...]: ...
    def acquire(self, repository: RepositoryId, holder: str, now: datetime) -> Lease | None: ...
    def release(self, lease: Lease) -> None: ...
    def load(self, repository: RepositoryId) -> RepositoryState: ...
    def append(
        self,
        lease: Lease,
        events: tuple[Event, ...],
        now: datetime,
        followed: tuple[int, ...] = (),
    ) -> RepositoryState: ...
    def records(self, repository: RepositoryId, after: int) -> Iterator[Record]: ...
    def stirred(self) -> Mapping[RepositoryId, int]: ...
    def put_hints_of(self, hints: Mapping[RepositoryId, tuple[Hint, ...]]) -> None: ...
    def put_hints(self, repository: RepositoryId, hints: tuple[Hint, ...]) -> None: ...
    def hints(self, repository: RepositoryId) -> Mapping[int, Hint]: ...
    def drop_hints(self, numbers: tuple[int, ...]) -> None: ...
    def set_wake_at(self, repository: RepositoryId, at: datetime | None) -> None: ...
    def due(self, now: datetime) -> tuple[RepositoryId, ...]: ...
    def pause(self, whom: str, until: datetime) -> None: ...
    def paused_until(self, whom: tuple[str, ...], now: datetime) -> datetime | None: ...


class Delivery(Frozen):
    """One raw webhook request, as it was stored before the 202."""

    id: str
    event: str
    body: bytes


class Inbox(Protocol):
    """Deliveries, unique by GUID. `put` says whether the delivery is new."""

    def put(self, delivery: Delivery, now: datetime) -> bool: ...
    def get(self, delivery_id: str) -> Delivery | None: ...
    def mark_read(self, delivery_ids: tuple[str, ...]) -> None: ...
    def unread(self, before: datetime) -> tuple[str, ...]: ...


class LeasedOrder(Frozen):
    """What a lease token is for; `is_over` once revoked or handed in.

    A lease that ran out is over when reconcile says so, which revokes it: until then the work of a
    runner that comes back is still wanted.
    """

    repository: RepositoryId
    order: OrderId
    is_over: bool


class OrderStore(Protocol):
    """Where orders lie for runners: one row an order, one lease, one report.

    `take` gives the order to the workflow run it was dispatched as, and, until that run has used
    its token, once more under a fresh token; None: it is not to be had (in use, revoked, unknown,
    or another run's).
    """

    def place(self, repository: RepositoryId, order: Order) -> None: ...
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
    def renew(self, token: str, until: datetime, now: datetime) -> None: ...
    def revoke(self, repository: RepositoryId, order: OrderId) -> None: ...
    def hand_in(self, token: str, report: Report, digest: Digest) -> None: ...
    def entries(
        self, repository: RepositoryId, orders: tuple[OrderId, ...]
    ) -> Mapping[OrderId, OrderEntry]: ...
