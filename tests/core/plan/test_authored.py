"""The plan follows groups and orders of the author: one small document for each form."""

from textwrap import dedent

import pytest

from bot.core.plan.authored import tasks_of
from bot.core.plan.check import check
from bot.core.plan.circles import circles
from bot.core.plan.deterministic import plan
from bot.core.plan.foundations import is_foundation_name
from bot.core.spec.read import read_spec
from bot.core.values.plan_model import ChangeSize, Plan
from bot.core.values.spec_model import Spec


def read(text: str, path: str = "specs/shop.md", **beside: str) -> Spec:
    files = {path: dedent(text).encode()}
    folder = path.rpartition("/")[0]
    files |= {f"{folder}/{name}.md": dedent(more).encode() for name, more in beside.items()}
    return read_spec(folder if beside else path, files)


def planned(of: Spec) -> Plan:
    found = plan(of)
    assert check(found, of) == ()
    return found


def cut(of: Spec) -> list[tuple[str, str]]:
    """The title of each change with the author's ids in it."""
    ids = {r.id: r.source_id or r.title for r in of.requirements}
    return [(c.title, " ".join(ids[r] for r in c.requirements)) for c in planned(of).changes]


def waits(of: Spec) -> set[tuple[str, str, str]]:
    titles = {c.slug: c.title for c in planned(of).changes}
    return {(c.title, titles[d.on], d.kind) for c in planned(of).changes for d in c.depends_on}


LIBRARY = """
    # Feature Specification: Library

    ## Requirements

    ### Functional Requirements

    **{catalogue}**

    - **FR-001**: System MUST list all books by title.
    - **FR-002**: System MUST show the author of each book.

    **{loans}:**

    - **FR-003**: System MUST lend a book to one member at a time.
    - **FR-004**: System MUST refuse a fourth loan.
"""


@pytest.mark.parametrize(
    ("catalogue", "loans"), [("Catalogue", "Loans"), ("Katalog", "Ausleihe"), ("目录", "借阅")]
)
def test_bold_lines_are_groups(catalogue: str, loans: str) -> None:
    text = LIBRARY.format(catalogue=catalogue, loans=loans)
    assert cut(read(text)) == [(catalogue, "FR-001 FR-002"), (loans, "FR-003 FR-004")]


def test_labels_of_criteria_and_binding_bold_lines_are_not_groups() -> None:
    text = LIBRARY.format(catalogue="Acceptance Criteria", loans="All of it MUST work offline")
    assert [ids for _, ids in cut(read(text))] == ["FR-001 FR-002 FR-003 FR-004"]


def test_a_label_inside_a_requirement_is_not_a_group() -> None:
    text = """
        # PRD: Doors

        ## Functional Requirements

        **FR-1: Open a door**

        - **Priority**: P0

        **Keeping Rules**:

        - A year for doors

        **FR-2: Close a door**

        - **Priority**: P0
    """
    assert [ids for _, ids in cut(read(text))] == ["FR-1 FR-2"]


STORIES = """
    # Feature Specification: Albums

    ## User Scenarios & Testing

    ### User Story 1 - Order prints (Priority: P3)

    **Acceptance Scenarios**:

    1. **Given** an album, **When** the user orders prints, **Then** the order has a price.

    ### User Story 2 - Create an album (Priority: P1)

    **Acceptance Scenarios**:

    1. **Given** a user, **When** they create an album named "Trip", **Then** it is named so.

    ### User Story 3 - Share by a link (Priority: P2)

    **Acceptance Scenarios**:

    1. **Given** a shared link, **When** a friend opens it, **Then** photos are shown.

    ## Requirements

    ### Functional Requirements

    - **FR-001**: System MUST create an album with a name.
    - **FR-002**: System MUST keep names short.
    - **FR-003**: System MUST make a link for friends.
    - **FR-004**: System MUST withdraw a shared link.
    - **FR-005**: System MUST take orders for prints.
    - **FR-006**: System MUST tell the price of ordered prints.
"""


def test_requirements_are_grouped_with_the_story_that_shares_their_words() -> None:
    assert cut(read(STORIES)) == [
        ("Create an album", "FR-001 FR-002"),
        ("Share by a link", "FR-003 FR-004"),
        ("Order prints", "FR-005 FR-006"),
    ]


