"""The wire contract of gates: what is asked (definition) and what is said (result).

Shared by the program that judges and by the bot that publishes. A gate that did not run is not a
gate that passed: the five endings are kept apart, and only `PASSED` is a pass. A reader that meets
an unknown version refuses it. Deliberately absent: how a gate is executed.
"""

import hashlib
import json
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

GATES_VERSION = 1


class Frozen(BaseModel):
    """A value: immutable, strict about keys that it does not know and about numbers."""

    # JSON has no infinity: what were read as one could be written down and never read again.
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Judges(StrEnum):
    """What a gate's result speaks of, and so how long it holds (law 8)."""

    TREE = "tree"
    DIFF = "diff"


class Ending(StrEnum):
    """How one execution of a gate ended. Only `PASSED` counts as a pass."""

    PASSED = "passed"
    FAILED = "failed"
    TIMED_OUT = "timed_out"
    CRASHED = "crashed"
    COULD_NOT_RUN = "could_not_run"


class GateDefinition(Frozen):
    """One gate as the base of the candidate defines it.

    Exactly one of `command` (a shell line, judged by its exit code) and `builtin` (a gate of the
    registry, such as `scope_check`) is set. `junit` is a glob below the checkout.
    """

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,49}$")]
    judges: Judges
    command: str | None = None
    builtin: str | None = None
    junit: str | None = None
    gate_timeout_seconds: Annotated[int, Field(ge=1, le=21_600)] = 600
    required: bool = True


class AnnotationLevel(StrEnum):
    """GitHub's three levels of a check run annotation."""

    NOTICE = "notice"
    WARNING = "warning"
    FAILURE = "failure"


class Annotation(Frozen):
    """A remark at lines of a file; `path` is relative to the checkout, lines count from 1."""

    path: str
    line_start: int
    line_end: int
    level: AnnotationLevel
    title: str
    message: str


class TestCounts(Frozen):
    """What JUnit XML said; a skipped test passed nothing."""

    __test__ = False

    passed: int = 0
    failed: int = 0
    errored: int = 0
    skipped: int = 0


class GateResult(Frozen):
    """What one gate said of one candidate.

    `sentence` is for a person. `log_tail` is at most 16,000 characters of the merged output, with
    the end kept. `passed_tests` names the tests that ran and passed (`file::name` or
    `classname.name`), at most 2,000. `exit_code` is None where no process ended by itself.
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


class GateReport(Frozen):
    """All that one gate order found out about one commit."""

    version: int = GATES_VERSION
    candidate_sha: str
    tree_sha: str
    definition_hash: str
    results: tuple[GateResult, ...]


def definition_hash(definitions: Sequence[GateDefinition]) -> str:
    """The name of a list of definitions: SHA-256 (hex) of its canonical JSON, order included.

    Both sides of the wire reckon it; a default that is spelled out hashes like one left out.
    """
    listed = [definition.model_dump(mode="json") for definition in definitions]
    canonical = json.dumps(listed, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()
