"""Forms that only look like those of the second reading."""

from textwrap import dedent

from bot.core.spec.read import read_document
from bot.core.values.spec_model import SpecDocument


def read(text: str, path: str = "docs/user-stories.md") -> SpecDocument:
    return read_document(path, dedent(text).encode())


def test_other_lists_in_a_code_block_are_not_criteria() -> None:
    text = """
        # Stories

        ## Hire a boat

        As a guest, I want to hire a boat, so that I can cross the lake.

        ```yaml
        acceptance_criteria:
          - The boat is free
        tasks:
          - Draw the form
        ```

        ## Return a boat

        As a keeper, I want to note a return, so that the boat is free again.
    """
    told = [[s.text for s in r.scenarios] for r in read(text).requirements]
    assert told == [["The boat is free"], []]


def test_fields_may_be_points_of_a_list() -> None:
    text = """
        # Stories

        - **Story ID**: BH-1
        - **Title**: Hire a boat
        - **Acceptance Criteria**:
          - The boat is free
        - **Priority**: High

        ***

        - **Story ID**: BH-2
        - **Title**: Return a boat
        - **Priority**: Low
    """
    found = read(text).requirements
    assert [(r.title, r.source_id, len(r.scenarios)) for r in found] == [
        ("Hire a boat", "BH-1", 1),
        ("Return a boat", "BH-2", 0),
    ]


def test_requirements_of_the_business_that_bind_are_read() -> None:
    text = """
        # Barcos

        ## Requisitos de Negócio

        - Um barco atrasado deve custar uma taxa
        - Menos filas

        ## Requisitos Funcionais

        - O visitante aluga um barco
    """
    assert [r.title for r in read(text, "docs/requirements.md").requirements] == [
        "Um barco atrasado deve custar uma taxa",
        "Menos filas",
        "O visitante aluga um barco",
    ]


def test_criteria_with_conditions_below_are_not_names() -> None:
    text = """
        # Requirements Document

        ## Requirements

        ### Requirement 1: Hire

        #### Acceptance Criteria

        1. WHEN a guest pays THEN the system SHALL lend the boat
           1. IF it rains THEN the system SHALL warn
        2. WHEN the hour is over THEN the system SHALL ring
           1. IF the boat is late THEN the system SHALL ring again
    """
    (one,) = read(text, ".kiro/specs/boats/requirements.md").requirements
    assert [s.name for s in one.scenarios] == ["1.1", "1.2"]
    assert ["pays" in one.scenarios[0].text, "hour is over" in one.scenarios[1].text] == [
        True,
        True,
    ]


def test_numbers_of_any_form_are_read_on_a_page_of_requirements() -> None:
    text = """
        # Boats features

        ## Requirements

        1.1. A guest pays
        2、A guest leaves

        ## Core features

        2.1. A keeper notes it
    """
    assert [r.title for r in read(text, "docs/requirements.md").requirements]