@pytest.mark.parametrize(
    "heading",
    [
        "**Functional Requirements:**",
        "**Requisitos funcionales**",
        "**功能需求**",
        "### 功能性需求 *(必填)*",
    ],
)
def test_a_bold_line_that_only_says_requirements_is_not_a_group(heading: str) -> None:
    text = STORIES.replace("### Functional Requirements", heading)
    assert [title for title, _ in cut(read(text))] == [
        "Create an album",
        "Share by a link",
        "Order prints",
    ]


@pytest.mark.parametrize(("more", "is_cut"), [(3, True), (2, False)])
def test_one_heading_above_most_of_a_page_is_cut_by_the_stories(more: int, *, is_cut: bool) -> None:
    rows = "\n".join(f"    - **FR-01{n}**: System MUST print order {n}." for n in range(more))
    text = STORIES.replace("### Functional Requirements", "### Albums and prints") + rows
    text += "\n\n    ### Safety\n\n    - **SR-001**: System MUST refuse strangers.\n"
    titles = [title for title, _ in cut(read(text))]
    assert ("Create an album" in titles) is is_cut


def test_other_headings_of_the_page_stay_groups() -> None:
    rows = "\n".join(f"    - **FR-01{n}**: System MUST print order {n}." for n in range(3))
    text = STORIES.replace("### Functional Requirements", "### Albums and prints") + rows
    text += (
        "\n\n    ### Prices\n\n    - **SR-001**: System MUST tell friends the price of prints.\n"
    )
    assert "SR-001" in [ids for _, ids in cut(read(text))]


@pytest.mark.parametrize(
    ("late", "early"),
    [("Printing", "Albums"), ("Drucken", "Alben anlegen"), ("打印照片", "相册管理")],
)
def test_a_group_has_the_priority_of_its_story(late: str, early: str) -> None:
    text = f"""
        # Feature Specification: Photos

        ## User Scenarios & Testing

        ### User Story 1 - {late} (Priority: P3)

        1. **Given** a photo, **When** it is asked for, **Then** it is on paper

        ### User Story 2 - {early} (Priority: P1)

        1. **Given** a user, **When** they ask, **Then** it is there

        ## Requirements

        **{late}**

        - **FR-001**: System MUST do one.
        - **FR-002**: System MUST do two.

        **{early}**

        - **FR-003**: System MUST do three.
        - **FR-004**: System MUST do four.
    """
    assert [title for title, _ in cut(read(text, "specs/001-photos/spec.md"))] == [early, late]


def test_a_requirement_is_grouped_with_the_story_that_it_names() -> None:
    text = STORIES.replace("keep names short", "keep it short (US3)")
    text = text.replace("withdraw a shared link", "withdraw it (US3)")
    assert ("Share by a link", "FR-002 FR-003 FR-004") in cut(read(text))


EPICS = """
    # Tool shed

    ## Epic 1: Foundation

    ### Story 1.1: Project scaffold

    As a developer, I want a skeleton, so that the build is green.

    **Acceptance Criteria:**

    **Given** a clone
    **When** the build runs
    **Then** it passes.

    ### Story 1.2: Sign in

    As a member, I want to sign in, so that I am known.

    **Acceptance Criteria:**

    **Given** a mail address
    **When** I ask for a link
    **Then** I get one.

    ## Epic 2: Reservations

    ### Story 2.1: Reserve a tool

    As a member, I want to reserve a tool, so that I can plan.

    **Acceptance Criteria:**

    **Given** a free tool
    **When** I reserve it
    **Then** it is mine.
"""


def test_epics_and_stories_keep_their_order_and_wait_for_the_foundation() -> None:
    of = read(EPICS)
    assert cut(of) == [
        ("Foundation: Project scaffold and sign in", "1.1 1.2"),
        ("Reserve a tool", "2.1"),
    ]
    assert waits(of) == {
        ("Reserve a tool", "Foundation: Project scaffold and sign in", "foundation")
    }


