"""The shape of the house: import floors, file sizes, names, and one case for every effect."""

import ast
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from bot.core.journal.effect_class import EffectClass
from bot.core.journal.effects import EFFECT_CLASSES
from bot.core.journal.events import Event
from bot.core.journal.evolve import ENTITIES, HISTORY_ONLY
from bot.core.journal.transitions import MOVES
from bot.core.values.ids import Frozen
from bot.shell.perform import PERFORMERS

ROOT = Path(__file__).parents[2]

# The aim is about 400; this is where it is no longer about.
LINES_MAX = 480
FUNCTION_LINES_MAX = 60

_FORBIDDEN_WORDS = {
    *("utils", "helpers", "common", "misc", "manager", "service", "base", "handler"),
    *("processor", "data", "info"),
}
# localhub's names for GitHub's own thing, the Actions service.
_ALLOWED_FILES = {
    "bot/localhub/actions/service.py",
    "tests/localhub_actions/test_service.py",
}


_PROGRAMS = ("bot", "action", "gates")
# The checker knows its fields by `tests.shape.replace_plugin`.
_REPLACE = '''\
    def replace(self, **changes: object) -> Self:
        """A copy with some fields replaced; the type checker knows the fields and their types."""
        return self.model_copy(update=changes)
'''
# Fields by a dict: the checker sees neither their names nor their types.
_UNPACKED = re.compile(r"replace\([^()]*\*\*(?!\{)\w+\)")


def _sources() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    seed = "bot/demo/material/seed/"
    return [ROOT / name for name in listed if not name.startswith(seed)]


def _members(union: object) -> list[str]:
    return [c.__name__ for c in get_args(get_args(union)[0])]


def test_imports_follow_the_layers() -> None:
    linter = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run([str(linter)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_no_source_file_exceeds_the_length_limit() -> None:
    long = {
        str(p.relative_to(ROOT)): count
        for p in _sources()
        if p.is_file()
        and (count := len(p.read_text().splitlines())) > LINES_MAX
        and "tests" not in p.relative_to(ROOT).parts
    }
    assert long == {}


def test_no_function_exceeds_the_length_limit() -> None:
    long = []
    for path in _sources():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or 0) - node.lineno + 1
                if lines > FUNCTION_LINES_MAX and "tests" not in path.parts:
                    long.append(f"{path.relative_to(ROOT)}:{node.name} ({lines})")
    assert long == []


def test_no_file_or_class_has_a_meaningless_name() -> None:
    found = []
    for path in _sources():
        name = str(path.relative_to(ROOT))
        if set(path.stem.split("_")) & _FORBIDDEN_WORDS and name not in _ALLOWED_FILES:
            found.append(name)
    assert found == []


def test_a_module_name_occurs_once_in_the_core() -> None:
    names = Counter(p.stem for p in (ROOT / "bot/core").rglob("*.py") if p.stem != "__init__")
    assert [name for name, count in names.items() if count > 1] == []


def test_every_module_has_a_docstring() -> None:
    silent = [
        str(p.relative_to(ROOT))
        for p in _sources()
        if p.read_text().strip() and ast.get_docstring(ast.parse(p.read_text())) is None
    ]
    assert silent == []


@pytest.mark.parametrize("effect", EFFECT_CLASSES, ids=lambda c: c.__name__)
def test_every_effect_has_a_performer_and_a_key(effect: type[EffectClass]) -> None:
    assert effect in PERFORMERS
    assert isinstance(effect.key, property)


def test_the_lifecycle_names_only_events_that_exist() -> None:
    named = {move.event.__name__ for moves in MOVES.values() for move in moves}
    assert named <= set(_members(Event))


@pytest.mark.parametrize("event", get_args(get_args(Event)[0]), ids=lambda e: e.__name__)
def test_every_event_is_folded_or_says_why_not(event: type[Frozen]) -> None:
    folded = [name for name, table in ENTITIES.items() if event in table]
    assert bool(folded) != (event in HISTORY_ONLY)
    assert event not in HISTORY_ONLY or HISTORY_ONLY[event]


def test_the_folds_name_only_events_that_exist() -> None:
    named = {event.__name__ for table in ENTITIES.values() for event in table}
    assert named <= set(_members(Event))


def test_copies_are_changed_only_in_type_checked_ways() -> None:
    unchecked = ("model_copy(", "model_construct(")
    found = []
    for path in (p for p in _sources() if p.relative_to(ROOT).parts[0] in _PROGRAMS):
        text = path.read_text().replace(_REPLACE, "")
        name = path.relative_to(ROOT)
        found += [f"{name}: {word}" for word in unchecked if word in text]
        # To the checker what stands there is `dataclasses.replace` itself.
        if str(name) != "bot/core/values/replacement.py":
            found += [f"{name}: {m}" for m in _UNPACKED.findall(text)]
    assert found == []


def test_the_core_never_uses_the_clock_or_randomness() -> None:
    forbidden = ("datetime.now(", "date.today(", "time.time(", "random.", "uuid4(", " open(")
    found = []
    for path in (ROOT / "bot" / "core").rglob("*.py"):
        text = path.read_text()
        found += [f"{path.relative_to(ROOT)}: {word}" for word in forbidden if word in text]
    assert found == []
