"""Shapes of text that break readers of specs, each with what must come out."""

from dataclasses import dataclass, field

import pytest

from bot.core.spec.read import read_document, read_spec
from bot.core.values.spec_model import SpecDocument, SpecFormat

MAIN = "openspec/specs/a/spec.md"
DELTA = "openspec/changes/x/specs/a/spec.md"
KIT = "specs/001-a/spec.md"
KIRO = ".kiro/specs/a/requirements.md"
ANY = "notes/a.md"
REQUIREMENTS = "## Requirements\n\n### Functional Requirements\n\n"


@dataclass(frozen=True)
class Case:
    """A text at a path, and what is read from it."""

    path: str
    text: str
    ids: list[str] | None = None
    titles: list[str] | None = None
    codes: set[str] = field(default_factory=set)
    scenarios: int | None = None


CASES = {
    "closing hashes": Case(MAIN, "### Requirement: Export ###\nSHALL\n", titles=["Export"]),
    "a hash in a name": Case(MAIN, "### Requirement: Support C#\nSHALL\n", titles=["Support C#"]),
    "no blank": Case(MAIN, "###Requirement: Tight\nx\n", titles=["Tight"], codes={"tight_header"}),
    "wide colon": Case(
        MAIN, "### Requirement：登录\nx\n", titles=["登录"], codes={"noncanonical_header"}
    ),
    "in a fence": Case(MAIN, "```md\n### Requirement: Fake\n```\n", titles=[]),
    "in a longer fence": Case(MAIN, "````md\n```\n### Requirement: Fake\n```\n````\n", titles=[]),
    "in a comment": Case(
        MAIN, "<!--\n### Requirement: Old\n-->\n", titles=[], codes={"commented_requirement"}
    ),
    "behind the delta": Case(
        DELTA,
        "## ADDED Requirements\n### Requirement: A\nx\n## IN SCOPE\n### Requirement: X\n",
        titles=["A"],
        codes={"orphan_requirement"},
    ),
    "one line given when then": Case(
        KIT,
        REQUIREMENTS + "- **FR-001**: x\n\n### User Story 1 - A (Priority: P1)\n\n"
        "1. **Given** x, **When** y, **Then** z, **And** w\n",
        ids=["FR-001"],
        scenarios=1,
    ),
    "hard breaks": Case(
        KIT,
        REQUIREMENTS + "- **FR-001**: x\n\n### User Story 1 - A\n\n**Given** x,  \n**When** y,  \n"
        "**Then** z\n",
        scenarios=1,
    ),
    "subgroups among criteria": Case(
        KIRO,
        "## Requirements\n\n### Requirement 1: T\n\n#### Acceptance Criteria\n\n1. WHEN a THEN b\n"
        "2. WHEN c THEN d\n\n**Admin**\n\n3. WHEN e THEN f\n",
        ids=["1"],
        scenarios=3,
    ),
    "numbers within numbers": Case(
        KIRO,
        "### Requirement 2\n#### Acceptance Criteria\n1. 2.1 WHEN a THE X SHALL b\n"
        "2.2. WHEN c THE X SHALL d\n",
        ids=["2"],
        scenarios=2,
    ),
    "chinese criteria": Case(
        KIRO,
        "### 需求 1：登录\n\n#### 验收标准\n\n1. 当用户点击时，系统应保存\n",
        titles=["登录"],
        scenarios=1,
    ),
    "numbers out of order": Case(
        KIRO,
        "### Requirement 6: a\nx\n### Requirement 8: b\nx\n### Requirement 7: c\nx\n",
        ids=["6", "8", "7"],
        codes={"ids_out_of_order"},
    ),
    "sub bullets": Case(KIT, REQUIREMENTS + "- **FR-001**: It MUST\n  - sub\n", ids=["FR-001"]),
    "escaped pipe": Case(
        KIT, REQUIREMENTS + "| FR-001 | text with \\| pipe | Must |\n", titles=["text with | pipe"]
    ),
    "traceability": Case(
        KIT, "## Traceability\n\n| FR-001 | FR-002, FR-003 |\n|---|---|\n", ids=[]
    ),
    "out of scope in words": Case(
        KIT,
        REQUIREMENTS + "- FR-003 and FR-004 are out of scope for v1\n",
        ids=[],
        codes={"out_of_scope"},
    ),
    "suffix": Case(
        KIT, REQUIREMENTS + "- **FR-012**: a\n- **FR-012a**: b\n", ids=["FR-012", "FR-012a"]
    ),
    "no requirements": Case(
        KIT,
        REQUIREMENTS + "- **FR-001**: a\n- **SC-001**: b\n- **CHK001** c?\n- [ ] T001 d\n",
        ids=["FR-001"],
    ),
    "template": Case(
        KIT,
        REQUIREMENTS + '- **FR-001**: System MUST [specific capability, e.g., "sign in"]\n',
        ids=[],
        codes={"template"},
    ),
    "needs clarification": Case(
        KIT,
        REQUIREMENTS + "- **FR-001**: MUST sign in [NEEDS CLARIFICATION: SSO or password?]\n",
        ids=["FR-001"],
        codes={"marker"},
    ),
    "out of scope": Case(
        KIT,
        REQUIREMENTS + "- **FR-001**: a\n\n## Out of Scope\n\n- **FR-020**: Payments\n",
        ids=["FR-001"],
        codes={"out_of_scope"},
    ),
    "checklist": Case(
        ANY,
        "- REQ-A-1: It MUST.\n\n## Verification Checklist\n\n- [ ] Add to cart with variants\n",
        ids=["REQ-A-1"],
    ),
    "blockquote statement": Case(
        ANY,
        "#### Requirement 1.1\n\n> The API **MUST** answer.\n\n[![hardening](x)](y)\n",
        ids=["1.1"],
    ),
    "front matter": Case(MAIN, "---\ntitle: x\n# not heading\n---\n", titles=[]),
    "setext": Case(MAIN, "Requirement 1\n-----------\ntext\n", titles=[]),
    "gherkin fr": Case(
        "a.feature",
        "# language: fr\nFonctionnalité: X\n  Scénario: Y\n    Quand a\n    Alors b\n",
        titles=["X"],
        scenarios=1,
    ),
    "json": Case(
        "PRD.md", '{\n  "title": "x",\n  "FR-001": "y"\n}\n', ids=[], codes={"not_a_spec"}
    ),
    "yaml": Case("spec.md", "title: x\nitems:\n- a\n- b\n", ids=[], codes={"not_a_spec"}),
    "html": Case("spec.md", "<!DOCTYPE html>\n<p>FR-001: x</p>\n", ids=[], codes={"not_a_spec"}),
    "empty": Case(KIT, "", ids=[], codes={"empty"}),
    "byte order mark": Case(KIT, "\ufeff", ids=[], codes={"empty"}),
    "only front matter": Case(KIT, "---\na: b\n---\n", ids=[], codes={"empty"}),
    "a very long line": Case(KIT, REQUIREMENTS + "- **FR-001**: " + "x " * 5000, ids=["FR-001"]),
    "a nul byte": Case(KIT, "- **FR-001**: a\x00b\n", ids=[], codes={"binary"}),
    "too large": Case(KIT, "- **FR-001**: a\n" * 70_000, ids=[], codes={"too_large"}),
    "withdrawn": Case(
        KIT,
        REQUIREMENTS + "| FR-001 | a |\n| ~~FR-002~~ | b |\n",
        ids=["FR-001"],
        codes={"withdrawn"},
    ),
    "same title twice": Case(
        MAIN,
        "### Requirement: A\nx\n### Requirement: A\ny\n",
        titles=["A", "A"],
        codes={"duplicate_id"},
    ),
}