KIRO = "\n".join(
    [
        "# Requirements Document",
        "## Requirements",
        *(
            f"### Requirement {n}: {title}\n\n**User Story:** As a user, I want it, so that it helps.\n\n"
            "#### Acceptance Criteria\n\n"
            + "\n".join(
                f"{c}. WHEN a user asks THEN the system SHALL do {c}." for c in range(1, 21)
            )
            for n, title in enumerate(("Search", "Write notes", "Print"), 1)
        ),
    ]
)
TASKS = """
    # Implementation Plan

    - [ ] 1. Notes first
      - _Requirements: 2.1, 2.2_
    - [ ] 2. Then the search
      - _Requirements: 1.1_
    - [ ] 3. {mark}Printing
      - _Requirements: 3.1_
"""


def test_a_list_of_tasks_orders_the_requirements_that_it_names() -> None:
    of = read(KIRO, ".kiro/specs/notes/requirements.md", tasks=TASKS.format(mark=""))
    assert [title for title, _ in cut(of)] == ["Write notes", "Search", "Print"]
    assert waits(of) == {("Search", "Write notes", "ordered"), ("Print", "Search", "ordered")}
    evidence = planned(of).changes[1].depends_on[0].evidence
    assert evidence.startswith(".kiro/specs/notes/tasks.md:6 '1. Notes first")


def items(*titles: str) -> str:
    body = "\n\n".join(
        f"### REQ-{n}: {title}\nThe shop MUST have it.\n" for n, title in enumerate(titles, 1)
    )
    return f"# Shop\n\n## Requirements\n\n{body}"


FEATURES = ("Basket", "Payment", "Receipt", "Mail orders", "Search", "Returns")


@pytest.mark.parametrize(
    "name",
    [
        "Project scaffold",
        "Database schema",
        "Data model",
        "Configuration",
        "数据模型",
        "Datenmodell",
    ],
)
def test_a_foundation_is_a_change_of_its_own_and_comes_first(name: str) -> None:
    of = read(items(*FEATURES[:4], name, *FEATURES[4:]))
    first, *rest = cut(of)
    assert first == (name, "REQ-5")
    assert {(title, name, "foundation") for title, _ in rest} == waits(of)


def test_a_foundation_group_keeps_the_authors_name() -> None:
    text = LIBRARY.format(catalogue="Catalogue", loans="Persistence")
    assert cut(read(text)) == [("Persistence", "FR-003 FR-004"), ("Catalogue", "FR-001 FR-002")]


def test_requirements_about_a_thing_wait_for_its_schema() -> None:
    of = read(items(*FEATURES, "Vouchers", "Gifts", "Opening hours", "Order schema"))
    assert ("Order schema", "REQ-10") in cut(of)
    assert len(cut(of)) == 3
    assert {on for _, on, _ in waits(of)} == {"Order schema"}
    assert len(waits(of)) == 1


def test_a_sentence_that_mentions_a_schema_is_not_a_foundation() -> None:
    of = read(items(*FEATURES, "The receipt follows the schema of the tax office"))
    assert waits(of) == set()


def test_an_epic_of_eighty_lines_is_large() -> None:
    lines = "\n".join(f"| {n} | The shop must keep row {n} |" for n in range(80))
    (change,) = planned(read(items("Everything") + f"\n| n | what |\n|---|---|\n{lines}\n")).changes
    assert change.size is ChangeSize.L


def test_list_items_below_a_feature_count_as_work() -> None:
    listed = "\n".join(f"- it keeps thing {n}" for n in range(10))
    text = items("Basket", "Payment", "Receipt", "Search").replace(
        "The shop MUST have it.", f"The shop MUST have it.\n\n{listed}"
    )
    assert [len(ids.split()) for _, ids in cut(read(text))] == [1, 1, 1, 1]
    assert len(cut(read(items("Basket", "Payment", "Receipt", "Search")))) == 1
    # In a group of the author's own, too, once it is more than one reviewer reads.
    of_one = text.replace("## Requirements", "## Requirements\n\n## The till")
    elsewhere = "\n## Else\n\n### REQ-9: Else\n\nThe shop MUST have it.\n"
    assert len(cut(read(of_one + elsewhere))) > 2


def test_one_long_requirement_is_large() -> None:
    lines = "\n".join(f"It keeps row {n}.\n" for n in range(80))
    (change,) = planned(read(items("Everything") + f"\n{lines}\n")).changes
    assert change.size is ChangeSize.L


