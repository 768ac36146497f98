"""Faults on request, for HTTP requests and webhooks.

A fault names what it matches (method and path glob; for webhooks method `WEBHOOK` and
`event.action`), from which match on, and how often. Faults lose, delay, double, reorder or refuse,
or do what a person or a clock may do at that moment; localhub still never answers anything that
GitHub could not answer. `fault_file.py` reads files of faults.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase
from threading import Lock

from pydantic import BaseModel, ConfigDict, Field

# The method under which faults of webhooks are listed; the path is `event.action`.
WEBHOOK = "WEBHOOK"


class FaultKind(StrEnum):
    REFUSE_BEFORE = "refuse_before"
    SECONDARY_LIMIT = "secondary_limit"
    LOSE_ANSWER = "lose_answer"
    TIME_OUT = "time_out"
    LOSE_DISPATCH = "lose_dispatch"
    TRUNCATE = "truncate"
    PAGE = "page"
    LAG = "lag"
    DELAY = "delay"
    DROP = "drop"
    DOUBLE = "double"
    REORDER = "reorder"
    REWIND = "rewind"
    PUSH = "push"
    DRIFT = "drift"


MEANINGS: Mapping[FaultKind, str] = {
    FaultKind.REFUSE_BEFORE: "The request is answered with `status` and `message`; nothing is done.",
    FaultKind.SECONDARY_LIMIT: "403 in the words of a secondary rate limit, with `Retry-After` or "
    "without; nothing is done.",
    FaultKind.LOSE_ANSWER: "The request is carried out, and the connection ends before its answer.",
    FaultKind.TIME_OUT: "Silence for `delay_seconds`, then the connection ends; nothing is done.",
    FaultKind.LOSE_DISPATCH: "A workflow dispatch is accepted, and its run never starts.",
    FaultKind.TRUNCATE: "The request is carried out, and half of its answer's body arrives, with its "
    "status.",
    FaultKind.PAGE: "A proxy on the way answers 200 with a page of HTML; nothing is done.",
    FaultKind.LAG: "A list lacks what was created in the last `delay_seconds`, as that of a replica "
    "that is behind.",
    FaultKind.DELAY: "The request is answered, or the webhook sent, `delay_seconds` later.",
    FaultKind.DROP: "The webhook is not sent; the deliveries API lists it as failed.",
    FaultKind.DOUBLE: "The webhook is sent twice under one GUID.",
    FaultKind.REORDER: "The next webhook overtakes this one.",
    FaultKind.REWIND: "Somebody force-pushes `branch` back by `commits` first parents.",
    FaultKind.PUSH: "Somebody pushes a commit that writes `text` to `file` on `branch`.",
    FaultKind.DRIFT: "From now on the hub's clock is another `drift_seconds` ahead (or behind).",
}


class Fault(BaseModel):
    """One planted fault: applies to matches number `nth` to `nth + times - 1` (counted from 1)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: FaultKind = Field(description="What goes wrong.")
    method: str = Field("*", description="HTTP method, `*` for any, or `WEBHOOK` for webhooks.")
    path_glob: str = Field(
        "*",
        description="Path without `/api/v3`, or a webhook's `event.action`; `*` stands for any.",
    )
    nth: int = Field(
        1, ge=1, description="The first match to which the fault applies, counted from 1."
    )
    times: int = Field(1, ge=1, description="To how many matches in a row the fault applies.")
    status: int = Field(502, ge=400, le=599, description="The answer's status.")
    message: str = Field("Server Error", description="The answer's `message`.")
    retry_after_seconds: int | None = Field(
        None, ge=0, description="The answer's `Retry-After`; without it there is no such header."
    )
    delay_seconds: float = Field(0.0, ge=0, le=3600, description="How long.")
    branch: str = Field("", description="A branch or a glob of one; empty is the default branch.")
    commits: int = Field(1, ge=1, description="How many commits are taken off the branch.")
    file: str = Field("PUSHED.md", min_length=1, description="The file that is written.")
    text: str = Field("Pushed at a planted moment.\n", description="What the file then holds.")
    repository: str = Field("", description="owner/name; empty is the request's or webhook's own.")
    drift_seconds: float = Field(0.0, description="By how much; negative is behind.")


