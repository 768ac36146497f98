"""Events of questions to people, whoever asks: put at a place under numbers, and answered there.

Each is a small frozen value in the past tense; see `events` for the rule.
"""

from typing import Literal

from bot.core.values.ids import Frozen
from bot.core.values.question import Answer, Question


class QuestionsPut(Frozen):
    """The questions of a place are these; of the same round, what was answered before stays.

    `last` is the highest number that was ever given there; `by_rules`: an issue's, of no model.
    """

    type: Literal["QuestionsPut"] = "QuestionsPut"
    place: str
    questions: tuple[Question, ...]
    last: int
    round: int = 0
    by_rules: bool = False


class QuestionAnswered(Frozen):
    """A person answered a question; a newer answer takes the older one's place."""

    type: Literal["QuestionAnswered"] = "QuestionAnswered"
    place: str
    number: int
    answer: Answer
