"""Ids that authors wrote, in every shape, and the dependencies that they state."""

import pytest

from bot.core.spec.read import read_document
from bot.core.values.spec_model import SpecDocument, SpecFormat


def read(text: str, path: str = "shop/spec.md") -> SpecDocument:
    return read_document(path, text.encode())


def ids(document: SpecDocument) -> list[str | None]:
    return [r.source_id for r in document.requirements]


def codes(document: SpecDocument) -> set[str]:
    return {finding.code for finding in document.findings}


def test_headings_with_ids_own_statement_and_scenarios() -> None:
    document = read(
        "# Shop\n\n### REQ-CART-01: Add to cart\nThe system SHALL add.\n\n"
        "#### Scenario: In stock\n- **WHEN** added\n- **THEN** counted\n\n"
        "### REQ-CART-02: Remove\n\n**Acceptance Criteria:**\n- WHEN removed THEN gone\n- empty cart shown\n"
    )
    first, second = document.requirements
    assert document.format is SpecFormat.REQ_ID
    assert first.id == "shop#REQ-CART-01"
    assert (first.title, first.statement, first.domain) == (
        "Add to cart",
        "The system SHALL add.",
        "CART",
    )
    assert [s.name for s in first.scenarios] == ["In stock"]
    assert (first.line_start, first.line_end) == (3, 8)
    assert second.scenarios[0].then == ("gone",)


@pytest.mark.parametrize(
    "line",
    [
        "- REQ-NAV-01: The menu SHALL open.",
        "- **REQ-NAV-01**: The menu SHALL open.",
        "- **REQ-NAV-01:** The menu SHALL open.",
        "* REQ-NAV-01 — The menu SHALL open.",
        "**REQ-NAV-01**: The menu SHALL open.",
        "| REQ-NAV-01 | The menu SHALL open. |",
        "- **REQ-NAV-01**：The menu SHALL open.",
        "- REQ-NAV-01 The menu SHALL open.",
        "- [ ] REQ-NAV-01: The menu SHALL open.",
    ],
)
def test_list_styles_give_the_same_requirement(line: str) -> None:
    document = read(f"## Requirements\n\n{line}\n")
    (requirement,) = document.requirements
    assert requirement.source_id == "REQ-NAV-01"
    assert requirement.statement == "The menu SHALL open."


def test_criteria_of_one_id_are_scenarios_of_one_requirement() -> None:
    document = read(
        "# Adder\n\n## Add\n\n**REQ-ADD-001:AC-1** — WHEN 1 and 2 are added THEN 3\n"
        "**REQ-ADD-001:AC-2** — negative numbers work\n"
    )
    (requirement,) = document.requirements
    assert [s.name for s in requirement.scenarios] == ["AC-1", "AC-2"]
    assert requirement.scenarios[0].then == ("3",)


def test_headings_of_criteria_are_requirements_if_there_are_no_others() -> None:
    document = read(
        "# Spec\n\n## AC-1: Written\nGIVEN a\nWHEN b\nTHEN c\n\n## AC-2: Read\nGIVEN a\nWHEN b\nTHEN c\n"
    )
    assert ids(document) == ["AC-1", "AC-2"]
    assert [len(r.scenarios) for r in document.requirements] == [1, 1]


def test_sub_bullets_belong_to_the_statement() -> None:
    document = read("## Requirements\n- **REQ-A-1**: It MUST export\n  - as CSV\n  - as JSON\n")
    (requirement,) = document.requirements
    assert requirement.statement == "It MUST export\n- as CSV\n- as JSON"
    assert requirement.line_end == 4


def test_a_table_row_keeps_its_pipe_and_its_priority() -> None:
    document = read(
        "## Requirements\n\n| ID | Requirement | Priority |\n|---|---|---|\n"
        "| REQ-A-1 | text with \\| pipe | Must |\n"
    )
    (requirement,) = document.requirements
    assert requirement.statement == "text with | pipe"
    assert requirement.priority == "P1"


