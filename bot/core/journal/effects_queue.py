"""Effects that land a person's pull through the queue."""

from datetime import datetime
from typing import Literal

from bot.core.journal.effect_class import EffectClass, Urgency
from bot.core.journal.effects_work import LANDING_COST
from bot.core.spec.awaited_gates import ExternalGate
from bot.core.values.github_cost import NO_COST, WRITE, Cost
from bot.core.values.ids import EffectKey, PullNumber, Ref, Sha
from bot.core.values.rules import MergeMethod


class BuildPull(EffectClass, urgency=Urgency.WORK, cost=NO_COST, listed=False):
    """Merge exactly `head` on exactly `base`, as a merge commit of both, under a ref of ours.

    GitHub shows the pull as merged once that is on main. The lines are those of base's policy, as in
    `BuildCandidate`; `rules` are paths by which others are judged. `is_signed`: GitHub makes the commit,
    and a head with a commit that is not signed is not built.
    """

    type: Literal["BuildPull"] = "BuildPull"
    number: PullNumber
    nth: int
    base: Sha
    head: Sha
    ref: Ref
    message: str
    at: datetime
    union: tuple[str, ...] = ()
    gate_lines: tuple[str, ...] = ()
    setup_lines: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    is_signed: bool = False
    branch_of_queue: str = ""

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"build:pull-{self.number}:{self.nth}")

    @property
    def full_cost(self) -> Cost:
        return WRITE if self.is_signed else NO_COST


class LandPull(EffectClass, urgency=Urgency.LANDING, cost=LANDING_COST, listed=False):
    """Move main from exactly `base` to `candidate`, if the pull still shows `head` and may be merged.

    `approvals_needed`: reviews are read once more; None: they do not count. `needs_others`: who pushed last
    approves nothing. `needs_resolution`: no thread of a review is open. `needs_owners`: code owners approve. `checks` are read once more at the head. `merges`, `message`, `queues` and `at` as in
    `LandCandidate`.
    """

    type: Literal["LandPull"] = "LandPull"
    number: PullNumber
    base: Sha
    candidate: Sha
    head: Sha
    tree: Sha
    approvals_needed: int | None = None
    needs_others: bool = False
    needs_resolution: bool = False
    needs_owners: bool = False
    branch_of_queue: str = ""
    checks: tuple[ExternalGate, ...] = ()
    merges: tuple[MergeMethod, ...] = ()
    message: str = ""
    queues: bool = False
    at: datetime | None = None

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"land:pull-{self.number}:{self.candidate[:12]}:{self.base[:12]}")
