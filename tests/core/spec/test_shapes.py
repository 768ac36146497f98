"""Specs of many shapes with requirements marked by hand: exactly these are found.

A file of `shapes/` begins with `@` and the path that it would have; «R» stands at the end of each line
where a requirement begins and «S» where a scenario does. The marks are taken away before it is read.
"""

from pathlib import Path

import pytest

from bot.core.spec.read import read_document, read_spec

SHAPES = sorted(Path(__file__).with_name("shapes").glob("*.txt"))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.stem)
def test_readers_find_exactly_the_marked_requirements(shape: Path) -> None:
    path, text = _laid(shape)
    plain = _plain(text)
    spec = read_spec(path, {path: plain.encode()})
    read = [r.line_start for r in spec.requirements]
    told = {s.line_start for r in spec.requirements for s in r.scenarios}
    told |= {s.line_start for story in spec.stories for s in story.scenarios}
    assert (sorted(read), sorted(told)) == (_lines(text, "«R»"), _lines(text, "«S»"))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.stem)
def test_line_numbers_of_a_requirement_match_the_file(shape: Path) -> None:
    path, text = _laid(shape)
    document = read_document(path, _plain(text).encode())
    lines = _plain(text).split("\n")
    for requirement in document.requirements:
        assert lines[requirement.line_start - 1].strip()
        assert lines[requirement.line_end - 1].strip()
        for scenario in requirement.scenarios:
            assert requirement.line_start <= scenario.line_start <= scenario.line_end
    starts = [r.line_start for r in document.requirements]
    assert starts == sorted(starts)
    assert len({r.id for r in document.requirements}) == len(document.requirements)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.stem)
def test_line_endings_and_a_byte_order_mark_do_not_matter(shape: Path) -> None:
    path, text = _laid(shape)
    unix = _plain(text).encode()
    windows = b"\xef\xbb\xbf" + unix.replace(b"\n", b"\r\n")
    assert read_document(path, unix) == read_document(path, windows)


def _laid(shape: Path) -> tuple[str, str]:
    """The path that a shape would have, and its text with the marks."""
    head, _, text = shape.read_text(encoding="utf-8").partition("\n")
    return head.removeprefix("@ "), text


def _plain(text: str) -> str:
    return text.replace(" «R»", "").replace(" «S»", "")


def _lines(text: str, mark: str) -> list[int]:
    return [n for n, line in enumerate(text.split("\n"), 1) if mark in line]
