"""A mostly unread page is reported."""

import pytest

from bot.core.spec.read import read_document
from bot.core.values.spec_model import Finding, Severity

READ = """\
# Ferry timetable

## 1. Functional requirements

- **FR-1**: The timetable MUST list all sailings.
- **FR-2**: The timetable MUST name the ship.
"""


def _chapter(name: str, lines: int, kind: str = "The board shows quay {n} in green.\n\n") -> str:
    return f"\n## {name}\n\n" + "".join(kind.format(n=n) for n in range(lines))


def _told(text: str, path: str = "docs/ferry.md") -> list[Finding]:
    findings = read_document(path, text.encode()).findings
    return [f for f in findings if f.code == "mostly_unread"]


def test_a_mostly_unread_page_is_reported_once_with_its_largest_chapters() -> None:
    chapters = [_chapter(f"{n + 2}. Board {n}", n + 3) for n in range(5)]
    (told,) = _told(READ + "".join(chapters))
    assert (told.line, told.severity) == (1, Severity.WARN)
    assert told.question.startswith(
        "2 requirements were read here, and 25 paragraphs, items and rows were not: below "
        "'6. Board 4' (7), '5. Board 3' (6), '4. Board 2' (5) and 2 more."
    )


def test_the_report_uses_the_singular_for_one_requirement() -> None:
    (told,) = _told(READ.rpartition("- **FR-2")[0] + _chapter("2. Board", 12))
    assert told.question.startswith("1 requirement was read here, and 12 ")


def test_chapters_that_are_named_take_the_place_of_the_finding_for_each_list() -> None:
    text = READ + _chapter("2. Board features", 12, "- Quay {n} in green\n")
    codes = [f.code for f in read_document("docs/ferry.md", text.encode()).findings]
    assert [c for c in codes if c in ("mostly_unread", "unread_list")] == ["mostly_unread"]


@pytest.mark.parametrize("lines", [11, 3])
def test_a_few_unread_lines_are_not_reported(lines: int) -> None:
    assert _told(READ + _chapter("2. Board", lines)) == []


def test_unread_text_below_twice_the_read_amount_is_not_reported() -> None:
    more = "".join(f"- **FR-{n}**: The timetable MUST list quay {n}.\n" for n in range(3, 8))
    assert _told(READ + more + _chapter("2. Board", 13)) == []
    assert len(_told(READ + more + _chapter("2. Board", 14))) == 1


def test_criteria_and_constraints_count_as_read() -> None:
    criteria = "".join(f"  - Given sailing {n}, when late, then it is red.\n" for n in range(4))
    binds = "\n## Non-functional requirements\n\n- **NFR-1**: It MUST answer in 2 s.\n"
    assert len(_told(READ + _chapter("2. Board", 12))) == 1
    assert _told(READ + criteria + binds + _chapter("2. Board", 12)) == []


@pytest.mark.parametrize(
    "name",
    [
        "2. Goals",
        "2. Glossary",
        "2. Out of scope",
        "2. Architecture",
        "2. Problem statement",
        "2. User flow",
        "2. Future ideas",
        "2. Open questions",
    ],
)
def test_chapters_without_requirements_do_not_count_as_unread(name: str) -> None:
    assert _told(READ + _chapter(name, 14)) == []


def test_a_sentence_below_each_heading_does_not_count() -> None:
    chapters = [_chapter(f"{n + 2}. Board {n}", 2) for n in range(8)]
    assert _told(READ + "".join(chapters)) == []


def test_fields_of_things_do_not_count() -> None:
    table = "| Field | Type |\n|---|---|\n" + "".join(f"| f{n} | text |\n" for n in range(14))
    assert _told(READ + f"\n## 2. Ship\n\n{table}") == []


def test_formats_with_a_grammar_are_not_checked_for_unread_text() -> None:
    text = (
        "# Ferry Specification\n\n## Purpose\nSailings are known.\n\n## Requirements\n\n"
        "### Requirement: Sailings\nThe timetable SHALL list all sailings.\n\n"
        "#### Scenario: List\n- **WHEN** it is opened\n- **THEN** all sailings stand there\n"
    )
    assert _told(text + _chapter("Board", 20), "openspec/specs/ferry/spec.md") == []


def test_the_rule_for_unread_pages_can_be_silenced() -> None:
    first = READ.replace(
        "# Ferry timetable", "# Ferry timetable <!-- headgate: ignore mostly_unread -->"
    )
    assert _told(first + _chapter("2. Board", 14)) == []
