"""The plan follows the author's pieces and their order: one small page for each form."""

import pytest

from bot.core.plan.deterministic import plan
from bot.core.plan.put_off import put_off
from bot.core.spec.read import read_spec
from bot.core.values.spec_model import Spec
from tests.core.plan.test_authored import cut, read, waits
from tests.core.plan.test_referenced_steps import airports

LAYERED = """
    # Implementation Plan

    - [ ] 1. Tables
      - _Requirements: {tables}_
    - [ ] 2. Services
      - _Requirements: {services}_
    - [ ] 3. Checkpoint
    - [ ] 4. Pages
      - _Requirements: {pages}_
    - [ ] 5. Search
      - _Requirements: 6.1, 6.2, 6.3, 6.4_
    - [ ] 6. Forms
      - _Requirements: 4.1, 4.2, 4.3, 4.4_
"""


def test_a_layer_is_not_a_group_but_requirements_it_starts_come_first() -> None:
    """Pages name most criteria of 1 and 2, whose half was done before; 3 is half done by services."""
    of = airports(
        LAYERED.format(
            tables="1.1, 1.2, 2.1, 2.2",
            services="1.1, 1.2, 2.1, 2.2, 3.1, 3.2, 5.1, 5.2",
            pages="1.1, 1.2, 1.3, 1.4, 2.1, 2.2, 2.3, 2.4, 3.3, 3.4, 5.3, 5.4",
        )
    )
    names = [title for title, _ in cut(of)]
    assert not [
        name for name in names if "ervices" in name or name.startswith(("Pages:", "Tables"))
    ]
    assert [ids for _, ids in cut(of)] == ["1", "2", "3", "5", "6", "4"]
    assert ("Search the airports", "See all airports in a list", "ordered") in waits(of)


@pytest.mark.parametrize("whole", ["1.x, 2.x", "1.x-2.x", "1.x–2.x"])
def test_a_task_may_name_a_requirement_with_a_letter_for_criteria(whole: str) -> None:
    of = airports(
        LAYERED.format(tables=whole, services="3.x", pages="5.x").replace("_Req", "_Req", 1)
    )
    named = {t.id: t.requirements for d in of.documents for t in d.tasks if t.requirements}
    assert named["1"] == ("1", "2")
    assert [ids for _, ids in cut(of)] == ["1", "2", "3", "5", "6", "4"]


def test_a_range_of_whole_requirements_is_spelled_out() -> None:
    of = airports(LAYERED.format(tables="1.x-4.x", services="5.x", pages="5.x"))
    named = {t.id: t.requirements for d in of.documents for t in d.tasks if t.requirements}
    assert named["1"] == ("1", "2", "3", "4")


def test_tasks_name_requirements_by_the_ids_of_their_page() -> None:
    tasks = "- [ ] 1. Doors\n  - _Requirements: FR-2, NFR-1.1_\n"
    of = read_spec(
        "specs/a",
        {
            "specs/a/spec.md": b"# Feature Specification: A\n\n- **FR-2**: It MUST open.\n",
            "specs/a/tasks.md": tasks.encode(),
        },
    )
    assert [t.requirements for d in of.documents for t in d.tasks] == [("FR-2", "NFR-1.1")]


def test_requirements_that_no_step_names_come_last() -> None:
    of = airports(
        """
        # Implementation Plan

        - [ ] 1. Nothing
        - [ ] 2. Nothing
        - [ ] 3. Nothing
        - [ ] 4. Nothing
        - [ ] 5. Nothing
        - [ ] 6. Forms
          - _Requirements: 4.1, 4.2, 4.3_
        - [ ] 7. Lists
          - _Requirements: 5.1, 5.2, 5.3_
        - [ ] 8. Search
          - _Requirements: 6.1, 6.2_
        """
    )
    assert [ids for _, ids in cut(of)][:3] == ["4", "5", "6"]


def test_a_requirement_named_only_by_a_test_step_is_placed_there() -> None:
    of = airports(
        """
        # Implementation Plan

        - [ ] 1. Forms
          - _Requirements: 4.1, 4.2, 4.3_
        - [ ] 2. Write tests of the table
          - _Requirements: 1.1, 1.2, 5.1_
        - [ ] 3. Lists
          - _Requirements: 5.1, 5.2, 5.3_
        - [ ] 4. Search
          - _Requirements: 6.1, 6.2_
        - [ ] 5. Doors
          - _Requirements: 3.1, 3.2_
        """
    )
    order = [ids for _, ids in cut(of)]
    assert [one for one in order if one in ("4", "1", "5", "6")] == ["4", "1", "5", "6"]


