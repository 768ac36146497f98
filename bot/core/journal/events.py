"""Events: facts in a repository's journal, in the past tense, never edited.

Each event is a small frozen value with a `type`; its class name is its name in the journal. State
is their fold (`evolve`). A change of shape that an older body does not fit needs a step in `upcast`.
Time and order belong to the journal's record around an event.
"""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from bot.core.journal.acceptance_events import CandidateAnswered as CandidateAnswered
from bot.core.journal.access_events import (
    AccessLost as AccessLost,
    AccessRegained as AccessRegained,
    JournalRewound as JournalRewound,
    RepositoryChanged as RepositoryChanged,
    RulesRead as RulesRead,
)
from bot.core.journal.change_events import (
    AgentLost as AgentLost,
    AgentOrdered as AgentOrdered,
    ArchiveRefused as ArchiveRefused,
    BundleRefused as BundleRefused,
    CandidateBuilt as CandidateBuilt,
    CandidateConflicted as CandidateConflicted,
    CandidateFailed as CandidateFailed,
    CandidatePassed as CandidatePassed,
    CandidateVoided as CandidateVoided,
    ChangeFailed as ChangeFailed,
    ChangeReopened as ChangeReopened,
    ChangeStopped as ChangeStopped,
    DeltaCompared as DeltaCompared,
    FailureReason as FailureReason,
    GateFlaked as GateFlaked,
    GatesAskedAgain as GatesAskedAgain,
    GatesDoubted as GatesDoubted,
    GatesLost as GatesLost,
    GatesOrdered as GatesOrdered,
    HeadImported as HeadImported,
    LandAborted as LandAborted,
    Landed as Landed,
    LandIntended as LandIntended,
    LateReportKept as LateReportKept,
    MainBlamed as MainBlamed,
    MergedByHand as MergedByHand,
    OrderLeased as OrderLeased,
    PullClosed as PullClosed,
    PullOpened as PullOpened,
    SizeSaid as SizeSaid,
    StartPrepared as StartPrepared,
    SteeringAllowed as SteeringAllowed,
    WorkFailed as WorkFailed,
    WorkflowDispatched as WorkflowDispatched,
    WorkHandedIn as WorkHandedIn,
)
from bot.core.journal.change_place_events import (
    ChangeHeld as ChangeHeld,
    ChangeMoved as ChangeMoved,
    ChangeReleased as ChangeReleased,
    ChangeReviewed as ChangeReviewed,
    RequestHeard as RequestHeard,
)
from bot.core.journal.clarify_events import (
    AgentAsked as AgentAsked,
    ClarificationEnded as ClarificationEnded,
)
from bot.core.journal.dialogue_events import (
    DialogueEnded as DialogueEnded,
    DialogueEnding as DialogueEnding,
    DraftReturned as DraftReturned,
    IssuesRetired as IssuesRetired,
    RoundClosed as RoundClosed,
    WorkAsked as WorkAsked,
    WorkReworded as WorkReworded,
)
from bot.core.journal.effects import Effect
from bot.core.journal.freeze_events import (
    LandingRecalled as LandingRecalled,
    OrdersStopped as OrdersStopped,
    QueueFrozen as QueueFrozen,
    QueueThawed as QueueThawed,
)
from bot.core.journal.graded_events import (
    CandidateReviewed as CandidateReviewed,
    ChecksAwaited as ChecksAwaited,
)
from bot.core.journal.model_advice_events import (
    RequirementsRead as RequirementsRead,
    SummaryRefused as SummaryRefused,
    SummaryWritten as SummaryWritten,
)
from bot.core.journal.money_events import BudgetRaised as BudgetRaised
from bot.core.journal.pause_events import (
    OrderDeferred as OrderDeferred,
    PauseProbed as PauseProbed,
    PausesEnded as PausesEnded,
)
from bot.core.journal.pull_queue_events import (
    EvictionCause as EvictionCause,
    PullAllowed as PullAllowed,
    PullCandidateBuilt as PullCandidateBuilt,
    PullEvicted as PullEvicted,
    PullGatesDoubted as PullGatesDoubted,
    PullGatesOrdered as PullGatesOrdered,
    PullHeld as PullHeld,
    PullLandAborted as PullLandAborted,
    PullLanded as PullLanded,
    PullLandIntended as PullLandIntended,
    PullMoved as PullMoved,
    PullPassed as PullPassed,
    PullPassedAsMain as PullPassedAsMain,
    PullQueued as PullQueued,
    PullReleased as PullReleased,
    PullReviewed as PullReviewed,
    PullUnfit as PullUnfit,
    PullVoided as PullVoided,
    PullWithdrawn as PullWithdrawn,
)
from bot.core.journal.push_events import (
    BranchPushed as BranchPushed,
    HandedBack as HandedBack,
    HeadTakenOver as HeadTakenOver,
    LeftToPerson as LeftToPerson,
    PushPassedOver as PushPassedOver,
    PushRefused as PushRefused,
)
from bot.core.journal.question_events import (
    QuestionAnswered as QuestionAnswered,
    QuestionsPut as QuestionsPut,
)
from bot.core.journal.replanning import ReplanningBegan as ReplanningBegan
from bot.core.journal.repository_events import (
    AdoptionAccepted as AdoptionAccepted,
    AdoptionJudged as AdoptionJudged,
    AdoptionOrdered as AdoptionOrdered,
    AnswerRejected as AnswerRejected,
    ApprovalGiven as ApprovalGiven,
    BlockedByLinked as BlockedByLinked,
    BranchServed as BranchServed,
    CommandAnswered as CommandAnswered,
    CommandHeard as CommandHeard,
    CommentsRead as CommentsRead,
    CommitAdmitted as CommitAdmitted,
    CommitAdopted as CommitAdopted,
    GroupGone as GroupGone,
    GroupSeen as GroupSeen,
    IssueClosed as IssueClosed,
    IssueOpened as IssueOpened,
    IssueReopened as IssueReopened,
    LedgerPublished as LedgerPublished,
    MainAsked as MainAsked,
    MainRewound as MainRewound,
    ModelAnswered as ModelAnswered,
    ModelAsked as ModelAsked,
    ModelFailed as ModelFailed,
    PlanApproved as PlanApproved,
    PlanMade as PlanMade,
    PlanningBegan as PlanningBegan,
    PolicyRead as PolicyRead,
    PolicyRefused as PolicyRefused,
    RepositoryInstalled as RepositoryInstalled,
    RequirementsRegistered as RequirementsRegistered,
    SpecRefused as SpecRefused,
    SpecRunEnded as SpecRunEnded,
    SpecRunOpened as SpecRunOpened,
    SpecRunReopened as SpecRunReopened,
    SpecRunStopped as SpecRunStopped,
    SpecsNoted as SpecsNoted,
    SubIssueLinked as SubIssueLinked,
    TestsWaived as TestsWaived,
    TextPublished as TextPublished,
    UncoveredReplanned as UncoveredReplanned,
)
from bot.core.journal.review_events import (
    ReviewCommentRead as ReviewCommentRead,
    ReviewCommentsSeen as ReviewCommentsSeen,
    ThreadAccount as ThreadAccount,
    ThreadAnswered as ThreadAnswered,
    ThreadsAccounted as ThreadsAccounted,
    ThreadSeen as ThreadSeen,
    WordsTold as WordsTold,
)
from bot.core.journal.smoke_events import (
    SmokeAskedAgain as SmokeAskedAgain,
    SmokeJudged as SmokeJudged,
    SmokeOrdered as SmokeOrdered,
)
from bot.core.journal.spec_events import (
    AmendmentApproved as AmendmentApproved,
    AmendmentWithdrawn as AmendmentWithdrawn,
    RetiredChange as RetiredChange,
    SpecAmended as SpecAmended,
    SpecProposed as SpecProposed,
    SpecPullDigested as SpecPullDigested,
    SpecPullForgotten as SpecPullForgotten,
    SpecRunRetired as SpecRunRetired,
    SpecWithdrawn as SpecWithdrawn,
)
from bot.core.journal.step_events import (
    StepDone as StepDone,
    StepsPut as StepsPut,
)
from bot.core.values.github_refusal import GitHubRefusal
from bot.core.values.ids import EffectKey, Frozen


