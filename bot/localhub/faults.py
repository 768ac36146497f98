"""The fault seam: bad days on demand, for requests and for webhooks.

A fault names what it strikes (method and path glob; for webhooks method `WEBHOOK` and
`event.action`), from which match on, and how often. Faults only ever lose, delay, double, reorder or
refuse; they never make localhub say something that GitHub could not say.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase
from pathlib import Path
from threading import Lock

from pydantic import BaseModel, ConfigDict, TypeAdapter
from ruamel.yaml import YAML

# The method under which faults of webhooks are listed; the path is `event.action`.
WEBHOOK = "WEBHOOK"


class FaultKind(StrEnum):
    """What goes wrong. The first three strike requests, the others webhooks; `delay` both."""

    REFUSE_BEFORE = "refuse_before"
    LOSE_ANSWER = "lose_answer"
    DELAY = "delay"
    DROP = "drop"
    DOUBLE = "double"
    REORDER = "reorder"


class Fault(BaseModel):
    """One planted fault: strikes matches number `nth` to `nth + times - 1` (counted from 1)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: FaultKind
    method: str = "*"
    path_glob: str = "*"
    nth: int = 1
    times: int = 1
    status: int = 502
    message: str = "Server Error"
    retry_after_seconds: int | None = None
    delay_seconds: float = 0.0


@dataclass
class FaultPlan:
    """The faults in force, and how often each has been matched."""

    faults: list[Fault] = field(default_factory=list)
    _matches: dict[int, int] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def add(self, fault: Fault) -> None:
        """Put a fault in force; its matches are counted from now."""
        with self._lock:
            self.faults.append(fault)

    def load(self, path: Path) -> None:
        """Add every fault of a YAML or JSON file that holds a list of them."""
        with path.open(encoding="utf-8") as file:
            loaded: object = YAML(typ="safe").load(file)
        for fault in TypeAdapter(list[Fault]).validate_python(loaded):
            self.add(fault)

    def clear(self) -> None:
        """The bad day is over."""
        with self._lock:
            self.faults.clear()
            self._matches.clear()

    def strikes(self, method: str, path: str, kinds: Iterable[FaultKind]) -> Fault | None:
        """The first fault that this occasion is due to suffer, if any; counts the match."""
        wanted = set(kinds)
        struck: Fault | None = None
        with self._lock:
            for position, fault in enumerate(self.faults):
                if fault.kind not in wanted or not _matches(fault, method, path):
                    continue
                count = self._matches.get(position, 0) + 1
                self._matches[position] = count
                if struck is None and fault.nth <= count < fault.nth + fault.times:
                    struck = fault
        return struck


REQUEST_KINDS: tuple[FaultKind, ...] = (
    FaultKind.REFUSE_BEFORE,
    FaultKind.LOSE_ANSWER,
    FaultKind.DELAY,
)
WEBHOOK_KINDS: tuple[FaultKind, ...] = (
    FaultKind.DROP,
    FaultKind.DOUBLE,
    FaultKind.DELAY,
    FaultKind.REORDER,
)


def _matches(fault: Fault, method: str, path: str) -> bool:
    # A wildcard method means any request; a webhook is struck only by a fault that says so.
    methods = fault.method == method or (fault.method == "*" and method != WEBHOOK)
    return methods and fnmatchcase(path, fault.path_glob)
