"""Which text of an author is kept, and what is reported if no requirement was found."""

import pytest

from bot.core.plan.phrases import phrase
from bot.core.spec.read import read_document
from bot.core.values.spec_model import Severity


@pytest.mark.parametrize(
    ("item", "title", "statement"),
    [
        ("**FR-004**: `is_open` MUST be told.", "`is_open` MUST be told", "`is_open` MUST be told."),
        ("FR-004: `is_open` DOIT être dit.", "`is_open` DOIT être dit", "`is_open` DOIT être dit."),
        ("FR-004：`is_open` 必须显示。", "`is_open` 必须显示", "`is_open` 必须显示。"),
        ("FR-004: **Login** MUST work.", "Login MUST work", "**Login** MUST work."),
        ("FR-004: __init__ must run.", "init must run", "__init__ must run."),
        ("**FR-004** `x` MUST be.", "`x` MUST be", "`x` MUST be."),
        ("`FR-004:` The till MUST.", "The till MUST", "The till MUST."),
        ("**FR-004: The till** MUST.", "The till MUST", "The till MUST."),
    ],
)  # fmt: skip
def test_the_mark_after_an_id_belongs_to_the_text(item: str, title: str, statement: str) -> None:
    (found,) = read_document("a.md", f"# A\n\n## Requirements\n\n- {item}\n".encode()).requirements
    assert (found.title, found.statement) == (title, statement)


def test_a_prd_with_numbered_chapters_is_not_read_as_another_format() -> None:
    text = "# PRD: Boats\n\n## 4. Functional Requirements\n\n### 4.1 Commands\n\nA boat is made.\n"
    document = read_document("docs/prd.md", text.encode())
    assert [r.title for r in document.requirements] == ["Commands"]
    assert document.confidence > 0.5


def test_the_chapter_number_is_not_part_of_the_id_of_a_wish() -> None:
    page = "# User stories\n\n## 3.1 Readers\n\n- I can add a plant\n- I can drop a plant\n"
    moved = read_document("a.md", page.replace("3.1", "4.2").encode()).requirements
    found = read_document("a.md", page.encode()).requirements
    assert found[0].title == "Readers: I can add a plant"
    assert [r.id for r in found] == [r.id for r in moved]


def test_a_checkbox_in_a_bold_label_is_removed_from_its_title() -> None:
    text = "# PRD: A\n\n## Requirements\n\n- **[ ] Search (S)**: A field.\n"
    (found,) = read_document("docs/prd.md", text.encode()).requirements
    assert found.title == "Search (S)"


def test_an_id_with_an_apostrophe_is_recognised() -> None:
    text = "# A\n\n## Requirements\n\n- REQ-A-1: It MUST.\n\n(1) REQ-A-1's limit holds.\n"
    assert len(read_document("a.md", text.encode()).requirements) == 1


@pytest.mark.parametrize(
    "bracket",
    [
        "[RESOLVED: by SSO]",
        "[NEEDS CLARIFICATION: SSO or password?] → SSO",
        "~~[NEEDS CLARIFICATION: SSO or password?]~~",
        "[NEEDS CLARIFICATION: SSO or password?]",
    ],
)
def test_brackets_of_clarification_do_not_stay_in_a_title(bracket: str) -> None:
    text = f"# A\n\n## Requirements\n\n- **FR-001**: Guests MUST sign in {bracket}\n"
    (found,) = read_document("a.md", text.encode()).requirements
    assert found.title == "Guests MUST sign in"
    assert bracket in found.statement


def findings(text: str, path: str = "docs/a.md") -> list[tuple[str, Severity, int]]:
    return [(f.code, f.severity, f.line) for f in read_document(path, text.encode()).findings]


@pytest.mark.parametrize(
    "line",
    [
        "The page should load before the guest leaves.",
        "There is a button that closes the door.",
        "Der Gast soll die Tür von innen öffnen.",
        "La puerta debe abrirse desde dentro siempre.",
        "访客应该能够从里面把门打开，并且随时离开这个房间。",
    ],
)
def test_prose_lines_are_proposed_but_not_read_as_requirements(line: str) -> None:
    text = f"# Door\n\nWritten in spring.\n\n{line}\n"
    assert not read_document("docs/a.md", text.encode()).requirements
    assert ("maybe_requirement", Severity.INFO, 5) in findings(text)
    assert ("no_requirements", Severity.ASK, 1) in findings(text)


