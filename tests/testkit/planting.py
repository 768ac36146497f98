"""Removes a guard from a copy of the project and checks that the named test fails.

The tables are in the files `planted_faults*.py` beside the tests, and are found by that name. There are
no faults in texts that only inform.
"""

import ast
import importlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import bot

ROOT = Path(bot.__file__).parent.parent
_PROGRAMS = ("bot", "action", "gates")
_COPIED = (*_PROGRAMS, "tests", ".github", "pyproject.toml")
# Compiled files are copied, too: Python uses one only for the source that it was compiled from.
_LEFT_OUT = shutil.ignore_patterns(
    ".hypothesis", "node_modules", "test_planted_faults.py", "material"
)
_TIMEOUT_SECONDS = 180


@dataclass(frozen=True)
class PlantedFault:
    """Replace `guard`, which occurs once in `file`, by `fault`; `killer` is the test that fails.

    `file` is below the project's root, `bot/`, `action/` or `gates/`; `killer` is below `tests/` or
    below the folder of the table.
    """

    file: str
    guard: str
    fault: str
    killer: str

    def __str__(self) -> str:
        return f"{self.file}: {self.killer.rpartition('/')[2]}"


@dataclass(frozen=True)
class Planting:
    """A fault with the file of its table, from the project's root."""

    fault: PlantedFault
    table: Path

    def __str__(self) -> str:
        return str(self.fault)

    def files(self) -> list[Path]:
        """The files that the fault may mean, from the project's root; it must be one."""
        places = (Path(program) / self.fault.file for program in (".", *_PROGRAMS))
        return [place for place in places if (ROOT / place).is_file()]

    def killers(self) -> list[str]:
        """The tests that the fault may name, as pytest names them; it must be one.

        A renamed test would fail without a fault.
        """
        path, _, rest = self.fault.killer.partition("::")
        names = tuple(rest.partition("[")[0].split("::")) if rest else ()
        places = {Path("tests") / path, self.table.parent / path}
        found = sorted(place for place in places if names in _tests_in(ROOT / place))
        return [f"{place}::{rest}" if rest else str(place) for place in found]

    def mistakes(self) -> list[str]:
        """Why the fault cannot be planted, or nobody would notice."""
        found = []
        files = self.files()
        if len(files) != 1:
            return [f"its file is {files}"]
        guards = _text(ROOT / files[0]).count(self.fault.guard)
        if guards != 1:
            found.append(f"its guard stands {guards} times in {files[0]}")
        if self.fault.guard == self.fault.fault:
            found.append("it changes nothing")
        killers = self.killers()
        if len(killers) != 1:
            found.append(f"its killer is {killers}")
        return found

    def run_killer(self, folder: Path) -> subprocess.CompletedProcess[str]:
        """Run the killer on a copy of the project with the fault, made in the empty `folder`."""
        for name in _COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, folder / name, ignore=_LEFT_OUT)
            else:
                shutil.copy(ROOT / name, folder / name)
        place = folder / self.files()[0]
        place.write_text(place.read_text().replace(self.fault.guard, self.fault.fault))
        return subprocess.run(
            # Only SQLite: a second database proves nothing more.
            (sys.executable, "-m", "pytest", "-x", "-q", "-k", "not postgres", self.killers()[0]),
            cwd=folder,
            env={"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_SECONDS,
            check=False,
        )


def plantings() -> list[Planting]:
    """Every fault of every table, once."""
    found: dict[PlantedFault, Path] = {}
    for table in sorted((ROOT / "tests").rglob("planted_faults*.py")):
        place = table.relative_to(ROOT)
        module = importlib.import_module(".".join(place.with_suffix("").parts))
        for rows in vars(module).values():
            if isinstance(rows, list | tuple):
                found.update((row, place) for row in rows if isinstance(row, PlantedFault))
    return [Planting(fault, table) for fault, table in found.items()]


@cache
def _text(file: Path) -> str:
    return file.read_text()


@cache
def _tests_in(file: Path) -> frozenset[tuple[str, ...]]:
    """The file itself (), its classes and its tests; empty where the file does not exist."""
    if not file.is_file():
        return frozenset()
    nodes = ast.parse(_text(file)).body
    classes = [n for n in nodes if isinstance(n, ast.ClassDef)]
    plain = {(n.name,) for n in nodes if isinstance(n, ast.FunctionDef)}
    methods = {(c.name, n.name) for c in classes for n in c.body if isinstance(n, ast.FunctionDef)}
    return frozenset({(), *plain, *methods, *((c.name,) for c in classes)})