EPICS = """
    # Shop - Epic Breakdown

    ## Requirements Inventory

    ### Functional Requirements

    - FR-1: A guest buys a pear [P1]
    - FR-2: A guest pays with a card

    ### Looks

    - UX-1: A pear is drawn green

    ## Epic 0: Ground

    ### Story 0.1: Scaffold

    **Given** an empty folder **When** it is built **Then** the build passes

    ## Epic 1: Sale

    ### Story 1.1: Pears on a page

    **Given** a pear **When** the page opens **Then** it is drawn green

    ### Story 1.2: Payment by card

    **Given** a card **When** a guest pays **Then** the money is there

    ## Epic 2: Quality Assurance

    ### Story 2.1: All flows tried

    **Given** the shop **When** all flows are tried **Then** none fails
"""


def test_requirements_before_the_first_story_are_grouped_with_stories() -> None:
    assert [ids for _, ids in cut(read(EPICS))] == ["0.1", "FR-1 UX-1 1.1", "FR-2 1.2", "2.1"]


def test_an_epic_of_tests_comes_last() -> None:
    found = waits(read(EPICS))
    assert ("All flows tried", "Payment by card", "ordered") in found


def test_requirements_beyond_the_size_of_a_story_move_to_the_next() -> None:
    listed = "\n".join(f"    - FR-{n}: A guest buys a pear of kind {n}" for n in range(10, 20))
    mapped = "\n".join(f"    - FR-{n}: Epic 1 - Pears on a page" for n in (1, *range(10, 20), 2))
    page = EPICS.replace("    - FR-2:", f"{listed}\n    - FR-2:")
    of = read(
        page.replace("    ### Looks", f"    ### FR Coverage Map\n\n{mapped}\n\n    ### Looks")
    )
    pieces = {title: ids.split() for title, ids in cut(of)}
    assert pieces["Pears on a page"][:2] == ["FR-1", "FR-10"]
    assert len(pieces["Pears on a page"]) <= 8
    assert "FR-19" in pieces["Payment by card"]


STORIES = """
    # Feature Specification: Alarms

    ## User Scenarios

    ### User Story 1 - List alarms (Priority: P1)

    1. **Given** alarms, **When** a user lists them, **Then** each is shown.

    ### User Story 2 - Create an alarm (Priority: P1)

    1. **Given** a user, **When** they create an alarm, **Then** it is kept.

    ### User Story 3 - Delete an alarm (Priority: P2)

    1. **Given** an alarm, **When** a user deletes it, **Then** it is gone.

    ## Requirements

    - **FR-001**: System MUST list alarms.
    - **FR-002**: System MUST create an alarm.
    - **FR-003**: System MUST delete an alarm.
"""


@pytest.mark.parametrize(
    "said",
    [
        "- **US3 (Phase 5)**: Depende de Phase 2 y US1 (usa las rutas)",
        "- **US3**: Depends on Foundational (Phase 2) and US1",
        "- **US3**: Depends on Foundational + `routes.go` from US1",
    ],
)
def test_a_stated_dependency_between_stories_is_read_after_a_foundation(said: str) -> None:
    of = read(STORIES, "specs/alarms/spec.md", tasks=f"# Tasks\n\n- [ ] T001 Set up\n\n{said}\n")
    # Where the author says what stories need, nothing more is guessed.
    assert waits(of) == {("Delete an alarm", "List alarms", "explicit")}


def test_by_default_creating_comes_before_deleting() -> None:
    assert ("Delete an alarm", "Create an alarm", "foundation") in waits(read(STORIES))


SENTENCES = """
    # Feature Specification: Doors

    ### Functional Requirements

    **Locks**

{locks}

    **Bells**

    - **FR-090**: System MUST ring a bell.
"""


@pytest.mark.parametrize(("number", "pieces"), [(8, 1), (9, 2)])
def test_a_group_of_a_few_more_sentences_is_one_change(number: int, pieces: int) -> None:
    locks = "\n".join(f"    - **FR-{n:03}**: System MUST lock door {n}." for n in range(number))
    found = [title for title, _ in cut(read(SENTENCES.format(locks=locks)))]
    assert len([title for title in found if title.startswith("Locks")]) == pieces


