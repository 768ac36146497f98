"""Events: facts in a repository's journal, in the past tense, never edited.

Each event is a small frozen value with a `type`; its class name is its name in the journal. State
is their fold (`evolve`). A reader that meets a type it does not know refuses it. Deliberately
absent: time and order; those belong to the journal's record around an event.
"""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from bot.core.ids import EffectKey, Frozen
from bot.core.journal.change_events import (
    AgentLost as AgentLost,
)
from bot.core.journal.change_events import (
    AgentOrdered as AgentOrdered,
)
from bot.core.journal.change_events import (
    ArchiveRefused as ArchiveRefused,
)
from bot.core.journal.change_events import (
    BundleRefused as BundleRefused,
)
from bot.core.journal.change_events import (
    CandidateBuilt as CandidateBuilt,
)
from bot.core.journal.change_events import (
    CandidateConflicted as CandidateConflicted,
)
from bot.core.journal.change_events import (
    CandidateFailed as CandidateFailed,
)
from bot.core.journal.change_events import (
    CandidatePassed as CandidatePassed,
)
from bot.core.journal.change_events import (
    CandidateVoided as CandidateVoided,
)
from bot.core.journal.change_events import (
    ChangeFailed as ChangeFailed,
)
from bot.core.journal.change_events import (
    ChangeReopened as ChangeReopened,
)
from bot.core.journal.change_events import (
    ChangeStopped as ChangeStopped,
)
from bot.core.journal.change_events import (
    FailureReason as FailureReason,
)
from bot.core.journal.change_events import (
    GatesLost as GatesLost,
)
from bot.core.journal.change_events import (
    GatesOrdered as GatesOrdered,
)
from bot.core.journal.change_events import (
    HeadImported as HeadImported,
)
from bot.core.journal.change_events import (
    LandAborted as LandAborted,
)
from bot.core.journal.change_events import (
    Landed as Landed,
)
from bot.core.journal.change_events import (
    LandIntended as LandIntended,
)
from bot.core.journal.change_events import (
    LateReportKept as LateReportKept,
)
from bot.core.journal.change_events import (
    OrderLeased as OrderLeased,
)
from bot.core.journal.change_events import (
    PullClosed as PullClosed,
)
from bot.core.journal.change_events import (
    PullOpened as PullOpened,
)
from bot.core.journal.change_events import (
    StartPrepared as StartPrepared,
)
from bot.core.journal.change_events import (
    WorkFailed as WorkFailed,
)
from bot.core.journal.change_events import (
    WorkflowDispatched as WorkflowDispatched,
)
from bot.core.journal.change_events import (
    WorkHandedIn as WorkHandedIn,
)
from bot.core.journal.effects import Effect
from bot.core.journal.repository_events import (
    AdoptionJudged as AdoptionJudged,
)
from bot.core.journal.repository_events import (
    AdoptionOrdered as AdoptionOrdered,
)
from bot.core.journal.repository_events import (
    BlockedByLinked as BlockedByLinked,
)
from bot.core.journal.repository_events import (
    CommandAnswered as CommandAnswered,
)
from bot.core.journal.repository_events import (
    CommandHeard as CommandHeard,
)
from bot.core.journal.repository_events import (
    CommentsRead as CommentsRead,
)
from bot.core.journal.repository_events import (
    CommitAdmitted as CommitAdmitted,
)
from bot.core.journal.repository_events import (
    CommitAdopted as CommitAdopted,
)
from bot.core.journal.repository_events import (
    IssueClosed as IssueClosed,
)
from bot.core.journal.repository_events import (
    IssueOpened as IssueOpened,
)
from bot.core.journal.repository_events import (
    IssueReopened as IssueReopened,
)
from bot.core.journal.repository_events import (
    LedgerPublished as LedgerPublished,
)
from bot.core.journal.repository_events import (
    MainRewound as MainRewound,
)
from bot.core.journal.repository_events import (
    PlanApproved as PlanApproved,
)
from bot.core.journal.repository_events import (
    PlanMade as PlanMade,
)
from bot.core.journal.repository_events import (
    PolicyRead as PolicyRead,
)
from bot.core.journal.repository_events import (
    PolicyRefused as PolicyRefused,
)
from bot.core.journal.repository_events import (
    RepositoryInstalled as RepositoryInstalled,
)
from bot.core.journal.repository_events import (
    RequirementsRegistered as RequirementsRegistered,
)
from bot.core.journal.repository_events import (
    SpecRefused as SpecRefused,
)
from bot.core.journal.repository_events import (
    SpecRunEnded as SpecRunEnded,
)
from bot.core.journal.repository_events import (
    SpecRunOpened as SpecRunOpened,
)
from bot.core.journal.repository_events import (
    SpecRunReopened as SpecRunReopened,
)
from bot.core.journal.repository_events import (
    SpecRunStopped as SpecRunStopped,
)
from bot.core.journal.repository_events import (
    SpecsNoted as SpecsNoted,
)
from bot.core.journal.repository_events import (
    SubIssueLinked as SubIssueLinked,
)
from bot.core.journal.repository_events import (
    TextPublished as TextPublished,
)
from bot.core.journal.repository_events import (
    UncoveredReplanned as UncoveredReplanned,
)
from bot.core.journal.spec_events import (
    AmendmentApproved as AmendmentApproved,
)
from bot.core.journal.spec_events import (
    AmendmentWithdrawn as AmendmentWithdrawn,
)
from bot.core.journal.spec_events import (
    QuestionAnswered as QuestionAnswered,
)
from bot.core.journal.spec_events import (
    QuestionsPut as QuestionsPut,
)
from bot.core.journal.spec_events import (
    SpecAmended as SpecAmended,
)
from bot.core.journal.spec_events import (
    SpecProposed as SpecProposed,
)
from bot.core.journal.spec_events import (
    SpecPullDigested as SpecPullDigested,
)
from bot.core.journal.spec_events import (
    SpecPullForgotten as SpecPullForgotten,
)
from bot.core.journal.spec_events import (
    SpecWithdrawn as SpecWithdrawn,
)


