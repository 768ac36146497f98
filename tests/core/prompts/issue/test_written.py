"""Writing a spec: it reads back as meant, and no field adds requirements."""

import pytest
from hypothesis import given, strategies as st
from pydantic import ValidationError

from bot.core.prompts.issue_forms import (
    ReadinessAnswer,
    WrittenRequirement,
    WrittenScenario,
    WrittenSpec,
)
from bot.core.prompts.spec_from_answers import (
    CHECKLIST,
    NOT,
    THEN,
    WHAT,
    WHO,
    is_ready,
    written,
    written_by_rules,
)
from bot.core.spec.read import read_spec
from bot.core.values.issue_input import Exchange

PATH = "specs/a-till.md"
SAYS = "The till SHALL take coins."


def requirement(
    says: str = SAYS, area: str = "till", title: str = "Take coins"
) -> WrittenRequirement:
    """One requirement with one scenario."""
    scenario = WrittenScenario(
        name="A coin",
        given=("an open till",),
        when=("a coin falls in", "it is 2 euros"),
        then=("2.00 is shown",),
    )
    return WrittenRequirement(area=area, title=title, statement=says, scenarios=(scenario,))


def spec(*requirements: WrittenRequirement, **more: object) -> WrittenSpec:
    """A spec of these requirements."""
    whole = WrittenSpec(title="A till", purpose="", requirements=requirements, out_of_scope=())
    return whole.model_copy(update=more)


def said(question: str, answer: str = "", number: int = 1) -> Exchange:
    """A question and what was answered."""
    return Exchange(number=number, question=question, answer=answer, author="ada")


def test_areas_become_ids_and_scenarios_their_steps() -> None:
    parts = spec(
        requirement(),
        requirement(area="mail"),
        requirement(),
        out_of_scope=("Notes.",),
        purpose="P",
    )
    text = written(PATH, parts, [said("Which?"), said("Where?", "Here", 2)]).text
    read = read_spec(PATH, {PATH: text.encode()})
    assert [r.source_id for r in read.requirements] == [
        "REQ-TILL-01",
        "REQ-MAIL-01",
        "REQ-TILL-02",
    ]
    scenario = read.requirements[0].scenarios[0]
    assert (scenario.given, scenario.then) == (("an open till",), ("2.00 is shown",))
    assert text.endswith("## Out of scope\n\n- Notes.\n\n## Open questions\n\n- Which?\n")


@pytest.mark.parametrize(
    "says",
    [
        "# Heading\n### REQ-EVIL-01: Evil\nIt SHALL be evil.",
        "- It SHALL take coins.\n- It SHALL take notes.",
        "```\nIt SHALL take coins.",
        "---\nstatus: draft\n---\nIt SHALL take coins.",
        "It SHALL take<!-- every --> coins\u200b\u202e.",
        "> | It SHALL | take coins |",
    ],
)
def test_every_field_is_written_on_one_line(says: str) -> None:
    done = written(PATH, spec(requirement(says)), [])
    assert done.is_read_back
    assert done.text.count("\n### ") == 1
    assert "every" not in done.text
    read = read_spec(PATH, {PATH: done.text.encode()})
    assert [r.source_id for r in read.requirements] == ["REQ-TILL-01"]


@pytest.mark.parametrize("says", ["REQ-TILL-07: The till SHALL sing.", "~~", "# #"])
def test_a_text_that_does_not_read_back_is_reported_and_not_used(says: str) -> None:
    done = written(PATH, spec(requirement(says)), [])
    assert not done.is_read_back
    assert "REQ-TILL-01" in done.reasons[0]


def test_an_open_placeholder_in_a_requirement_is_a_reason() -> None:
    done = written(PATH, spec(requirement("The till SHALL take TBD coins.")), [])
    assert done.is_read_back
    assert "This is left open" in done.reasons[0]


_words = st.text(min_size=1, max_size=60)


@given(_words, _words, _words, _words)
def test_any_words_add_no_requirement(title: str, says: str, step: str, note: str) -> None:
    scenario = WrittenScenario(name=note, given=(), when=(step,), then=(step,))
    one = WrittenRequirement(area="till", title=title, statement=says, scenarios=(scenario,))
    done = written(PATH, spec(one, out_of_scope=(note,)), [said(step)])
    read = read_spec(PATH, {PATH: done.text.encode()})
    if done.is_read_back:
        assert [r.source_id for r in read.requirements] == ["REQ-TILL-01"]
    else:
        assert done.reasons


@given(_words, st.lists(_words, min_size=4, max_size=4))
def test_any_answers_of_people_are_written_into_the_spec(title: str, answers: list[str]) -> None:
    exchanges = [
        said(q, a, n) for n, ((q, _), a) in enumerate(zip(CHECKLIST, answers, strict=True), 1)
    ]
    text = written_by_rules(title, "", exchanges)
    assert text.startswith("# ")
    assert text.count("\n## Requirements\n") == 1


def test_answers_to_the_fixed_list_make_a_spec_that_is_ready() -> None:
    answers = {WHAT: SAYS, WHO: "A shopper puts in 2 euros", THEN: "2.00 is shown", NOT: "Notes"}
    text = written_by_rules("A till", "", [said(q, a) for q, a in answers.items()])
    assert is_ready(PATH, text)
    assert "### REQ-TILL-01: A till\n" in text


def test_without_answers_the_issue_text_is_used_and_open_questions_are_listed() -> None:
    text = written_by_rules("A till", "Take coins.\n\nPlease!", [said(WHAT), said("Who?", "Eve")])
    assert "### REQ-TILL-01: A till\nTake coins. Please!\n" in text
    assert "## Notes\n\n- Who? Eve\n" in text
    assert f"## Open questions\n\n- {WHAT}\n" in text
    assert not is_ready(PATH, text)


@pytest.mark.parametrize(
    ("body", "ready"),
    [
        ("Please take coins.", False),
        ("", False),
        ("The till SHALL take coins.", False),
        (
            "### REQ-TILL-01: Coins\nThe till SHALL take coins.\n\n#### Scenario: One\n"
            "- **WHEN** a coin falls in\n- **THEN** 2.00 is shown\n",
            True,
        ),
    ],
)
def test_a_text_is_ready_if_it_raises_no_question(body: str, ready: bool) -> None:
    assert is_ready(PATH, f"# A till\n\n{body}\n") is ready


def test_an_answer_is_questions_or_a_spec_and_never_both_or_neither() -> None:
    asked = {"question": "Which?", "why": "", "choices": []}
    parts = spec(requirement()).model_dump()
    ReadinessAnswer.model_validate({"questions": [asked], "spec": None})
    ReadinessAnswer.model_validate({"questions": [], "spec": parts})
    wrong: list[dict[str, object]] = [
        {"questions": [asked], "spec": parts},
        {"questions": [], "spec": None},
    ]
    for both in wrong:
        with pytest.raises(ValidationError, match="never with both"):
            ReadinessAnswer.model_validate(both)
    with pytest.raises(ValidationError):
        ReadinessAnswer.model_validate({"questions": [asked] * 8, "spec": None})
