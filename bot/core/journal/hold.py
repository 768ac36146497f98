"""That a person keeps an entry of the queue from landing."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Hold:
    """Who keeps it from landing, since when and why."""

    by: str
    why: str
    since: datetime