class EffectIntended(Frozen):
    """We are about to do this; until an outcome is written it is an open question."""

    type: Literal["EffectIntended"] = "EffectIntended"
    effect: Effect


class EffectDone(Frozen):
    """The effect happened, now or before; its facts are in the events beside this one."""

    type: Literal["EffectDone"] = "EffectDone"
    key: EffectKey


class EffectDelayed(Frozen):
    """The world was busy; the effect stays open and is tried again at `until`."""

    type: Literal["EffectDelayed"] = "EffectDelayed"
    key: EffectKey
    sentence: str
    until: datetime
    tries: int


class EffectRefused(Frozen):
    """The world said no for good; the same effect is not tried again."""

    type: Literal["EffectRefused"] = "EffectRefused"
    key: EffectKey
    sentence: str


Event = Annotated[
    RepositoryInstalled
    | CommitAdmitted
    | CommitAdopted
    | AdoptionOrdered
    | AdoptionJudged
    | MainRewound
    | SpecsNoted
    | SpecRefused
    | PolicyRead
    | PolicyRefused
    | SpecRunOpened
    | PlanMade
    | RequirementsRegistered
    | UncoveredReplanned
    | PlanApproved
    | SpecRunStopped
    | SpecRunEnded
    | SpecRunReopened
    | QuestionsPut
    | QuestionAnswered
    | SpecPullDigested
    | SpecPullForgotten
    | SpecProposed
    | SpecWithdrawn
    | SpecAmended
    | AmendmentApproved
    | AmendmentWithdrawn
    | CommandHeard
    | CommandAnswered
    | CommentsRead
    | IssueOpened
    | SubIssueLinked
    | BlockedByLinked
    | IssueClosed
    | IssueReopened
    | TextPublished
    | PullOpened
    | PullClosed
    | StartPrepared
    | AgentOrdered
    | GatesOrdered
    | WorkflowDispatched
    | OrderLeased
    | WorkHandedIn
    | WorkFailed
    | AgentLost
    | GatesLost
    | LateReportKept
    | HeadImported
    | BundleRefused
    | CandidateBuilt
    | CandidateConflicted
    | ArchiveRefused
    | CandidatePassed
    | CandidateFailed
    | CandidateVoided
    | LandIntended
    | Landed
    | LandAborted
    | ChangeFailed
    | ChangeStopped
    | ChangeReopened
    | LedgerPublished
    | EffectIntended
    | EffectDone
    | EffectDelayed
    | EffectRefused,
    Field(discriminator="type"),
]

EVENTS: TypeAdapter[Event] = TypeAdapter(Event)
