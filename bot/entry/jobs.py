"""Which jobs a worker does; the command line reads it, so it imports nothing."""

from enum import StrEnum


class Jobs(StrEnum):
    """What people wait for, readings of texts, or both in this order."""

    ALL = "all"
    PEOPLE = "people"
    READINGS = "readings"
