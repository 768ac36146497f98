"""Effects that move a change on: its orders, its pull, its candidates, its landing."""

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import Field

from action.order import AgentOrder, GateOrder, ToldWords
from bot.core.journal.effect_class import EffectClass, Urgency
from bot.core.spec.identity.register import Entry
from bot.core.values.github_cost import CREATE, NO_COST, READ_POINTS, WRITE, WRITE_POINTS, Cost
from bot.core.values.ids import (
    ChangeId,
    Digest,
    EffectKey,
    Frozen,
    OrderId,
    PullNumber,
    Ref,
    Sha,
    WorkflowRunId,
)
from bot.core.values.rules import MergeMethod


class OpenPull(EffectClass, urgency=Urgency.WORK, cost=CREATE, listed=False):
    """Open a change's pull; GitHub allows one per branch, which is how it is found again."""

    type: Literal["OpenPull"] = "OpenPull"
    change: ChangeId
    branch: str
    title: str
    body: str
    text_digest: str
    round: int

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"pull:{self.change}:{self.round}")


class ClosePull(EffectClass, urgency=Urgency.TALK, cost=WRITE, listed=False):
    """Close a pull whose change will not land."""

    type: Literal["ClosePull"] = "ClosePull"
    change: ChangeId
    pull: PullNumber

    @property
    def subject(self) -> str:
        return f"close-pull:{self.pull}"

    @property
    def key(self) -> EffectKey:
        return EffectKey(self.subject)


class DispatchOrder(EffectClass, urgency=Urgency.ORDER, cost=WRITE, listed=True):
    """Store an order and start its workflow; found again by the id in the run's name."""

    type: Literal["DispatchOrder"] = "DispatchOrder"
    order: Annotated[AgentOrder | GateOrder, Field(discriminator="kind")]
    change: ChangeId | None
    workflow: str
    runs_on: tuple[str, ...] = ()
    placed_at: datetime

    @property
    def key(self) -> EffectKey:
        return self.key_of(self.order.order_id)

    @staticmethod
    def key_of(order: str) -> EffectKey:
        return EffectKey(f"dispatch:{order}")


class RevokeOrder(EffectClass, urgency=Urgency.IMPORT, cost=WRITE, listed=False):
    """End an order's lease and cancel its workflow run."""

    type: Literal["RevokeOrder"] = "RevokeOrder"
    order: OrderId
    workflow_run: WorkflowRunId | None

    @property
    def subject(self) -> str:
        return f"revoke:{self.order}"

    @property
    def key(self) -> EffectKey:
        return EffectKey(self.subject)


class TellOrder(EffectClass, urgency=Urgency.ANSWER, cost=NO_COST, listed=False):
    """Lay out for a run under way what people told its change since it was ordered."""

    type: Literal["TellOrder"] = "TellOrder"
    order: OrderId
    told: tuple[ToldWords, ...]

    @property
    def subject(self) -> str:
        return f"tell:{self.order}"

    @property
    def text_digest(self) -> str:
        """How many there are: one that was told stays."""
        return str(len(self.told))

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"{self.subject}:{self.text_digest}")


class ImportBundle(EffectClass, urgency=Urgency.IMPORT, cost=NO_COST, listed=False):
    """Check a bundle in a throwaway repository; store our own commit of its tree.

    `only`: nothing but these files is taken of it, and it may have changed none of them. `artefacts` are files
    that it may write although they are protected.
    """

    type: Literal["ImportBundle"] = "ImportBundle"
    change: ChangeId
    order: OrderId
    attempt: int
    bundle: Digest
    start: Sha
    protected: tuple[str, ...]
    message: str
    at: datetime
    only: tuple[str, ...] = ()
    artefacts: tuple[str, ...] = ()

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"import:{self.order}")


