"""A project's tests once more, by a gate's own line, with a probe of ours in its runner of tests.

The line runs as the gate ran: in a sandbox, on a fresh checkout. What the probe saw is read when
nothing is alive. It says how far a test proves something; no gate passes by it. How a probe comes into a
runner is in `test_runners.py`.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from pydantic import BaseModel, ConfigDict, ValidationError

from action.harness.edits import Edits, edit
from action.harness.gate_line import Place
from action.sandbox import sandbox as walls
from gates.evidence import UnreadableReportError
from gates.execute import gate_shell
from gates.junit_files import BYTES_MAX, read_regular
from gates.line_variables import DIFF_BASE_VARIABLE, JUNIT_VARIABLE
from gates.result import GateDefinition

PROBE_VARIABLE = "HEADGATE_PROBE"
# Each worker of xdist writes one, and each package of Go.
_FILES_MAX = 64


@dataclass(frozen=True)
class Asked:
    """Which tests to run (None: all), in which files they are (None: unknown), and lines to look for.

    `are_reported`: they are named as in JUnit XML. `only_collect`: none runs.
    """

    select: Sequence[str] | None = None
    files: Sequence[str] | None = None
    lines: Mapping[str, Sequence[int]] = field(default_factory=dict)
    are_reported: bool = False
    only_collect: bool = False
    seconds_max: float = math.inf


class ProbedTest(BaseModel):
    """`names`: by file and function, the same with its case, and as JUnit XML may name it."""

    model_config = ConfigDict(frozen=True)

    names: tuple[str, ...]
    outcome: str
    asserted: bool
    lines: tuple[tuple[str, int], ...]

    @property
    def passed(self) -> bool:
        return self.outcome == "passed"

    @property
    def failed_by_assertion(self) -> bool:
        return self.outcome == "failed" and self.asserted


class Probed(BaseModel):
    """`collected` are the tests that were to run; `countable` the lines that a call could run."""

    model_config = ConfigDict(frozen=True)

    collected: tuple[str, ...]
    tests: tuple[ProbedTest, ...]
    countable: int

    @property
    def has_ended(self) -> bool:
        return any(test.outcome for test in self.tests)

    def of(self, name: str) -> tuple[ProbedTest, ...]:
        """The cases of a test that ran."""
        return tuple(test for test in self.tests if name in test.names and test.outcome)


NOTHING = Probed(collected=(), tests=(), countable=0)


class ProbedRunner(Protocol):
    """How one runner of tests is probed.

    A probe reads the plan at `$HEADGATE_PROBE` and leaves files `probe-*.json` in its `out`. `suffixes` are
    those of the files that it can measure; `builds_folders`: one file of a folder that cannot be compiled
    keeps its others from running. `sees_lines`: whether it says which lines a test ran.
    """

    @property
    def suffixes(self) -> tuple[str, ...]: ...
    @property
    def builds_folders(self) -> bool: ...
    @property
    def sees_lines(self) -> bool: ...
    def may_run_in(self, definition: GateDefinition) -> bool:
        """Whether a gate's line may start this runner, by its words."""

    def line(self, line: str, place: Place) -> str:
        """The line with the probe in its runner."""

    def environment(self, asked: Asked, place: Place) -> Mapping[str, str]:
        """What brings the probe in; it may write into `given`."""


def reports_tests(definition: GateDefinition) -> bool:
    return definition.junit is not None or JUNIT_VARIABLE in (definition.command or "")


def probe(
    runner: ProbedRunner,
    definition: GateDefinition,
    place: Place,
    diff_base_sha: str,
    asked: Asked,
    edits: Edits,
) -> Probed | None:
    """Run the gate's line over an edited checkout; None where the probe saw nothing."""
    folder = place.folder
    layers = place.saved.refresh()
    if not edit(place, layers, edits):
        return None
    plan = folder.given / "probe.json"
    out = folder.out
    known = {
        "root": str(folder.tree),
        "out": str(out),
        "select": asked.select,
        "are_reported": asked.are_reported,
        "files": asked.files,
        "lines": dict(asked.lines),
    }
    plan.write_text(json.dumps(known))
    line = runner.line(definition.command or "", place)
    if len(line) > walls.SHELL_CHARACTERS_MAX:
        return None
    environment = {
        JUNIT_VARIABLE: str(out / "junit.xml"),
        DIFF_BASE_VARIABLE: diff_base_sha,
        PROBE_VARIABLE: str(plan),
        **runner.environment(asked, place),
    }
    seconds = min(float(definition.gate_timeout_seconds), asked.seconds_max)
    argv = (*gate_shell(), "-c", line)
    ended = place.sandbox.run(
        walls.Command(argv, folder.tree, seconds, env=environment, layers=layers)
    )
    return None if ended.timed_out else _read(out)


def _read(out: Path) -> Probed | None:
    collected: dict[str, None] = {}
    tests: list[ProbedTest] = []
    countable = 0
    left = BYTES_MAX
    paths = sorted(out.glob("probe-*.json"))[:_FILES_MAX]
    for path in paths:
        try:
            raw = read_regular(path, left)
            seen = Probed.model_validate_json(raw)
        except (UnreadableReportError, ValidationError):
            return None
        left -= len(raw)
        collected.update(dict.fromkeys(seen.collected))
        tests += seen.tests
        countable = max(countable, seen.countable)
    if not paths:
        return None
    return Probed(collected=tuple(collected), tests=tuple(tests), countable=countable)
