"""The order of changes: stated dependencies of stories, foundations, contracts, priority."""

from textwrap import dedent

import pytest

from bot.core.plan.check import check
from bot.core.plan.deterministic import plan
from bot.core.spec.read import read_spec
from bot.core.values.spec_model import Spec
from tests.core.plan.kit import requirement, spec

FOLDER = "specs/002-lost-and-found"
STORIES = """
    # Feature Specification: Lost and found

    ## User Scenarios & Testing

    ### User Story 1 - Report a lost thing (Priority: P1)

    1. **Given** the form, **When** a guest sends a description, **Then** a report is kept

    ### User Story 2 - Match found things (Priority: P2)

    1. **Given** a report, **When** staff enter a found umbrella, **Then** a match is proposed

    ### User Story 3 - Send mail to guests (Priority: P3)

    1. **Given** a confirmed match, **When** staff press notify, **Then** a mail is sent

    ## Requirements

    ### Functional Requirements

    - **FR-001**: Guests MUST be able to report a lost thing with a description
    - **FR-002**: Staff MUST be able to enter found things
    - **FR-003**: System MUST propose what may match found things
    - **FR-004**: System MUST send a mail when staff notify
    - **FR-005**: System MUST refuse an empty description of a lost thing
"""
TASKS = """
    # Tasks

    - [ ] T001 Create the project
    - [ ] T002 [US1] Form
    - [ ] T003 [US2] Matching
    - [ ] T004 [US3] Mail

    ## Dependencies

    {said}
"""


def waits(of: Spec) -> set[tuple[str, str]]:
    found = plan(of)
    assert check(found, of) == ()
    title = {change.slug: change.title for change in found.changes}
    return {(c.title, title[d.on]) for c in found.changes for d in c.depends_on}


def order(of: Spec) -> list[str]:
    return [change.title for change in plan(of).changes]


def stories(said: str, in_spec: str = "") -> Spec:
    files = {
        f"{FOLDER}/spec.md": (dedent(STORIES) + in_spec).encode(),
        f"{FOLDER}/tasks.md": dedent(TASKS).format(said=said).encode(),
    }
    return read_spec(FOLDER, files)


MATCH, REPORT, MAIL = "Match found things", "Report a lost thing", "Send mail to guests"


@pytest.mark.parametrize(
    "said",
    [
        "- User Story 2 depends on User Story 1",
        "- **User Story 2 (P2)**: Requires US1 (reports are matched)",
        "- US2: start after completion of US1",
        "- US2 は US1 に依存する",
        "- US2 依赖 US1",
        "- US2 depende de US1",
    ],
)
def test_a_story_waits_for_the_story_that_a_sentence_names(said: str) -> None:
    assert waits(stories(said)) == {(MATCH, REPORT)}


def test_a_story_waits_for_each_of_several() -> None:
    said = "- **User Story 3**: Depends on US1, US2"
    assert waits(stories(said)) == {(MAIL, MATCH), (MAIL, REPORT)}
    assert waits(stories("- US2 (P2), US3 (P3): depend on US1")) == {
        (MATCH, REPORT),
        (MAIL, REPORT),
    }


@pytest.mark.parametrize(
    "said",
    [
        "- **User Story 2 (P2)**: Can start after Foundational (Phase 2) - No dependencies on US1",
        "- User Story 2 does not depend on User Story 1",
        "- US1 and US2 can run in parallel, US3 needs US1 only for its demo",
        "- User Story 2 may integrate with US1 but is independently testable",
    ],
)
def test_a_negative_or_optional_sentence_creates_no_dependency(said: str) -> None:
    assert waits(stories(said)) == set()


def test_a_sentence_of_the_spec_itself_counts() -> None:
    told = stories("", "\n## Dependencies\n\n- User Story 3 depends on User Story 2\n")
    assert waits(told) == {(MAIL, MATCH)}


def items(*titles: str) -> Spec:
    body = "\n\n".join(
        f"### Part {n}\n\n#### REQ-{n}: {title}\nThe courier MUST have it.\n"
        for n, title in enumerate(titles, 1)
    )
    text = f"# Courier\n\n## Requirements\n\n{body}"
    return read_spec("docs/courier.md", {"docs/courier.md": text.encode()})


