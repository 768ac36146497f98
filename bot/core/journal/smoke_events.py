"""Events of smoke gates: they run on main after a landing."""

from datetime import datetime
from typing import Literal

from bot.core.values.ids import Frozen, OrderId, Sha
from bot.core.values.smoke import SmokeOutcome
from gates.result import GateResult


class SmokeOrdered(Frozen):
    """The smoke gates were ordered on the commit that main was then."""

    type: Literal["SmokeOrdered"] = "SmokeOrdered"
    sha: Sha
    order: OrderId
    definition_hash: str
    asked_hash: str
    placed_at: datetime
    branch_of_queue: str = ""


class SmokeJudged(Frozen):
    """What the smoke gates said of a commit of main; without `results` nobody heard of them. At `again_at`
    they are asked about it once more.
    """

    type: Literal["SmokeJudged"] = "SmokeJudged"
    sha: Sha
    order: OrderId
    outcome: SmokeOutcome
    results: tuple[GateResult, ...]
    sentence: str
    again_at: datetime | None = None


class SmokeAskedAgain(Frozen):
    """A person asked for the smoke gates of a commit once more."""

    type: Literal["SmokeAskedAgain"] = "SmokeAskedAgain"
    sha: Sha
    asked_by: str
    branch_of_queue: str = ""