def test_a_page_of_tick_boxes_says_that_it_was_read_as_tasks() -> None:
    boxes = "".join(f"- [ ] {n}. Try door {n}\n" for n in range(1, 300))
    assert ("only_tasks", Severity.ASK, 1) in findings(f"# Tasks\n\n{boxes}", "docs/checks.md")


def test_items_that_a_heading_takes_out_are_counted() -> None:
    text = "# Door\n\n## Verification checklist\n\n- **REQ-A-1**: It MUST open.\n- **REQ-A-2**: It MUST close.\n"
    found = read_document("docs/a.md", text.encode()).findings
    (why,) = [f for f in found if f.code == "no_requirements"]
    assert "2 in a checklist" in why.question


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (".specify/memory/constitution.md", "# Constitution\n\n## One\n\nCode MUST be small.\n"),
        ("docs/a.md", "# About\n\nBuilt in 1812.\n"),
        ("docs/a.md", ""),
        ("docs/a.md", '{\n "a": 1\n}\n'),
        ("specs/001-a/tasks.md", "# Tasks\n\n- [ ] T001 Do it\n"),
    ],
)
def test_a_file_without_requirements_always_says_why(path: str, text: str) -> None:
    document = read_document(path, text.encode())
    assert not document.requirements
    assert document.findings[0].question


KIRO = ".kiro/specs/till/requirements.md"


@pytest.mark.parametrize(
    "chapters",
    [
        ("Overview", "Risks", "Glossary"),
        ("Überblick", "Risiken", "Glossar"),
        ("概要", "前提", "用語集"),
    ],
)
def test_chapters_of_a_kiro_document_are_not_requirements(chapters: tuple[str, ...]) -> None:
    first, *rest = (f"## {n}. {title}\n\nText.\n\n" for n, title in enumerate(chapters, 1))
    middle = "## 9. Receipt\n\n### Acceptance Criteria\n\n1. WHEN paid, THE till SHALL print.\n\n"
    text = "# Requirements Document\n\n" + first + middle + "".join(rest)
    assert [r.id for r in read_document(KIRO, text.encode()).requirements] == ["kiro.till#9"]


def test_chapters_beside_named_requirements_are_not_requirements() -> None:
    text = "# Requirements Document\n\n## 1. Printing\n\nText.\n\n## 2. Requirements\n\n"
    text += "### Requirement 1: Receipt\n\n#### Acceptance Criteria\n\n1. THE till SHALL print.\n"
    assert [r.id for r in read_document(KIRO, text.encode()).requirements] == ["kiro.till#1"]


_EPICS = """# Epics

## Functional Requirements

- FR1: Tâches avec des parties

### FR Coverage Map

- FR1: Epic 1 — Parties

## Epic 1: Parts

### Story 1.1: Children

As a user, I want children, so that I see parts.

**Acceptance Criteria:**

**Given** a task
**When** I add a child
**Then** it is shown below

**Given** a done task
**When** I view the parent
**And** the box remains unchecked
"""


def test_a_coverage_map_defines_no_requirement() -> None:
    document = read_document("docs/epics.md", _EPICS.encode())
    assert [r.source_id for r in document.requirements] == ["FR1"]
    assert "duplicate_id" not in {f.code for f in document.findings}


def test_a_scenario_without_an_outcome_is_kept_and_asked_about() -> None:
    document = read_document("docs/epics.md", _EPICS.encode())
    assert [s.when for s in document.scenarios] == [
        ("I add a child",),
        ("I view the parent", "the box remains unchecked"),
    ]
    assert [(f.code, f.line) for f in document.findings if f.code == "no_then"] == [("no_then", 23)]


@pytest.mark.parametrize(
    ("label", "story", "title"),
    [
        ("用户故事", "作为读者，我希望看到空状态提示", "看到空状态提示"),
        ("User Story", "As a reader, I want to find a page", "Find a page"),
        ("Historia de usuario", "Como lector, quiero buscar una nota", "Buscar una nota"),
    ],
)
def test_a_requirement_without_a_title_is_named_after_its_story(
    label: str, story: str, title: str
) -> None:
    text = f"# Requirements\n\n### Requirement 1\n\n**{label}:** {story}\n\n#### Acceptance Criteria\n\n1. WHEN it opens THEN it SHALL show.\n"
    (one,) = read_document(".kiro/specs/x/requirements.md", text.encode()).requirements
    assert phrase(one) == title


