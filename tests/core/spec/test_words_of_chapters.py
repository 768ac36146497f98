"""Which headings name side information, and which name a function with similar words."""

import pytest

from bot.core.spec.formats.prose_words import INTRODUCES, NOT_A_FEATURE
from bot.core.spec.read import read_document
from bot.core.spec.triage.words import HeadingKind, heading_kind


@pytest.mark.parametrize(
    "heading",
    [
        *("Overview", "1. Introduction", "Executive Summary", "2.1 Background and motivation"),
        *("A. Overview", "II. Introduction", "Section 1: Overview", "Chapter 2 - Background"),
        *("Architecture Overview", "API overview", "Introduction to the product", "Environment Variables"),
        *("Environment set-up", "Reference documents", "Risks & mitigations", "External dependencies"),
    ],
)  # fmt: skip
def test_a_chapter_of_side_information_is_not_a_feature(heading: str) -> None:
    assert NOT_A_FEATURE.search(heading)


@pytest.mark.parametrize(
    "heading",
    ["Order Summary", "7.5 AI Repository Summary", "Background Sync", "Dashboard overview"],
)
def test_a_function_with_a_word_of_side_information_is_a_feature(heading: str) -> None:
    assert not NOT_A_FEATURE.search(heading)


def test_a_functional_scope_is_not_an_introduction() -> None:
    assert INTRODUCES.match("1. Périmètre")
    assert not INTRODUCES.match("4. Périmètre fonctionnel")


def test_a_chapter_about_a_status_that_says_functions_is_read() -> None:
    text = (
        "# Functional Requirements\n\n## Orders\n\n- Create an order\n\n"
        "## Order Status\n\n- The customer sees where an order is\n- The keeper moves an order on\n\n"
        "## Batch Status\n\n- pending\n- in_progress\n- partly done\n"
    )
    read = [r.line_start for r in read_document("docs/functional.md", text.encode()).requirements]
    assert read == [5, 9, 10]


def test_only_the_first_characters_of_a_heading_decide_its_kind() -> None:
    assert heading_kind("what we " * 40 + "call requirements") is HeadingKind.REQUIREMENTS
    assert heading_kind("what we " * 80 + "call requirements") is HeadingKind.OTHER
