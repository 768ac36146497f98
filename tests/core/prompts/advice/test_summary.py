"""A summary is shown only if every number in it is a fact of the report."""

import pytest

from bot.core.prompts.summary_prompt import ChangeFact, SummaryAnswer, SummaryFacts, refusal_of

FACTS = SummaryFacts(
    title="Shop 2000",
    figures={"requirements": 12, "requirements landed": 11, "agent runs": 14, "gate runs": 1200},
    changes=(
        ChangeFact(title="Build the till", ended="landed", attempts=2, requirements=6),
        ChangeFact(
            title="Build the door",
            ended="failed",
            attempts=3,
            requirements=5,
            why="97 tests of 98 passed.",
        ),
    ),
    missing=("REQ-DOOR-04: failed",),
)


def refused(paragraph: str, note: str = "") -> str:
    return refusal_of(FACTS, SummaryAnswer(paragraph=paragraph, not_covered_note=note))


@pytest.mark.parametrize(
    "text",
    [
        "Eleven of 12 requirements landed, in 14 agent runs and 1,200 gate runs.",
        "The till took two attempts, the door failed after three.",
        "Shop 2000 has all of it but REQ-DOOR-04.",
        "No one was asked.",
    ],
)
def test_numbers_from_the_facts_are_allowed(text: str) -> None:
    assert refused(text) == ""


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("13 requirements landed.", "13"),
        ("Four requirements landed.", "4"),
        ("About 91.7 percent landed.", "91.7"),
        ("Half of it landed.", "half"),
        ("It took 1.200 gate runs.", "1.200"),
        ("It took 120 gate runs.", "120"),
        ("97 tests passed.", "97"),
        ("It took twice as long.", "twice"),
    ],
)
def test_an_invented_number_rejects_the_whole_summary(text: str, number: str) -> None:
    assert refused(text) == f"It names a number that is not among the facts: {number}."
    assert (
        refused("All landed.", text) == f"It names a number that is not among the facts: {number}."
    )


def test_a_number_in_a_reason_is_not_a_fact() -> None:
    assert "97" in refused("97 tests of 98 passed.")


@pytest.mark.parametrize("text", ["See https://x.test", "<b>All</b> landed.", "@ann did it.", "#4"])
def test_markup_and_addresses_are_refused(text: str) -> None:
    assert refused(text) == "It holds markup or an address."


def test_a_paragraph_is_short() -> None:
    assert refused("word " * 120) == ""
    assert refused("word " * 121) == "It has 121 words; 120 are the most."