class ArchiveOrder(Frozen):
    """Which part of a delta folder a candidate folds into the main specs.

    `finishes`: the folder is moved to the archive as well, if it still has this `version`. `artefacts`, files of
    the work in that folder, are moved there in any case.
    """

    folder: str
    name: str
    owned: tuple[str, ...]
    archive_date: date
    finishes: bool
    bases: dict[str, str] = {}
    version: str = ""
    artefacts: tuple[str, ...] = ()


class TakeOverPush(EffectClass, urgency=Urgency.IMPORT, cost=NO_COST, listed=False):
    """Keep what a person pushed to a change's branch under a ref, and make it the change's work.

    `artefacts` is where the branch shows the change's own files, and where its work has each of them.
    """

    type: Literal["TakeOverPush"] = "TakeOverPush"
    change: ChangeId
    pushed: Sha
    protected: tuple[str, ...]
    message: str
    at: datetime
    artefacts: dict[str, str] = {}

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"take-over:{self.change}:{self.pushed[:12]}")


class BuildCandidate(EffectClass, urgency=Urgency.WORK, cost=NO_COST, listed=False):
    """Merge the head on exactly `base`, add the archive content, show it on the branch.

    `author` (`Name <mail>`) is whose work it is; empty: Headgate's own, from an agent. The lines are
    those of base's policy: what they name steers how the candidate is judged. `when` are the paths that
    gates are about, by their names, `required_for` those that make a gate required. `is_signed`: GitHub makes the commit, with the App as its author.
    """

    type: Literal["BuildCandidate"] = "BuildCandidate"
    change: ChangeId
    number: int
    base: Sha
    head: Sha
    branch: str
    shown: Sha | None
    message: str
    at: datetime
    archive: ArchiveOrder | None
    register_entries: tuple[Entry, ...] = ()
    union: tuple[str, ...] = ()
    author: str = ""
    gate_lines: tuple[str, ...] = ()
    setup_lines: tuple[str, ...] = ()
    when: dict[str, tuple[str, ...]] = {}
    required_for: dict[str, tuple[str, ...]] = {}
    is_signed: bool = False

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"candidate:{self.change}:{self.number}")

    @property
    def full_cost(self) -> Cost:
        return WRITE if self.is_signed else NO_COST


class PrepareStart(EffectClass, urgency=Urgency.WORK, cost=NO_COST, listed=False):
    """Merge the last attempt's head on `base` and push it as the next attempt's start.

    Files in conflict under `remake` are taken as `base` has them.
    """

    type: Literal["PrepareStart"] = "PrepareStart"
    change: ChangeId
    attempt: int
    base: Sha
    head: Sha
    ref: Ref
    at: datetime
    union: tuple[str, ...] = ()
    remake: tuple[str, ...] = ()

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"start:{self.change}:{self.attempt}:{self.base[:12]}")


# GraphQL is asked for the repository's id once, and to move main.
LANDING_COST = Cost(points=WRITE_POINTS + READ_POINTS, requests=2)


class LandCandidate(EffectClass, urgency=Urgency.LANDING, cost=LANDING_COST, listed=False):
    """Move main from exactly `base` to `candidate`, if its pull still shows the candidate and so many
    approve it; None: reviews do not count. `needs_resolution`: no thread of a review is open.

    `merges`: GitHub merges the pull instead, by the first of these methods that it takes, under `message`.
    `queues`: its merge queue does, and is watched; `at` is when that began.
    """

    type: Literal["LandCandidate"] = "LandCandidate"
    change: ChangeId
    base: Sha
    candidate: Sha
    tree: Sha
    pull: PullNumber
    approvals_needed: int | None = None
    needs_resolution: bool = False
    merges: tuple[MergeMethod, ...] = ()
    message: str = ""
    queues: bool = False
    at: datetime | None = None

    @property
    def key(self) -> EffectKey:
        return self.key_of(self.change, self.candidate, self.base)

    @staticmethod
    def key_of(change: ChangeId, candidate: Sha, base: Sha) -> EffectKey:
        return EffectKey(f"land:{change}:{candidate[:12]}:{base[:12]}")
