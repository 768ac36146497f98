"""What stands still because of a main that is not sound, or because a person said so."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Freeze:
    """Why, and where a person asked for it: who, since when, and until when at the latest."""

    why: str
    by: str = ""
    since: datetime | None = None
    until: datetime | None = None
