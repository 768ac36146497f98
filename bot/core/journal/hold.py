"""What keeps an entry of the queue from landing: a person, or a check that is late."""

from dataclasses import dataclass
from datetime import datetime


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
