"""Real specs by other people: what a careful reader counted is what is read."""

import pytest

from bot.core.spec.read import read_document
from bot.core.values.spec_model import SpecDocument
from tests.core.spec.corpus import MISSING, RealSpec, real_specs

REAL = real_specs()
pytestmark = pytest.mark.skipif(not REAL, reason=MISSING)


@pytest.mark.parametrize("real", REAL, ids=lambda real: real.file[:40])
def test_every_requirement_is_found_and_none_is_invented(real: RealSpec) -> None:
    for path in (real.path, real.file):
        document = read_document(path, real.raw)
        low, high = real.requirements
        assert low <= len(document.requirements) <= high, [r.title for r in document.requirements]


def test_scenarios_are_counted_right_in_nearly_every_file() -> None:
    wrong = [
        real.file
        for real in REAL
        if len(read_document(real.path, real.raw).scenarios) != real.scenarios
    ]
    assert len(wrong) <= len(REAL) * 0.05, wrong


@pytest.mark.parametrize("real", REAL, ids=lambda real: real.file[:40])
def test_lines_are_those_of_the_file(real: RealSpec) -> None:
    document = read_document(real.path, real.raw)
    lines = real.raw.decode("utf-8-sig").replace("\r\n", "\n").split("\n")
    for requirement in document.requirements:
        own = lines[requirement.line_start - 1 : requirement.line_end]
        text = "\n".join(own)
        assert own[0].strip()
        assert own[-1].strip()
        assert (requirement.source_id or requirement.title)[:12].strip("…") in _plain(text)
        for scenario in requirement.scenarios:
            assert requirement.line_start <= scenario.line_start <= scenario.line_end
    _assert_in_order(document)


def _plain(text: str) -> str:
    return " ".join(text.replace("**", "").replace("__", "").split())


def _assert_in_order(document: SpecDocument) -> None:
    starts = [r.line_start for r in document.requirements]
    assert starts == sorted(starts)
    assert len({r.id for r in document.requirements}) == len(document.requirements)


@pytest.mark.parametrize("real", REAL, ids=lambda real: real.file[:40])
def test_line_ends_and_a_byte_order_mark_change_nothing(real: RealSpec) -> None:
    unix = real.raw.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    windows = b"\xef\xbb\xbf" + unix.replace(b"\n", b"\r\n")
    assert read_document(real.path, unix) == read_document(real.path, windows)
