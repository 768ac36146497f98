"""All questions to people have one form."""

import pytest

from bot.core.spec.triage.triage import Strictness
from bot.core.talk.question_text import how_to_answer, question_lines
from bot.core.talk.replies import question_answered, questions_first
from bot.core.talk.spec_digest import DigestContext, questions_text
from bot.core.values.question import Answer, AskedQuestions, Question
from bot.core.values.spec_model import Severity
from tests.core.values import FACTS, START, sha

QUESTION = Question(
    number=7,
    sentence="Which coins?",
    topic="t",
    text_hash="now",
    severity=Severity.BLOCK,
    path="specs/till.md",
    line=4,
    quote="TBD",
)
ANSWER = Answer(
    text="euros", author="ann", given_at=START, link="https://x.test/1", text_hash="now"
)


def _of_spec(*decisions: Answer) -> str:
    return questions_text(
        DigestContext(
            facts=FACTS,
            sha=sha("main"),
            asked=AskedQuestions(rounds={0: (QUESTION,)}),
            decisions=dict.fromkeys(["t"] if decisions else [], *decisions),
            strictness=Strictness.LENIENT,
        )
    )


def test_an_open_question_lists_answers_and_the_result_of_no_answer() -> None:
    asked = QUESTION.replace(quote="", why="It decides the slot.", choices=("one euro", "two"))
    assert question_lines(asked, None, without="The plan waits.") == [
        "- **7.** Which coins? <sub>It decides the slot.</sub>",
        "  - Possible answers: one euro; two",
        "  - The plan waits.",
    ]
    assert question_lines(asked, None)[-1] == "  - Not answered yet."


def test_an_answered_question_shows_who_answered_and_where() -> None:
    assert question_lines(QUESTION.replace(quote=""), ANSWER) == [
        "- **7.** Which coins?",
        "  - Answered by @ann: euros ([comment](https://x.test/1))",
    ]


def test_a_question_about_a_spec_has_the_form_of_all_others() -> None:
    where = f"[`specs/till.md:4`]({FACTS.html_url}/blob/{sha('main')}/specs/till.md#L4)"
    waits = "**The plan waits for this answer.**"
    still_open = "\n".join(question_lines(QUESTION, None, where=where, without=waits))
    assert f"\n\n{still_open}\n\n{how_to_answer(7)} " in _of_spec()
    answered = "\n".join(question_lines(QUESTION, ANSWER, where=where))
    assert f"\n\n{answered}\n\n" in _of_spec(ANSWER)


def test_a_question_whose_answer_expired_still_says_that_the_plan_waits() -> None:
    said = _of_spec(ANSWER.replace(text_hash="before"))
    assert (
        "  - The answer of @ann no longer counts, because the text has changed since then. "
        "**The plan waits for this answer.**" in said
    )


@pytest.mark.parametrize(
    "said", [question_answered(QUESTION, ANSWER), questions_first((QUESTION,))]
)
def test_a_reply_about_a_question_has_the_same_form(said: str) -> None:
    answer = ANSWER if "euros" in said else None
    assert "\n".join(question_lines(QUESTION, answer)) in said


def test_questions_have_no_checkboxes() -> None:
    drawn = (*question_lines(QUESTION, None), *question_lines(QUESTION, ANSWER))
    assert not [line for line in drawn if "[ ]" in line or "[x]" in line]
