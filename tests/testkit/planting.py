"""Removes a guard from a copy of the program and checks that the named test fails.

The tables are in `planted_faults*.py` beside the tests. There are no faults in texts that only inform.
"""

import ast
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import bot

ROOT = Path(bot.__file__).parent.parent
# Compiled files are copied, too: Python uses one only for the source that it was compiled from.
_LEFT_OUT = shutil.ignore_patterns(
    ".hypothesis", "node_modules", "test_planted_faults.py", "material"
)
_TIMEOUT_SECONDS = 180


@dataclass(frozen=True)
class PlantedFault:
    """Replace `guard`, which occurs once in `file`, by `fault`; `killer` is the test that fails."""

    file: str
    guard: str
    fault: str
    killer: str

    def __str__(self) -> str:
        return f"{self.file}: {self.killer.rpartition('/')[2]}"


@dataclass(frozen=True)
class MutantRunner:
    """Plants faults in files below `program` and runs their killers, which are below `tests`.

    `copied` are the folders that the killers need.
    """

    program: str
    tests: str
    copied: tuple[str, ...]

    def guards(self, fault: PlantedFault) -> int:
        """How often the guard occurs in its file; it must be once."""
        return (ROOT / self.program / fault.file).read_text().count(fault.guard)

    def has_killer(self, fault: PlantedFault) -> bool:
        """Whether the test that the fault names exists; a renamed test would fail without a fault."""
        path, *names = fault.killer.partition("[")[0].split("::")
        return tuple(names) in _tests_in(ROOT / self.tests / path)

    def run_killer(self, fault: PlantedFault, folder: Path) -> subprocess.CompletedProcess[str]:
        """Run the killer on a copy of the program with the fault, made in the empty `folder`."""
        for name in self.copied:
            shutil.copytree(ROOT / name, folder / name, ignore=_LEFT_OUT)
        for name in ("tests/__init__.py", "tests/needs.py", "pyproject.toml"):
            shutil.copy(ROOT / name, folder / name)
        place = folder / self.program / fault.file
        place.write_text(place.read_text().replace(fault.guard, fault.fault))
        return subprocess.run(
            (
                *(sys.executable, "-m", "pytest", "-x", "-q"),
                # Only SQLite: a second database proves nothing more.
                *("-k", "not postgres", f"{self.tests}/{fault.killer}"),
            ),
            cwd=folder,
            env={"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_SECONDS,
            check=False,
        )


@cache
def _tests_in(file: Path) -> frozenset[tuple[str, ...]]:
    """The file itself (), its classes and its tests; empty where the file does not exist."""
    if not file.is_file():
        return frozenset()
    nodes = ast.parse(file.read_text()).body
    classes = [n for n in nodes if isinstance(n, ast.ClassDef)]
    plain = {(n.name,) for n in nodes if isinstance(n, ast.FunctionDef)}
    methods = {(c.name, n.name) for c in classes for n in c.body if isinstance(n, ast.FunctionDef)}
    return frozenset({(), *plain, *methods, *((c.name,) for c in classes)})


def assert_killed(done: subprocess.CompletedProcess[str]) -> None:
    """Exit code 1 is a failed test; pytest's codes 2 to 5 mean that it did not run."""
    assert done.returncode == 1, done.stdout[-2_000:]
