"""Each assumption about other systems has a source and a test, or a reason why there is none."""

import re
from pathlib import Path

import pytest

from bot.core.talk import selftest_text

ROOT = Path(__file__).parents[2]
# The self-test's lines: each a name and its fix.
LINES = {line[0] for line in vars(selftest_text).values() if isinstance(line, tuple)}
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
HEAD = ["Assumption", "Source", "If it is wrong", "Shown by"]


def rows() -> list[list[str]]:
    page = (ROOT / "docs" / "assumptions.md").read_text()
    lines = [line for line in page.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def is_shown(by: str) -> bool:
    """By a line of the self-test, a command of ours, or a reason that says why nothing can."""
    kind, _, what = by.partition(": ")
    if kind == "self-test":
        return what in LINES
    if kind == "no":
        return len(what.split()) >= 4
    command = re.fullmatch(r"`make ([a-z-]+)`", by)
    return command is not None and command[1] in TARGETS


def test_the_table_is_read() -> None:
    assert rows()[0] == HEAD
    assert len(rows()) > 50
    assert len(LINES) > 8


@pytest.mark.parametrize("row", rows()[1:], ids=lambda row: row[0][:60])
def test_each_assumption_has_a_source_and_a_test(row: list[str]) -> None:
    assert len(row) == len(HEAD)
    _, source, wrong, by = row
    assert source
    assert wrong
    assert is_shown(by), by


@pytest.mark.parametrize("by", ["", "no", "no: why", "self-test: the moon", "`make tea`", "soon"])
def test_an_assumption_without_a_test_is_found(by: str) -> None:
    assert not is_shown(by)