def test_a_cycle_is_reported_with_its_members() -> None:
    text = items("Basket", "Payment", "Receipt", "Search")
    for n, on in ((1, 3), (2, 1), (3, 2)):
        text = text.replace(f"### REQ-{n + 1}:", f"Depends on: REQ-{on}\n\n### REQ-{n + 1}:")
    (finding,) = circles(read(text))
    assert finding.question.startswith("REQ-1 → REQ-3 → REQ-2 → REQ-1 wait for each other, so")
    assert circles(read(items("Basket", "Payment"))) == ()


@pytest.mark.parametrize(
    ("name", "leads"), [("Database migrations", True), ("Component Migration", False)]
)
def test_only_a_migration_of_data_is_a_foundation(name: str, leads: bool) -> None:
    assert is_foundation_name(name) is leads


MAPPED_EPICS = """
    # PRD: Notes

    ## Functional Requirements

    - FR1: A user opens an account
    - FR2: A user logs in
    - FR3: A user writes a note
    - FR4: A user puts a label on a note

    ### FR Coverage Map

    {0}

    ## Epic 1: Accounts

    ### Story 1.1: Registration

    **Given** a guest **When** they register **Then** an account is there

    ### Story 1.2: Login

    **Given** an account **When** its owner logs in **Then** notes are shown

    ## Epic 2: Notes

    {1}

    ### Story 2.1: Write a note

    **Given** a user **When** they write **Then** the note is kept

    ### Story 2.2: Labels

    **Given** a note (FR4) **When** a label is put on **Then** it is shown
"""
_MAP = """FR1 → Epic 1 – Registration
    FR2 → Epic 1 – Login
    FR3 → Epic 2 – Write a note
    FR4 → Epic 2 – Labels"""
_BULLETS = """- FR1: Epic 1 — Registration
    - FR2: Epic 1 — Login
    - FR3: Epic 2 — Write a note
    - FR4: Epic 2 — Labels"""


@pytest.mark.parametrize(
    ("mapped", "covers"), [(_MAP, ""), (_BULLETS, "**FRs covered:** FR3, FR4")]
)
def test_requirements_are_grouped_with_the_stories_of_their_epic(mapped: str, covers: str) -> None:
    spec = read(MAPPED_EPICS.format(mapped, covers))
    assert set(cut(spec)) == {
        ("Registration", "FR1 1.1"),
        ("Login", "FR2 1.2"),
        ("Write a note", "FR3 2.1"),
        ("Labels", "FR4 2.2"),
    }
    assert waits(spec) == {
        ("Login", "Registration", "ordered"),
        ("Write a note", "Login", "ordered"),
        ("Labels", "Write a note", "ordered"),
    }


def test_without_an_epic_map_words_assign_requirements_to_stories() -> None:
    parts = set(cut(read(MAPPED_EPICS.format("Later.", ""))))
    assert parts >= {("Registration", "FR1 1.1"), ("Login", "FR2 1.2")}


_ENDPOINT = """
    ## ADDED Requirements

    ### Requirement: {title}
    {text}

    #### Scenario: Shown
    - **WHEN** {when}
    - **THEN** {then}
"""


@pytest.mark.parametrize(
    ("offer", "call"),
    [
        ("The system SHALL provide `DELETE /api/jobs/:id`.", "it calls `DELETE /api/jobs/:id`"),
        ("系统 SHALL 提供 `DELETE /api/jobs/:id`。", "系统调用 `DELETE /api/jobs/:id`"),
        (
            "Le système SHALL offrir `DELETE /api/jobs/:id`.",
            "la page appelle `DELETE /api/jobs/:id`",
        ),
    ],
)
def test_the_provider_of_an_endpoint_comes_before_its_caller(offer: str, call: str) -> None:
    place = "openspec/changes/jobs/specs"
    button = {"text": "A button SHALL be there.", "then": call}
    page = {"text": f"The page SHALL show it when {call}.", "then": "y"}
    for user in (button, page):
        calling = _ENDPOINT.format(title="Button", when="x", **user)
        endpoint = _ENDPOINT.format(title="Endpoint", text=offer, when="x", then="y")
        files = {
            f"{place}/ui/spec.md": dedent(calling).encode(),
            f"{place}/zapi/spec.md": dedent(endpoint).encode(),
        }
        spec = read_spec("openspec/changes/jobs", files)
        assert waits(spec) == {("Button", "Endpoint", "shares")}


