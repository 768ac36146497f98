"""Paragraphs that count what is to be built in bold are requirements; other bold labels are none."""

import pytest

from bot.core.spec.read import read_document

UNITS = (
    "**A. Trail markers.** Each has a number.\n\n**B. Way back.** It is drawn.\n\nWith arrows.\n"
)


def _read(text: str) -> list[tuple[int, int, str]]:
    document = read_document("docs/page.md", text.encode())
    return [(r.line_start, r.line_end, r.title) for r in document.requirements]


def test_a_unit_goes_on_to_the_next() -> None:
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
def test_the_heading_says_that_something_is_built(heading: str) -> None:
    assert len(_read(f"# Signs\n\n## {heading}\n\n{UNITS}")) == 2


@pytest.mark.parametrize(
    "heading", ["Rollout", "Future features", "Development plan", "Performance requirements"]
)
def test_other_chapters_count_other_things(heading: str) -> None:
    assert _read(f"# Signs\n\n## {heading}\n\n{UNITS}") == []


def test_one_label_alone_counts_nothing() -> None:
    assert _read("# Signs\n\n## Solution\n\n**A. Trail markers.** Each has a number.\n") == []


def test_labels_that_do_not_begin_at_the_first_count_nothing() -> None:
    assert _read(f"# Signs\n\n## Solution\n\n{UNITS.replace('A.', 'C.').replace('B.', 'F.')}") == []


def test_they_are_read_beside_the_lists_of_their_chapter() -> None:
    lists = "# Signs\n\n## Functional requirements\n\n### Wardens\n\n- List signs\n- Mend signs\n\n"
    assert len(_read(f"{lists}### Walkers\n\n{UNITS}")) == 4
    assert len(_read(f"{lists}## Our solution\n\n{UNITS}")) == 2
    assert len(_read(f"{lists}{UNITS}")) == 2


def test_labels_that_come_again_tell_of_their_heading() -> None:
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
