"""Mistakes that leads found in plans of their own folders."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.core.plan.deterministic import plan
from bot.core.plan.phrases import shortened
from bot.core.plan.put_off import put_off
from bot.core.plan.readiness import uncovered
from bot.core.plan.slugs import slugify
from bot.core.spec.read import read_spec
from bot.core.values.spec_model import Spec
from bot.entry.cli import app
from tests.core.plan.test_authored import cut

EPICS = """# Garden - Epic Breakdown

## Requirements Inventory

### Functional Requirements

**FR-1.1: Plant selection**
- Each warning of the evening, a night of frost or a warm night is seen by the gardener for one bed.

**FR-1.2: Frost warnings**
- A warning is shown before a night of frost.

**FR-4.1: Harvest forecast**
- The harvest of each bed and each frost night is forecast for the gardener.

**FR-4.2: Harvest photos (later)**
- The harvest is shown.

### FR Coverage Map

## Epic List

### Epic 1: Beds
**FRs covered:** FR-1.1, FR-1.2

### Epic 2: Forecasts (future)
**FRs covered:** FR4.1, FR-4.2

## Epic 1: Beds

### Story 1.1: Implement frost warnings

**Acceptance Criteria:**

**Given** a night of frost over the bed that the gardener selects of the garden
**When** the evening comes
**Then** the gardener sees a warning with:
  - the bed
  - the hour
**And** it stays until the morning
**Given** a warm night
**When** the evening comes
**Then** there is no warning

### Story 1.2: Implement the plant selector

**Acceptance Criteria:**

**Given** two beds
**When** the gardener selects one
**Then** the plants of it are shown before any frost night

## Epic 2: Forecasts (future)

### Story 2.1: Forecast the harvest

**Acceptance Criteria:**