def test_two_providers_of_one_endpoint_do_not_wait() -> None:
    place = "openspec/changes/jobs/specs"
    offer = "The system SHALL provide `GET /jobs`."
    files = {
        f"{place}/{name}/spec.md": dedent(
            _ENDPOINT.format(title=name, text=offer, when="x", then="y")
        ).encode()
        for name in ("one", "two")
    }
    assert waits(read_spec("openspec/changes/jobs", files)) == set()


def test_a_story_without_requirements_is_planned() -> None:
    scaffold = """### Story 1.1: Scaffold

    **Given** an empty folder **When** it is set up **Then** the build passes

    ### Story 1.3: Registration"""
    spec = read(MAPPED_EPICS.format(_MAP, "").replace("### Story 1.1: Registration", scaffold))
    assert ("Scaffold", "1.1") in cut(spec)
    assert not [f for f in spec.findings if f.code == "no_scenario"]


def test_a_requirement_is_grouped_with_the_only_story_that_names_it() -> None:
    text = MAPPED_EPICS.format(_MAP.replace("FR2 → Epic 1 – Login", "FR2 → Epic 1"), "")
    spec = read(text.replace("**Given** a guest", "**Given** a guest (FR2)"))
    assert ("Registration", "FR1 FR2 1.1") in cut(spec)


def test_the_scenarios_of_a_story_are_assigned_once() -> None:
    spec = read(MAPPED_EPICS.format(_MAP, ""))
    lines = [s.line_start for d in spec.documents for s in d.scenarios]
    assert len(lines) == len(set(lines)) == 4
    assert [r.source_id for r in spec.requirements if r.scenarios] == ["1.1", "1.2", "2.1", "2.2"]


def test_a_story_whose_scenarios_were_assigned_has_none_left() -> None:
    one_epic = MAPPED_EPICS.partition("    ## Epic 2")[0].format(_MAP, "")
    spec = read(one_epic.replace("**Given** an account", "**Given** an account (FR2)"))
    lines = [s.line_start for d in spec.documents for s in d.scenarios]
    assert len(lines) == len(set(lines)) == 2


BARE_TASKS = """
    # Implementation Plan

    - [ ] 1. {0}
      - [ ] 1.1 A table of them
    - [ ] 2. {1}
    - [ ] 3. {2}
    - [ ] 4. Release
"""


def test_a_list_of_tasks_without_references_orders_by_its_words() -> None:
    tasks = BARE_TASKS.format("Notes can be written", "Searching", "Printing")
    of = read(KIRO, ".kiro/specs/notes/requirements.md", tasks=tasks)
    assert [title for title, _ in cut(of)] == ["Write notes", "Search", "Print"]
    assert waits(of) == {("Search", "Write notes", "ordered"), ("Print", "Search", "ordered")}


def test_a_step_that_is_called_as_a_requirement_does_it_whatever_its_tasks_speak_of() -> None:
    tasks = BARE_TASKS.format(
        "Print", "Search\n  - [ ] 2.1 Print", "Write notes\n  - [ ] 3.1 Print them"
    )
    of = read(KIRO, ".kiro/specs/notes/requirements.md", tasks=tasks)
    assert [title for title, _ in cut(of)] == ["Print", "Search", "Write notes"]


def test_the_requirements_of_a_small_page_are_changes_in_the_order_of_a_bare_list() -> None:
    small = "\n".join(
        line for line in KIRO.splitlines() if line[:1] not in "3456789" and not line[:2].isdecimal()
    )
    tasks = BARE_TASKS.format("Notes can be written", "Searching", "Printing")
    of = read(small, ".kiro/specs/notes/requirements.md", tasks=tasks)
    assert [title for title, _ in cut(of)] == ["Write notes", "Search", "Print"]


LAYERS = (("Domain", "Types to write"), ("Data", "Index to search"), ("View", "Form to print"))


