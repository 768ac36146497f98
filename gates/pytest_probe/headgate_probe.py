"""A plugin of pytest, for a project's own environment: which tests ran, how, and over which lines.

It stands alone and reads as Python 3.8. The plan is the JSON file that `HEADGATE_PROBE` names: `root`
(the checkout), `out` (a folder), `select` (names of tests, or null for all), `files` (test files that
hold them, or null) and `lines` (lines to look for, by path). What was seen is `out/probe-PID.json`.
"""

from __future__ import annotations

import dis
import json
import os
import re
import sys
import threading
from pathlib import Path
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from _typeshed import TraceFunction

VARIABLE = "HEADGATE_PROBE"
# A function's code keeps its variables in slots; that of a module or class body does not.
_OPTIMIZED = 0x1
_RANK = {"passed": 0, "skipped": 1, "failed": 2, "errored": 3}


class Probe:
    def __init__(self, plan: dict[str, Any]) -> None:
        self.root = Path(plan["root"]).resolve()
        self.out = Path(plan["out"])
        self.select = None if plan["select"] is None else frozenset(plan["select"])
        self.files = None if plan["files"] is None else frozenset(plan["files"])
        self.lines = {path: _in_functions(self.root / path, n) for path, n in plan["lines"].items()}
        self.collected: list[str] = []
        self.tests: dict[str, dict[str, Any]] = {}
        self.current = ""
        self._wanted: dict[str, str] = {}

    def is_left_out(self, path: Path) -> bool:
        """Whether a file holds no test that is asked for."""
        named = _below(self.root, path)
        is_test = path.suffix == ".py" and path.name not in ("__init__.py", "conftest.py")
        return self.files is not None and is_test and path.is_file() and named not in self.files

    def choose(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        for item in items:
            names = _names(item, self.root)
            self.tests[item.nodeid] = {
                "names": names,
                "outcome": "",
                "asserted": False,
                "lines": [],
            }
        if self.select is None:
            return
        kept = [i for i in items if not self.select.isdisjoint(self.tests[i.nodeid]["names"])]
        dropped = [item for item in items if item not in kept]
        if dropped:
            config.hook.pytest_deselected(items=dropped)
            items[:] = kept

    def note(self, report: pytest.TestReport) -> None:
        test = self.tests.get(report.nodeid)
        if test is None:
            return
        outcome: str = report.outcome
        if outcome == "failed" and report.when != "call":
            outcome = "errored"
        elif hasattr(report, "wasxfail"):
            outcome = "skipped"
        if report.when == "call" or outcome != "passed":
            worst = max(_RANK.get(test["outcome"], -1), _RANK[outcome])
            test["outcome"] = next(name for name, rank in _RANK.items() if rank == worst)

    def note_exception(self, node: object, call: pytest.CallInfo[Any]) -> None:
        test = self.tests.get(getattr(node, "nodeid", ""))
        if test is None or call.excinfo is None or call.when != "call":
            return
        kind = call.excinfo.type
        says_so = kind.__module__.startswith("_pytest") and kind.__name__ == "Failed"
        test["asserted"] = issubclass(kind, AssertionError) or says_so

    def begin(self, nodeid: str) -> None:
        self.current = nodeid
        if self.lines:
            threading.settrace(self._trace)
            sys.settrace(self._trace)

    def end(self) -> None:
        if self.lines:
            sys.settrace(None)
            threading.settrace(None)
        self.current = ""

    def write(self) -> None:
        seen = {
            "collected": self.collected,
            "tests": list(self.tests.values()),
            "countable": sum(len(lines) for lines in self.lines.values()),
        }
        place = self.out / f"probe-{os.getpid()}.json"
        place.write_text(json.dumps(seen), encoding="utf-8")

    def _trace(self, frame: FrameType, event: str, arg: object) -> TraceFunction | None:
        code = frame.f_code
        if not code.co_flags & _OPTIMIZED or self._path_of(code) not in self.lines:
            return None
        return self._line

    def _line(self, frame: FrameType, event: str, arg: object) -> TraceFunction | None:
        path = self._path_of(frame.f_code)
        test = self.tests.get(self.current)
        if event == "line" and test is not None and frame.f_lineno in self.lines[path]:
            place = [path, frame.f_lineno]
            if place not in test["lines"]:
                test["lines"].append(place)
        return self._line

    def _path_of(self, code: CodeType) -> str:
        name = code.co_filename
        if name not in self._wanted:
            self._wanted[name] = _below(self.root, Path(name))
        return self._wanted[name]


def _below(root: Path, path: Path) -> str:
    try:
        return path.resolve().relative_to(root).as_posix()
    except (ValueError, OSError):
        return ""


def _names(item: pytest.Item, root: Path) -> list[str]:
    """The ways in which others name a test: by file and function, with its case, as in JUnit XML."""
    parts = re.sub(r"\[.*", "", item.nodeid, flags=re.DOTALL).split("::")
    case = item.nodeid[len("::".join(parts)) :]
    path = _below(root, Path(str(getattr(item, "path", None) or item.fspath))) or parts[0]
    inner = "::".join(parts[1:])
    module = re.sub(r"\.py$", "", parts[0].replace("/", "."))
    last = f"{parts[-1]}{case}"
    return [
        f"{path}::{inner}",
        f"{path}::{inner}{case}",
        ".".join((module, *parts[1:-1], last)),
        f"{item.location[0]}::{last}",
    ]


def _in_functions(path: Path, asked: list[int]) -> frozenset[int]:
    """Those of these lines that run when a function is called, not when a module is imported."""
    try:
        code = compile(path.read_bytes(), str(path), "exec")
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    found: set[int] = set()
    left = [code]
    while left:
        one = left.pop()
        left += [inner for inner in one.co_consts if isinstance(inner, CodeType)]
        if one.co_flags & _OPTIMIZED:
            found.update(_lines_of(one))
    return frozenset(asked) & found


def _lines_of(code: CodeType) -> set[int]:
    lines = {n for _, n in dis.findlinestarts(code) if n}
    # The first is the line of `def`, unless all stands there.
    return lines - {code.co_firstlineno} or lines


def _plan() -> Probe | None:
    place = os.environ.get(VARIABLE)
    return Probe(json.loads(Path(place).read_text(encoding="utf-8"))) if place else None


_PROBE = _plan()

if _PROBE is not None:
    _probe = _PROBE

    def pytest_configure(config: pytest.Config) -> None:
        # A line that ends with the first failure would hide the others.
        config.option.maxfail = 0

    if int(pytest.__version__.split(".")[0]) >= 7:

        def pytest_ignore_collect(collection_path: Path) -> bool | None:
            return True if _probe.is_left_out(collection_path) else None

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
        _probe.choose(config, items)

    def pytest_collection_finish(session: pytest.Session) -> None:
        _probe.collected = [_probe.tests[i.nodeid]["names"][1] for i in session.items]

    def pytest_runtest_logstart(nodeid: str) -> None:
        _probe.begin(nodeid)

    def pytest_runtest_logfinish() -> None:
        _probe.end()

    def pytest_runtest_logreport(report: pytest.TestReport) -> None:
        _probe.note(report)

    def pytest_exception_interact(node: object, call: pytest.CallInfo[Any]) -> None:
        _probe.note_exception(node, call)

    def pytest_sessionfinish() -> None:
        _probe.write()