def test_traces_checklists_and_scope_lists_define_no_requirement() -> None:
    document = read(
        "## Requirements\n- REQ-A-1: It MUST work.\n- REQ-A-2: It MUST stop.\n\n"
        "## Traceability\n| REQ-A-1 | REQ-A-2, REQ-A-3 |\n|---|---|\n| REQ-A-1 | src/a.py |\n\n"
        "## Verification Checklist\n- [ ] REQ-A-1: works\n- [ ] Add to cart\n\n"
        "## Out of Scope\n- REQ-A-9: Payments\n- REQ-A-3 and REQ-A-4 are for v2\n"
    )
    assert ids(document) == ["REQ-A-1", "REQ-A-2"]
    assert "out_of_scope" in codes(document)


def test_withdrawn_rows_and_template_lines_are_not_requirements() -> None:
    document = read(
        "## Requirements\n- REQ-A-1: It MUST work.\n"
        '- REQ-A-2: System MUST [specific capability, e.g., "sign in"]\n\n'
        "| ~~REQ-A-3~~ | gone |\n"
    )
    assert ids(document) == ["REQ-A-1"]
    assert {"template", "withdrawn"} <= codes(document)


def test_one_id_twice_gives_two_requirements_and_a_question() -> None:
    document = read("## Requirements\n- REQ-A-1: It MUST work.\n- REQ-A-1: It MUST stop.\n")
    assert [r.id for r in document.requirements] == ["shop#REQ-A-1", "shop#REQ-A-1~2"]
    assert "duplicate_id" in codes(document)


def test_suffixed_ids_are_ids_of_their_own() -> None:
    document = read("## Requirements\n**REQ-A-012**: one\n\n**REQ-A-012a**: two\n")
    assert ids(document) == ["REQ-A-012", "REQ-A-012a"]


@pytest.mark.parametrize(
    ("words", "targets"),
    [
        ("Depends on REQ-A-1.", ["REQ-A-1"]),
        ("**Depends on**: REQ-A-1, REQ-A-2", ["REQ-A-1", "REQ-A-2"]),
        ("requires `REQ-A-1` and REQ-A-3", ["REQ-A-1", "REQ-A-3"]),
        ("after REQ-A-1 through REQ-A-3 have landed", ["REQ-A-1", "REQ-A-2", "REQ-A-3"]),
        ("blocked by REQ-A-1..3", ["REQ-A-1", "REQ-A-2", "REQ-A-3"]),
        ("builds on the requirement Sign a person in", ["REQ-A-2"]),
        ("依赖 REQ-A-1", ["REQ-A-1"]),
        ("dépend de REQ-A-2", ["REQ-A-2"]),
        ("_Depends: REQ-A-1_", ["REQ-A-1"]),
        ("The code depends on data, see REQ-A-1.", []),
        ("requires authentication", []),
        ("depends on REQ-Z-9", []),
        ("after login", []),
        ("see REQ-A-1 and REQ-A-2", []),
    ],
)
def test_a_dependency_needs_a_target_right_behind_the_words(words: str, targets: list[str]) -> None:
    document = read(
        "## Requirements\n- REQ-A-1: One thing.\n### REQ-A-2: Sign a person in\nIt SHALL.\n"
        f"### REQ-A-3: Three\nIt SHALL.\n### REQ-B-1: Last\nIt SHALL. {words}\n"
    )
    last = document.requirements[-1]
    found = ["REQ-A-2" if r.target == "Sign a person in" else r.target for r in last.references]
    assert found == targets
    assert all(words in r.quote and r.line == 8 for r in last.references)


def test_a_sentence_elsewhere_may_state_a_dependency() -> None:
    document = read(
        "## Requirements\n- REQ-A-1: a\n- REQ-A-2: b\n- REQ-A-3: c\n\n## Order\n\n"
        "REQ-A-2 through REQ-A-3 depend on REQ-A-1. REQ-A-2 → REQ-A-3\n"
    )
    waits = {r.source_id: [x.target for x in r.references] for r in document.requirements}
    assert waits == {"REQ-A-1": [], "REQ-A-2": ["REQ-A-1"], "REQ-A-3": ["REQ-A-1", "REQ-A-2"]}


def test_a_heading_of_requirements_may_have_an_id_without_digits() -> None:
    page = "# Runs\n\n### Requirements\n\n#### ABC-RUN - Begin a run\n\nA run begins.\n\n#### ABC-END - End a run\n\nA run ends.\n"
    document = read_document("docs/runs.md", page.encode())
    assert [r.source_id for r in document.requirements] == ["ABC-RUN", "ABC-END"]
