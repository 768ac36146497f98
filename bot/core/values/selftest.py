"""What a self-test has found, line by line."""

from datetime import timedelta
from enum import StrEnum

from bot.core.values.ids import Frozen

# One that was asked for in a comment has ended by then, or the worker that made it has.
SELF_TEST_WITHIN = timedelta(minutes=4)


class Held(StrEnum):
    YES = "held"
    NO = "did not hold"
    NOT_TRIED = "not tried"


class TestLine(Frozen):
    """`says` are GitHub's own words, or what was seen; `fix` what to do where it did not hold."""

    __test__ = False

    name: str
    held: Held
    says: str = ""
    fix: str = ""
