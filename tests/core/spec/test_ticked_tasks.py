"""Ticked tasks are built already: they are reported, raise no question, and are not planned."""

import pytest

from bot.core.plan.put_off import left_out, put_off
from bot.core.plan.readiness import uncovered
from bot.core.spec.read import read_spec
from bot.core.values.spec_model import Severity, Spec

KIRO = ".kiro/specs/till"
SPEC_KIT = "specs/003-shop"
DRAWER = "- [x] 1. Drawer\n  - _Requirements: 2.1_\n"
PRINTER = "- [x] 2. Printer\n  - _Requirements: 1.1_\n"
BELL = "- [x] 3. Bell\n  - _Requirements: 1.1, 3.1_\n"


def kiro(tasks: str, numbers: int = 3) -> Spec:
    told = "".join(
        f"### Requirement {n}: Part {n}\n\n#### Acceptance Criteria\n\n1. WHEN {n} THEN it SHALL be fast {n}\n\n"
        for n in range(1, numbers + 1)
    )
    page = f"# Requirements\n\n[NEEDS CLARIFICATION: which till?]\n\n{told}".encode()
    beside = f"# Plan\n\n{tasks}".encode()
    return read_spec(KIRO, {f"{KIRO}/requirements.md": page, f"{KIRO}/tasks.md": beside})


def spec_kit(tasks: str) -> Spec:
    page = """# Feature Specification: Shop

## User Scenarios & Testing

### User Story 1 - Order a hat (Priority: P1)

1. **Given** a hat, **When** it is ordered, **Then** it is in the order

### User Story 2 - Send a receipt (Priority: P2)

1. **Given** an order, **When** it is paid, **Then** a receipt is sent

### User Story 3 - Show the weather (Priority: P3)

1. **Given** a town, **When** it rains there, **Then** an umbrella is shown

## Requirements

### Functional Requirements

- **FR-001**: The shop MUST take the order of a hat.
- **FR-002**: The shop MUST send a receipt when an order is paid.
- **FR-003**: The shop MUST show an umbrella when it rains.
"""
    beside = f"# Tasks\n\n{tasks}".encode()
    return read_spec(
        SPEC_KIT, {f"{SPEC_KIT}/spec.md": page.encode(), f"{SPEC_KIT}/tasks.md": beside}
    )


def told(spec: Spec) -> list[tuple[int, str]]:
    found = [f for f in spec.findings if f.code == "tasks_done"]
    assert all(f.severity is Severity.INFO for f in found)
    return [(f.line, f.question) for f in found]


def planned(spec: Spec) -> list[str | None]:
    return [r.source_id for r in uncovered({}, spec).requirements]


WHOLE = (
    3,
    "All 3 tasks in this list are ticked, so nothing of this spec is planned. To plan it all the same, "
    "comment `/headgate run .kiro/specs/till`.",
)


def test_a_completely_ticked_list_leaves_nothing_to_plan() -> None:
    spec = kiro(DRAWER + PRINTER + BELL)
    assert told(spec) == [WHOLE]
    assert planned(spec) == []
    assert left_out(spec, (), ()) == (
        "There is nothing to plan, because all its tasks are ticked. To plan it anyway, "
        "comment `/headgate run .kiro/specs/till`.",
    )


def test_optional_tasks_and_boxes_above_ticked_parts_leave_a_list_ticked() -> None:
    parts = "- [ ] 4. Rest\n  - [x] 4.1 Ink\n    - _Requirements: 1.1_\n"
    spec = kiro(DRAWER + PRINTER + BELL + parts + "- [ ]* 5. Tests\n  - _Requirements: 3.1_\n")
    assert planned(spec) == []
    of = "All 4 tasks that are not optional"
    assert told(spec) == [(3, WHOLE[1].replace("All 3 tasks", of))]


def test_an_open_task_is_open_with_one_of_its_parts_and_the_ticked_one_above_it_is_not() -> None:
    """The open test says what it is for; the open task has a part that is ticked and one that is not."""
    work = (
        "- [x] 1. Model\n  - _Requirements: 1.1_\n"
        "- [ ] 1.1 Write a property test\n  - **Validates: Requirements 2.1, 2.2**\n"
        "- [ ] 3. Printer\n  - _Requirements: 3.1_\n"
        "- [x] 3.1 Paper\n  - _Requirements: 3.1_\n"
        "- [ ] 3.2 Ink\n  - _Requirements: 2.1_\n"
    )
    assert planned(kiro(work)) == ["2", "3"]


def test_an_open_task_with_only_optional_parts_is_open() -> None:
    work = "".join(
        f"- [ ] {n}. Part {n}\n  - _Requirements: {n}.1_\n  - [ ]* {n}.1 Write tests\n"
        for n in (1, 2, 3)
    )
    assert planned(kiro(work)) == ["1", "2", "3"]
    assert told(kiro(work)) == []
    assert planned(kiro(work.replace("- [ ] 1.", "- [x] 1."))) == ["2", "3"]


def test_a_ticked_task_above_an_open_part_is_not_done() -> None:
    spec = kiro(f"{DRAWER}  - [ ] 1.1 Lock\n{BELL}")
    assert planned(spec) == ["2"]