REQUEST_ONLY: tuple[FaultKind, ...] = (
    FaultKind.REFUSE_BEFORE,
    FaultKind.SECONDARY_LIMIT,
    FaultKind.LOSE_ANSWER,
    FaultKind.TIME_OUT,
    FaultKind.LOSE_DISPATCH,
    FaultKind.TRUNCATE,
    FaultKind.PAGE,
    FaultKind.LAG,
)
WEBHOOK_ONLY: tuple[FaultKind, ...] = (FaultKind.DROP, FaultKind.DOUBLE, FaultKind.REORDER)
# What happens before the matched request or webhook, which then proceeds normally.
EFFECTS: tuple[FaultKind, ...] = (FaultKind.REWIND, FaultKind.PUSH, FaultKind.DRIFT)
REQUEST_KINDS = (*REQUEST_ONLY, FaultKind.DELAY, *EFFECTS)
WEBHOOK_KINDS = (*WEBHOOK_ONLY, FaultKind.DELAY, *EFFECTS)

# Applies a fault in the repository `owner/name`, which may be empty.
Effect = Callable[[Fault, str], None]

_PLACE = ("method", "path_glob", "nth", "times")
# The fields of each kind, besides those that say what it matches.
FIELDS: Mapping[FaultKind, tuple[str, ...]] = {
    FaultKind.REFUSE_BEFORE: (*_PLACE, "status", "message", "retry_after_seconds"),
    FaultKind.SECONDARY_LIMIT: (*_PLACE, "retry_after_seconds"),
    FaultKind.LOSE_ANSWER: _PLACE,
    FaultKind.TIME_OUT: (*_PLACE, "delay_seconds"),
    FaultKind.LOSE_DISPATCH: _PLACE,
    FaultKind.TRUNCATE: _PLACE,
    FaultKind.PAGE: _PLACE,
    FaultKind.LAG: (*_PLACE, "delay_seconds"),
    FaultKind.DELAY: (*_PLACE, "delay_seconds"),
    FaultKind.DROP: _PLACE,
    FaultKind.DOUBLE: _PLACE,
    FaultKind.REORDER: _PLACE,
    FaultKind.REWIND: (*_PLACE, "branch", "commits", "repository"),
    FaultKind.PUSH: (*_PLACE, "branch", "file", "text", "repository"),
    FaultKind.DRIFT: (*_PLACE, "drift_seconds"),
}


@dataclass
class FaultPlan:
    """The faults in force, how often each has matched, and the functions that apply effects.

    `applied` holds all faults that have applied so far, in force or not.
    """

    faults: list[Fault] = field(default_factory=list)
    applied: set[Fault] = field(default_factory=set)
    effects: dict[FaultKind, Effect] = field(default_factory=dict)
    _matches: dict[int, int] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def add(self, fault: Fault) -> None:
        with self._lock:
            self.faults.append(fault)

    def clear(self) -> None:
        """Remove all faults. What they did (a push, a clock that drifted) stays."""
        with self._lock:
            self.faults.clear()
            self._matches.clear()

    def next_match(self, method: str, path: str, kinds: Iterable[FaultKind]) -> Fault | None:
        """The first fault that applies to this request or webhook, if any; counts the match."""
        wanted = set(kinds)
        applied: Fault | None = None
        with self._lock:
            for position, fault in enumerate(self.faults):
                if fault.kind not in wanted or not _matches(fault, method, path):
                    continue
                count = self._matches.get(position, 0) + 1
                self._matches[position] = count
                if applied is None and fault.nth <= count < fault.nth + fault.times:
                    applied = fault
            if applied is not None:
                self.applied.add(applied)
        return applied

    def apply(self, fault: Fault, repository: str) -> None:
        """Apply the fault's effect in its own repository or this one. Called without any lock."""
        effect = self.effects.get(fault.kind)
        if effect is not None:
            effect(fault, fault.repository or repository)


def _matches(fault: Fault, method: str, path: str) -> bool:
    # A wildcard method means any request; a webhook needs a fault that names it.
    methods = fault.method == method or (fault.method == "*" and method != WEBHOOK)
    if fault.kind is FaultKind.LOSE_DISPATCH and not fnmatchcase(path, "*/workflows/*/dispatches"):
        return False
    return methods and fnmatchcase(path, fault.path_glob)
