"""What an agent asks people: read from a tool's input or a file's text, and kept small.

A question that cannot be shown to a person is answered with a sentence for the agent, which may ask
again or decide by itself. An agent that has asked has ended; another run uses the answers.
"""

from collections.abc import Iterable
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from action.agents.outcome import AgentOutcome
from action.report import (
    CHOICE_CHARACTERS_MAX,
    CHOICES_MAX,
    QUESTION_CHARACTERS_MAX,
    QUESTIONS_AT_ONCE_MAX,
    AgentEnding,
    AgentQuestion,
)

ASK = "ask_person"
# Where a command agent leaves its questions, in the work tree; it is no part of the work.
QUESTIONS_FILE = ".headgate/questions.json"

_Words = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=QUESTION_CHARACTERS_MAX),
]
_Choice = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=CHOICE_CHARACTERS_MAX)
]


class _Question(BaseModel):
    model_config = ConfigDict(frozen=True)

    question: _Words = Field(description="One question, whole without the others.")
    why: _Words = Field(description="What depends on the answer, and where you met it.")
    choices: Annotated[tuple[_Choice, ...], Field(max_length=CHOICES_MAX)] = Field(
        (), description="The answers that you can think of, where they are few."
    )
    assumption: _Words = Field(description="What you will do if nobody answers.")


class _Asked(BaseModel):
    model_config = ConfigDict(frozen=True)

    questions: Annotated[
        tuple[_Question, ...], Field(min_length=1, max_length=QUESTIONS_AT_ONCE_MAX)
    ]


def ask_schema() -> dict[str, object]:
    return _Asked.model_json_schema()


def read_questions(given: object) -> tuple[AgentQuestion, ...] | str:
    """The questions in a tool's input (a value) or a file (its bytes), or why there are none."""
    try:
        if isinstance(given, bytes):
            asked = _Asked.model_validate_json(given)
        else:
            asked = _Asked.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the input"
        return f"The agent's questions could not be read: {where}: {first['msg']}."
    return tuple(AgentQuestion.model_validate(one.model_dump()) for one in asked.questions)


def ended_by_asking(questions: Iterable[AgentQuestion]) -> AgentOutcome:
    """The end of a run whose agent asks; questions beyond the limit are dropped."""
    kept = tuple(questions)[:QUESTIONS_AT_ONCE_MAX]
    count = "a question" if len(kept) == 1 else f"{len(kept)} questions"
    return AgentOutcome(AgentEnding.ASKED, f"The agent asks people {count}.", kept)
