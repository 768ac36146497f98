"""What the shell needs from the world, as Protocols; `entry/wiring.py` chooses the adapters.

A port takes and returns the core's values and raises only the failures below. No write is sent twice.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from bot.core.journal.events import Event
from bot.core.journal.state import RepositoryState
from bot.core.state.observed import Hint
from bot.core.state.rate_limits import Priority
from bot.core.state.webhook import Installation
from bot.core.values.branch_tips import BranchTips, WatchedBranches
from bot.core.values.candidate import (
    BundleRefusal,
    BundleRules,
    CommitRecipe,
    ImportedHead,
    MergeAnswer,
    MergeConflict,
    MergedTree,
    PushedWork,
    PushRefusal,
    PushResult,
    PushRules,
    QueueStanding,
    RefUpdate,
    SignedCommit,
)
from bot.core.values.check_run import CheckRunText, PublishedCheckRun
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
    ReviewCommentId,
    Sha,
    WorkflowRunId,
)
from bot.core.values.prompt import Prompt, PromptResult, Reply
from bot.core.values.pull_review import PullReview
from bot.core.values.redelivery import Attempt
from bot.core.values.repository import (
    Comment,
    CommitFacts,
    Issue,
    IssueEdit,
    Labelling,
    MainMove,
    Pull,
    RepositoryFacts,
    Role,
    Standing,
    WorkflowRun,
)
from bot.core.values.review import ReviewComment, ReviewThread
from bot.core.values.rules import MergeMethod, RepositoryRules
from bot.core.values.seen_check import SeenCheck
from bot.core.values.wanted_reading import Reading


class UserError(Exception):
    """Trying again would not help; the sentence is for the person who asked."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class JournalUnreadable(UserError):
    """The journal holds an event that this release cannot read, so nothing may be appended."""


