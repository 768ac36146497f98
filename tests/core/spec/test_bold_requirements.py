"""Paragraphs with counted bold labels are requirements; other bold labels are not."""

import pytest

from bot.core.spec.read import read_document

UNITS = (
    "**A. Trail markers.** Each has a number.\n\n**B. Way back.** It is drawn.\n\nWith arrows.\n"
)


def _read(text: str) -> list[tuple[int, int, str]]:
    document = read_document("docs/page.md", text.encode())
    return [(r.line_start, r.line_end, r.title) for r in document.requirements]


def test_a_bold_unit_ends_at_the_next_one() -> None:
    assert _read(f"# Signs\n\n## Proposed solution\n\n{UNITS}") == [
        (5, 5, "Trail markers"),
        (7, 9, "Way back"),
    ]


@pytest.mark.parametrize(
    "heading",
    [
        "Solution",
        "2. What we are building",
        "Lösung",
        "La solución propuesta",
        "Solution proposée",
        "解决方案",
        "Functional requirements",
    ],
)
def test_bold_units_count_only_below_headings_about_building(heading: str) -> None:
    assert len(_read(f"# Signs\n\n## {heading}\n\n{UNITS}")) == 2


@pytest.mark.parametrize(
    "heading", ["Rollout", "Future features", "Development plan", "Performance requirements"]
)
def test_bold_counts_in_other_chapters_are_not_requirements(heading: str) -> None:
    assert _read(f"# Signs\n\n## {heading}\n\n{UNITS}") == []


def test_a_single_label_is_not_a_requirement() -> None:
    assert _read("# Signs\n\n## Solution\n\n**A. Trail markers.** Each has a number.\n") == []


def test_labels_that_do_not_start_at_the_first_letter_are_not_requirements() -> None:
    assert _read(f"# Signs\n\n## Solution\n\n{UNITS.replace('A.', 'C.').replace('B.', 'F.')}") == []


def test_bold_units_are_read_beside_lists_of_their_chapter() -> None:
    lists = "# Signs\n\n## Functional requirements\n\n### Wardens\n\n- List signs\n- Mend signs\n\n"
    assert len(_read(f"{lists}### Walkers\n\n{UNITS}")) == 4
    assert len(_read(f"{lists}## Our solution\n\n{UNITS}")) == 2
    assert len(_read(f"{lists}{UNITS}")) == 2


def test_repeated_labels_describe_their_heading() -> None:
    parts = "".join(
        f"### {name}\n\n**1. What it shows** {name}.\n\n**2. When it closes** Late.\n\n"
        for name in ("Map", "List")
    )
    assert [t for _, _, t in _read(f"# Signs\n\n## Features\n\n{parts}")] == ["Map", "List"]
    one = "### Map\n\n**1. Description** A map.\n\n**2. Paths** Its paths.\n"
    assert [t for _, _, t in _read(f"# Signs\n\n## Features\n\n{one}### List\n\nAll.\n")] == [
        "Map",
        "List",
    ]
