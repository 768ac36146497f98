"""What a person presses on a check run: GitHub's own *Re-run*, or a button of ours."""

from enum import StrEnum

from bot.core.values.ids import Frozen


class Button(StrEnum):
    """`AGAIN` is GitHub's own; the others are the identifiers of ours (at most 20 characters)."""

    AGAIN = "again"
    RETRY = "retry"
    EXPLAIN = "explain"
    ACCEPT = "accept"
    REJECT = "reject"


class Press(Frozen):
    """Which button, at which commit and check run (`external_id` empty: a whole suite), by whom."""

    button: Button
    sha: str
    external_id: str
    person: str