def test_a_list_of_layers_creates_no_dependencies() -> None:
    layers = [f"{n} layer\n  - [ ] {at}.1 {task}" for at, (n, task) in enumerate(LAYERS, 1)]
    tasks = BARE_TASKS.format(*layers)
    of = read(KIRO, ".kiro/specs/notes/requirements.md", tasks=tasks)
    assert waits(of) == set()


def test_a_step_with_only_tests_is_not_a_change() -> None:
    tasks = BARE_TASKS.format("Printing", "Searching", "Testing of what users write")
    of = read(KIRO, ".kiro/specs/notes/requirements.md", tasks=tasks)
    assert waits(of) == {("Search", "Print", "ordered")}


def test_the_headings_over_tasks_order_the_capabilities_of_a_delta() -> None:
    delta = "## ADDED Requirements\n\n### Requirement: {0}\nThe shop SHALL do it.\n\n#### Scenario: Done\n- **WHEN** asked\n- **THEN** done\n"
    folder = "openspec/changes/sign"
    tasks = "# Tasks\n\n## 1. Signing\n- [ ] Compute a signature\n\n## 2. Dashboard\n- [ ] A page of deliveries\n"
    files = {
        f"{folder}/tasks.md": tasks.encode(),
        f"{folder}/specs/dashboard/spec.md": delta.format("Delivery list").encode(),
        f"{folder}/specs/mails/spec.md": delta.format("Signature of mails").encode(),
    }
    of = read_spec(folder, files)
    assert waits(of) == {("Delivery list", "Signature of mails", "ordered")}
    # Where requirements say what they wait for, all else runs side by side.
    name = f"{folder}/specs/dashboard/spec.md"
    files[name] = files[name].replace(b"do it.", b"do it.\n\n**Depends on:** Colours of the shop\n")
    files[f"{folder}/specs/looks/spec.md"] = delta.format("Colours of the shop").encode()
    assert waits(read_spec(folder, files)) == {("Delivery list", "Colours of the shop", "explicit")}


def test_durations_do_not_assign_requirements_to_stories() -> None:
    text = """
        # Feature Specification: Tools

        ## User Scenarios & Testing

        ### User Story 1 - Borrow a drill (Priority: P1)

        1. **Given** a drill, **When** it is borrowed, **Then** it is gone

        ### User Story 2 - Reminders (Priority: P2)

        1. **Given** a loan that is three days late, **When** it is noon, **Then** a mail is sent

        ## Requirements

        ### Functional Requirements

        - **FR-001**: System MUST show which drill is borrowed
        - **FR-002**: System MUST take it back after seven days
        - **FR-003**: System MUST send a mail about what is late
    """
    assert cut(read(text, "specs/001-tools/spec.md"))[0] == ("Borrow a drill", "FR-001 FR-002")


def test_the_second_piece_of_a_group_comes_after_the_first() -> None:
    rows = "\n".join(f"- **FR-0{n}**: System MUST keep page {n}." for n in range(10, 20))
    text = f"# Feature Specification: Pages\n\n## Requirements\n\n**Pages**\n\n{rows}\n"
    other = "\n**Loans**\n\n- **FR-009**: System MUST lend.\n"
    folder = "specs/001-pages"
    files = {
        f"{folder}/spec.md": (text + other).encode(),
        f"{folder}/tasks.md": b"- [ ] T001 Set up\n- [ ] T002 [US1] Build\n",
    }
    ((later, earlier, kind),) = waits(read_spec(folder, files))
    assert later.startswith("Pages")
    assert earlier.startswith("Pages")
    assert kind == "ordered"
    del files[f"{folder}/tasks.md"]
    assert waits(read_spec(folder, files)) == set()


def test_each_task_of_a_bare_list_is_matched_to_requirements() -> None:
    tasks = BARE_TASKS.format("Notes can be written", "Searching", "Printing")
    of = read(KIRO, ".kiro/specs/notes/requirements.md", tasks=tasks)
    named = {task.text: [id_.rpartition("#")[2] for id_ in ids] for task, ids in tasks_of(of)}
    assert named["Notes can be written"] == named["A table of them"] == ["2"]
    assert named["Release"] == []