OTHERS = ("Weather", "Bicycles", "Ropes", "Prices", "Tips")


@pytest.mark.parametrize(
    "ground",
    ["Project setup and CI", "Data model and migrations", "Set up the project and the pipeline"],
)
def test_a_foundation_of_two_parts_comes_first(ground: str) -> None:
    of = items(*OTHERS, ground, "Holidays")
    assert order(of)[0] == ground


def test_requirements_about_a_thing_wait_for_a_schema_for_it() -> None:
    of = items("Track a parcel", *OTHERS, "Database schema for parcels", "Weigh a parcel")
    ground = "Database schema for parcels"
    assert {user for user, on in waits(of) if on == ground} == {"Track a parcel", "Weigh a parcel"}


def test_the_project_comes_before_its_schema() -> None:
    of = items(*OTHERS, "Database schema", "Project setup", "Holidays")
    assert order(of)[:2] == ["Project setup", "Database schema"]


LENDING = """
    # Feature Specification: Tools

    ## User Scenarios & Testing

    ### User Story 1 - Reserve a tool (Priority: {first})

    1. **Given** a free tool, **When** a neighbour reserves it, **Then** it is taken

    ### User Story 2 - Browse the catalogue (Priority: {second})

    1. **Given** tools, **When** a neighbour opens the catalogue, **Then** each is listed

    ## Requirements

    ### Functional Requirements

    **Reserve a tool**

    - **FR-001**: System MUST let a neighbour reserve a tool
    - **FR-002**: System MUST create a `tools` table with names and days

    **Browse the catalogue**

    - **FR-003**: System MUST list what stands in the `tools` table
    - **FR-004**: System MUST show a picture of each
"""


def lending(first: str, second: str) -> Spec:
    text = dedent(LENDING).format(first=first, second=second)
    return read_spec("specs/003-tools", {"specs/003-tools/spec.md": text.encode()})


def test_words_alone_do_not_make_an_urgent_story_wait_for_a_less_urgent() -> None:
    reserve, browse = "Reserve a tool", "Browse the catalogue"
    assert waits(lending("P1", "P2")) == {(browse, reserve)}
    assert waits(lending("P2", "P1")) == set()
    assert order(lending("P2", "P1")) == [browse, reserve]


CONTRACT = """
    # Boats

    ## Requirements

    ### Hire

    - **FR-1**: The service MUST offer the endpoint `POST /boats`.
    - **FR-2**: The service MUST send a receipt.

    ### Search

    - **FR-3**: The page MUST call `POST /boats` when a boat is found.

    ### Prices

    - **FR-4**: The page MUST call `POST /boats` with the price.
"""


def test_the_rest_of_a_group_waits_for_its_extracted_contract() -> None:
    of = read_spec("specs/boats.md", {"specs/boats.md": dedent(CONTRACT).encode()})
    (contract,) = (c for c in plan(of).changes if c.type == "contract")
    rest = {c.domain for c in plan(of).changes if contract.slug in {d.on for d in c.depends_on}}
    assert rest == {"Hire", "Search", "Prices"}


def test_a_table_of_stories_says_what_each_depends_on() -> None:
    rows = "| Story | Depends On | Beside |\n|---|---|---|\n| US1 | - | US2 |\n| US3 (Mail) | US1, US2 | - |"
    assert waits(stories(rows.replace("\n", "\n    "))) == {(MAIL, MATCH), (MAIL, REPORT)}
    short = rows.replace("US1, US2 |", "US1+2 complete |").replace("\n", "\n    ")
    assert waits(stories(short)) == {(MAIL, MATCH), (MAIL, REPORT)}
    other = rows.replace("Depends On", "Parallel with")
    assert waits(stories(other.replace("\n", "\n    "))) == set()


