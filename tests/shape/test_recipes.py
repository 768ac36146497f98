"""The recipes of CONTRIBUTING.md name exactly the files that an example of each touches.

A sentence that begins with "If" is a condition: its files may be touched. Tests are named for the
reader, and only have to exist.
"""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parents[2]
_PATH = re.compile(r"`([a-z][\w./*-]*/[\w./*-]*)`")
_RECIPE = re.compile(r"^\*\*(an? [^*]+?)\.?\*\*", re.MULTILINE)


@dataclass(frozen=True)
class Example:
    """Something in the code that the recipe would have made: where these words stand."""

    recipe: str
    words: str
    folders: tuple[str, ...] = ("bot", "action", "gates")


EXAMPLES = (
    Example("a command", r"Verb\.HELP|HELP = |help_reply"),
    Example("an event", r"\bMainRewound\b"),
    Example("an effect", r"\bPostCommitComment\b"),
    Example("an effect", r"\bReact\b", ("bot/core", "bot/shell")),
    Example("a gate of Headgate's own", r'"junk"|check_junk|builtin: junk'),
    Example("a profile", r'\brust\.PROFILE|name="rust"'),
    Example("a spec format", r'SpecFormat\.GHERKIN|GHERKIN = "|gherkin\.(?:read|parser)\b'),
    Example("an endpoint of localhub", r"edit_commit_comment|CommitComments\b", ("bot/localhub",)),
)


def _recipes() -> dict[str, str]:
    """Each recipe's text by its name, such as "an effect"."""
    page = (ROOT / "CONTRIBUTING.md").read_text().split("\n## Tests")[0]
    starts = [*_RECIPE.finditer(page)]
    ends = [*(m.start() for m in starts[1:]), len(page)]
    return {m[1]: page[m.end() : end] for m, end in zip(starts, ends, strict=True)}


RECIPES = _recipes()


def _sentences(recipe: str) -> list[str]:
    return re.split(r"(?<=[.:;])\s+(?=[A-Z0-9])", recipe)


def _named(recipe: str, *, conditional: bool) -> set[str]:
    """The files outside of the tests that must be touched, or (`conditional`) may be."""
    return {
        path
        for sentence in _sentences(recipe)
        if sentence.startswith("If ") is conditional
        for path in _PATH.findall(sentence)
        if not path.startswith("tests/")
    }


def _covers(named: str, file: str) -> bool:
    return file.startswith(named) if named.endswith("/") else PurePosixPath(file).match(named)


def _touched(example: Example) -> set[str]:
    done = subprocess.run(
        ["git", "grep", "-lP", "--untracked", example.words, "--", *example.folders],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return {f for f in done.stdout.splitlines() if not f.startswith("bot/demo/material/")}


def unnamed(recipe: str, touched: set[str]) -> set[str]:
    """The files that the example touches and no sentence of the recipe names."""
    named = _named(recipe, conditional=False) | _named(recipe, conditional=True)
    return {file for file in touched if not any(_covers(path, file) for path in named)}


def untouched(recipe: str, touched: set[str]) -> set[str]:
    """What the recipe names without a condition, and the example does not touch."""
    return {
        path
        for path in _named(recipe, conditional=False)
        if not any(_covers(path, file) for file in touched)
    }


@pytest.mark.parametrize("name", RECIPES)
def test_every_path_of_a_recipe_exists(name: str) -> None:
    paths = _PATH.findall(RECIPES[name])
    assert paths
    assert [path for path in paths if not any(ROOT.glob(path))] == []


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.words)
def test_an_example_touches_the_files_of_its_recipe_and_no_others(example: Example) -> None:
    recipe, touched = RECIPES[example.recipe], _touched(example)

    assert unnamed(recipe, touched) == set()
    assert untouched(recipe, touched) == set()


def test_every_recipe_for_something_new_has_an_example() -> None:
    shape = "a change of an event's shape"  # It adds nothing that has a name.
    assert {e.recipe for e in EXAMPLES} | {shape} == set(RECIPES)


def test_a_recipe_with_missing_or_extra_files_is_found() -> None:
    touched = _touched(EXAMPLES[1])
    recipe = RECIPES["an event"]

    assert unnamed(recipe.replace("`bot/core/journal/events.py`", ""), touched) == {
        "bot/core/journal/events.py"
    }
    assert untouched(recipe + " `bot/core/journal/upcast.py`", touched) == {
        "bot/core/journal/upcast.py"
    }
