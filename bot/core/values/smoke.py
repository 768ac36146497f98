"""What the smoke gates said of a commit of main."""

from enum import StrEnum


class SmokeOutcome(StrEnum):
    """`REPEATED`: red, and asked once more. `NOT_RUN` says nothing of the commit, and freezes nothing."""

    GREEN = "green"
    RED = "red"
    REPEATED = "repeated"
    NOT_RUN = "not_run"