def read(case: Case) -> SpecDocument:
    return read_document(case.path, case.text.encode())


@pytest.mark.parametrize("name", CASES)
def test_documents_are_read_as_expected(name: str) -> None:
    case = CASES[name]
    document = read(case)
    if case.ids is not None:
        assert [r.source_id for r in document.requirements] == case.ids
    if case.titles is not None:
        assert [r.title for r in document.requirements] == case.titles
    if case.scenarios is not None:
        assert len(document.scenarios) == case.scenarios
    assert case.codes <= {f.code for f in document.findings}


def test_steps_in_one_line_are_separated_and_trimmed() -> None:
    (scenario,) = read(CASES["one line given when then"]).scenarios
    assert (scenario.given, scenario.when, scenario.then) == (("x",), ("y",), ("z", "w"))
    (scenario,) = read(CASES["hard breaks"]).scenarios
    assert (scenario.given, scenario.when, scenario.then) == (("x",), ("y",), ("z",))


def test_lower_case_words_of_steps_are_ordinary_words() -> None:
    document = read_document(
        MAIN,
        b"### Requirement: A\nIt SHALL.\n#### Scenario: S\n- **WHEN** a when b\n- THEN c and then d\n",
    )
    (scenario,) = document.scenarios
    assert (scenario.when, scenario.then) == (("a when b",), ("c and then d",))


def test_criteria_keep_their_numbers_and_shall_starts_the_outcome() -> None:
    scenarios = read(CASES["numbers within numbers"]).scenarios
    assert [s.name for s in scenarios] == ["2.1", "2.2"]
    assert (scenarios[0].when, scenarios[0].then) == (("a",), ("THE X SHALL b",))


def test_an_open_question_in_a_requirement_blocks_with_its_own_words() -> None:
    (finding,) = [f for f in read(CASES["needs clarification"]).findings if f.code == "marker"]
    assert (finding.severity, finding.question) == ("block", "SSO or password?")


