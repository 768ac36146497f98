"""Real specs by other people: what a careful reader counted is what is read."""

import json
from pathlib import Path

import pytest

from bot.core.spec.read import read_document
from bot.core.values.spec_model import SpecDocument
from tests.corpus.folder import MISSING, RealSpec, real_specs
from tests.test_command_line import headgate

REAL = real_specs()


def test_there_are_documents() -> None:
    assert REAL, MISSING


@pytest.mark.parametrize("real", REAL, ids=lambda real: real.file[:40])
def test_exactly_the_requirements_of_the_documents_are_found(real: RealSpec) -> None:
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
def test_line_numbers_match_the_file(real: RealSpec) -> None:
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
def test_line_endings_and_a_byte_order_mark_of_real_files_do_not_matter(real: RealSpec) -> None:
    unix = real.raw.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    windows = b"\xef\xbb\xbf" + unix.replace(b"\n", b"\r\n")
    assert read_document(real.path, unix) == read_document(real.path, windows)


@pytest.mark.parametrize("real", REAL, ids=lambda real: real.file[:40])
def test_every_requirement_is_planned_into_one_change(real: RealSpec, tmp_path: Path) -> None:
    place = tmp_path / Path(real.file).name
    place.write_bytes(real.raw)
    done = headgate("plan", str(place), "--json", cwd=tmp_path)
    assert done.returncode in {0, 1}, done.stderr
    shown = json.loads(done.stdout)
    planned = [r for c in shown["plan"]["changes"] for r in c["requirements"]]
    assert sorted(planned) == sorted(r["id"] for r in shown["requirements"])
