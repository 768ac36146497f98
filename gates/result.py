"""The wire contract of gates: what is asked (definition) and what is said (result).

Shared by the program that judges and by the bot that publishes. A gate that did not run is not a
gate that passed: the five endings are kept apart, and only `PASSED` is a pass. A reader that meets
an unknown version refuses it. The values are dataclasses of the standard library, because a judge
starts once a gate and pydantic would be most of its start; pydantic reads and writes them as fields
of its models.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from gates.proof import RequirementProof

GATES_VERSION = 1
GATE_TIMEOUT_SECONDS_MAX = 21_600
# How many names of tests a result holds.
PASSED_TESTS_MAX = 2_000
FAILED_TESTS_MAX = 200

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,49}")


class _Strict:
    """How pydantic reads the values below: an unknown key is an error, and so is an infinity,
    which could be written as JSON and never read again."""

    __pydantic_config__ = {"extra": "forbid", "allow_inf_nan": False}


class Judges(StrEnum):
    """What a gate judges, and so for how long its result holds (law 8).

    `CHANGE` is a diff on a tree: its result holds while both are the same.
    """

    TREE = "tree"
    DIFF = "diff"
    CHANGE = "change"


class Ending(StrEnum):
    """How one execution of a gate ended. Only `PASSED` counts as a pass."""

    PASSED = "passed"
    FAILED = "failed"
    TIMED_OUT = "timed_out"
    CRASHED = "crashed"
    COULD_NOT_RUN = "could_not_run"


@dataclass(frozen=True, kw_only=True)
class ProfileUse(_Strict):
    """A plugin's profile by which tests are read, in exactly this version."""

    name: str
    version: str


@dataclass(frozen=True, kw_only=True)
class GateDefinition(_Strict):
    """One gate as the base of the candidate defines it.

    Exactly one of `command` (a shell line, judged by its exit code) and `builtin` (a gate of the
    registry, such as `scope_check`) is set. `junit` and `sarif` are globs below the checkout.
    `profiles` are of plugins, beside Headgate's own.
    """

    name: str
    judges: Judges
    command: str | None = None
    builtin: str | None = None
    junit: str | None = None
    gate_timeout_seconds: int = 600
    required: bool = True
    sarif: str | None = None
    profiles: tuple[ProfileUse, ...] = ()

    def __post_init__(self) -> None:
        """Raises ValueError for a name or a timeout that no gate may have."""
        if not _NAME.fullmatch(self.name):
            raise ValueError(
                f"{self.name!r} is not a valid name for a gate (it must match {_NAME.pattern})"
            )
        if not 1 <= self.gate_timeout_seconds <= GATE_TIMEOUT_SECONDS_MAX:
            raise ValueError(f"gate_timeout_seconds must be 1 to {GATE_TIMEOUT_SECONDS_MAX:,}")


class AnnotationLevel(StrEnum):
    NOTICE = "notice"
    WARNING = "warning"
    FAILURE = "failure"


@dataclass(frozen=True, kw_only=True)
class Annotation(_Strict):
    """A remark at lines of a file; `path` is relative to the checkout, lines count from 1."""

    path: str
    line_start: int
    line_end: int
    level: AnnotationLevel
    title: str
    message: str


@dataclass(frozen=True, kw_only=True)
class TestCounts(_Strict):
    """What JUnit XML said; a skipped test passed nothing."""

    __test__ = False

    passed: int = 0
    failed: int = 0
    errored: int = 0
    skipped: int = 0


@dataclass(frozen=True, kw_only=True)
class GateResult(_Strict):
    """What one gate said of one candidate.

    `sentence` is for a person. `log_tail` is at most 16,000 characters of the merged output, with
    the end kept. `passed_tests` names the tests that ran and passed (`file::name` or
    `classname.name`), at most 2,000; `failed_tests` those that did not, at most 200; `passed_alone`
    those of them that passed when they ran without the others. Said by the bot
    alone: `waived_tests`, the failed tests where a person accepted every one; `inherited`, what fails
    on main, too (tests, and the gate's name where it does not name all that fails). `exit_code` is
    None where no process ended by itself. `proof` is of `spec_verify`: a requirement each.
    `stopped_by`: the red gate because of which this one was not begun.
    """

    gate: str
    judges: Judges
    ending: Ending
    sentence: str
    exit_code: int | None = None
    seconds: float = 0.0
    log_tail: str = ""
    annotations: tuple[Annotation, ...] = ()
    tests: TestCounts | None = None
    passed_tests: tuple[str, ...] = ()
    failed_tests: tuple[str, ...] = ()
    passed_alone: tuple[str, ...] = ()
    waived_tests: tuple[str, ...] = ()
    inherited: tuple[str, ...] = ()
    proof: tuple[RequirementProof, ...] = ()
    stopped_by: str = ""

    @property
    def is_red(self) -> bool:
        """Whether it was asked and stands in the way; one that was not begun says nothing."""
        return not self.is_accepted and not self.stopped_by

    @property
    def is_accepted(self) -> bool:
        """Whether it stands in nobody's way: it passed, or all that failed was accepted before."""
        waived = bool(self.waived_tests) and self.ending is Ending.FAILED
        return waived or self.ending is Ending.PASSED


@dataclass(frozen=True, kw_only=True)
class GateReport(_Strict):
    """`doubts`: what was red and ran once more for this report, oldest first; `results` has the last run."""

    version: int = GATES_VERSION
    candidate_sha: str
    tree_sha: str
    definition_hash: str
    results: tuple[GateResult, ...]
    doubts: tuple[GateResult, ...] = ()


# Fields that came later, with their defaults: a definition without them has the name that it had.
_LATER = {"sarif": None, "profiles": ()}


def definition_hash(definitions: Sequence[GateDefinition]) -> str:
    """The name of a list of definitions: SHA-256 (hex) of its canonical JSON, order included.

    Both sides of the wire compute it; a default that is spelled out hashes like one left out.
    """
    listed = [
        {key: value for key, value in asdict(one).items() if value != _LATER.get(key, _LATER)}
        for one in definitions
    ]
    canonical = json.dumps(listed, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def report_json(report: GateReport, indent: int | None = None) -> str:
    """The report as it travels. Raises ValueError for a number that JSON does not have."""
    return json.dumps(asdict(report), indent=indent, ensure_ascii=False, allow_nan=False)
