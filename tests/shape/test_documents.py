"""The documents say what the code is: generated pages are equal, names in prose exist."""

import importlib
import re
from pathlib import Path

import pytest

from tests.shape.write_docs import DOCS, PAGES as GENERATED, page as generated_page

ROOT = Path(__file__).parents[2]

NAME = re.compile(r"`((?:bot|action|gates|tests)(?:\.\w+)+)`")
_LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")

_PATH = re.compile(r"`((?:bot|action|gates|tests|docs|deploy)/[\w./*-]*)`")

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

# What was true when it was written may name what has gone since.
_HISTORY = {"CHANGELOG.md", "DECISIONS.md"}
CURRENT_PAGES = [page for page in PAGES if page.name not in _HISTORY]


def exists(name: str) -> bool:
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for attribute in parts[cut:]:
            if not hasattr(found, attribute):
                return False
            found = getattr(found, attribute)
        return True
    return False


@pytest.mark.parametrize("page", CURRENT_PAGES, ids=lambda p: p.name)
def test_a_page_names_only_code_that_exists(page: Path) -> None:
    text = page.read_text()
    assert [name for name in sorted(set(NAME.findall(text))) if not exists(name)] == []
    assert [path for path in sorted(set(_PATH.findall(text))) if not [*ROOT.glob(path)]] == []


def test_the_walk_from_a_push_to_main_names_code_at_every_step() -> None:
    walk = (ROOT / "ARCHITECTURE.md").read_text().split("\n## A push's life\n")[1].split("\n## ")[0]
    steps = re.split(r"^\d+\. ", walk, flags=re.MULTILINE)[1:]
    assert len(steps) > 9
    assert [step for step in steps if not NAME.search(step)] == []


def test_every_claim_in_the_security_page_names_an_existing_test() -> None:
    table = (ROOT / "SECURITY.md").read_text().split("| Claim | Held by |")[1]
    rows = [row for row in table.splitlines()[2:] if row.startswith("|")]
    assert len(rows) > 8
    for row in rows:
        names = [name for name in NAME.findall(row) if name.startswith("tests.")]
        assert names, row
        assert [name for name in names if not exists(name)] == []


def test_a_missing_name_in_a_page_is_found() -> None:
    assert exists("bot.core.decide.decide")
    assert not exists("bot.core.decide.decide.no_such_function")
    assert not exists("bot.no_such_module")


@pytest.mark.parametrize("name", sorted(GENERATED))
def test_a_generated_page_is_equal_to_the_code(name: str) -> None:
    assert (DOCS / name).read_text() == generated_page(name), "run `make docs`"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_every_link_of_a_page_has_a_target(page: Path) -> None:
    broken = [link for link in _LINK.findall(page.read_text()) if not (page.parent / link).exists()]
    assert broken == []


def test_every_page_is_reached_by_links_from_the_first() -> None:
    reached, left = set[Path](), [ROOT / "README.md"]
    while left:
        page = left.pop()
        if page not in reached and page in PAGES:
            reached.add(page)
            left += [(page.parent / link).resolve() for link in _LINK.findall(page.read_text())]
    assert [page.name for page in PAGES if page not in reached] == []
