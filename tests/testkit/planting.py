"""Taking a guard out of a copy of the program, and seeing that the named test dies of it.

A check that has never failed proves nothing. The lists stand beside the tests that they try:
`planted_faults.py` of each folder. Deliberately absent: faults in what is only wording.
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
# Compiled files come along: each is taken only for the very source that it was made of.
_LEFT_OUT = shutil.ignore_patterns(
    ".hypothesis", "node_modules", "test_planted_faults.py", "material"
)
_PATIENCE_SECONDS = 180


@dataclass(frozen=True)
class PlantedFault:
    """Replace `guard` (which stands once in `file`) by `fault`; `killer` is the test that fails."""

    file: str
    guard: str
    fault: str
    killer: str

    def __str__(self) -> str:
        return f"{self.file}: {self.killer.rpartition('/')[2]}"


@dataclass(frozen=True)
class Bed:
    """Where faults are planted: `program` holds their files, `tests` their killers.

    `copied` are the folders, below the root, that the killers need besides pyproject.toml.
    """

    program: str
    tests: str
    copied: tuple[str, ...]

    def guards(self, fault: PlantedFault) -> int:
        """How often the guard stands in its file; a fault can be planted where it is one."""
        return (ROOT / self.program / fault.file).read_text().count(fault.guard)

    def has_killer(self, fault: PlantedFault) -> bool:
        """Whether the test that the fault names exists: a renamed test fails with no fault."""
        path, *names = fault.killer.partition("[")[0].split("::")
        return tuple(names) in _tests_in(ROOT / self.tests / path)

    def plant(self, fault: PlantedFault, folder: Path) -> subprocess.CompletedProcess[str]:
        """Run the killer on a copy, made in an empty folder, that has the fault."""
        for name in self.copied:
            shutil.copytree(ROOT / name, folder / name, ignore=_LEFT_OUT)
        for name in ("tests/__init__.py", "tests/needs.py", "pyproject.toml"):
            shutil.copy(ROOT / name, folder / name)
        place = folder / self.program / fault.file
        place.write_text(place.read_text().replace(fault.guard, fault.fault))
        return subprocess.run(
            (
                *(sys.executable, "-m", "pytest", "-x", "-q"),
                # SQLite alone: a fault need not be shown on a second database.
                *("-k", "not postgres", f"{self.tests}/{fault.killer}"),
            ),
            cwd=folder,
            env={"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            timeout=_PATIENCE_SECONDS,
            check=False,
        )


@cache
def _tests_in(file: Path) -> frozenset[tuple[str, ...]]:
    """What can be named of a file: itself, its classes, its tests; empty if it is not there."""
    if not file.is_file():
        return frozenset()
    nodes = ast.parse(file.read_text()).body
    classes = [n for n in nodes if isinstance(n, ast.ClassDef)]
    plain = {(n.name,) for n in nodes if isinstance(n, ast.FunctionDef)}
    methods = {(c.name, n.name) for c in classes for n in c.body if isinstance(n, ast.FunctionDef)}
    return frozenset({(), *plain, *methods, *((c.name,) for c in classes)})


def assert_killed(done: subprocess.CompletedProcess[str]) -> None:
    """The named test failed; 2 to 5 are pytest's codes for a test that was not even run."""
    assert done.returncode == 1, done.stdout[-2_000:]