GARDEN = """
    # Feature Specification: Beds

    ## User Scenarios & Testing

    ### User Story 1 - Create a bed (Priority: P1)

    1. **Given** the garden, **When** a gardener adds a bed with a name, **Then** it is kept

    ### User Story 2 - View beds in a list (Priority: P1)

    1. **Given** beds, **When** a gardener opens the overview, **Then** rows and columns are shown

    ### User Story 3 - Edit a bed (Priority: P1)

    1. **Given** a bed, **When** a gardener changes its name, **Then** the new name is kept

    ### User Story 4 - Sort beds (Priority: P2)

    1. **Given** beds, **When** a gardener presses a column, **Then** the order changes

    ## Requirements

    ### Functional Requirements

    - **FR-001**: System MUST allow gardeners to create beds
    - **FR-002**: System MUST show beds in a list view
    - **FR-003**: System MUST allow gardeners to edit all of a bed
    - **FR-004**: System MUST support four kinds of soil
    - **FR-005**: System MUST keep up to thirty plants
    - **FR-006**: System MUST support sorting by size
    {rest}
"""
REST = """
    - **FR-007**: System MUST write a log
    - **FR-008**: System MUST answer within a second
    - **FR-009**: System MUST work offline
"""


def beds(rest: str) -> dict[str, str]:
    text = dedent(GARDEN.format(rest=rest))
    of = read_spec("specs/004-beds", {"specs/004-beds/spec.md": text.encode()})
    return {c.title: " ".join(r.split("-")[-1] for r in c.requirements) for c in plan(of).changes}


def test_requirements_are_grouped_with_stories_in_their_order() -> None:
    assert beds("") == {
        "Create a bed": "001",
        "View beds in a list": "002",
        "Edit a bed": "003 004 005",
        "Sort beds": "006",
    }


def test_final_requirements_without_a_story_are_a_change_of_their_own() -> None:
    cut = beds(REST.strip())
    assert cut["Sort beds"] == "006"
    assert "007 008 009" in cut.values()


def test_words_alone_do_not_make_an_earlier_story_wait_for_a_later_one() -> None:
    def edges_of(first: str, second: str) -> set[tuple[str, str]]:
        makes = requirement("B", second, title="Create a label")
        uses = requirement("A", first, title="Show each label")
        found = plan(spec(makes, uses))
        names = {c.slug: c.requirements[0][-1] for c in found.changes}
        return {(names[c.slug], names[d.on]) for c in found.changes for d in c.depends_on}

    assert edges_of("Show a bed", "Sort beds") == {("A", "B")}
    assert edges_of("User Story 1 - Show a bed", "User Story 2 - Sort beds") == set()


DELTA = """
    ## {kind} Requirements

    ### Requirement: {title}

    {text}

    #### Scenario: One

    - **WHEN** it is asked for
    - **THEN** it is done
"""
PROPOSAL = """
    # Change

    What changes: `billing` sends the text.

    ## Capabilities

    - `pii-masking`: masks names
    - `billing`: masks what it sends
    - `alarms`: rings
"""


def masking(proposal: str) -> Spec:
    folder = "openspec/changes/mask-names"
    texts = {
        "alarms": ("ADDED", "Ring at night", "The service SHALL ring with a mask on."),
        "billing": ("MODIFIED", "Send a bill", "The service SHALL send PII only after masking."),
        "pii-masking": ("ADDED", "Mask a name", "The service SHALL mask PII in a text."),
    }
    files = {
        f"{folder}/specs/{name}/spec.md": dedent(
            DELTA.format(kind=kind, title=title, text=text)
        ).encode()
        for name, (kind, title, text) in texts.items()
    }
    return read_spec(folder, files | {f"{folder}/proposal.md": dedent(proposal).encode()})


def test_capabilities_come_in_the_order_of_the_proposal() -> None:
    assert order(masking(PROPOSAL)) == ["Mask a name", "Send a bill", "Ring at night"]
    assert order(masking("# Change")) == ["Ring at night", "Send a bill", "Mask a name"]


def test_a_requirement_that_names_a_new_capability_comes_after_it() -> None:
    assert waits(masking(PROPOSAL)) == {("Send a bill", "Mask a name")}
    assert waits(masking("# Change")) == set()
