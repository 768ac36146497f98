"""What a chapter of requirements lists, and nothing was read of, is told."""

from bot.core.spec.read import read_document, read_spec
from bot.core.values.spec_model import Severity

PAGE = """\
# Shop

## 1. Functional requirements

- **FR-1**: The shop MUST take orders.
- **FR-2**: The shop MUST send receipts.
- **FR-3**: The shop MUST count its stock.

## 2. Interface requirements

### 2.1 Screens

- A list of orders
- A page for each order

### 2.2 Buttons

- One to pay
- One to go back

## 3. Future features

- A telephone app
- A voice
- A robot

## 4. Data requirements

### 4.1 Fields

- name
- address
- town

## 5. Roadmap

### 5.1 Features

- March
- April
- May
"""


def test_a_list_that_was_not_read_is_told_once_for_each_chapter() -> None:
    document = read_document("docs/shop.md", PAGE.encode())
    assert [r.source_id for r in document.requirements] == ["FR-1", "FR-2", "FR-3"]
    told = [f for f in document.findings if f.code == "unread_list"]
    assert [(f.line, f.severity) for f in told] == [(11, Severity.INFO)]
    assert "'2. Interface requirements' lists 4 things" in told[0].question


def test_a_page_of_which_all_is_read_says_nothing() -> None:
    text = PAGE.partition("## 2.")[0]
    document = read_document("docs/shop.md", text.encode())
    assert "unread_list" not in {f.code for f in document.findings}


def test_a_page_without_a_title_is_told_of_its_lists() -> None:
    text = PAGE.partition("\n\n")[2]
    told = [
        f for f in read_document("docs/shop.md", text.encode()).findings if f.code == "unread_list"
    ]
    assert [f.line for f in told] == [9]


FOLDER = "specs/001-shop"
SPEC = """\
# Feature Specification: Shop

## Requirements

### Functional Requirements

- **FR-001**: The shop MUST take orders.
- **FR-002**: The shop MUST send receipts.
"""
TASKS = "# Tasks: Shop\n\n" + "".join(f"- [x] T00{n} Part {n}\n" for n in range(1, 5))


def _asked(tasks: str) -> list[tuple[str, int]]:
    files = {f"{FOLDER}/spec.md": SPEC.encode(), f"{FOLDER}/tasks.md": tasks.encode()}
    return [(f.path, f.line) for f in read_spec(FOLDER, files).findings if f.code == "tasks_done"]


def test_a_list_of_tasks_that_is_all_ticked_asks_whether_it_is_built() -> None:
    assert _asked(TASKS) == [(f"{FOLDER}/tasks.md", 3)]
    assert _asked(TASKS.replace("- [x] T004", "- [ ] T004")) == []
    assert (
        _asked(TASKS.replace("T001 Part 1", "T001 Part 1 <!-- headgate: ignore tasks_done -->"))
        == []
    )


def _told(path: str, text: str) -> list[int]:
    return [f.line for f in read_document(path, text.encode()).findings if f.code == "unread_list"]


def test_fields_of_things_are_not_told() -> None:
    text = "# Shop\n\n## Functional requirements\n\n- **FR-1**: The shop MUST take orders.\n\n### Orders\n\n"
    label = "Order fields:\n\n- number\n- day\n- amount\n"
    code = "### Rows\n\n- `id` - a number\n- `day` - a date\n- `sum` - a price\n"
    table = "| Field | Type | Note |\n|---|---|---|\n| day | date | a |\n| sum | price | b |\n| id | text | c |\n"
    assert _told("docs/shop.md", text + label) == []
    assert _told("docs/shop.md", text + code) == []
    assert _told("docs/shop.md", text + table) == []
    assert _told("docs/shop.md", text + "- number\n- day\n- amount\n") == [7]


def test_how_it_is_built_and_tested_is_not_told() -> None:
    text = "# Shop\n\n## Functional requirements\n\n- **FR-1**: The shop MUST take orders.\n\n## "
    items = "\n\n- One\n- Two\n- Three\n"
    assert _told("docs/shop.md", text + "Technical requirements" + items) == []
    assert _told("docs/shop.md", text + "Testing requirements" + items) == []
    assert _told("docs/shop.md", text + "Screen requirements" + items) == [7]


def test_what_a_whole_page_of_requirements_leaves_out_is_told() -> None:
    text = "# Requirements\n\n## Orders\n\n- Take an order\n- Send a receipt\n\n## Workflow\n\n1. Take\n2. Pay\n3. Send\n"
    assert _told("docs/shop.md", text) == [8]
    with_ids = text.replace("- Take", "- **FR-1**: Take").replace("- Send", "- **FR-2**: Send")
    assert _told("docs/shop.md", with_ids) == []


def _kiro_asks(tasks: str) -> list[tuple[int, str]]:
    folder = ".kiro/specs/till"
    told = "".join(
        f"### Requirement {n}: Part {n}\n\n#### Acceptance Criteria\n\n1. WHEN {n} THEN it SHALL do {n}\n\n"
        for n in (1, 2, 3)
    )
    files = {
        f"{folder}/requirements.md": f"# Requirements\n\n{told}".encode(),
        f"{folder}/tasks.md": tasks.encode(),
    }
    found = [f for f in read_spec(folder, files).findings if f.code == "tasks_done"]
    return [(f.line, f.question) for f in found]


def test_requirements_of_which_all_tasks_are_ticked_are_asked_about() -> None:
    tasks = (
        "# Plan\n\n- [x] 1. Drawer\n  - _Requirements: 2.1_\n- [ ] 2. Printer\n  - _Requirements: 1.1_\n"
        "- [x] 3. Bell\n  - _Requirements: 1.1, 3.1_\n- [ ]* 4. Tests\n  - _Requirements: 3.1_\n"
    )
    assert _kiro_asks(tasks) == [
        (3, "All tasks for 2, 3 are ticked, and they are planned. Built already?")
    ]
    assert _kiro_asks(tasks.replace("- [x] 3", "- [ ] 3")) == [
        (3, "All tasks for 2 are ticked, and it is planned. Built already?")
    ]


def test_stories_of_which_all_tasks_are_ticked_are_asked_about() -> None:
    stories = "".join(
        f"### User Story {n} - Part {n}\n\n1. **Given** a till, **When** it opens, **Then** {n}\n\n"
        for n in (1, 2)
    )
    files = {
        f"{FOLDER}/spec.md": SPEC.replace("## Requirements", f"{stories}## Requirements").encode(),
        f"{FOLDER}/tasks.md": b"# Tasks\n\n- [x] T001 [US1] A\n- [x] T002 [US2] B\n- [ ] T003 [US2] C\n",
    }
    found = [f for f in read_spec(FOLDER, files).findings if f.code == "tasks_done"]
    assert [f.question for f in found] == [
        "All tasks for US1 are ticked, and it is planned. Built already?"
    ]


def test_of_a_list_that_is_all_ticked_only_one_question_is_asked() -> None:
    tasks = (
        "# Plan\n\n- [x] 1. Drawer\n  - _Requirements: 1.1_\n- [x] 2. Printer\n  - _Requirements: 2.1_\n"
        "- [x] 3. Bell\n  - _Requirements: 3.1_\n- [ ]* 4. Tests\n  - _Requirements: 3.1_\n"
    )
    assert _kiro_asks(tasks) == [
        (
            3,
            "All 3 required tasks in this list are ticked, and the spec is planned. Is it built already?",
        )
    ]
