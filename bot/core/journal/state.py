"""State: what a repository's journal amounts to, as one value.

It is the fold of events (`evolve`) and nothing else ever changes it. A snapshot carries
`FOLD_VERSION`; a snapshot of another version is thrown away and folded anew. What can be derived
(queue position, readiness, progress) is not here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import cache

from pydantic import TypeAdapter

from bot.core.journal.candidate_facts import Awaited as Awaited, Candidate as Candidate
from bot.core.journal.change_state import (
    AgentRun as AgentRun,
    ChangeFacts as ChangeFacts,
    Flake as Flake,
    Head as Head,
    OrderFacts as OrderFacts,
    OrderKind as OrderKind,
    Push as Push,
    PushState as PushState,
    RedGate as RedGate,
    Told as Told,
    WorkFate as WorkFate,
)
from bot.core.journal.dialogue_state import Dialogue as Dialogue
from bot.core.journal.effects import Effect
from bot.core.journal.evidence_state import Evidence
from bot.core.journal.freeze_state import Freeze as Freeze
from bot.core.journal.model_advice_state import ModelAdvice
from bot.core.journal.pause_state import Pause
from bot.core.journal.queue_entry import Entry as Entry
from bot.core.journal.queued_pull import QueuedPull as QueuedPull
from bot.core.journal.retired_issues import RetiredIssues
from bot.core.journal.retired_runs import RetiredRuns
from bot.core.journal.smoke_state import Smoke
from bot.core.journal.spec_state import (
    Cycle as Cycle,
    Planning as Planning,
    ProposedEdit as ProposedEdit,
    PullDigest as PullDigest,
    SpecIssue as SpecIssue,
    SpecRefusal as SpecRefusal,
    SpecRun as SpecRun,
)
from bot.core.journal.upcast import UnreadableEvent
from bot.core.prompts.digest_prompt import Observation
from bot.core.spec.identity.id_changes import Rematched
from bot.core.spec.identity.register import Register
from bot.core.spec.policy_file import Landing
from bot.core.values.candidate import MergeGroup, MovedBy
from bot.core.values.freeze import OF_MAIN, FreezeCause
from bot.core.values.github_refusal import GitHubRefusal
from bot.core.values.ids import (
    CandidateId,
    ChangeId,
    CommentId,
    EffectKey,
    EntryId,
    IssueNumber,
    OrderId,
    PullNumber,
    Sha,
    SpecRunId,
)
from bot.core.values.issue_input import issue_of
from bot.core.values.lifecycle import (
    DialoguePhase as DialoguePhase,
    OrderState as OrderState,
    SpecRunState as SpecRunState,
)
from bot.core.values.question import CHANGE_PLACE, Answer, AskedQuestions
from bot.core.values.replacement import replace
from bot.core.values.repository import AwayReason, RepositoryFacts
from bot.core.values.rules import RepositoryRules
from gates.result import GateResult

# Raise it with every change of meaning in `evolve` or of shape in this file.
FOLD_VERSION = 42

# Nothing is put off for longer: GitHub is waited for a day at most.
DELAY_MOST = timedelta(days=1)


class LedgerKind(StrEnum):
    """How a first-parent commit of main came to be there (law 10)."""

    GENESIS = "genesis"
    LANDED = "landed"
    ADMITTED = "admitted"
    ADOPTED = "adopted"


@dataclass(frozen=True, kw_only=True, slots=True)
class LedgerLine:
    """One first-parent commit of main and why it is there.

    `previous` is the line's forerunner; None for the first line, and where main was rewound. `proof`
    is the digest of the proof that its change's requirements had. `pull` is a person's, which `author`
    put into the queue. `through`: GitHub moved main, by what is said there.
    """

    number: int
    kind: LedgerKind
    sha: Sha
    tree: Sha
    previous: Sha | None
    change: ChangeId | None = None
    author: str = ""
    gates: tuple[str, ...] = ()
    waived: tuple[str, ...] = ()
    proof: str = ""
    allowed: tuple[str, ...] = ()
    pull: PullNumber | None = None
    through: MovedBy | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Away:
    """Headgate may do nothing in the repository, and since when."""

    reason: AwayReason
    lacks: tuple[str, ...] = ()
    since: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptIssue:
    """An issue of the repository itself that is kept true, and when it was last written."""

    number: IssueNumber
    told_at: datetime | None = None


# The name of the issue that tells of the queue, and of the region of its text.
QUEUE = "queue"

# So long after a loss a create looks first whether it happened: a run that rested is gone on with.
_REWOUND_COUNTS = timedelta(days=7)


@dataclass(frozen=True, kw_only=True, slots=True)
class Rewound:
    """Events after `known_until` were lost, which was noticed at `seen_at`."""

    known_until: datetime
    seen_at: datetime

    def counts_at(self, now: datetime) -> bool:
        """Whether what is about to be done may have been done before the loss."""
        return now < self.seen_at + _REWOUND_COUNTS


@dataclass(frozen=True, kw_only=True, slots=True)
class HeardComment:
    """A comment that waits for its answer."""

    comment: CommentId
    issue: IssueNumber


@dataclass(frozen=True, kw_only=True, slots=True)
class Adoption:
    """A commit on main that we did not land; `green` is None until its gates have spoken.

    `is_first`: main as it was before Headgate's first plan. `group`: it is not on main yet, but the head of a
    merge group of GitHub's.
    """

    sha: Sha
    order: OrderId | None = None
    orders: int = 0
    green: bool | None = None
    sentence: str = ""
    results: tuple[GateResult, ...] = ()
    doubts: tuple[GateResult, ...] = ()
    is_first: bool = False
    group: MergeGroup | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Waiver:
    """A failing test that a person accepts, until the end of a day (None: for good)."""

    until: date | None
    by: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Delay:
    """An open effect that waits for the world."""

    until: datetime
    sentence: str
    tries: int
    refusal: GitHubRefusal | None = None

    def is_over(self, now: datetime) -> bool:
        """Also where it lies so far ahead that the clock was wrong when it was written down."""
        return not now < self.until <= now + 2 * DELAY_MOST


@dataclass(frozen=True, kw_only=True)
class BranchState:
    """What is known of one branch that entries land on, under the names that it has in the state.

    `facts`, `changes` and `spec_runs` are the default branch's alone.
    """

    facts: RepositoryFacts | None = None
    rules: RepositoryRules | None = None
    rules_read_at: datetime | None = None
    policy_landing: Landing = Landing.EXACT
    main: Sha | None = None
    main_seen_at: datetime | None = None
    ledger: tuple[LedgerLine, ...] = ()
    on_line: dict[Sha, int] = field(default_factory=dict)
    ledger_published: int = 0
    ledger_commit: Sha | None = None
    adoptions: dict[Sha, Adoption] = field(default_factory=dict)
    rests_on: Sha | None = None
    freezes: dict[FreezeCause, Freeze] = field(default_factory=dict)
    is_main_known: bool = False
    queued_pulls: dict[PullNumber, QueuedPull] = field(default_factory=dict)
    left_pulls: tuple[PullNumber, ...] = ()
    kept_out: dict[PullNumber, Sha] = field(default_factory=dict)
    entries: dict[EntryId, Entry] = field(default_factory=dict)
    in_line: dict[EntryId, int] = field(default_factory=dict)
    changes: dict[ChangeId, ChangeFacts] = field(default_factory=dict)
    spec_runs: dict[SpecRunId, SpecRun] = field(default_factory=dict)
    smoke: Smoke | None = None


@dataclass(frozen=True, kw_only=True)
class RepositoryState(BranchState):
    """Everything that the journal of one repository amounts to; what is a branch's own, for `on_branch`.

    `rests_on`, `open_orders`, `lost_orders`, `open_pulls`, `run_of_issue` and `change_of_number` say
    shortly what would else be searched for among all lines, orders, changes and runs. A number is an
    issue's or a pull's; what it led to may have got another since.
    `ledger` holds the newest lines only; the whole is on its ref and in the journal. `retired` are
    the runs that left the state, with their issues; `spec_keys` the key of each path.
    `evidence` has the newest results by the names of their keys. `is_main_known`: main was judged, or ours landed on it, at least once.
    `entries` are what is, was or may be in the queue; `candidates` are the newest of each entry, and those that are being built; `candidates_made` counts all.
    `queued_pulls` are people's, in the queue or out of it since; `kept_out` the heads of those that left
    it long ago without landing. `freezes` says why nothing lands, `orders_stopped` why no runner is asked.
    `workflows` are the files that orders were dispatched with, as they were approved last.
    `incidents` are the open issues of what happened to a branch (`bot.core.values.incident`).
    `flaky` says when each test (or gate that names none) was last red and then green, for 30 days.
    `branches` are the other branches with a queue of their own; `on_branch` names the one of which main, its
    ledger and its queue are spoken of here (`bot.core.journal.branches.on`), empty for the default branch.
    `unreadable` is the first event that this release cannot read; the state is as it was before it,
    and nothing may be written on top of it.
    """

    away: Away | None = None
    rewound: Rewound | None = None
    orders_stopped: Freeze | None = None
    spec_versions: dict[str, str] = field(default_factory=dict)
    spec_keys: dict[str, str] = field(default_factory=dict)
    refusals: dict[str, SpecRefusal] = field(default_factory=dict)
    policy_version: str = ""
    policy_commit: Sha | None = None
    retired: RetiredRuns = field(default_factory=RetiredRuns)
    retired_issues: RetiredIssues = field(default_factory=RetiredIssues)
    candidates: dict[CandidateId, Candidate] = field(default_factory=dict)
    candidates_made: int = 0
    queue_issue: KeptIssue | None = None
    incidents: dict[str, IssueNumber] = field(default_factory=dict)
    orders: dict[OrderId, OrderFacts] = field(default_factory=dict)
    orders_placed: int = 0
    workflows: dict[str, Sha] = field(default_factory=dict)
    open_orders: tuple[OrderId, ...] = ()
    lost_orders: tuple[OrderId, ...] = ()
    open_pulls: dict[PullNumber, ChangeId] = field(default_factory=dict)
    run_of_issue: dict[IssueNumber, SpecRunId] = field(default_factory=dict)
    change_of_number: dict[int, ChangeId] = field(default_factory=dict)
    evidence: dict[str, Evidence] = field(default_factory=dict)
    covered: dict[str, str] = field(default_factory=dict)
    register_now: Register = field(default_factory=Register)
    waivers: dict[str, Waiver] = field(default_factory=dict)
    pauses: dict[str, Pause] = field(default_factory=dict)
    flaky: dict[str, tuple[datetime, ...]] = field(default_factory=dict)
    register_filed: dict[str, str] = field(default_factory=dict)
    rematched: dict[str, Rematched] = field(default_factory=dict)
    asked: dict[str, AskedQuestions] = field(default_factory=dict)
    decisions: dict[str, Answer] = field(default_factory=dict)
    spec_issues: dict[IssueNumber, SpecIssue] = field(default_factory=dict)
    dialogues: dict[IssueNumber, Dialogue] = field(default_factory=dict)
    decided: int = 0
    pull_digests: dict[PullNumber, PullDigest] = field(default_factory=dict)
    model_advice: dict[str, ModelAdvice] = field(default_factory=dict)
    review_places: dict[ChangeId, tuple[str, ...]] = field(default_factory=dict)
    noticed: dict[str, tuple[Observation, ...]] = field(default_factory=dict)
    heard: dict[CommentId, HeardComment] = field(default_factory=dict)
    answered: dict[CommentId, datetime] = field(default_factory=dict)
    strangers_asked: tuple[tuple[str, datetime], ...] = ()
    comments_seen_to: datetime | None = None
    reviews_seen_to: datetime | None = None
    published: dict[str, str] = field(default_factory=dict)
    series: dict[str, tuple[str, ...]] = field(default_factory=dict)
    open_checks: tuple[str, ...] = ()
    open_effects: dict[EffectKey, Effect] = field(default_factory=dict)
    delays: dict[EffectKey, Delay] = field(default_factory=dict)
    model_calls: int = 0
    refused: dict[EffectKey, str] = field(default_factory=dict)
    events: int = 0
    branches: dict[str, BranchState] = field(default_factory=dict)
    on_branch: str = ""
    unreadable: UnreadableEvent | None = None

    @property
    def frozen(self) -> str | None:
        """Why main is not sound, so that nothing is built on it; None where it is."""
        found = (self.freezes[cause].why for cause in OF_MAIN if cause in self.freezes)
        return next(found, None)

    @property
    def ledger_lines(self) -> int:
        """How many lines the whole ledger has."""
        return self.ledger[-1].number + 1 if self.ledger else 0

    def ledger_from(self, number: int) -> tuple[LedgerLine, ...]:
        """The lines from this number on; what is not published yet is always here."""
        first = self.ledger[0].number if self.ledger else 0
        return self.ledger[max(0, number - first) :]

    def adoption_under(self, sha: Sha) -> Adoption | None:
        """The adopted commit that main at `sha` rests on; None where it rests on our own."""
        if sha == self.main:
            return self.adoptions.get(self.rests_on) if self.rests_on else None
        from_sha = False
        for line in reversed(self.ledger):
            from_sha = from_sha or line.sha == sha
            if not from_sha:
                continue
            adoption = self.adoptions.get(line.sha)
            if adoption is not None or line.kind in {LedgerKind.LANDED, LedgerKind.GENESIS}:
                return adoption
        return self.adoptions.get(sha)

    def is_outdated(self, digest: PullDigest) -> bool:
        """Whether a pull's specs have to be told of anew: ids or decisions are others since."""
        return digest.is_stale or digest.decided < self.decided

    def entry_of(self, thing: ChangeFacts | QueuedPull) -> Entry:
        """What decides on its place in the queue; nothing was said of most changes yet."""
        return self.entries.get(thing.entry) or Entry(id=thing.entry)

    def candidate_of(self, entry: ChangeFacts | QueuedPull) -> Candidate | None:
        """The newest candidate of a change or of a person's pull that was built."""
        newest = self.entry_of(entry).candidate
        return self.candidates.get(newest) if newest is not None else None

    def results_of(self, entry: ChangeFacts | QueuedPull) -> tuple[GateResult, ...]:
        candidate = self.candidate_of(entry)
        return candidate.results if candidate is not None else ()

    def changes_of(self, spec_run: SpecRunId) -> tuple[ChangeFacts, ...]:
        """The changes of a spec run in the plan's order."""
        run = self.spec_runs[spec_run]
        if run.plan is None:
            return ()
        return tuple(
            self.changes[change_id(spec_run, planned.slug)] for planned in run.plan.changes
        )

    def run_with_issue(self, number: int) -> SpecRun | None:
        run = self.spec_runs.get(self.run_of_issue.get(IssueNumber(number), SpecRunId("")))
        return run if run is not None and run.issue == number else None

    def change_with(self, number: int) -> ChangeFacts | None:
        """The change whose issue or newest pull has this number."""
        change = self.changes.get(self.change_of_number.get(number, ChangeId("")))
        return change if change is not None and number in {change.issue, change.pull} else None

    def is_replaced(self, change: ChangeFacts) -> bool:
        """Whether later cycles of the replan took over all that it was to do."""
        run = self.spec_runs.get(change.spec_run)
        if run is not None and change.cycle >= len(run.cycles):
            return False
        later = {
            r
            for c in self.changes.values()
            if c.spec_run == change.spec_run and c.cycle > change.cycle
            for r in c.planned.requirements
        }
        return change.landed is None and later.issuperset(change.planned.requirements)


