"""The class that every effect extends: its key, its urgency, and its cost in GitHub's budgets.

An effect states its urgency, its cost and how it is found again where its class is defined; there is no
default, so that none escapes GitHub's limits, or is done twice, because somebody forgot it.
"""

from abc import abstractmethod
from enum import IntEnum
from typing import ClassVar

from bot.core.values.github_cost import Cost
from bot.core.values.ids import EffectKey, Frozen


class Urgency(IntEnum):
    """The order in which open effects are performed; lower is earlier.

    Urgency is about time only. Effects may be performed in any order: each names what it expects of
    the world, and what is open after a crash is checked again in whatever order.
    """

    # Before landing: GitHub refuses to move main where a ruleset requires a check that is not there.
    CHECK = 1
    LANDING = 2
    ORDER = 3
    WORK = 4
    # After building: what is further on its way does not wait for what only begins.
    IMPORT = 5
    # Somebody waits for these; a plan's hundred issues and links must not delay them.
    ANSWER = 6
    TALK = 7
    # Not published while work is at hand: people see where things stand, not every step.
    PROGRESS = 8


class EffectClass(Frozen):
    """`cost` is what one request (or one round of them) costs; `full_cost` is what to spend.

    What is `listed` is found again in a list, or not at all; GitHub itself refuses most others a second time.
    """

    urgency: ClassVar[Urgency]
    cost: ClassVar[Cost]
    listed: ClassVar[bool]

    def __init_subclass__(cls, *, urgency: Urgency, cost: Cost, listed: bool) -> None:
        super().__init_subclass__()
        cls.urgency = urgency
        cls.cost = cost
        cls.listed = listed

    @property
    @abstractmethod
    def key(self) -> EffectKey:
        """The natural key; two effects with one key do the same."""

    @property
    def rounds(self) -> int:
        """How many times `cost` is paid."""
        return 1

    @property
    def full_cost(self) -> Cost:
        """What it writes at most; what it reads is counted after it was read."""
        return self.cost.times(self.rounds)
