"""Effects: what we can do to the world, named in the imperative.

GitHub has no idempotency keys, so each effect has a natural key of ours: two effects with one key
do the same. Each effect names what it expects of the world; none moves main without naming the
commit it expects there. `bot.shell.perform` names the function that performs each.
"""

from datetime import datetime
from typing import Annotated, Literal, get_args

from pydantic import Field

from bot.core.journal.effect_class import EffectClass, Urgency
from bot.core.journal.effects_queue import BuildPull as BuildPull, LandPull as LandPull
from bot.core.journal.effects_talk import (
    AnswerThread as AnswerThread,
    CloseIssue as CloseIssue,
    EditComment as EditComment,
    EditIssue as EditIssue,
    LinkBlockedBy as LinkBlockedBy,
    LinkSubIssue as LinkSubIssue,
    OpenIssue as OpenIssue,
    PostComment as PostComment,
    PostCommitComment as PostCommitComment,
    PublishCheckRun as PublishCheckRun,
    React as React,
    ReactToReview as ReactToReview,
    ReopenIssue as ReopenIssue,
    RunSelfTest as RunSelfTest,
)
from bot.core.journal.effects_work import (
    ArchiveOrder as ArchiveOrder,
    BuildCandidate as BuildCandidate,
    ClosePull as ClosePull,
    DispatchOrder as DispatchOrder,
    ImportBundle as ImportBundle,
    LandCandidate as LandCandidate,
    OpenPull as OpenPull,
    PrepareStart as PrepareStart,
    RevokeOrder as RevokeOrder,
    TakeOverPush as TakeOverPush,
    TellOrder as TellOrder,
)
from bot.core.journal.prompt_inputs import About
from bot.core.values.github_cost import CREATE, NO_COST, WRITE
from bot.core.values.ids import ChangeId, EffectKey, IssueNumber, PullNumber, Ref, Sha, SpecRunId
from bot.core.values.model_roles import ModelRole


class OfferGates(EffectClass, urgency=Urgency.TALK, cost=CREATE, listed=False):
    """Push a branch with a first policy file and open its pull, once.

    Without a spec run: the first pull of a repository, which also tells of the workflows.
    """

    type: Literal["OfferGates"] = "OfferGates"
    spec_run: SpecRunId
    base: Sha
    branch: str
    title: str
    body: str
    at: datetime

    @property
    def subject(self) -> str:
        return "offer:gates" if self.spec_run else "offer:onboarding"

    @property
    def key(self) -> EffectKey:
        return EffectKey(self.subject)


class ProposeSpec(EffectClass, urgency=Urgency.TALK, cost=CREATE, listed=False):
    """Commit an issue's text as a spec on a branch of ours, and keep one pull for it open.

    `dialogue` is the number of the dialogue that wrote the text; 0: the issue's own text.
    """

    type: Literal["ProposeSpec"] = "ProposeSpec"
    issue: IssueNumber
    round: int
    base: Sha
    branch: str
    path: str
    text: str
    digest: str
    title: str
    body: str
    message: str
    at: datetime
    dialogue: int = 0

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"propose:{self.issue}:{self.round}:{self.digest}")


class WithdrawSpec(EffectClass, urgency=Urgency.TALK, cost=WRITE, listed=False):
    """Close the pull of an issue that is no longer a spec."""

    type: Literal["WithdrawSpec"] = "WithdrawSpec"
    issue: IssueNumber
    pull: PullNumber
    round: int

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"withdraw:{self.issue}:{self.round}")


class DeleteRefs(EffectClass, urgency=Urgency.PROGRESS, cost=NO_COST, listed=False):
    """Delete the refs of an ended spec run's landed changes, or of a person's pull, by prefix or name.

    `shown` are the branches with what they show as far as we know: one that shows something else
    has a person's push, and stays.
    """

    type: Literal["DeleteRefs"] = "DeleteRefs"
    spec_run: SpecRunId
    round: int
    prefixes: tuple[str, ...]
    names: tuple[Ref, ...]
    shown: dict[ChangeId, dict[Ref, Sha]] = {}

    @property
    def subject(self) -> str:
        return f"forget:{self.spec_run}:{self.round}"

    @property
    def key(self) -> EffectKey:
        return EffectKey(self.subject)


class AskModel(EffectClass, urgency=Urgency.TALK, cost=NO_COST, listed=False):
    """Send one prompt, from a worker that holds no lease; its result is stored before it is used."""

    type: Literal["AskModel"] = "AskModel"
    prompt: str
    role: ModelRole
    models: tuple[str, ...]
    about: About
    asked_at: datetime

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"ask:{self.about.place}:{self.prompt}")


class PublishLedger(EffectClass, urgency=Urgency.PROGRESS, cost=NO_COST, listed=False):
    """Push lines `first`..`first + len(lines) - 1` of the ledger to its ref."""

    type: Literal["PublishLedger"] = "PublishLedger"
    previous: Sha | None
    first: int
    lines: tuple[str, ...]
    at: datetime
    branch_of_queue: str = ""

    @property
    def key(self) -> EffectKey:
        of = f"{self.branch_of_queue}:" if self.branch_of_queue else ""
        return EffectKey(f"ledger:{of}{self.first + len(self.lines)}")


Effect = Annotated[
    OpenIssue
    | LinkSubIssue
    | LinkBlockedBy
    | EditIssue
    | CloseIssue
    | ReopenIssue
    | PostComment
    | EditComment
    | PostCommitComment
    | RunSelfTest
    | React
    | ReactToReview
    | AnswerThread
    | OpenPull
    | ClosePull
    | PublishCheckRun
    | DispatchOrder
    | RevokeOrder
    | TellOrder
    | ImportBundle
    | TakeOverPush
    | BuildCandidate
    | PrepareStart
    | LandCandidate
    | BuildPull
    | LandPull
    | ProposeSpec
    | WithdrawSpec
    | DeleteRefs
    | OfferGates
    | AskModel
    | PublishLedger,
    Field(discriminator="type"),
]

EFFECT_CLASSES: tuple[type[EffectClass], ...] = get_args(get_args(Effect)[0])