class Retryable(Exception):
    """A failure that may pass. `after` is the wait that the server asked for, if any."""

    def __init__(self, sentence: str, after: timedelta | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.after = after


class Limited(Retryable):
    """A rate limit: no request for the installation until `after` has passed."""

    def __init__(self, sentence: str, after: timedelta) -> None:
        super().__init__(sentence, after)
        self.after: timedelta = after


class Clock(Protocol):
    """Times are aware, in UTC."""

    def now(self) -> datetime: ...


class Doorbell(Protocol):
    """Wakes a worker. A ring may be lost without an error; the sweep finds the work then."""

    def ring_delivery(self, delivery_id: str) -> None: ...
    def ring_repository(self, repository: RepositoryId) -> None: ...
    def ring_prompt(self, repository: RepositoryId, effect: EffectKey) -> None: ...
    def ring_reading(self, repository: RepositoryId, reading: Reading) -> None: ...
    def ring_self_test(self, repository: RepositoryId, effect: EffectKey) -> None: ...


class Readings(Protocol):
    """What took long to find out, by a key; a cache.

    `begin`: the how-manieth try now begins; None where one is under way, or began not long ago.
    """

    def get(self, key: str) -> bytes | None: ...
    def begin(self, key: str, now: datetime) -> int | None: ...
    def put(self, key: str, body: bytes, now: datetime) -> None: ...


class Blobs(Protocol):
    """Bytes, stored under the sha256 of their content."""

    def put(self, content: bytes) -> Digest: ...
    def receive(self, chunks: Iterable[bytes]) -> Digest: ...
    def get(self, digest: Digest) -> bytes | None: ...


class Git(Protocol):
    """One bare mirror per repository, a cache that may be deleted; only `push` changes GitHub.

    Raises `Retryable` when the remote cannot be reached, `UserError` when it refuses us.
    """

    def fetch(self, repository: RepositoryFacts) -> None: ...
    def fetch_pull(self, repository: RepositoryFacts, pull: PullNumber) -> None: ...
    def fetch_commit(self, repository: RepositoryFacts, sha: Sha) -> None: ...
    def remote_ref(self, repository: RepositoryFacts, ref: Ref) -> Sha | None: ...
    def remote_refs(
        self, repository: RepositoryFacts, prefixes: tuple[str, ...]
    ) -> Mapping[Ref, Sha]: ...
    def has(self, repository: RepositoryFacts, sha: Sha) -> bool: ...
    def blobs(
        self, repository: RepositoryFacts, tree: Sha, prefixes: tuple[str, ...]
    ) -> Mapping[str, Sha]: ...
    def links(self, repository: RepositoryFacts, tree: Sha) -> Mapping[str, str]: ...
    def files(
        self, repository: RepositoryFacts, tree: Sha, prefixes: tuple[str, ...]
    ) -> Mapping[str, bytes]: ...
    def history(
        self, repository: RepositoryFacts, since: Sha, until: Sha
    ) -> tuple[CommitFacts, ...] | None: ...
    def changed_together(
        self, repository: RepositoryFacts, until: Sha, commits_max: int
    ) -> tuple[tuple[str, ...], ...]: ...
    def last_change(self, repository: RepositoryFacts, until: Sha, path: str) -> Sha | None: ...
    def tree_of(self, repository: RepositoryFacts, commit: Sha) -> Sha: ...
    def changed_paths(self, repository: RepositoryFacts, old: Sha, new: Sha) -> tuple[str, ...]: ...
    def merge(
        self, repository: RepositoryFacts, base: Sha, head: Sha, union: tuple[str, ...] = ()
    ) -> MergedTree | MergeConflict: ...
    def changed_since_fork(
        self, repository: RepositoryFacts, base: Sha, head: Sha, paths: tuple[str, ...]
    ) -> str: ...
    def edit_tree(
        self, repository: RepositoryFacts, tree: Sha, edits: Mapping[str, bytes | None]
    ) -> Sha: ...
    def with_folder_of(
        self, repository: RepositoryFacts, tree: Sha, other: Sha, folder: str
    ) -> Sha: ...
    def commit(self, repository: RepositoryFacts, recipe: CommitRecipe) -> Sha: ...
    def import_bundle(
        self, repository: RepositoryFacts, bundle: bytes, rules: BundleRules
    ) -> ImportedHead | BundleRefusal: ...
    def pushed_work(
        self, repository: RepositoryFacts, pushed: Sha, rules: PushRules
    ) -> PushedWork | PushRefusal: ...
    def push(self, repository: RepositoryFacts, updates: tuple[RefUpdate, ...]) -> PushResult: ...


class Forge(Protocol):
    """GitHub's API. Reads return None for what is not there (404).

    Raises `UserError` (403, 422 …) and `Retryable` (5xx, timeouts, rate limits). A write that raised
    `Retryable` may have happened: read before it is sent again. `move_main` returns None where this
    GitHub offers no compare-and-swap; use a push with a lease then. `pop_read_cost` returns what the
    reads of the calling thread have cost since its last call. `standing` reads the repository by its
    id; `is_doubted` asks as the App, too, whose installation and permissions they are now. `tips` says what
    it can of many repositories at once; it is not among the reads that are counted.
    """

    def pop_read_cost(self) -> Cost: ...

    def serves(self, full_name: str) -> bool: ...
    def installations(self) -> tuple[Installation, ...]: ...
    def delivery_attempts(self, since: datetime) -> tuple[Attempt, ...]: ...
    def redeliver(self, attempt: int) -> None: ...
    def repository(
        self, installation: InstallationId, repository: RepositoryId
    ) -> RepositoryFacts | None: ...
    def standing(self, repository: RepositoryFacts, is_doubted: bool) -> Standing: ...
    def tips(
        self, installation: InstallationId, asked: Sequence[WatchedBranches]
    ) -> BranchTips: ...
    def rules(self, repository: RepositoryFacts) -> RepositoryRules: ...
    def comment(self, repository: RepositoryFacts, comment: CommentId) -> Comment | None: ...
    def comments_since(
        self, repository: RepositoryFacts, since: datetime
    ) -> tuple[Comment, ...]: ...
    def reviews(self, repository: RepositoryFacts, pull: PullNumber) -> tuple[PullReview, ...]: ...
    def review_comment(
        self, repository: RepositoryFacts, comment: ReviewCommentId
    ) -> ReviewComment | None: ...
    def review_comments_since(
        self, repository: RepositoryFacts, since: datetime
    ) -> tuple[ReviewComment, ...]: ...
    def review_threads(
        self, repository: RepositoryFacts, pull: PullNumber
    ) -> tuple[ReviewThread, ...]: ...
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
    def main_moves(self, repository: RepositoryFacts) -> tuple[MainMove, ...]: ...
    def branch_moves(self, repository: RepositoryFacts, branch: str) -> tuple[MainMove, ...]: ...
    def author_of_merge(self, repository: RepositoryFacts, merged_as: Sha) -> str: ...
    def blob(self, repository: RepositoryFacts, commit: Sha, path: str) -> Sha | None: ...
    def came_by_pull(self, repository: RepositoryFacts, commit: Sha) -> bool: ...
    def pull_of_branch(self, repository: RepositoryFacts, branch: str) -> Pull | None: ...
    def workflow_run(
        self, repository: RepositoryFacts, run: WorkflowRunId
    ) -> WorkflowRun | None: ...
    def job_errors(self, repository: RepositoryFacts, run: WorkflowRunId) -> tuple[str, ...]: ...
    def workflow_run_of_order(
        self, repository: RepositoryFacts, order: OrderId, since: datetime
    ) -> WorkflowRun | None: ...
    def check_run_by_us(
        self, repository: RepositoryFacts, sha: Sha, external_id: str
    ) -> PublishedCheckRun | None: ...

    def checks(
        self, repository: RepositoryFacts, sha: Sha, names: Collection[str]
    ) -> tuple[SeenCheck, ...]: ...

    def sign_commit(
        self, repository: RepositoryFacts, tree: Sha, parents: tuple[Sha, ...], message: str
    ) -> SignedCommit: ...
    def signed_commit(self, repository: RepositoryFacts, sha: Sha) -> SignedCommit | None: ...
    def unsigned_commits(
        self, repository: RepositoryFacts, pull: PullNumber
    ) -> tuple[Sha, ...]: ...

    def move_main(
        self, repository: RepositoryFacts, base: Sha, candidate: Sha
    ) -> PushResult | None: ...
    def merge_pull(
        self,
        repository: RepositoryFacts,
        number: PullNumber,
        head: Sha,
        methods: tuple[MergeMethod, ...],
        message: str,
    ) -> MergeAnswer: ...
    def queue_standing(
        self, repository: RepositoryFacts, number: PullNumber
    ) -> QueueStanding | None: ...
    def enqueue(self, repository: RepositoryFacts, node: str, head: Sha) -> str: ...
    def dequeue(self, repository: RepositoryFacts, node: str) -> str: ...
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
    def react_to_review(
        self, repository: RepositoryFacts, comment: ReviewCommentId, content: str
    ) -> None: ...
    def reply_to_review(
        self, repository: RepositoryFacts, pull: PullNumber, thread: ReviewCommentId, body: str
    ) -> None: ...
    def resolve_thread(self, repository: RepositoryFacts, thread: str) -> bool: ...
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
    """Another worker holds the repository's lease now: stop at once, write nothing more."""


class PromptAttempt(Frozen):
    """One attempt at a prompt: `id` is a hash of the effect and the number of delays before."""

    repository: RepositoryId
    id: str


class Lease(Frozen):
    """The right to write one repository's journal and to act for it (law 5).

    `was_left`: whoever had it before ended without giving it back.
    """

    repository: RepositoryId
    epoch: int
    was_left: bool = False


@dataclass(frozen=True, slots=True)
class Record:
    """An event with its number and time in the journal."""

    number: int
    at: datetime
    event: Event


class Model(Protocol):
    """Sends one prompt to one model, once; the reply is not validated.

    Raises `Retryable` for failures that may pass (overload, limits, 5xx, a connection or a stream
    that breaks or stalls) and `UserError` for those that stay (no key, a bad request).
    """

    def ask(self, model: str, prompt: Prompt) -> Reply: ...


class PromptStore(Protocol):
    """Holds the claim and the result of each attempt until reconcile has taken it.

    `claim` says whether `holder` may send the prompt: True for one holder until the claim ends, and
    for the same one after a restart. The first result that is kept stays.
    """

    def claim(
        self, attempt: PromptAttempt, holder: str, until: datetime, now: datetime
    ) -> bool: ...
    def keep(self, attempt: PromptAttempt, result: PromptResult) -> None: ...
    def kept(self, repository: RepositoryId) -> Mapping[str, PromptResult]: ...
    def claims(self, repository: RepositoryId) -> Mapping[str, datetime]: ...
    def forget(self, repository: RepositoryId, attempts: tuple[str, ...]) -> None: ...
    def release_claims_of(self, holder: str) -> None: ...


class CachedResponse(Frozen):
    """GitHub's last response: its ETag, its `Link` header and its JSON text."""

    etag: str
    link: str
    body: str


class ResponseCache(Protocol):
    """GitHub's responses by request, for conditional requests (304 costs no quota). Never raises."""

    def get(self, request: str) -> CachedResponse | None: ...
    def put(self, request: str, response: CachedResponse) -> None: ...


class Budget(Protocol):
    """What may still be asked of GitHub for one installation (`whom`), by all workers together.

    `spend` returns None where it has spent the cost, else the time until it may; `wait` spends
    nothing; `left` says what each of GitHub's limits still allows. `count` adds a cost that was paid already. A worker holds a slot while it sends
    requests, one after another. Never raises, never blocks.
    """

    def spend(
        self, whom: str, cost: Cost, priority: Priority, now: datetime
    ) -> timedelta | None: ...
    def wait(
        self, whom: str, cost: Cost, priority: Priority, now: datetime
    ) -> timedelta | None: ...
    def left(self, whom: str, now: datetime) -> Mapping[str, int]: ...
    def count(self, whom: str, cost: Cost, now: datetime) -> None: ...
    def acquire_slot(self, whom: str, holder: str, now: datetime) -> bool: ...
    def release_slot(self, whom: str, holder: str) -> None: ...


class Journal(Protocol):
    """Append-only events per repository, with hints, wake times and pauses.

    `append` checks the lease's epoch and renews it in one transaction and returns the new state; hints
    that were `followed` are dropped with it. `rest` is an append that gives the lease back and says
    when to wake, in the same transaction. Both raise `LeaseLost`, and `JournalUnreadable` where
    `load` ended early. `load` reads only the events since this process last loaded; `length` is how many
    there are. Paused repositories are not `due`.
    """

    def repositories(self) -> tuple[RepositoryId, ...]: ...
    def acquire(self, repository: RepositoryId, holder: str, now: datetime) -> Lease | None: ...
    def release(self, lease: Lease) -> None: ...
    def load(self, repository: RepositoryId) -> RepositoryState: ...
    def length(self, repository: RepositoryId) -> int: ...
    def append(
        self,
        lease: Lease,
        events: tuple[Event, ...],
        now: datetime,
        followed: tuple[int, ...] = (),
    ) -> RepositoryState: ...
    def rest(
        self,
        lease: Lease,
        events: tuple[Event, ...],
        now: datetime,
        followed: tuple[int, ...],
        wake_at: datetime | None,
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


@dataclass(frozen=True, slots=True)
class Delivery:
    """One raw webhook request."""

    id: str
    event: str
    body: bytes


class Inbox(Protocol):
    """Deliveries by GUID. `put` returns whether the delivery is new."""

    def put(self, delivery: Delivery, now: datetime) -> bool: ...
    def get(self, delivery_id: str) -> Delivery | None: ...
    def mark_read(self, delivery_ids: tuple[str, ...]) -> None: ...
    def unread(self, before: datetime) -> tuple[str, ...]: ...