def test_a_database_table_comes_before_requirements_about_its_rows() -> None:
    text = SENTENCES.format(locks="    - **FR-001**: System MUST lock a door.") + (
        "    - **FR-091**: System MUST create `bells` table with id, name, timestamps.\n"
    )
    ids = dict(cut(read(text)))
    assert {(ids[one], ids[on]) for one, on, _ in waits(read(text))} == {("FR-090", "FR-091")}


def _kiro(names: list[str], tasks: bytes = b"") -> Spec:
    text = "# Requirements Document\n\n## Requirements\n\n" + "\n".join(
        f"### Requirement {n}: {name}\n\n**User Story:** As a cook, I want it, so that it helps.\n\n"
        "#### Acceptance Criteria\n\n"
        + "\n".join(f"{c}. WHEN {n} is asked THEN the kitchen SHALL do {c}" for c in range(1, 7))
        for n, name in enumerate(names, 1)
    )
    folder = ".kiro/specs/kitchen"
    files = {f"{folder}/requirements.md": text.encode()}
    return read_spec(folder, files | ({f"{folder}/tasks.md": tasks} if tasks else {}))


def test_a_data_migration_is_not_a_foundation() -> None:
    assert waits(_kiro(["Plates", "Data migration", "Lids", "Pots"])) == set()
    assert len(waits(_kiro(["Plates", "Database migrations", "Lids", "Pots"]))) == 3


def test_a_prefix_shared_by_a_group_is_not_repeated_in_titles() -> None:
    pumps = [f"Pump - {what}" for what in ("Warm oil", "Cold water", "Steam", "Valves")]
    criteria = "".join(f"- WHEN {n} is asked THEN the kitchen SHALL do {n}\n" for n in range(9))
    of = read(
        "# Kitchen\n\n## The pump\n\n"
        + "".join(
            f"### REQ-{n}: {name}\n\nThe pump MUST have it.\n\n{criteria}\n"
            for n, name in enumerate(pumps)
        )
        + "## Doors\n\n### REQ-8: Doors of the hall\n\nThe hall MUST have them.\n"
    )
    assert [title for title, _ in cut(of) if "ump" in title] == [
        "The pump: Warm oil and Cold water",
        "The pump: Steam and Valves",
    ]


DELTA = """
    ## ADDED Requirements

    ### Requirement: {title}
    The desk SHALL do it.

    #### Scenario: Shown
    - **WHEN** asked
    - **THEN** done
"""


def test_a_change_of_one_capability_is_called_after_its_folder() -> None:
    folder = "openspec/changes/archive/2026-01-02-add-loan-requests"
    text = (DELTA.format(title="Asking") + DELTA.format(title="Answering")).replace("\n    ", "\n")
    of = read_spec(folder, {f"{folder}/specs/desk/spec.md": text.encode()})
    found = plan(of).changes
    assert [(c.title, c.slug) for c in found] == [("Add loan requests", "add-loan-requests")]


def test_a_foundation_keeps_its_place_in_the_task_list() -> None:
    folder = "openspec/changes/start"
    parts = {
        "desk": ("Loans at the desk", "Returns at the desk"),
        "page": ("Page of all books", "Project scaffold"),
        "bell": ("Bell at the door", "Bell at night"),
    }
    files = {
        f"{folder}/specs/{name}/spec.md": "".join(DELTA.format(title=t) for t in titles)
        .replace("\n    ", "\n")
        .encode()
        for name, titles in parts.items()
    }
    tasks = "".join(
        f"## {n}. {name}\n\n- [ ] {n}.1 {titles[0]}\n- [ ] {n}.2 {titles[1]}\n\n"
        for n, (name, titles) in enumerate(parts.items(), 1)
    )
    of = read_spec(folder, files | {f"{folder}/tasks.md": tasks.encode()})
    assert [c.slug for c in plan(of).changes] == ["desk", "page", "bell"]


def test_a_capitalised_title_is_not_read_as_a_sentence() -> None:
    of = _kiro(["Server Functions for Loans", "Saved Books", "Export and Share", "Bells"])
    titles = [title for title, _ in cut(of)]
    assert titles[0] == "Server Functions for Loans"
    assert not [title for title in titles if "export" in title]


NUMBERED = "# Product Requirements Document\n\n## Functional Requirements\n" + "".join(
    f"\n### Epic {number}: {name}\n\n**Description**: The stage must have {thing}.\n\n**Acceptance Criteria**:\n"
    + "".join(f"- The {thing} shows state {state}.\n" for state in ("open", "shut", "idle", "lost"))
    for number, name, thing in (
        (1, "Curtains", "drapes"),
        (2, "Lamps", "bulbs"),
        (4, "Seats", "chairs"),
    )
)