def test_optional_tasks_alone_do_not_mark_a_spec_as_built() -> None:
    assert planned(kiro("- [ ]* 1. One\n- [ ]* 2. Two\n- [ ]* 3. Three\n")) == ["1", "2", "3"]


def test_two_ticks_without_numbers_are_not_a_task_list() -> None:
    assert planned(kiro("- [x] Plan\n- [x] Build\n")) == ["1", "2", "3"]


def test_built_requirements_raise_no_questions() -> None:
    asked = {f.code for f in kiro(DRAWER.replace("[x]", "[ ]") + PRINTER + BELL).findings}
    assert {"vague", "marker"} <= asked
    assert {f.code for f in kiro(DRAWER + PRINTER + BELL).findings} == {"tasks_done"}


def test_a_requirement_that_a_ticked_list_does_not_name_came_later() -> None:
    spec = kiro(DRAWER + PRINTER + BELL, numbers=4)
    assert planned(spec) == ["4"]
    assert told(spec) == [(3, "All tasks for 1, 2, 3 are ticked, so they are not planned.")]


def test_a_ticked_list_that_names_few_requirements_covers_all() -> None:
    assert planned(kiro(DRAWER + PRINTER + "- [x] 3. Bell\n", numbers=5)) == []


def test_a_ticked_task_for_all_requirements_covers_each() -> None:
    assert planned(kiro("- [x] 1. Till\n  - _Requirements: All_\n- [ ] 2. Show it\n")) == []


def test_requirements_of_which_all_tasks_are_ticked_are_not_planned() -> None:
    spec = kiro(DRAWER + PRINTER.replace("[x]", "[ ]") + BELL)
    assert planned(spec) == ["1"]
    assert told(spec) == [(3, "All tasks for 2, 3 are ticked, so they are not planned.")]
    assert left_out(spec, {r.id for r in uncovered({}, spec).requirements}, ())[0] == (
        "2, 3: all tasks for them are ticked. To plan one, comment `/headgate plan include 2`."
    )


def test_open_tasks_without_a_requirement_are_reported() -> None:
    spec = kiro(DRAWER + PRINTER + BELL + "- [ ] 4. Write the manual\n")
    assert planned(spec) == []
    assert told(spec) == [
        (
            3,
            "All tasks for 1, 2, 3 are ticked, so they are not planned. Tasks that are open name no other "
            "requirement (1, the first in line 9): write down what they must make true, and it is planned.",
        )
    ]


def test_a_task_that_only_starts_like_a_check_is_reported() -> None:
    spec = kiro(DRAWER + PRINTER + BELL + "- [ ] 4. Checkout page\n")
    assert "the first in line 9" in told(spec)[0][1]


def test_requirements_of_a_story_of_which_all_tasks_are_ticked_are_not_planned() -> None:
    spec = spec_kit("- [x] T001 [US1] A\n- [x] T002 [US2] B\n- [ ] T003 [US2] C\n")
    assert told(spec) == [(3, "All tasks for US1 are ticked, so it is not planned.")]
    assert planned(spec) == ["FR-002", "FR-003"]


def test_a_ticked_list_of_stories_covers_all_stories() -> None:
    assert planned(spec_kit("- [x] T001 Begin\n- [x] T002 [US1] A\n- [x] T003 [US2] B\n")) == []


def test_a_landed_requirement_with_a_new_text_is_planned_despite_ticks() -> None:
    spec = kiro(DRAWER + PRINTER + BELL)
    one = spec.requirements[0]
    live = uncovered({one.id: "another text"}, spec)
    assert [r.id for r in live.requirements] == [one.id]
    assert uncovered({one.id: one.text_hash}, spec).requirements == ()


def test_a_requirement_that_a_person_includes_is_planned_despite_ticks() -> None:
    spec = kiro(DRAWER + PRINTER + BELL)
    two = spec.requirements[1].id
    assert [r.id for r in uncovered({}, spec, [two]).requirements] == [two]


def test_a_delta_of_which_all_tasks_are_ticked_is_not_planned() -> None:
    folder = "openspec/changes/add-hats"
    delta = b"## ADDED Requirements\n\n### Requirement: Hats\nThe shop SHALL sell hats.\n\n#### Scenario: One\n- **WHEN** asked\n- **THEN** it is sold\n"
    ticked = b"## 1. Work\n\n- [x] 1.1 Shelf\n- [x] 1.2 Price\n- [x] 1.3 Door\n"
    files = {f"{folder}/specs/shop/spec.md": delta, f"{folder}/tasks.md": ticked}
    assert len(put_off(read_spec(folder, files))) == 1
    files[f"{folder}/tasks.md"] = ticked.replace(b"[x] 1.3", b"[ ] 1.3")
    assert put_off(read_spec(folder, files)) == {}


@pytest.mark.parametrize(
    "tasks",
    [
        DRAWER.replace("Drawer", "Drawer <!-- headgate: ignore tasks_done -->") + PRINTER + BELL,
        "- [ ] 1. Drawer\n- [ ] 2. Printer\n- [ ] 3. Bell\n",
    ],
)
def test_a_silenced_or_open_line_is_not_reported(tasks: str) -> None:
    assert told(kiro(tasks)) == []
