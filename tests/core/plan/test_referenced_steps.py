"""Lists of tasks that name requirements: where each is done, and what it waits for."""

from textwrap import dedent

import pytest

from bot.core.spec.read import read_spec
from bot.core.values.spec_model import Spec
from tests.core.plan.test_authored import cut, waits

FOLDER = ".kiro/specs/airports"


def criteria(number: int, of: int) -> str:
    return "\n".join(
        f"{c}. WHEN a user asks for {number} THEN the system SHALL do {c}" for c in range(1, of + 1)
    )


def story(number: int, wanted: str, of: int = 4) -> str:
    return (
        f"### Requirement {number}\n\n**User Story:** As an admin, I want {wanted}, so that it helps.\n\n"
        f"#### Acceptance Criteria\n\n{criteria(number, of)}\n"
    )


WANTED = (
    "to store airports in a table",
    "to open the admin pages",
    "the pages closed to others",
    "to create airports",
    "to see all airports in a list",
    "to search the airports",
)


def airports(tasks: str) -> Spec:
    text = "# Requirements Document\n\n## Requirements\n\n" + "\n".join(
        story(number, wanted) for number, wanted in enumerate(WANTED, 1)
    )
    files = {
        f"{FOLDER}/requirements.md": text.encode(),
        f"{FOLDER}/tasks.md": dedent(tasks).encode(),
    }
    return read_spec(FOLDER, files)


STEPS = """
    # Implementation Plan

    - [ ] 1. Add the airports table
      - {label} 1.1, 1.2, 4.1, 5.1, 5.2, 5.3, 6.1{end}
    - [ ] 2. Build the admin pages
      - {label} 2.1, 2.2, 2.3, 2.4{end}
    - [ ] 3. Build the list with its search
      - {label} 5.1-5.4, 6.1, 6.2, 6.3{end}
    - [ ] 4. Build the form for new airports
      - [ ] 4.1 The form
        - {label} 4.1, 4.2{end}
      - [ ] 4.2 Write unit tests
        - {label} 1.1, 1.2, 1.3, 1.4, 6.1, 6.2, 6.3, 6.4{end}
    - [ ] 5. Test everything
      - {label} 1.1, 1.2, 1.3, 1.4, 2.1, 2.2, 2.3, 2.4{end}
"""


@pytest.mark.parametrize(
    ("label", "end"),
    [
        ("_Requirements:", "_"),
        ("_Requirements: [", "]_"),
        ("_需求：", "_"),
        ("_要件:", "_"),
        ("_Требования:", "_"),
        ("_Requisitos:", "_"),
    ],
)
def test_a_change_is_placed_where_half_of_its_tasks_are_done(label: str, end: str) -> None:
    of = airports(STEPS.format(label=label, end=end))
    assert [ids for _, ids in cut(of)] == ["1", "2", "3", "5", "6", "4"]


def test_steps_wait_for_the_first_step_or_for_requirements_their_tasks_name() -> None:
    tasks = STEPS.format(label="_Requirements:", end="_").replace("4.1, 4.2_", "4.1, 4.2, 2.1_")
    assert {(user, on) for user, on, _ in waits(airports(tasks))} == {
        ("Open the admin pages", "Store airports in a table"),
        ("Pages closed to others", "Store airports in a table"),
        ("See all airports in a list", "Store airports in a table"),
        ("Search the airports", "Store airports in a table"),
        ("Create airports", "Open the admin pages"),
    }


def listed(*steps: tuple[str, str]) -> Spec:
    return airports(
        "# Implementation Plan\n\n"
        + "".join(
            f"- [ ] {n}. {title}\n  - _Requirements: {named}_\n"
            for n, (title, named) in enumerate(steps, 1)
        )
    )


def test_a_step_for_many_requirements_creates_no_dependency_between_them() -> None:
    of = listed(
        ("Tables", "1.1-1.4"),
        ("Pages", "2.1-2.4"),
        ("Endpoints", "2.1, 3.1-3.4, 4.1-4.4, 5.1-5.4, 6.1-6.4"),
    )
    assert {on for _, on, kind in waits(of) if kind == "ordered"} == {"Store airports in a table"}


def test_a_requirement_named_only_in_tests_is_not_a_dependency() -> None:
    of = airports("""
        # Implementation Plan

        - [ ] 1. Tables
          - _Requirements: 1.1-1.4_
        - [ ] 2. Pages
          - _Requirements: 2.1-2.4_
        - [ ] 3. List
          - [ ] 3.1 Show it
            - _Requirements: 5.1-5.4_
          - [ ] 3.2 Write tests
            - _Requirements: 2.1_
    """)
    assert ("See all airports in a list", "Open the admin pages") not in {
        (user, on) for user, on, _ in waits(of)
    }


@pytest.mark.parametrize(
    ("title", "waits_for_it"),
    [("Set up the core of the pages", True), ("Base components", True), ("The pages", False)],
)
def test_later_groundwork_steps_are_dependencies(title: str, *, waits_for_it: bool) -> None:
    of = listed(
        ("Tables", "1.1-1.4"),
        (title, "2.1-2.4"),
        ("List", "5.1-5.4"),
        ("Configuration of searches", "6.1-6.4"),
        ("Form", "4.1-4.4"),
    )
    users = {user for user, on, _ in waits(of) if on == "Open the admin pages"}
    assert ("See all airports in a list" in users, "Create airports" in users) == (
        waits_for_it,
        waits_for_it,
    )
    # Behind other work it is no groundwork.
    assert ("Create airports", "Search the airports") not in {(u, on) for u, on, _ in waits(of)}


