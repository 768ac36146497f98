"""What keeps an entry of the queue from landing: a person, a check that is late, or what stopped its landing."""

from dataclasses import dataclass
from datetime import datetime

from bot.core.values.lifecycle import AfterRecall


@dataclass(frozen=True, kw_only=True, slots=True)
class Hold:
    """Who keeps it from landing, since when and why; `by` is empty where a check of another App is late."""

    by: str
    why: str
    since: datetime

    @property
    def is_for_check(self) -> bool:
        """Whether it ends by itself when the check is there."""
        return not self.by


@dataclass(frozen=True, kw_only=True, slots=True)
class Recall:
    """Why a landing by GitHub's merge queue is taken out there, since when, and what is then to become of
    the entry; `by` is empty where a freeze does it.
    """

    by: str
    why: str
    then: AfterRecall
    since: datetime