def test_numbered_epics_come_one_after_another() -> None:
    """The fourth does not wait for the second: the third may be described elsewhere."""
    of = read(NUMBERED, "docs/prd.md")
    assert waits(of) == {("Lamps", "Curtains", "ordered")}


STAGE = "# Stage - Epics\n\n" + "".join(
    f"## Epic {number}: {name}\n\n### Goal\n\nIt is a goal.\n\n### Stories\n\n"
    + "".join(f"{n}. As a player, {wish} so that I like it\n" for n, wish in enumerate(wishes, 1))
    + "\n"
    for number, name, wishes in (
        (0, "Curtains", ("I can open them", "I see them shut", "I hear a bell")),
        (1, "Foundation of the stage", ("the floor bears all actors", "I walk over it")),
        (2, "Lamps", ("I can light one", "the lamp goes out")),
    )
)


def test_stories_of_roles_below_a_heading_that_says_so_are_read_and_stand_with_their_epic() -> None:
    of = read(STAGE, "docs/epics.md")
    assert [title for title, _ in cut(of)] == ["Curtains", "Foundation of the stage", "Lamps"]
    assert len(of.requirements) == 7


def test_what_sounds_like_a_foundation_does_not_come_before_an_earlier_epic() -> None:
    assert ("Curtains", "Foundation of the stage") not in {
        (user, on) for user, on, _ in waits(read(STAGE, "docs/epics.md"))
    }


LEDGER = """
    # Ledger - Epics

    ## Requirements Inventory

    ### Functional Requirements

    FR-1: A clerk can add an entry.
    FR-2: A clerk can read the entries.
    FR-3: A clerk is told of late entries.
    FR-4: Late entries must be marked.

    ### FR Coverage Map

    ```
    FR-1 (Add): Epic 1 - Entries
    FR-2 (Read): Epic 1 - Entries
    FR-3 (Alerts): DEFERRED - Future Phase
    FR-4: Epic 2 - Marks
    ```

    ## Epic 1: Entries

    ### Story 1.1: Add an entry

    As a clerk, I want to add an entry, so that it is there.

    **Acceptance Criteria:**

    **Given** a form **When** it is sent **Then** the entry is there

    ## Epic 2: Marks

    ### Story 2.1: Mark a late entry

    As a clerk, I want late entries marked, so that I see them.

    **Acceptance Criteria:**

    **Given** a late entry **When** I look **Then** it is marked
"""


def test_what_a_map_in_a_fence_puts_off_is_not_planned() -> None:
    off = put_off(read(LEDGER, "docs/epics.md"))
    assert [id_.partition("#")[2] for id_ in off] == ["FR-3"]
    unmapped = LEDGER.replace(": Epic", " is of epic")
    assert put_off(read(unmapped, "docs/epics.md")) == {}


LISTED = """
    # Ledger - Epics

    ## Requirements Inventory

    ### Functional Requirements

    - FR1: A clerk can add an entry.
    - FR2: A clerk can read the entries.

    ## Epics

    ### Epic 1: Entries

    *   **Story 1.1: Add an entry**
        *   **As a** clerk
        *   **I want to** add an entry
        *   **Acceptance Criteria:**
            *   [ ] The entry has a date.
            *   [x] The entry has a name.

    ### Epic 2: Lists

    *   **Story 2.1: Read the entries**
        *   **As a** clerk
        *   **I want to** read the entries
        *   **Acceptance Criteria:**
            *   [ ] The newest stands first.
"""


def test_stories_in_lists_below_epics_are_asked_for_beside_the_inventory() -> None:
    of = read(LISTED, "docs/epics.md")
    asked = {r.source_id: [s.text for s in r.scenarios] for r in of.requirements}
    assert asked == {
        "FR1": [],
        "FR2": [],
        "1.1": ["The entry has a date.", "The entry has a name."],
        "2.1": ["The newest stands first."],
    }


def test_what_one_step_of_a_list_without_ids_does_is_in_no_order() -> None:
    tasks = """# Implementation Plan

- [ ] 1. Archive
  - [ ] 1.1 Loading of files
  - [ ] 1.2 Saving of pages
- [ ] 2. Bells
- [ ] 3. Lamps
"""
    of = _kiro(["Loading", "Saving", "Bells", "Lamps"], tasks=tasks.encode())
    assert {(user, on) for user, on, _ in waits(of)} == {
        ("Bells", "Loading"),
        ("Bells", "Saving"),
        ("Lamps", "Bells"),
    }