class EffectIntended(Frozen):
    """We are about to do this; until an outcome is written it is an open question."""

    type: Literal["EffectIntended"] = "EffectIntended"
    effect: Effect


class EffectDone(Frozen):
    """The effect happened, now or before; its facts are in the events beside this one."""

    type: Literal["EffectDone"] = "EffectDone"
    key: EffectKey


class EffectDelayed(Frozen):
    """The world was busy; the effect stays open and is tried again at `until`.

    `refusal`: GitHub refused a push of ours, and its work waits until that is repaired.
    """

    type: Literal["EffectDelayed"] = "EffectDelayed"
    key: EffectKey
    sentence: str
    until: datetime
    tries: int
    refusal: GitHubRefusal | None = None


class EffectRefused(Frozen):
    """The world said no for good; the same effect is not tried again."""

    type: Literal["EffectRefused"] = "EffectRefused"
    key: EffectKey
    sentence: str


Event = Annotated[
    RepositoryInstalled
    | BranchServed
    | RepositoryChanged
    | AccessLost
    | AccessRegained
    | JournalRewound
    | RulesRead
    | CommitAdmitted
    | CommitAdopted
    | GroupSeen
    | GroupGone
    | AdoptionOrdered
    | AdoptionJudged
    | AdoptionAccepted
    | MainAsked
    | TestsWaived
    | MainRewound
    | SpecsNoted
    | SpecRefused
    | PolicyRead
    | PolicyRefused
    | SpecRunOpened
    | PlanMade
    | PlanningBegan
    | AnswerRejected
    | ModelAsked
    | ModelAnswered
    | ModelFailed
    | RequirementsRead
    | SummaryWritten
    | SummaryRefused
    | RequirementsRegistered
    | UncoveredReplanned
    | ReplanningBegan
    | PlanApproved
    | ApprovalGiven
    | BudgetRaised
    | SpecRunStopped
    | SpecRunEnded
    | SpecRunReopened
    | SpecRunRetired
    | QuestionsPut
    | QuestionAnswered
    | SpecPullDigested
    | SpecPullForgotten
    | SpecProposed
    | SpecWithdrawn
    | WorkAsked
    | WorkReworded
    | RoundClosed
    | DraftReturned
    | DialogueEnded
    | IssuesRetired
    | SpecAmended
    | AmendmentApproved
    | AmendmentWithdrawn
    | CommandHeard
    | CommandAnswered
    | CommentsRead
    | ReviewCommentsSeen
    | IssueOpened
    | SubIssueLinked
    | BlockedByLinked
    | IssueClosed
    | IssueReopened
    | TextPublished
    | PullOpened
    | MergedByHand
    | PullClosed
    | StartPrepared
    | AgentOrdered
    | GatesOrdered
    | WorkflowDispatched
    | OrderLeased
    | OrderDeferred
    | PauseProbed
    | PausesEnded
    | WorkHandedIn
    | WorkFailed
    | AgentAsked
    | ClarificationEnded
    | AgentLost
    | GatesLost
    | MainBlamed
    | LateReportKept
    | HeadImported
    | BundleRefused
    | CandidateBuilt
    | CandidateConflicted
    | SteeringAllowed
    | ArchiveRefused
    | DeltaCompared
    | CandidatePassed
    | CandidateFailed
    | GatesAskedAgain
    | GatesDoubted
    | ChecksAwaited
    | CandidateAnswered
    | CandidateReviewed
    | GateFlaked
    | CandidateVoided
    | LandIntended
    | Landed
    | LandAborted
    | ChangeFailed
    | ChangeStopped
    | ChangeReopened
    | SizeSaid
    | ChangeMoved
    | ChangeHeld
    | ChangeReleased
    | ChangeReviewed
    | RequestHeard
    | StepsPut
    | StepDone
    | WordsTold
    | ReviewCommentRead
    | ThreadsAccounted
    | ThreadAnswered
    | ThreadSeen
    | BranchPushed
    | HeadTakenOver
    | PushPassedOver
    | PushRefused
    | LeftToPerson
    | HandedBack
    | LedgerPublished
    | PullQueued
    | PullMoved
    | PullHeld
    | PullReleased
    | PullReviewed
    | PullAllowed
    | PullWithdrawn
    | PullCandidateBuilt
    | PullUnfit
    | PullGatesOrdered
    | PullGatesDoubted
    | PullPassedAsMain
    | PullPassed
    | PullVoided
    | PullEvicted
    | PullLandIntended
    | PullLanded
    | PullLandAborted
    | SmokeOrdered
    | SmokeJudged
    | SmokeAskedAgain
    | QueueFrozen
    | QueueThawed
    | LandingRecalled
    | OrdersStopped
    | EffectIntended
    | EffectDone
    | EffectDelayed
    | EffectRefused,
    Field(discriminator="type"),
]

EVENTS: TypeAdapter[Event] = TypeAdapter(Event)
