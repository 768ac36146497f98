"""What the journal says of an issue that asks for work: its rounds, its answers, what came of it.

A part of `state`; never changed but by its fold. The issue's text is read from GitHub when
it is needed.
"""

from dataclasses import dataclass, field

from bot.core.journal.dialogue_events import DialogueEnding
from bot.core.values.ids import IssueNumber, PullNumber
from bot.core.values.issue_input import DraftRejection, Exchange, place_of
from bot.core.values.lifecycle import DialoguePhase
from bot.core.values.question import Answer, AskedQuestions
from bot.core.values.spent import ModelUse

# Begins the subject of every dialogue's comment, and of no other's.
COMMENT = "dialogue"


@dataclass(frozen=True, kw_only=True, slots=True)
class Dialogue:
    """An issue that asks for work. `begun` counts how often; `closed` are the rounds that are over.

    `asked_by_rules` is the round that no model made (0: none), `edits` counts how often a new text of
    the issue was taken up, `reply` is a model's answer (JSON) to the question `reply_to` that is
    still to be weighed, `proposal` the round of the proposal that came of it. `is_told`: its comment
    is written, or about to be, as it stands.
    """

    issue: IssueNumber
    begun: int
    labelling: int
    asked_by: str
    title: str
    digest: str
    phase: DialoguePhase = DialoguePhase.THINKING
    asked: AskedQuestions = field(default_factory=AskedQuestions)
    asked_by_rules: int = 0
    closed: int = 0
    skipped_by: tuple[str, ...] = ()
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
    def exchanges(self) -> tuple[Exchange, ...]:
        nobody = Answer(text="", author="")
        given = self.asked.answers
        return tuple(
            Exchange(
                number=q.number,
                question=q.sentence,
                answer=given.get(q.number, nobody).text,
                author=given.get(q.number, nobody).author,
            )
            for q in self.asked.questions
        )
