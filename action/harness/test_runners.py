"""The runners of tests that Headgate measures, and how its probes come into them.

None of them changes what the line says where the environment can say it: a line may start its runner
through make or npm.
"""

import re
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import gates.pytest_probe
from action.harness.gate_line import Place
from action.harness.probe import Asked, ProbedRunner, reports_tests
from gates.result import GateDefinition

_PYTEST_PROBE = Path(gates.pytest_probe.__file__).parent
_PYTEST = re.compile(r"(?<![\w./-])(?:py\.?test)(?![\w.-])|(?<=/)pytest(?![\w.-])")
_OWN_PATH = re.compile(r"(?<![\w])PYTHONPATH=")


def runs_pytest(definition: GateDefinition) -> bool:
    return reports_tests(definition) and bool(_PYTEST.search(definition.command or ""))


@dataclass(frozen=True)
class Pytest:
    """By a plugin."""

    suffixes: tuple[str, ...] = (".py",)
    builds_folders: bool = False
    sees_lines: bool = True

    def may_run_in(self, definition: GateDefinition) -> bool:
        return runs_pytest(definition)

    def line(self, line: str, place: Place) -> str:
        return _OWN_PATH.sub(f"PYTHONPATH={shlex.quote(str(_PYTEST_PROBE))}:", line)

    def environment(self, asked: Asked, place: Place) -> Mapping[str, str]:
        only = " --collect-only" if asked.only_collect else ""
        return {
            "PYTEST_ADDOPTS": f"-p headgate_probe --continue-on-collection-errors{only}",
            "PYTHONPATH": str(_PYTEST_PROBE),
        }


class _ByProgram:
    """The environment brings the probe in, and the line stays as it is."""

    def may_run_in(self, definition: GateDefinition) -> bool:
        return reports_tests(definition) and not runs_pytest(definition)

    def line(self, line: str, place: Place) -> str:
        return line


@dataclass(frozen=True)
class GoTest(_ByProgram):
    """By a program that `go test` starts in place of those that it has built."""

    suffixes: tuple[str, ...] = (".go",)
    builds_folders: bool = True
    sees_lines: bool = True

    def environment(self, asked: Asked, place: Place) -> Mapping[str, str]:
        program = _starting(place.folder.given / "go-test", "gates.go_probe")
        covered = " -cover -coverpkg=./..." if asked.lines else ""
        # What a line says itself comes after it, and wins.
        return {"GOFLAGS": f"-count=1 -vet=off{covered} -exec={program}"}


@dataclass(frozen=True)
class NodeTests(_ByProgram):
    """By a program that stands before `node` on PATH: `node --test`, vitest and jest."""

    suffixes: tuple[str, ...] = (
        *(".js", ".mjs", ".cjs", ".jsx"),
        *(".ts", ".mts", ".cts", ".tsx"),
    )
    builds_folders: bool = False
    sees_lines: bool = True

    def line(self, line: str, place: Place) -> str:
        return f'PATH={shlex.quote(str(place.folder.given))}:"$PATH"\n{line}'

    def environment(self, asked: Asked, place: Place) -> Mapping[str, str]:
        _starting(place.folder.given / "node", "gates.node_probe")
        return {"HEADGATE_NODE_PLACE": str(place.folder.given)}


# Debian's cargo and rustup's name their targets so.
_TARGETS = tuple(
    f"CARGO_TARGET_{machine}_UNKNOWN_LINUX_{library}_RUNNER"
    for machine in ("X86_64", "AARCH64")
    for library in ("GNU", "MUSL")
)


@dataclass(frozen=True)
class CargoTest(_ByProgram):
    """By a program that Cargo starts in place of those that it has built: `cargo test`, cargo-nextest."""

    suffixes: tuple[str, ...] = (".rs",)
    builds_folders: bool = True
    sees_lines: bool = False

    def environment(self, asked: Asked, place: Place) -> Mapping[str, str]:
        program = _starting(place.folder.given / "cargo-test", "gates.cargo_probe")
        return dict.fromkeys(_TARGETS, str(program))


# In isolated mode: what the candidate has of the same name is not taken for ours.
_START = (
    "import runpy, sys; sys.path.insert(0, sys.argv.pop(1)); "
    "runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
)


def _starting(place: Path, module: str) -> Path:
    """A file that starts one of our programs."""
    above = Path(gates.pytest_probe.__file__).parents[2]
    words = (sys.executable, "-I", "-c", _START, str(above), module)
    place.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n', encoding="utf-8")
    place.chmod(0o755)
    return place


PYTEST = Pytest()
TEST_RUNNERS: tuple[ProbedRunner, ...] = (PYTEST, GoTest(), NodeTests(), CargoTest())
