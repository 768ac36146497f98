"""The requirements that a candidate is about, as gates are told of them."""

from dataclasses import dataclass
from enum import StrEnum


class Asked(StrEnum):
    """What the change does to a requirement; only the last two let tests of it go."""

    ADDED = "added"
    KEPT = "kept"
    MODIFIED = "modified"
    REMOVED = "removed"


@dataclass(frozen=True, kw_only=True)
class AskedRequirement:
    """`names` are the ways in which a test may name it; `scenarios` are their names."""

    __pydantic_config__ = {"extra": "forbid"}

    id: str
    names: tuple[str, ...]
    asked: Asked = Asked.ADDED
    scenarios: tuple[str, ...] = ()

    @property
    def frees_tests(self) -> bool:
        return self.asked in {Asked.MODIFIED, Asked.REMOVED}
