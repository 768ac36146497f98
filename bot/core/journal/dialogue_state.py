"""What the journal says of an issue that asks for work: its rounds, its answers, what came of it.

A part of `state`; never changed but by its fold. Deliberately absent: the issue's own text, which is
looked up when something is to be done with it.
"""

from dataclasses import dataclass, field

from bot.core.journal.dialogue_events import DialogueEnding, WorkQuestion
from bot.core.values.ids import IssueNumber, PullNumber
from bot.core.values.issue_input import DraftRejection, Exchange, place_of
from bot.core.values.lifecycle import DialoguePhase
from bot.core.values.spent import ModelUse

# Begins the subject of every dialogue's comment, and of no other's.
COMMENT = "dialogue"


@dataclass(frozen=True, kw_only=True, slots=True)
class Round:
    """The questions of one round; `by_rules`: no model made them."""

    number: int
    questions: tuple[WorkQuestion, ...]
    by_rules: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class GivenAnswer:
    """What a person answered, and where."""

    text: str
    author: str
    link: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Dialogue:
    """An issue that asks for work. `begun` counts how often; `closed` are the rounds that are over.

    `edits` counts how often a new text of the issue was taken up, `last` is the highest number of a
    question, `reply` a model's answer (JSON) to the question `reply_to` that is still to be weighed,
    `proposal` the round of the proposal that came of it. `is_told`: its comment is written, or about
    to be, as it stands.
    """

    issue: IssueNumber
    begun: int
    labelling: int
    asked_by: str
    title: str
    digest: str
    phase: DialoguePhase = DialoguePhase.THINKING
    rounds: tuple[Round, ...] = ()
    closed: int = 0
    answers: dict[int, GivenAnswer] = field(default_factory=dict)
    skipped_by: tuple[str, ...] = ()
    last: int = 0
    edits: int = 0
    reply_to: str = ""
    reply: str = ""
    rejections: tuple[DraftRejection, ...] = ()
    failure: str = ""
    pull: PullNumber | None = None
    path: str = ""
    proposal: int = 0
    ending: DialogueEnding | None = None
    ended_by: str = ""
    model_use: ModelUse = field(default_factory=ModelUse)
    is_told: bool = False

    @property
    def place(self) -> str:
        """Its place in the journal's events of models."""
        return place_of(self.issue)

    @property
    def subject(self) -> str:
        """By which its comment is found."""
        return f"{COMMENT} {self.issue} {self.begun}"

    @property
    def is_open(self) -> bool:
        """Whether something is still to be asked, thought over or proposed."""
        return self.phase in {DialoguePhase.THINKING, DialoguePhase.ASKING}

    @property
    def is_thinking(self) -> bool:
        """Whether the next step is ours."""
        return self.phase is DialoguePhase.THINKING

    @property
    def questions(self) -> tuple[WorkQuestion, ...]:
        """Every question that stands, in order."""
        return tuple(q for r in self.rounds for q in r.questions)

    @property
    def unanswered(self) -> tuple[WorkQuestion, ...]:
        """The questions that nobody has answered."""
        return tuple(q for q in self.questions if q.number not in self.answers)

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """Questions and answers, in order."""
        nobody = GivenAnswer(text="", author="", link="")
        return tuple(
            Exchange(
                number=q.number,
                question=q.sentence,
                answer=self.answers.get(q.number, nobody).text,
                author=self.answers.get(q.number, nobody).author,
            )
            for q in self.questions
        )
