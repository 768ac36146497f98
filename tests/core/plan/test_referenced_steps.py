"""Lists of tasks that name requirements: each stands with the step that does most of it."""

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
def test_requirements_stand_with_the_step_that_does_most_of_them(label: str, end: str) -> None:
    of = airports(STEPS.format(label=label, end=end))
    assert cut(of) == [
        ("Store airports in a table", "1"),
        ("Build the admin pages", "2 3"),
        ("Build the list with its search", "5 6"),
        ("Build the form for new airports", "4"),
    ]
    assert waits(of) == {
        ("Build the admin pages", "Store airports in a table", "ordered"),
        ("Build the list with its search", "Build the admin pages", "ordered"),
        ("Build the form for new airports", "Build the list with its search", "ordered"),
    }


LAYERS = """
    # Implementation Plan

    - [ ] 1. Data layer
      - _Requirements: 1.1, 2.1, 3.1, 4.1, 5.1, 6.1_
    - [ ] 2. Service layer
      - _Requirements: 1.2, 1.3, 2.2, 2.3, 3.2, 3.3, 4.2, 4.3, 5.2, 5.3, 6.2, 6.3_
    - [ ] 3. Pages
      - _Requirements: 1.4, 2.4, 3.4, 4.4, 5.4, 6.4_
"""


def test_a_list_of_layers_that_names_requirements_groups_and_orders_nothing() -> None:
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


def test_a_page_of_help_is_work_in_every_step() -> None:
    steps = "\n".join(
        f"- [ ] {n}. Show the test {n}\n  - _Requirements: {n}.1, {n}.2_" for n in range(1, 7)
    )
    of = airports(f"# Implementation Plan\n\n{steps}\n")
    assert [title for title, _ in cut(of)] == [f"Show the test {n}" for n in range(1, 7)]


def test_several_that_no_step_names_are_work_of_their_own() -> None:
    steps = "\n".join(
        f"- [ ] {n}. Page {n}\n  - _Requirements: {n}.1, {n}.2_" for n in (1, 2, 3, 6)
    )
    of = airports(f"# Implementation Plan\n\n{steps}\n")
    assert {("Create airports", "4"), ("See all airports in a list", "5")} < set(cut(of))


def test_tests_that_come_first_do_not_name_the_work() -> None:
    names = {2: "pages", 4: "forms", 6: "lists"}
    steps = "\n".join(
        f"- [ ] {n}. Create {name} tests\n  - _Requirements: {n}.1, {n}.2, {n}.3_\n"
        f"- [ ] {n + 1}. Implement {name}\n  - _Requirements: {n}.1, {n}.2_"
        for n, name in names.items()
    )
    of = airports(f"# Implementation Plan\n\n{steps}\n")
    titles = [title for title, _ in cut(of)]
    assert {"Implement pages", "Implement forms", "Implement lists"} <= set(titles)


def test_of_steps_that_do_as_much_that_one_does_it_whose_name_speaks_of_it() -> None:
    steps = """
        # Implementation Plan

        - [ ] 1. Endpoints
          - _Requirements: 1.1, 2.1, 2.2, 4.1_
        - [ ] 2. Validation of the table
          - _Requirements: 1.2, 1.3_
        - [ ] 3. Open the admin pages
          - _Requirements: 2.3, 2.4, 3.1_
        - [ ] 4. Set up the infrastructure of lists
          - _Requirements: 5.1, 5.2, 6.1, 6.2_
    """
    of = airports(steps)
    assert ("Open the admin pages", "2 3") in cut(of)
    assert ("Validation of the table", "1") in cut(of)
    assert "ordered" in {kind for _, _, kind in waits(of)}


def test_the_last_requirement_that_no_step_names_is_work_of_its_own() -> None:
    text = STEPS.format(label="_Requirements:", end="_").replace(", 6.1, 6.2, 6.3", "")
    text = text.replace(", 6.1, 6.2, 6.3, 6.4", "").replace(", 6.1", "")
    of = airports(text)
    assert ("Search the airports", "6") in cut(of)