def test_two_files_may_use_one_id() -> None:
    text = b"## Requirements\n- **FR-001**: It MUST.\n"
    first = read_spec("specs/001-a", {"specs/001-a/spec.md": text})
    second = read_spec("specs/002-b", {"specs/002-b/spec.md": text})
    assert first.requirements[0].id == "001-a#FR-001"
    assert second.requirements[0].id == "002-b#FR-001"


def test_bugfix_documents_require_expected_and_unchanged_behaviour() -> None:
    document = read_document(
        ".kiro/specs/a/bugfix.md",
        b"# Bugfix Requirements Document\n\n## Bug Analysis\n\n### Current Behavior (Defect)\n\n"
        b"1.1 WHEN saved THEN the system crashes\n\n### Expected Behavior (Correct)\n\n"
        b"2.1 WHEN saved THEN the system SHALL store it\n\n### Unchanged Behavior\n\n"
        b"3.1 WHEN read THEN the system SHALL CONTINUE TO show it\n",
    )
    assert document.format is SpecFormat.KIRO_BUGFIX
    assert [r.source_id for r in document.requirements] == ["2.1", "3.1"]
    assert "1.1 WHEN saved THEN the system crashes" in document.requirements[0].statement


def test_a_constitution_gives_constraints_but_no_requirements() -> None:
    document = read_document(
        ".specify/memory/constitution.md",
        b"# Shop Constitution\n\n## Core Principles\n\n### I. Tests\n\nTests MUST come first. Be kind.\n\n"
        b"## Governance\n\nAmendments MUST be voted.\n",
    )
    assert document.requirements == ()
    assert [c.text for c in document.constraints] == ["Tests MUST come first."]


def test_quality_items_bind_every_change() -> None:
    document = read_document(
        "prd.md",
        b"# Shop PRD\n\n- **FR-1**: pay\n- **FR-2**: ship\n- **NFR-1**: The latency must be low\n",
    )
    assert [r.source_id for r in document.requirements] == ["FR-1", "FR-2"]
    assert [c.source_id for c in document.constraints] == ["NFR-1"]


def test_a_story_that_names_one_requirement_gives_it_its_scenarios() -> None:
    document = read_document(
        KIT,
        b"### User Story 1 - A (Priority: P2)\n\nCovers FR-002.\n\n1. **Given** a, **When** b, **Then** c\n\n"
        b"## Requirements\n\n- **FR-001**: x\n- **FR-002**: y\n",
    )
    assert [(r.priority, len(r.scenarios)) for r in document.requirements] == [(None, 0), ("P2", 1)]
    assert document.stories == ()


def test_numbered_tasks_are_not_requirements() -> None:
    document = read_document(
        "specs/001-a/tasks.md",
        b"# Tasks\n\n- [ ] T001 [P] [US1] Do src/a.py\n- [X] T002 Done\n",
    )
    assert document.requirements == ()
    assert [(t.id, t.is_done, t.is_parallel, t.requirements) for t in document.tasks] == [
        ("T001", False, True, ("US1",)),
        ("T002", True, False, ()),
    ]
    kiro = read_document(
        ".kiro/specs/a/tasks.md", b"- [x] 1. One\n  - [ ]* 1.1 Two\n    - _Requirements: 1.1, 2_\n"
    )
    assert [(t.id, t.is_optional, t.requirements) for t in kiro.tasks] == [
        ("1", False, ()),
        ("1.1", True, ("1.1", "2")),
    ]


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("**Status**: Draft", "draft"),
        ("> Status: Implemented", "implemented"),
        ("| Statut | Brouillon |", "draft"),
        ("**状态**：草稿", "draft"),
        ("**Estado**: Draft — requiere validación", "draft"),
        ("**Status**: [Stable](x.md)", "stable"),
    ],
)
def test_a_status_is_read_in_any_language(line: str, status: str) -> None:
    assert read_document(KIT, f"# A\n\n{line}\n".encode()).status == status


def test_features_of_a_cucumber_file_have_rules_tags_and_backgrounds() -> None:
    document = read_document(
        "a.feature",
        b"@REQ-7\nFeature: F\n  Background:\n    Given base\n\n  Rule: R\n\n    Example: E\n"
        b'      When x\n      Then y\n      """\n      Scenario: no\n      """\n',
    )
    (requirement,) = document.requirements
    assert (requirement.title, requirement.domain) == ("R", "F")
    assert requirement.scenarios[0].given == ("base",)
    broken = read_document(
        "a.feature", b"Feature: F\n  nonsense\n  Scenario: S\n    Given a\n    Oops\n"
    )
    assert "gherkin_refused" in {f.code for f in broken.findings}
