"""What an agent run asked people, and how the waiting for answers ended.

A runner's words are cut to size and stripped of invisible characters before they are written down.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from action.report import (
    CHOICE_CHARACTERS_MAX,
    CHOICES_MAX,
    QUESTION_CHARACTERS_MAX,
    QUESTIONS_AT_ONCE_MAX,
    AgentQuestion,
)
from bot.core.values.ids import OrderId
from bot.core.values.question import AskedQuestions, Question
from bot.core.values.quoting import visible


class WaitingEnd(StrEnum):
    ANSWERED = "answered"
    TIME_IS_UP = "time_is_up"
    NOBODY_IS_ASKED = "nobody_is_asked"
    BY_A_PERSON = "by_a_person"


@dataclass(frozen=True, kw_only=True, slots=True)
class Clarification:
    """The questions of one agent run, with their answers; `ended` is None while people may answer.

    `attempt` is the one that asked; it does not count against the number of attempts.
    """

    order: OrderId
    attempt: int
    asked_at: datetime
    asked: AskedQuestions = field(default_factory=AskedQuestions)
    ended: WaitingEnd | None = None
    ended_by: str = ""


def numbered(asked: Iterable[AgentQuestion], last: int) -> tuple[Question, ...]:
    """What a runner asks, cut to size and numbered on from `last`; a blank question is none."""
    kept = tuple(asked)[:QUESTIONS_AT_ONCE_MAX]
    told = [(_words(one.question), one) for one in kept]
    said = [(words, one) for words, one in told if words]
    return tuple(
        Question(
            number=number,
            sentence=words,
            why=_words(one.why),
            choices=tuple(
                choice
                for c in one.choices[:CHOICES_MAX]
                if (choice := _words(c, CHOICE_CHARACTERS_MAX))
            ),
            assumption=_words(one.assumption) or "whatever is easiest to take back",
        )
        for number, (words, one) in enumerate(said, start=last + 1)
    )


def _words(text: str, characters_max: int = QUESTION_CHARACTERS_MAX) -> str:
    # Also cut before it is parsed, because the invisible part may be a megabyte.
    return visible(text[: 4 * characters_max]).strip()[:characters_max]