def test_the_third_step_of_a_list_is_not_groundwork() -> None:
    of = listed(
        ("Prepare", ""), ("Plan", ""), ("Tables", "1.1-1.4"), ("Pages", "2.1-2.4"), ("List", "5.1")
    )
    assert not [on for _, on, kind in waits(of) if kind == "ordered"]


def test_a_requirement_about_all_pages_comes_last() -> None:
    of = listed(
        ("Tables", "1.1-1.4"),
        ("Pages", "2.1-2.4"),
        ("List", "5.1-5.4"),
        ("Polish", "3.1-3.4"),
        ("Form", "4.1-4.4"),
    )
    titled = of.documents[0].with_requirements(
        r.replace(title="Performance and accessibility") if r.source_id == "3" else r
        for r in of.requirements
    )
    of = of.with_documents([titled])
    assert {on for user, on, _ in waits(of) if user == "Performance and accessibility"} == {
        "Open the admin pages",
        "See all airports in a list",
    }


def test_a_requirement_of_the_first_step_comes_first() -> None:
    of = listed(
        ("Set up", "3.1"),
        ("Tables", "1.1-1.4"),
        ("Pages", "2.1-2.4"),
        ("List", "3.2-3.4, 5.1-5.4"),
    )
    assert cut(of)[0] == ("Pages closed to others", "3")
    assert {on for _, on, _ in waits(of)} >= {"Pages closed to others"}


LAYERS = """
    # Implementation Plan

    - [ ] 1. Data layer
      - _Requirements: 1.1, 2.1, 3.1, 4.1, 5.1, 6.1_
    - [ ] 2. Service layer
      - _Requirements: 1.2, 1.3, 2.2, 2.3, 3.2, 3.3, 4.2, 4.3, 5.2, 5.3, 6.2, 6.3_
    - [ ] 3. Pages
      - _Requirements: 1.4, 2.4, 3.4, 4.4, 5.4, 6.4_
"""


def test_layers_that_name_requirements_create_neither_groups_nor_order() -> None:
    of = airports(LAYERS)
    assert not [title for title, _ in cut(of) if title.startswith("Service layer")]
    # Airports are created before they are looked for; the layers say nothing.
    assert {(on, kind) for _, on, kind in waits(of)} == {("Create airports", "foundation")}


def test_a_title_of_its_own_stays_the_name_of_a_single_requirement() -> None:
    of = airports(STEPS.format(label="_Requirements:", end="_"))
    titled = of.documents[0].with_requirements(
        r.replace(title="Airports in a table") if r.source_id == "1" else r for r in of.requirements
    )
    assert cut(of.with_documents([titled]))[0] == ("Airports in a table", "1")


def test_several_requirements_without_a_step_come_last() -> None:
    steps = "\n".join(
        f"- [ ] {n}. Page {n}\n  - _Requirements: {n}.1, {n}.2_" for n in (1, 4, 5, 6)
    )
    of = airports(f"# Implementation Plan\n\n{steps}\n")
    assert [ids for _, ids in cut(of)] == ["1", "4", "5", "6", "2", "3"]


def test_a_single_requirement_without_a_step_follows_its_predecessor() -> None:
    of = listed(("A", "6.1-6.4"), ("B", "1.1-1.4"), ("C", "3.1-3.4"), ("D", "4.1"), ("E", "5.1"))
    assert [ids for _, ids in cut(of)] == ["6", "1", "2", "3", "4", "5"]


def test_an_early_test_step_does_not_place_the_work() -> None:
    of = listed(
        ("Create tests of the list", "5.1-5.4"),
        ("Tables", "1.1-1.4"),
        ("Pages", "2.1-2.4"),
        ("Closed pages", "3.1-3.4"),
        ("Show the list", "5.1"),
    )
    assert [ids for _, ids in cut(of)][:5] == ["1", "2", "3", "4", "5"]


def test_steps_about_tests_place_requirements_about_tests() -> None:
    of = listed(*[(f"Show the test {n}", f"{n}.1-{n}.4") for n in (3, 1, 2, 6, 5, 4)])
    assert [ids for _, ids in cut(of)] == ["3", "1", "2", "6", "5", "4"]


def test_the_last_requirement_that_no_step_names_comes_last() -> None:
    of = listed(("A", "5.1-5.4"), ("B", "1.1-1.4"), ("C", "2.1-2.4"), ("D", "3.1-3.4, 4.1-4.4"))
    assert [ids for _, ids in cut(of)] == ["5", "1", "2", "3", "4", "6"]


def test_a_stated_task_dependency_is_a_dependency_of_its_requirement() -> None:
    of = airports("""
        # Implementation Plan

        - [ ] 1. Tables
          - _Requirements: 1.1-1.4_
        - [ ] 2. Pages
          - _Requirements: 2.1-2.4_
        - [ ] 3. List
          - _Requirements: 5.1-5.4_
          - _Depends: 2_
        - [ ] 4. Form
          - _Requirements: 4.1-4.4_
        - [ ] 5. Wire it up
          - _Requirements: 5.1, 4.1_
          - _Depends: 2_
    """)
    users = {user for user, on, _ in waits(of) if on == "Open the admin pages"}
    # What is done elsewhere, and only named there, needs nothing for it.
    assert users == {"See all airports in a list"}
