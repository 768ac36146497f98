"""Questions to people with their numbers and answers: one value for all who ask.

A place is where people answer: a spec's path, `pull:N`, `issue:N` for an issue that asks for work,
`change:ID` for an agent, or `money:ID` for a spec run's budget. What a model is asked is a prompt.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime

from bot.core.values.ids import ChangeId, Frozen, SpecRunId
from bot.core.values.spec_model import Severity

CHANGE_PLACE = "change:"


class Question(Frozen):
    """One question; `assumption` is used if there is no answer in time.

    Only questions about specs have the fields from `topic` on: `topic` identifies the question,
    `text_hash` the text that it is about, `requirement` and `also` the requirements
    that it is in, `lines` all its lines if there are several. `cents` (US) is what a yes about money allows.
    """

    number: int
    sentence: str
    why: str = ""
    choices: tuple[str, ...] = ()
    assumption: str = ""
    topic: str = ""
    text_hash: str = ""
    severity: Severity = Severity.ASK
    path: str = ""
    line: int = 0
    quote: str = ""
    requirement: str = ""
    also: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()
    cents: int = 0


class Answer(Frozen):
    """A person's answer; `text_hash` is the text of a spec for which it is valid.

    `given_at` is None in events of earlier releases.
    """

    text: str
    author: str
    given_at: datetime | None = None
    link: str = ""
    text_hash: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class AskedQuestions:
    """The questions of one place by round; `last` is the highest number ever given there."""

    rounds: dict[int, tuple[Question, ...]] = field(default_factory=dict)
    answers: dict[int, Answer] = field(default_factory=dict)
    last: int = 0

    @property
    def questions(self) -> tuple[Question, ...]:
        return tuple(q for questions in self.rounds.values() for q in questions)

    @property
    def unanswered(self) -> tuple[Question, ...]:
        return tuple(q for q in self.questions if q.number not in self.answers)

    def put(self, round_: int, questions: tuple[Question, ...], last: int) -> "AskedQuestions":
        """Replace the questions of a round; their existing answers stay."""
        fresh = {q.number for q in questions}
        kept = tuple(
            q
            for q in self.rounds.get(round_, ())
            if q.number in self.answers and q.number not in fresh
        )
        others = {number: put for number, put in self.rounds.items() if number != round_}
        now = {round_: (*kept, *questions)} if kept or questions else {}
        return replace(self, rounds={**others, **now}, last=max(self.last, last))

    def answered(self, number: int, answer: Answer) -> "AskedQuestions":
        """A newer answer replaces an older one."""
        return replace(self, answers={**self.answers, number: answer})


def change_place(change: ChangeId) -> str:
    return f"{CHANGE_PLACE}{change}"


def money_place(spec_run: SpecRunId) -> str:
    return f"money:{spec_run}"
