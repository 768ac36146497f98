"""Clarifications: what an agent run asked people, what they answered, and how the waiting ended.

A runner's words are cut to size and stripped of invisible characters before they are written down.
Numbers run on within a change, so that one answer means one question.
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
from bot.core.values.ids import Frozen, OrderId
from bot.core.values.quoting import visible


class AskedQuestion(Frozen):
    """One question under its number; `assumption` holds where nobody answers."""

    number: int
    question: str
    why: str
    choices: tuple[str, ...]
    assumption: str


@dataclass(frozen=True, kw_only=True, slots=True)
class GivenAnswer:
    """What a person who may write answered."""

    answer: str
    author: str
    given_at: datetime


class WaitingEnd(StrEnum):
    """Why nothing is waited for any more."""

    ANSWERED = "answered"
    TIME_IS_UP = "time_is_up"
    NOBODY_IS_ASKED = "nobody_is_asked"
    BY_A_PERSON = "by_a_person"


@dataclass(frozen=True, kw_only=True, slots=True)
class Clarification:
    """The questions of one agent run, with the answers so far; `ended` None: still waited for.

    `attempt` is the one that asked; it counts against no budget.
    """

    order: OrderId
    attempt: int
    questions: tuple[AskedQuestion, ...]
    asked_at: datetime
    answers: dict[int, GivenAnswer] = field(default_factory=dict)
    ended: WaitingEnd | None = None
    ended_by: str = ""

    @property
    def unanswered(self) -> tuple[int, ...]:
        """The numbers that nobody has answered."""
        return tuple(q.number for q in self.questions if q.number not in self.answers)


def numbered(asked: Iterable[AgentQuestion], last: int) -> tuple[AskedQuestion, ...]:
    """What a runner asks, cut to size and numbered on from `last`; a blank question is none."""
    kept = tuple(asked)[:QUESTIONS_AT_ONCE_MAX]
    told = [(_words(one.question), one) for one in kept]
    said = [(words, one) for words, one in told if words]
    return tuple(
        AskedQuestion(
            number=number,
            question=words,
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
    # Cut before it is read, too: what nobody can see may be a megabyte.
    return visible(text[: 4 * characters_max]).strip()[:characters_max]