**Given** a bed
**When** a day ends
**Then** its harvest is forecast
"""


def epics(text: str = EPICS) -> Spec:
    return read_spec("docs/epics.md", {"docs/epics.md": text.encode()})


@pytest.mark.parametrize("spelled", ["FR4.1", "FR-4.1"])
def test_requirements_mapped_to_a_deferred_epic_are_deferred(spelled: str) -> None:
    spec = epics(EPICS.replace("covered:** FR4.1", f"covered:** {spelled}"))
    assert [(id_.partition("#")[2], why) for id_, why in put_off(spec).items()] == [
        ("FR-4.2", "its name says that it is for later"),
        ("2.1", "it is under the heading “Epic 2: Forecasts (future)”"),
        ("FR-4.1", "its story, 2.1, is not planned"),
    ]


def test_a_requirement_joins_the_story_with_its_name() -> None:
    live = uncovered({}, epics())
    assert [ids for _, ids in cut(live)] == ["FR-1.2 1.1", "FR-1.1 1.2"]


def test_a_list_below_a_step_belongs_to_the_scenario() -> None:
    (one,) = (r for r in epics().requirements if r.source_id == "1.1")
    first, second = one.scenarios
    assert first.then == (
        "the gardener sees a warning with:\nthe bed\nthe hour",
        "it stays until the morning",
    )
    assert second.given == ("a warm night",)
    assert second.line_start == first.line_end + 1
    assert "warm" not in first.text


@pytest.mark.parametrize(
    ("wish", "title"),
    [
        ("I want guest rooms to be clean and ready, so that x", "Guest rooms are clean and ready"),
        ("I want to reset my password when I forget it, so that x", "Reset password"),
        ("I want to be told, so that x", "Be told"),
    ],
)
def test_a_wish_is_named_without_cutting_it(wish: str, title: str) -> None:
    assert shortened(f"As a guest, {wish}") == title


def test_letters_that_unicode_does_not_decompose_stay_in_a_branch() -> None:
    assert slugify("Müştəri Qeydiyyatı") == "musteri-qeydiyyati"


VERBS = (
    "keep", "print", "mail", "show", "send", "store", "copy", "count", "check", "move", "seal", "sort",
)  # fmt: skip


def test_the_first_name_of_a_numbered_piece_is_not_cut() -> None:
    lines = "".join(
        f"- **FR-{n:03}**: API MUST {verb} the unique, always increasing number {n} of the order\n"
        for n, verb in enumerate(VERBS, 1)
    )
    page = f"# Feature Specification: Shop\n\n## Requirements\n\n### Order Intake\n\n{lines}"
    spec = read_spec("specs/001-shop", {"specs/001-shop/spec.md": page.encode()})
    assert [change.title for change in plan(spec).changes] == [
        "Order Intake (1/2): API keeps the unique, always increasing number 1 of the order",
        "Order Intake (2/2): API copies the unique, always increasing number 7 of the order",
    ]


def test_all_changes_wait_for_a_first_group_about_signing_in() -> None:
    groups = "".join(
        f"#### {name}\n\n- **FR-0{at}1**: API MUST offer {name.lower()}\n- **FR-0{at}2**: API MUST log {name.lower()}\n\n"
        for at, name in enumerate(("Orders", "Invoices", "Parcels", "Reports"), 1)
    )
    door = "#### Authentication & Authorization\n\n- **FR-001**: API MUST require a valid token\n- **FR-002**: API MUST refuse others\n\n"
    page = f"# Feature Specification: Shop\n\n## Requirements\n\n### Functional Requirements\n\n{door}{groups}"
    spec = read_spec("specs/001-shop", {"specs/001-shop/spec.md": page.encode()})
    first, *others = plan(spec).changes
    assert (first.title, first.depends_on) == ("Authentication & Authorization", ())
    assert [[d.on for d in other.depends_on] for other in others] == [[first.slug]] * 4


def with_tasks(tasks: str) -> Spec:
    folder = "specs/001-shop"
    beside = {f"{folder}/spec.md": PAGE.encode(), f"{folder}/tasks.md": tasks.encode()}
    return read_spec(folder, beside)


PAGE = "# Feature Specification: Shop\n\n## Requirements\n\n- **FR-001**: The shop MUST sell.\n- **FR-002**: The shop MUST buy.\n"


@pytest.mark.parametrize("behind", ["Checkpoint - all tests pass", "Verify by hand"])
def test_an_open_verification_task_adds_no_work(behind: str) -> None:
    of = with_tasks(
        f"# Tasks\n\n- [x] T001 FR\n  - _Requirements: FR-001, FR-002_\n- [ ] T002 {behind}\n"
    )
    assert [f.question for f in of.findings if f.code == "tasks_done"] == [
        "All tasks for FR-001, FR-002 are ticked, so they are not planned."
    ]


def test_ticks_that_complete_no_requirement_are_reported() -> None:
    of = with_tasks("# Tasks\n\n- [x] T001 One\n- [x] T002 Two\n- [ ] T003 Three\n")
    assert [f.question for f in of.findings if f.code == "tasks_done"] == [
        "2 of 3 tasks in this list are ticked. No requirement has all its tasks ticked, so all are planned."
    ]
    assert len(uncovered({}, of).requirements) == 2


def test_the_command_line_lists_deferred_requirements_only_on_request(tmp_path: Path) -> None:
    folder = tmp_path / "specs" / "001-shop"
    folder.mkdir(parents=True)
    (folder / "spec.md").write_text(PAGE)
    (folder / "tasks.md").write_text(
        "# Tasks\n\n- [x] T001 One\n- [x] T002 Two\n- [x] T003 Three\n"
    )
    without = CliRunner().invoke(app, ["plan", str(folder)])
    assert without.exit_code == 0
    assert "There is nothing to plan, because all its tasks are ticked." in " ".join(
        without.output.split()
    )
    assert "headgate plan --all" in without.output
    assert "0 changes" not in without.output
    told = json.loads(CliRunner().invoke(app, ["plan", "--json", "--all", str(folder)]).output)
    assert len(told["plan"]["changes"]) == 1
    assert told["plan"]["left_out"] == []
    assert told["findings"] == []


@pytest.mark.parametrize(
    ("tasks", "verdict"),
    [
        ("- [x] T001 One\n- [x] T002 Two\n- [x] T003 Three\n", "there is nothing left to plan"),
        ("- [x] T001 One\n  - _Requirements: FR-001_\n- [ ] T002 Two\n", "1 of 2 can be planned"),
        ("- [ ] T001 One\n", "0 scenarios, can be planned"),
    ],
)
def test_the_check_on_the_command_line_says_how_much_is_left(
    tmp_path: Path, tasks: str, verdict: str
) -> None:
    folder = tmp_path / "specs" / "001-shop"
    folder.mkdir(parents=True)
    (folder / "spec.md").write_text(PAGE)
    (folder / "tasks.md").write_text(f"# Tasks\n\n{tasks}")
    said = CliRunner().invoke(app, ["spec", "check", str(folder)])
    assert said.exit_code == 0
    assert said.output.rstrip().endswith(verdict)


def test_dotted_ids_are_distinguished_in_an_epic_map() -> None:
    (document,) = epics().documents
    assert [(one.id, one.epic) for one in document.epics] == [
        ("FR-1.1", "1"),
        ("FR-1.2", "1"),
        ("FR4.1", "2"),
        ("FR-4.2", "2"),
    ]
    rows = "### FR Coverage Map\n\n| UX-DR2 | Epic 1 | Look |\n| FR-4.1.2 | Epic 2 | x |\n"
    (document,) = epics(EPICS.replace("### FR Coverage Map\n", rows)).documents
    assert [(one.id, one.epic) for one in document.epics][:2] == [
        ("UX-DR2", "1"),
        ("FR-4.1.2", "2"),
    ]
