"""Specs of many shapes, each marked by a careful reader: what was marked is what is read.

A file of `shapes/` begins with `@` and the path that it would have; «R» stands at the end of each line
where a requirement begins and «S» where a scenario does. The marks are taken away before it is read.
"""

from pathlib import Path

import pytest

from bot.core.spec.read import read_spec

SHAPES = sorted(Path(__file__).with_name("shapes").glob("*.txt"))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.stem)
def test_what_a_reader_marks_is_what_is_read(shape: Path) -> None:
    head, _, text = shape.read_text(encoding="utf-8").partition("\n")
    path = head.removeprefix("@ ")
    plain = text.replace(" «R»", "").replace(" «S»", "")
    spec = read_spec(path, {path: plain.encode()})
    read = [r.line_start for r in spec.requirements]
    told = {s.line_start for r in spec.requirements for s in r.scenarios}
    told |= {s.line_start for story in spec.stories for s in story.scenarios}
    assert (sorted(read), sorted(told)) == (_lines(text, "«R»"), _lines(text, "«S»"))


def _lines(text: str, mark: str) -> list[int]:
    return [n for n, line in enumerate(text.split("\n"), 1) if line.endswith(mark)]