def test_the_number_of_a_condition_is_not_a_chapter() -> None:
    text = (
        "# Hooks\n\n## Data\n\n#### Requirement 1.1\n\n> It **MUST** be kept.\n\n#### Condition 1.2\n\n"
        "> [Condition 1.2] It is immutable.\n\n##### Conditional Requirement 1.2.1\n\n> It **MUST** be copied.\n"
    )
    found = read_document("spec/hooks.md", text.encode()).requirements
    assert [r.domain for r in found] == ["Data", "Data"]


@pytest.mark.parametrize(
    ("heading", "left_out", "word"),
    [
        ("Interaction", "Build order", "Requirements"),
        ("Bedienung", "Architektur", "Anforderungen"),
        ("交互", "架构", "需求"),
    ],
)
def test_a_possible_requirement_list_is_proposed_with_the_fix(
    heading: str, left_out: str, word: str
) -> None:
    items = "- Shown when it is opened\n- Hidden while somebody types\n- Kept for a month\n"
    text = f"# Coach\n\n## {heading}\n\n{items}\n## {left_out}\n\n{items}"
    proposed = [
        f
        for f in read_document("docs/page.md", text.encode()).findings
        if f.code == "maybe_requirement"
    ]
    assert [(f.line, "lists 3 things" in f.question) for f in proposed] == [(3, True)]
    certain = text.replace(f"## {heading}", f"## {heading}: {word}")
    assert [r.line_start for r in read_document("docs/page.md", certain.encode()).requirements] == [
        5,
        6,
        7,
    ]


@pytest.mark.parametrize("title", ["# Coach\n\n", "Coach, a first idea.\n\n"])
def test_a_list_directly_below_the_title_is_proposed(title: str) -> None:
    items = "- Shown when it is opened\n- Hidden while somebody types\n- Kept for a month\n"
    text = f"{title}It could do this:\n\n{items}"
    assert ("maybe_requirement", Severity.INFO, 5) in findings(text)
    certain = text.replace("It could do this:", "## Requirements")
    assert len(read_document("docs/page.md", certain.encode()).requirements) == 3


def test_the_reason_for_no_requirements_respects_existing_headings() -> None:
    text = "# Player\n\nIt plays.\n\n## System requirements\n\n- Windows 10\n- 8 GB RAM\n"
    found = read_document("docs/page.md", text.encode()).findings
    (why,) = [f.question for f in found if f.code == "no_requirements"]
    assert "no heading says requirements" not in why
    assert "below 'System requirements' no list says what must be built" in why


def test_the_lists_of_a_plan_of_tests_are_not_proposed() -> None:
    text = "# Test Plan\n\n## Clients\n\n- Create one\n- Edit one\n- Delete one\n"
    assert [f.code for f in read_document("docs/test-plan.md", text.encode()).findings] == [
        "no_requirements"
    ]


@pytest.mark.parametrize(("status", "done"), [("状态", "✅ 已完成"), ("Status", "Done")])
def test_a_feature_whose_rows_are_all_done_is_done(status: str, done: str) -> None:
    text = "# Finch\n\n## Features\n\n" + "".join(
        f"### Feature {n}: {name}\n\n| Part | {status} |\n|---|---|\n| One | {done} |\n| Two | {second} |\n\n"
        for n, (name, second) in enumerate((("Bar", done), ("Place", "open")), 1)
    )
    found = read_document("docs/page.md", text.encode()).requirements
    assert [(r.title, r.is_done) for r in found] == [("Bar", True), ("Place", False)]


def test_a_bold_word_after_a_sign_says_that_it_is_done() -> None:
    text = """# Relay

## Functional Requirements

### 3.1 Sending \u2705 **IMPLEMENTED**
- Receive messages by webhook

### 3.2 Replies \u2705 **IMPLEMENTED**
- Detect quotes

### 3.3 Commands
- Offer help
"""
    found = read_document("docs/requirements.md", text.encode()).requirements
    assert [requirement.is_done for requirement in found] == [True, True, False]
