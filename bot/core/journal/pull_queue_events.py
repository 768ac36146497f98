"""Events of people's pulls in the queue: from the wish that one lands to its landing, or why not.

Each is a small frozen value in the past tense; see `events` for the rule. `number` is the pull's.
"""

from datetime import datetime
from enum import StrEnum
from typing import Literal

from bot.core.values.candidate import MovedBy
from bot.core.values.evidence_key import EvidenceKey
from bot.core.values.ids import Frozen, OrderId, PullNumber, Sha
from bot.core.values.pull_review import Approvals
from bot.core.values.steering import Steering
from gates.result import GateResult


class EvictionCause(StrEnum):
    """Why a pull that was in the queue will not land as it is."""

    RED = "red"
    CONFLICT = "conflict"
    NOTHING_NEW = "nothing_new"
    RUNNERS_LOST = "runners_lost"
    REFUSED = "refused"


class PullQueued(Frozen):
    """A person wants exactly this head of a pull on main; a pull that left the queue enters anew.

    `labelling` is GitHub's id of the act of a person who put the label there; 0 where a comment asked.
    `is_by_policy`: nobody asked, and `by` approved it.
    """

    type: Literal["PullQueued"] = "PullQueued"
    number: PullNumber
    head: Sha
    title: str
    by: str
    queued_at: datetime
    priority: int = 0
    labelling: int = 0
    is_by_policy: bool = False
    is_from_fork: bool = False
    branch_of_queue: str = ""


class PullMoved(Frozen):
    """A person gave a pull another priority, or had it go next (`is_next`)."""

    type: Literal["PullMoved"] = "PullMoved"
    number: PullNumber
    by: str
    priority: int
    is_next: bool = False


class PullHeld(Frozen):
    """A person keeps a pull in the queue from landing."""

    type: Literal["PullHeld"] = "PullHeld"
    number: PullNumber
    by: str
    why: str
    held_at: datetime


class PullReleased(Frozen):
    """A person ended the hold of a pull."""

    type: Literal["PullReleased"] = "PullReleased"
    number: PullNumber
    by: str


class PullReviewed(Frozen):
    """What reviews say of a pull in the queue is not what it was; `needed` None: they do not count."""

    type: Literal["PullReviewed"] = "PullReviewed"
    number: PullNumber
    approvals: Approvals
    needed: int | None


class PullAllowed(Frozen):
    """A person who may says that exactly this head may edit what pulls and changes are judged by."""

    type: Literal["PullAllowed"] = "PullAllowed"
    number: PullNumber
    head: Sha
    by: str


class PullWithdrawn(Frozen):
    """A pull left the queue because a person wanted that, or did something to it.

    `sentence` is empty where a command asked for it. Nobody waits for `order` any more.
    """

    type: Literal["PullWithdrawn"] = "PullWithdrawn"
    number: PullNumber
    by: str
    sentence: str = ""
    order: OrderId | None = None


class PullCandidateBuilt(Frozen):
    """The merge of a pull's head on main has its ref; `nth` counts a pull's candidates.

    `rules` are the paths by which others are judged that it edits, `policy_after` the policy that main
    would have with it; None where that stays.
    """

    type: Literal["PullCandidateBuilt"] = "PullCandidateBuilt"
    number: PullNumber
    nth: int
    base: Sha
    head: Sha
    sha: Sha
    tree: Sha
    diff_digest: str
    built_at: datetime
    steering: Steering = Steering()
    is_signed: bool = False
    rules: tuple[str, ...] = ()
    policy_after: str | None = None


class PullUnfit(Frozen):
    """The merge that was asked for as the `nth` could not be made on `base`; what that means is decided
    by what is known of that main.
    """

    type: Literal["PullUnfit"] = "PullUnfit"
    number: PullNumber
    nth: int
    base: Sha
    cause: EvictionCause
    sentence: str


class PullGatesOrdered(Frozen):
    """The gates of a pull's candidate were ordered; fields as in `GatesOrdered`."""

    type: Literal["PullGatesOrdered"] = "PullGatesOrdered"
    number: PullNumber
    order: OrderId
    candidate: Sha
    definition_hash: str
    asked_hash: str
    reused: tuple[GateResult, ...]
    placed_at: datetime
    keys: tuple[EvidenceKey, ...] = ()


class PullGatesDoubted(Frozen):
    """Red gates of a pull's candidate run once more before they count."""

    type: Literal["PullGatesDoubted"] = "PullGatesDoubted"
    number: PullNumber
    order: OrderId
    candidate: Sha
    results: tuple[GateResult, ...]


class PullPassedAsMain(Frozen):
    """Main's gates passed on a candidate that brings other gates; those are asked next."""

    type: Literal["PullPassedAsMain"] = "PullPassedAsMain"
    number: PullNumber
    order: OrderId
    candidate: Sha
    results: tuple[GateResult, ...]


class PullPassed(Frozen):
    """Every required gate passed on a pull's candidate."""

    type: Literal["PullPassed"] = "PullPassed"
    number: PullNumber
    order: OrderId
    candidate: Sha
    results: tuple[GateResult, ...]


class PullVoided(Frozen):
    """A pull's candidate cannot land any more, and nobody is blamed: another one is built."""

    type: Literal["PullVoided"] = "PullVoided"
    number: PullNumber
    candidate: Sha
    order: OrderId | None = None


class PullEvicted(Frozen):
    """A pull left the queue because it cannot land as it is.

    `results` are its gates' where they spoke, by the report of `order`.
    """

    type: Literal["PullEvicted"] = "PullEvicted"
    number: PullNumber
    cause: EvictionCause
    sentence: str
    order: OrderId | None = None
    results: tuple[GateResult, ...] = ()


class PullLandIntended(Frozen):
    """We are about to move main to a pull's candidate."""

    type: Literal["PullLandIntended"] = "PullLandIntended"
    number: PullNumber
    base: Sha
    candidate: Sha


class PullLanded(Frozen):
    """Main was moved to a pull's candidate and has been seen there; `moved_by`, `candidate` as in `Landed`."""

    type: Literal["PullLanded"] = "PullLanded"
    number: PullNumber
    base: Sha
    sha: Sha
    tree: Sha
    landed_at: datetime
    moved_by: MovedBy | None = None
    candidate: Sha | None = None


class PullLandAborted(Frozen):
    """Main was not moved to a pull's candidate; `again_at` as in `LandAborted`."""

    type: Literal["PullLandAborted"] = "PullLandAborted"
    number: PullNumber
    sentence: str
    again_at: datetime | None = None
