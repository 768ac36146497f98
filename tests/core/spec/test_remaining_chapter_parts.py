"""Where a part of a chapter of functions is read, so are the lists of its other parts, if they ask for something."""

import pytest

from bot.core.spec.read import read_document

READ = "# Boats\n\n## Features\n\n- A boat must be hired\n- A boat must be given back\n\n"
ITEMS = "- Paddles\n- Sails\n"


def _lines(text: str, path: str = "docs/boats.md") -> list[int]:
    return [r.line_start for r in read_document(path, text.encode()).requirements]


def test_an_optional_part_is_read_beside_a_binding_part() -> None:
    assert _lines(f"{READ}### Hire\n\n{ITEMS}") == [5, 6, 10, 11]


@pytest.mark.parametrize(
    "heading",
    [
        "User flow",
        "Constraints",
        "Acceptance criteria",
        "Later ideas",
        "Testing",
        "Status",
        "Risks",
    ],
)
def test_a_part_without_requirements_is_not_read(heading: str) -> None:
    assert _lines(f"{READ}### {heading}\n\n{ITEMS}") == [5, 6]


def test_fields_of_a_part_are_not_read() -> None:
    assert _lines(f"{READ}### Boat\n\n- `id` - a number\n- `name` - a text\n") == [5, 6]


def test_external_dependencies_are_not_requirements() -> None:
    keys = "## Dependencies & integrations\n\n### Mail requirements\n\n- A key\n- A name\n"
    assert _lines(f"{READ.replace('Features', 'Functional requirements')}{keys}") == [5, 6]


@pytest.mark.parametrize(
    ("header", "count"),
    [
        ("| Feature | Type | Priority |", 2),
        ("| Name | Type | Feature |", 0),
        ("| Field | Feature | Note |", 0),
        ("| Campo | Tipo | Funcionalidad |", 0),
    ],
)
def test_rows_that_describe_data_are_not_requirements(header: str, count: int) -> None:
    rows = "|---|---|---|\n| sail | text | high |\n| oar | text | low |\n"
    assert len(_lines(f"# Boats\n\n## Features\n\n{header}\n{rows}")) == count
