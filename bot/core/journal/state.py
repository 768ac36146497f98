"""State: what a repository's journal amounts to, as one value.

It is the fold of events (`evolve`) and nothing else ever changes it. A snapshot carries
`FOLD_VERSION`; a snapshot of another version is thrown away and folded anew. What can be derived
(queue position, readiness, progress) is not here.
"""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from bot.core.journal.change_state import (
    AgentRun as AgentRun,
    Candidate as Candidate,
    ChangeFacts as ChangeFacts,
    Head as Head,
    Judged as Judged,
    OrderFacts as OrderFacts,
    OrderKind as OrderKind,
    OrderState as OrderState,
)
from bot.core.journal.dialogue_state import (
    Dialogue as Dialogue,
    DialoguePhase as DialoguePhase,
    Round as Round,
)
from bot.core.journal.effects import Effect
from bot.core.journal.model_advice_state import ModelAdvice
from bot.core.journal.spec_state import (
    Amendment as Amendment,
    Cycle as Cycle,
    Planning as Planning,
    PullDigest as PullDigest,
    SpecIssue as SpecIssue,
    SpecRefusal as SpecRefusal,
    SpecRun as SpecRun,
    SpecRunState as SpecRunState,
)
from bot.core.journal.upcast import UnreadableEvent
from bot.core.prompts.digest_prompt import Observation
from bot.core.spec.identity.id_changes import Rematched
from bot.core.spec.identity.register import Register
from bot.core.spec.triage.spec_questions import Asked, SpecDecision
from bot.core.values.ids import (
    ChangeId,
    CommentId,
    EffectKey,
    Frozen,
    IssueNumber,
    OrderId,
    PullNumber,
    Sha,
    SpecRunId,
)
from bot.core.values.repository import RepositoryFacts
from gates.result import GateResult

# Raise it with every change of meaning in `evolve` or of shape in this file.
FOLD_VERSION = 16


class LedgerKind(StrEnum):
    """How a first-parent commit of main came to be there (law 10)."""

    GENESIS = "genesis"
    LANDED = "landed"
    ADMITTED = "admitted"
    ADOPTED = "adopted"


class LedgerLine(Frozen):
    """One first-parent commit of main and why it is there.

    `previous` is the line's forerunner; None for the first line, and where main was rewound.
    """

    number: int
    kind: LedgerKind
    sha: Sha
    tree: Sha
    previous: Sha | None
    change: ChangeId | None = None
    author: str = ""
    gates: tuple[str, ...] = ()


class HeardComment(Frozen):
    """A comment that waits for its answer."""

    comment: CommentId
    issue: IssueNumber


class Adoption(Frozen):
    """A commit on main that we did not land; `green` is None until its gates have spoken."""

    sha: Sha
    order: OrderId | None = None
    orders: int = 0
    green: bool | None = None
    sentence: str = ""
    results: tuple[GateResult, ...] = ()


class Delay(Frozen):
    """An open effect that waits for the world."""

    until: datetime
    sentence: str
    tries: int


class RepositoryState(Frozen):
    """Everything that the journal of one repository amounts to.

    `unreadable` is the first event that this release cannot read; the state is as it was before it,
    and nothing may be written on top of it.
    """

    facts: RepositoryFacts | None = None
    main: Sha | None = None
    main_tree: Sha | None = None
    main_seen_at: datetime | None = None
    ledger: tuple[LedgerLine, ...] = ()
    ledger_published: int = 0
    ledger_commit: Sha | None = None
    adoptions: dict[Sha, Adoption] = {}
    frozen: str | None = None
    spec_versions: dict[str, str] = {}
    refusals: dict[str, SpecRefusal] = {}
    policy_version: str = ""
    policy_commit: Sha | None = None
    spec_runs: dict[SpecRunId, SpecRun] = {}
    changes: dict[ChangeId, ChangeFacts] = {}
    orders: dict[OrderId, OrderFacts] = {}
    orders_placed: int = 0
    covered: dict[str, str] = {}
    register_now: Register = Register()
    register_filed: dict[str, str] = {}
    rematched: dict[str, Rematched] = {}
    asked: dict[str, Asked] = {}
    decisions: dict[str, SpecDecision] = {}
    spec_issues: dict[IssueNumber, SpecIssue] = {}
    dialogues: dict[IssueNumber, Dialogue] = {}
    pull_digests: dict[PullNumber, PullDigest] = {}
    model_advice: dict[str, ModelAdvice] = {}
    noticed: dict[str, tuple[Observation, ...]] = {}
    heard: dict[CommentId, HeardComment] = {}
    answered: dict[CommentId, datetime] = {}
    comments_seen_to: datetime | None = None
    published: dict[str, str] = {}
    open_effects: dict[EffectKey, Effect] = {}
    delays: dict[EffectKey, Delay] = {}
    model_calls: int = 0
    refused: dict[EffectKey, str] = {}
    events: int = 0
    unreadable: UnreadableEvent | None = None

    def adoption_under(self, sha: Sha) -> Adoption | None:
        """The adopted commit that main at `sha` rests on; None where it rests on our own."""
        from_sha = False
        for line in reversed(self.ledger):
            from_sha = from_sha or line.sha == sha
            if not from_sha:
                continue
            adoption = self.adoptions.get(line.sha)
            if adoption is not None or line.kind in {LedgerKind.LANDED, LedgerKind.GENESIS}:
                return adoption
        return self.adoptions.get(sha)

    def changes_of(self, spec_run: SpecRunId) -> tuple[ChangeFacts, ...]:
        """The changes of a spec run in the plan's order."""
        run = self.spec_runs[spec_run]
        if run.plan is None:
            return ()
        return tuple(
            self.changes[change_id(spec_run, planned.slug)] for planned in run.plan.changes
        )

    def is_replaced(self, change: ChangeFacts) -> bool:
        """Whether later cycles of the replan took over all that it was to do."""
        later = {
            r
            for c in self.changes.values()
            if c.spec_run == change.spec_run and c.cycle > change.cycle
            for r in c.planned.requirements
        }
        return change.landed is None and later.issuperset(change.planned.requirements)


def pull_place(pull: PullNumber) -> str:
    """Where the questions of a pull's specs are put."""
    return f"pull:{pull}"


def change_id(spec_run: SpecRunId, slug: str) -> ChangeId:
    """The id of a change: its spec run and its slug."""
    return ChangeId(f"{spec_run}/{slug}")


def branch_of(change: ChangeFacts, runs: Mapping[SpecRunId, SpecRun]) -> str:
    """The branch of a change: `headgate/<spec>/<change>`, with the run told apart by its id."""
    key = runs[change.spec_run].key
    version = change.spec_run.rpartition("@")[2]
    return f"headgate/{key}-{version}/{change.slug}"
