"""OpenSpec main specs and deltas, as people write them."""

import pytest

from bot.core.spec.read import read_document, read_spec
from bot.core.values.spec_model import Modality, Operation, SpecDocument, SpecFormat

MAIN = "openspec/specs/exports/spec.md"
DELTA = "openspec/changes/add-export/specs/exports/spec.md"


def main(text: str) -> SpecDocument:
    return read_document(MAIN, text.encode())


def delta(text: str) -> SpecDocument:
    return read_document(DELTA, text.encode())


def codes(document: SpecDocument) -> set[str]:
    return {finding.code for finding in document.findings}


def test_a_requirement_has_its_statement_scenarios_and_lines() -> None:
    document = main(
        "# exports\n\n## Purpose\nLets people take their rows away.\n\n## Requirements\n\n"
        "### Requirement: Export as CSV\nThe system SHALL write `rows.csv`.\n\n"
        "#### Scenario: Two rows\n- **GIVEN** two rows\n- **WHEN** exported\n- **THEN** two lines\n"
        "- **AND** a header\n"
    )
    (requirement,) = document.requirements
    assert (document.format, document.title) == (SpecFormat.OPENSPEC, "exports")
    assert (requirement.title, requirement.domain) == ("Export as CSV", "exports")
    assert requirement.statement == "The system SHALL write `rows.csv`."
    assert requirement.modality is Modality.MUST
    assert requirement.resources == ("rows.csv",)
    assert (requirement.line_start, requirement.line_end) == (8, 15)
    (scenario,) = requirement.scenarios
    assert (scenario.given, scenario.when) == (("two rows",), ("exported",))
    assert scenario.then == ("two lines", "a header")
    assert (scenario.line_start, scenario.line_end) == (11, 15)
    assert document.unparsed == ()


@pytest.mark.parametrize(
    ("header", "name", "code"),
    [
        ("### Requirement: Export ###", "Export", None),
        ("### Requirement: Support C#", "Support C#", None),
        ("###Requirement: Tight", "Tight", "tight_header"),
        ("### Requirement：登录", "登录", "noncanonical_header"),
        ("### 需求: 登录", "登录", "noncanonical_header"),
        ("#### Requirement: Deep", "Deep", "noncanonical_header"),
        ("  ### Requirement: Indented", "Indented", "noncanonical_header"),
        ("### requirement: lower", "lower", None),
    ],
)
def test_headers_people_write_are_read_and_reported(
    header: str, name: str, code: str | None
) -> None:
    document = main(f"## Purpose\nx\n\n## Requirements\n\n{header}\nIt SHALL.\n")
    assert [r.title for r in document.requirements] == [name]
    assert ({code} if code else set()) <= codes(document)
    if code is None:
        assert "noncanonical_header" not in codes(document)


def test_requirements_in_code_and_comments_are_not_read() -> None:
    document = main(
        "## Requirements\n\n### Requirement: One\nSHALL\n\n```md\n### Requirement: Fake\n```\n\n"
        "<!--\n### Requirement: Old\n-->\n\n````md\n```\n### Requirement: Deep fake\n```\n````\n"
    )
    assert [r.title for r in document.requirements] == ["One"]
    assert "commented_requirement" in codes(document)


def test_an_unclosed_fence_hides_the_rest_and_says_so() -> None:
    document = main(
        "## Requirements\n\n### Requirement: One\nSHALL\n```\nx\n### Requirement: Two\nSHALL\n"
    )
    assert [r.title for r in document.requirements] == ["One"]
    (finding,) = [f for f in document.findings if f.code == "unclosed_fence"]
    assert (finding.line, finding.severity) == (5, "block")


def test_every_operation_of_a_delta_is_read() -> None:
    document = delta(
        "## ADDED Requirements\n\n### Requirement: New\nIt SHALL.\n\n#### Scenario: s\n- x\n\n"
        "## MODIFIED Requirements\n\n### Requirement: Better\nIt SHALL.\n\n"
        "## REMOVED Requirements\n\n### Requirement: Gone\n**Reason**: unused\n\n"
        "- `### Requirement: Gone too`\n\n"
        "## RENAMED Requirements\n\n- FROM: `### Requirement: Good`\n"
        "- TO: `### Requirement: Better`\n- FROM: `### Requirement: A`\n"
        "- TO: `### Requirement: B`\n"
    )
    found = {(r.title, r.operation, r.renamed_from) for r in document.requirements}
    assert found == {
        ("New", Operation.ADDED, None),
        ("Better", Operation.MODIFIED, "Good"),
        ("Gone", Operation.REMOVED, None),
        ("Gone too", Operation.REMOVED, None),
        ("B", Operation.RENAMED, "A"),
    }
    assert len({r.id for r in document.requirements}) == 5


def test_requirements_behind_the_delta_sections_are_orphans() -> None:
    document = delta(
        "## ADDED Requirements\n\n### Requirement: In\nSHALL\n\n## IN SCOPE\n\n"
        "### Requirement: Out\nSHALL\n"
    )
    assert [r.title for r in document.requirements] == ["In"]
    (finding,) = [f for f in document.findings if f.code == "orphan_requirement"]
    assert finding.line == 8
    assert "line 5" in finding.question


def test_translated_delta_headings_are_read_with_a_proposal() -> None:
    document = delta(
        "## 修改需求\n\n### 需求:登录\n系统 SHALL 登录。\n\n#### 场景:好\n- **当** a\n- **那么** b\n"
    )
    (requirement,) = document.requirements
    assert requirement.operation is Operation.MODIFIED
    assert requirement.scenarios[0].when == ("a",)
    assert requirement.scenarios[0].then == ("b",)
    assert "noncanonical_header" in codes(document)


def test_an_edit_of_one_requirement_leaves_the_ids_of_all() -> None:
    text = (
        "## ADDED Requirements\n\n### Requirement: A\nIt SHALL.\n\n### Requirement: B\nIt SHALL.\n"
    )
    before = [r.id for r in delta(text).requirements]
    changed = text.replace("It SHALL.", "It SHALL do more.", 1)
    reordered = "## ADDED Requirements\n\n### Requirement: B\nIt SHALL.\n\n### Requirement: A\nx\n"
    assert [r.id for r in delta(changed).requirements] == before
    assert [r.id for r in delta(reordered).requirements] == before[::-1]


def test_a_delta_folder_is_one_spec_in_path_order() -> None:
    files = {
        "openspec/changes/add-x/proposal.md": b"## Why\nbecause",
        "openspec/changes/add-x/specs/b/spec.md": b"## ADDED Requirements\n### Requirement: Same\nx\n",
        "openspec/changes/add-x/specs/a/spec.md": b"## ADDED Requirements\n### Requirement: Same\n"
        b"Depends on Other thing.\n### Requirement: Other thing\nx\n",
    }
    spec = read_spec("openspec/changes/add-x", files)
    assert spec.key == "add-x"
    assert [d.path.split("/")[-2] for d in spec.documents] == ["a", "b"]
    assert len({r.id for r in spec.requirements}) == 3
    assert [ref.target for ref in spec.requirements[0].references] == ["Other thing"]
