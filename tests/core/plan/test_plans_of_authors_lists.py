"""What authors write beside a spec: ticked lists, maps of epics, reports, names of changes."""

from textwrap import dedent

import pytest

from bot.core.plan.phrases import shortened
from bot.core.plan.readiness import uncovered
from bot.core.spec.read import read_spec
from bot.core.spec.triage.words import HeadingKind, heading_kind
from tests.core.plan.test_authored import cut, waits
from tests.core.plan.test_plans_of_fresh_folders import ENGLISH, delta, kiro, slugs, speckit

TICKED = "\n".join(f"- [x] T00{n} Do {n}" for n in range(1, 7))


@pytest.mark.parametrize(
    ("behind", "is_built"),
    [
        ("", True),
        ("\n- [P] tasks = different files, no dependencies", True),
        ("\n- [ ]* T007 Write tests, if there is time", True),
        ("\n- [ ] T007 Show it", False),
    ],
)
def test_a_list_counts_as_ticked_if_all_required_tasks_are_ticked(
    behind: str, is_built: bool
) -> None:
    of = speckit(ENGLISH, f"# Tasks\n\n{TICKED}{behind}\n")
    assert (cut(uncovered({}, of)) == []) is is_built


@pytest.mark.parametrize("heading", ["Critérios de aceite", "Acceptance (the gate)"])
def test_criteria_are_recognised_under_other_names(heading: str) -> None:
    page = f"# Spec 003 — Weights\n\n## {heading}\n\n- A weight is kept\n- A weight is shown\n"
    of = read_spec("specs/003-weights", {"specs/003-weights/spec.md": page.encode()})
    assert len(of.requirements) == 2
    assert [title for title, _ in cut(of)] == ["Weights"]


@pytest.mark.parametrize(
    "heading", ["Functional requirements / Out of scope", "機能要件 / 非機能要件 / スコープ外"]
)
def test_a_heading_that_names_both_excludes_only_the_out_of_scope_part(heading: str) -> None:
    page = f"# Walk\n\n## {heading}\n\n### Functional requirements\n\n- FR-1 Record the road\n- FR-2 Give a stone\n\n### Out of scope\n\n- Duels\n"
    of = read_spec("specs/001-walk", {"specs/001-walk/spec.md": page.encode()})
    assert cut(of) == [("Walk", "FR-1 FR-2")]


@pytest.mark.parametrize(
    "heading",
    [
        "Requirements and features out of scope",
        "Out of scope features and requirements",
        "Requirements/features out of scope",
        "Non-goals and excluded requirements",
        "Requirements out of scope / Non-goals",
    ],
)
def test_a_heading_that_puts_both_out_of_scope_has_no_requirements(
    heading: str,
) -> None:
    assert heading_kind(heading) is HeadingKind.OUT_OF_SCOPE


def test_a_verb_with_a_hyphen_is_one_verb() -> None:
    assert shortened("The member SHALL re-authenticate before the call") == (
        "Member re-authenticates before the call"
    )


def test_a_delta_of_one_change_has_the_name_that_its_author_gave_it() -> None:
    of = delta(("Plates", "Doors"), capability="stove-top")
    assert ([title for title, _ in cut(of)], slugs(of)) == (["Heat the stove"], ["heat-the-stove"])


def test_requirements_of_a_large_step_take_its_place() -> None:
    names = ("Old links", "Free books", "Lending", "Checks", "Numbers", "States", "Tab", "Table")
    tasks = (
        "- [ ] 1. Foundations\n  - _Requirements: 8.1-8.2_\n"
        "- [ ] 2. Server functions\n  - _Requirements: 2.1-2.2, 3.1-3.2, 4.1-4.2, 5.1-5.2, 6.1-6.2_\n"
        "- [ ] 3. Staff panel\n  - _Requirements: 7.1-7.2_\n"
        "- [ ] 4. Clean-up\n  - _Requirements: 1.1-1.2_\n"
    )
    found = cut(kiro(tasks, names, criteria=2))
    assert [ids for _, ids in found] == ["8", "2", "3", "4", "5", "6", "7", "1"]


EPICS = """
    # Garden - Epic Breakdown

    ## Requirements Inventory

    ### Functional Requirements

    FR-1: Free beds — the list and what is reserved (FR-3) can be seen.
    FR-2: Signed tickets — each ticket has a signature.
    FR-3: Reservation — a guest reserves a bed.
    FR-4: Choice of a bed — the keeper chooses the bed of the day.

    ### FR Coverage Map

    FR1: Epic 1 - Beds
    FR2: Epic 1 - Tickets
    FR3: Epic 1 - Reservation
    FR4: Epic 2 - Choice

    ## Epic 1: Beds

    ### Story 1.1: Free Beds

    **Given** a bed **When** the list opens **Then** it is there

    ### Story 1.2: Reservation with Tickets

    **Given** a bed **When** a guest reserves it **Then** a ticket is made

    ## Epic 2: Door

    ### Story 2.1: Choice of a Bed

    **Given** a keeper **When** they choose **Then** it is the one

    ### Story 2.2: The Day in Numbers

    **Given** signed tickets **When** it opens **Then** none shows a signature (FR-2)

    **Given** a guest **When** they ask **Then** they are refused as for FR-4
"""
FOLDER = "_bmad-output/planning-artifacts"


def epics(name: str = "epics.md", **beside: str) -> list[tuple[str, str]]:
    files = {f"{FOLDER}/{name}": dedent(EPICS).encode()}
    files |= {f"{FOLDER}/{other}.md": text.encode() for other, text in beside.items()}
    return cut(read_spec(FOLDER, files))


def test_a_criterion_that_cites_a_requirement_in_passing_does_not_take_it() -> None:
    assert epics() == [
        ("Free Beds", "FR-1 1.1"),
        ("Reservation with Tickets", "FR-2 FR-3 1.2"),
        ("Choice of a Bed", "FR-4 2.1"),
        ("The Day in Numbers", "2.2"),
    ]


def test_a_story_does_not_wait_for_a_later_one_that_it_mentions() -> None:
    of = read_spec(FOLDER, {f"{FOLDER}/epics.md": dedent(EPICS).encode()})
    assert not [one for one in waits(of) if one[0] == "Free Beds"]


def test_only_epics_are_read_if_a_folder_has_them() -> None:
    page = "# PRD\n\n## Functional Requirements\n\n- FR-9: A guest sings\n"
    beside = {"prd": page, "implementation-readiness-report": page, ".memlog": page}
    for name in ("epics.md", "Epics.md", "epics/epic-1.md"):
        assert epics(name, **beside) == epics()


def test_without_epics_a_folder_of_bmad_is_read_by_its_page() -> None:
    page = "# PRD\n\n## Functional Requirements\n\n- FR-9: A guest sings\n"
    names = ("prd.md", "product-brief.md", "architecture.md")
    spec = read_spec(FOLDER, {f"{FOLDER}/{name}": page.encode() for name in names})
    assert [d.path for d in spec.documents] == [f"{FOLDER}/prd.md"]


def test_hidden_notes_are_not_specs() -> None:
    page = "# PRD\n\n## Functional Requirements\n\n- FR-9: A guest sings\n"
    files = {"docs/plan/a.md": page.encode(), "docs/plan/.memlog.md": page.encode()}
    assert [d.path for d in read_spec("docs/plan", files).documents] == ["docs/plan/a.md"]
