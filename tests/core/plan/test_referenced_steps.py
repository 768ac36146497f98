"""Lists of tasks that name requirements: where each is done, and what it waits for."""

from collections.abc import Iterable
from textwrap import dedent

import pytest

from bot.core.plan.deterministic import plan
from bot.core.plan.shown_waits import shown_waits
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


def airports(tasks: str, wanted: Iterable[str] = WANTED) -> Spec:
    text = "# Requirements Document\n\n## Requirements\n\n" + "\n".join(
        story(number, wish) for number, wish in enumerate(wanted, 1)
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


def test_what_a_step_does_waits_for_what_the_steps_before_it_do() -> None:
    of = airports(STEPS.format(label="_Requirements:", end="_"))
    assert waits(of) == {
        ("Open the admin pages", "Store airports in a table", "ordered"),
        ("Pages closed to others", "Open the admin pages", "ordered"),
        ("See all airports in a list", "Pages closed to others", "ordered"),
        ("Search the airports", "See all airports in a list", "ordered"),
        ("Create airports", "Search the airports", "ordered"),
    }


def listed(*steps: tuple[str, str]) -> Spec:
    return airports(
        "# Implementation Plan\n\n"
        + "".join(
            f"- [ ] {n}. {title}\n  - _Requirements: {named}_\n"
            for n, (title, named) in enumerate(steps, 1)
        )
    )


def by_ids(of: Spec) -> set[tuple[str, str]]:
    ids = dict(cut(of))
    return {(ids[user], ids[on]) for user, on, _ in waits(of)}


def test_steps_that_are_marked_as_parallel_wait_for_what_stands_before_them() -> None:
    of = listed(
        ("Tables", "1.1-1.4"),
        ("(P) Pages", "2.1-2.4"),
        ("(P) Closed pages", "3.1-3.4"),
        ("(P) Form", "4.1-4.4"),
        ("List", "5.1-5.4"),
        ("Search", "6.1-6.4"),
    )
    assert by_ids(of) == {
        *(("2", "1"), ("3", "1"), ("4", "1")),
        *(("5", "2"), ("5", "3"), ("5", "4"), ("6", "5"), ("6", "4")),
    }


def test_each_run_of_parallel_steps_waits_for_all_before_it() -> None:
    of = listed(
        ("(P) Tables", "1.1-1.4"),
        ("(P) Pages", "2.1-2.4"),
        ("Checkpoint", ""),
        ("(P) Closed pages", "3.1-3.4"),
        ("(P) Form", "4.1-4.4"),
        ("(P) List", "5.1-5.4"),
        ("(P) Search", "6.1-6.4"),
    )
    assert by_ids(of) == {(later, earlier) for later in "3456" for earlier in "12"}


def test_a_criterion_that_many_steps_name_places_its_requirement_less() -> None:
    """Steps 1 and 4 name two criteria of six, and step 2 is for two of its own."""
    of = listed(
        ("Tables", "1.1-1.4, 6.1"),
        ("Search", "6.2, 6.3"),
        ("Pages", "2.1-2.4"),
        ("List", "5.1-5.4, 6.1, 6.4"),
        ("Form", "4.1-4.4, 6.1, 6.4"),
    )
    assert [ids for _, ids in cut(of)][:3] == ["1", "6", "2"]


def test_a_requirement_of_the_first_step_comes_first() -> None:
    of = listed(
        ("Set up", "3.1"),
        ("Tables", "1.1-1.4"),
        ("Pages", "2.1-2.4"),
        ("List", "3.2-3.4, 5.1-5.4"),
    )
    assert cut(of)[0] == ("Pages closed to others", "3")
    assert {on for _, on, _ in waits(of)} >= {"Pages closed to others"}


def test_the_step_that_is_called_as_a_requirement_and_names_it_is_its_home() -> None:
    """Steps 1 and 2 name three of four criteria of the search."""
    of = listed(
        ("Tables", "1.1-1.4, 6.1, 6.2"),
        ("Pages", "2.1-2.4, 6.3"),
        ("List", "5.1-5.4"),
        ("Search of airports", "6.4"),
        ("Form", "4.1-4.4"),
    )
    ids = [ids for _, ids in cut(of)]
    assert ids.index("5") < ids.index("6") < ids.index("4")


def test_a_need_does_not_follow_from_an_order() -> None:
    tasks = "".join(f"- [ ] {n}. Step\n  - _Requirements: {n}.1-{n}.4_\n" for n in (1, 2, 3))
    wanted = ("to log in", "to search the airports", "to log out")
    of = airports(f"# Implementation Plan\n\n{tasks}", wanted)
    assert waits(of) == {
        ("Search the airports", "Log in", "ordered"),
        ("Log out", "Log in", "foundation"),
        ("Log out", "Search the airports", "ordered"),
    }


def test_people_are_not_shown_a_foundation_that_another_wait_stands_on() -> None:
    tasks = "".join(f"- [ ] {n}. Step\n  - _Requirements: {n}.1-{n}.4_\n" for n in (1, 2, 3))
    wanted = ("to log in", "to search the airports", "to log out")
    of = plan(airports(f"# Implementation Plan\n\n{tasks}", wanted))
    assert {slug: [edge.kind for edge in edges] for slug, edges in shown_waits(of).items()} == {
        "log-in": [],
        "search-the-airports": ["ordered"],
        "log-out": ["ordered"],
    }


def test_of_what_one_step_does_what_was_begun_first_comes_first() -> None:
    of = listed(
        ("Tables", "1.1-1.4, 5.1"),
        ("Pages", "2.1-2.4"),
        ("Closed pages", "3.1-3.4"),
        ("Form and list", "4.1-4.4, 5.2-5.4"),
        ("Search", "6.1-6.4"),
    )
    assert [ids for _, ids in cut(of)] == ["1", "2", "3", "5", "4", "6"]


LAYERS = """
    # Implementation Plan

    - [ ] 1. Data layer
      - _Requirements: 1.1, 2.1, 3.1, 4.1, 5.1, 6.1_
    - [ ] 2. Service layer
      - _Requirements: 1.2, 1.3, 2.2, 2.3, 3.2, 3.3, 4.2, 4.3, 5.2, 5.3, 6.2, 6.3_
    - [ ] 3. Pages
      - _Requirements: 1.4, 2.4, 3.4, 4.4, 5.4, 6.4_
"""


def test_a_list_of_layers_keeps_the_order_of_the_page() -> None:
    of = airports(LAYERS)
    assert not [title for title, _ in cut(of) if title.startswith("Service layer")]
    # Airports are created before they are looked for.
    assert [ids for _, ids in cut(of)] == ["1", "2", "3", "4", "5", "6"]


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
    # What is done elsewhere, and only named there, needs nothing for it.
    assert {wait for wait in waits(of) if wait[2] == "explicit"} == {
        ("See all airports in a list", "Open the admin pages", "explicit")
    }
