"""A check run or commit status of another App on one of our candidates, as GitHub shows it."""

from enum import StrEnum

from bot.core.values.ids import Frozen


class CheckEnding(StrEnum):
    """Law 6 holds for others, too: `skipped`, `neutral` and `cancelled` did not run."""

    PENDING = "pending"
    GREEN = "green"
    RED = "red"
    NOT_RUN = "not_run"


class SeenCheck(Frozen):
    """`app_id` is 0 for a commit status, whose App GitHub does not name; `said` is GitHub's word."""

    name: str
    app_id: int = 0
    app_slug: str = ""
    ending: CheckEnding
    said: str = ""
    url: str = ""
