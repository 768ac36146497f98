"""Pages that another reader would parse differently or not at all."""

import pytest

from bot.core.spec.read import read_document


def told(page: str, path: str = "docs/spec.md") -> list[tuple[str | None, str, int]]:
    document = read_document(path, page.encode())
    return [(r.source_id, r.title, len(r.scenarios)) for r in document.requirements]


def test_headings_with_criteria_are_requirements_with_any_id_letters() -> None:
    page = "# Desk\n\n## Modules\n" + "".join(
        f"\n### SPEC-{n}: {name}\n\nA guest does so.\n\n**Acceptance Criteria:**\n\n- It is seen\n"
        for n, name in ((1, "Sign in"), (2, "Sign out"))
    )
    assert [(id_, name) for id_, name, _ in told(page)] == [
        ("SPEC-1", "Sign in"),
        ("SPEC-2", "Sign out"),
    ]


def test_the_criteria_below_a_paragraph_with_an_id_are_its_own() -> None:
    page = "# Desk\n\n## Requirements\n" + "".join(
        f"\n**FR-{n}: {name}**\n\nA guest does so.\n\n**Acceptance Criteria:**\n\n- It is seen\n- It ends\n"
        for n, name in ((1, "Sign in"), (2, "Sign out"))
    )
    assert told(page) == [("FR-1", "Sign in", 2), ("FR-2", "Sign out", 2)]


@pytest.mark.parametrize("heading", ["Overview", "Summary", "Glossary"])
def test_a_wish_with_criteria_is_a_requirement_under_any_heading(heading: str) -> None:
    page = "# Stories\n\n## Desk\n" + "".join(
        f"\n### {name}\n\nAs a keeper, I want to {wish}, so that it goes on.\n\n**Acceptance Criteria:**\n\n- It is done\n"
        for name, wish in ((heading, "see what is lent"), ("Lend", "lend"), ("Return", "take back"))
    )
    assert [name for _, name, _ in told(page, "docs/stories.md")] == [heading, "Lend", "Return"]


def test_the_purpose_of_a_wish_starts_no_second_wish() -> None:
    page = "# Stories\n\n## Desk\n" + "".join(
        f"\n### {name}\n\nAs a keeper, I want to keep it as a file so that I can open it. I want it soon.\n\n"
        "**Acceptance Criteria:**\n\n- It is done\n"
        for name in ("Export", "Import")
    )
    assert [name for _, name, _ in told(page)] == ["Export", "Import"]


def test_lists_of_abilities_of_roles_are_requirements() -> None:
    page = "# Garden\n\n## Gardener\n\n- can plant a tree\n- can water a bed\n\n## Visitor\n\n- can see the map\n- may buy a plant\n"
    assert [name for _, name, _ in told(page)] == [
        "Gardener can plant a tree",
        "Gardener can water a bed",
        "Visitor can see the map",
        "Visitor may buy a plant",
    ]


def test_only_functional_headings_are_read_beside_other_requirement_chapters() -> None:
    page = (
        "# Calls\n\n## 3. Product Requirements\n\n### 3.1 Functional Requirements\n\n"
        "#### Camera\n\nThe app must show the picture of a camera.\n\n"
        "#### Drawing\n\nThe app must draw over the picture.\n\n"
        "## 5. Technical Architecture\n\n### 5.2 Data Requirements\n\n- No data of people is kept.\n\n"
        "### 5.3 Integration Requirements\n\n- The browser asks for the camera.\n"
    )
    assert [name for _, name, _ in told(page)] == ["Camera", "Drawing"]


@pytest.mark.parametrize(("first", "ids"), [(1, ["P1", "P2", "P3", "P4", "P5"]), (0, [])])
def test_p1_is_an_id_unless_the_page_has_a_p0_priority(first: int, ids: list[str]) -> None:
    page = "# Printer\n\n## Functional requirements\n\n" + "".join(
        f"- **P{n}**: The printer shall print page {n}.\n" for n in range(first, first + 5)
    )
    assert [id_ for id_, _, _ in told(page) if id_] == ids