def with_run(state: RepositoryState, run: SpecRun) -> RepositoryState:
    return replace(state, spec_runs={**state.spec_runs, run.id: run})


def with_change(state: RepositoryState, change: ChangeFacts) -> RepositoryState:
    return replace(state, changes={**state.changes, change.id: change})


def with_pull(state: RepositoryState, pull: QueuedPull) -> RepositoryState:
    return replace(state, queued_pulls={**state.queued_pulls, pull.number: pull})


def with_dialogue(state: RepositoryState, dialogue: Dialogue) -> RepositoryState:
    return replace(state, dialogues={**state.dialogues, dialogue.issue: dialogue})


def dialogue_of(state: RepositoryState, issue: IssueNumber) -> Dialogue | None:
    """The issue's dialogue; of one that left the state, what counts of it."""
    retired = None if issue in state.dialogues else state.retired_issues.get(issue)
    return retired.dialogue if retired else state.dialogues.get(issue)


def spec_issue_of(state: RepositoryState, issue: IssueNumber) -> SpecIssue | None:
    """The same of the spec that the issue is."""
    retired = None if issue in state.spec_issues else state.retired_issues.get(issue)
    return retired.spec if retired else state.spec_issues.get(issue)


def asked_at(state: RepositoryState, place: str) -> AskedQuestions:
    """The questions of a place; of a change, those that its agent asked last."""
    if place.startswith(CHANGE_PLACE):
        change = state.changes.get(ChangeId(place.removeprefix(CHANGE_PLACE)))
        newest = change.clarifications[-1:] if change else ()
        return newest[0].asked if newest else AskedQuestions()
    issue = issue_of(place)
    if issue is not None:
        dialogue = state.dialogues.get(issue)
        return dialogue.asked if dialogue else AskedQuestions()
    return state.asked.get(place, AskedQuestions())


@cache
def _snapshots() -> TypeAdapter[RepositoryState]:
    # Made when it is first wanted: most programs that import the state never store it.
    return TypeAdapter(RepositoryState)


def snapshot_of(state: RepositoryState) -> str:
    """The state as JSON, for `state_of`; in ASCII, which takes a byte a sign in memory."""
    return _snapshots().dump_json(state, ensure_ascii=True).decode()


def state_of(snapshot: str) -> RepositoryState:
    """The state that was stored. Raises pydantic's ValidationError on anything else."""
    return _snapshots().validate_json(snapshot, extra="forbid")


def pull_place(pull: PullNumber) -> str:
    """Where the questions of a pull's specs are put."""
    return f"pull:{pull}"


def change_id(spec_run: SpecRunId, slug: str) -> ChangeId:
    return ChangeId(f"{spec_run}/{slug}")


def branch_of(change: ChangeFacts, runs: Mapping[SpecRunId, SpecRun]) -> str:
    """The branch of a change: `headgate/<spec>/<change>`, with the run told apart by its id."""
    key = runs[change.spec_run].key
    version = change.spec_run.rpartition("@")[2]
    return f"headgate/{key}-{version}/{change.slug}"
