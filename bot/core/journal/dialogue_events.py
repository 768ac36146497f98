"""Events of issues that ask for work: how each began, its rounds of questions, how it ended.

Each is a small frozen value in the past tense; see `events` for the rule. What a model was asked and
said is in the events of models, what people were asked and answered in those of questions, both at
the place `issue:N`.
"""

from enum import StrEnum
from typing import Literal

from bot.core.values.ids import Frozen, IssueNumber


class DialogueEnding(StrEnum):
    """Why a dialogue is over without more being asked or proposed."""

    LABEL_GONE = "label_gone"
    CLOSED = "closed"
    STOPPED = "stopped"
    NOT_PERMITTED = "not_permitted"
    IS_SPEC = "is_spec"
    REMOVED = "removed"


class WorkAsked(Frozen):
    """A person who may write here asked for work by an issue.

    `labelling` is GitHub's id of that very act; `digest` is what the issue said.
    """

    type: Literal["WorkAsked"] = "WorkAsked"
    issue: IssueNumber
    labelling: int
    asked_by: str
    title: str
    digest: str


class WorkReworded(Frozen):
    """The text of an issue that asks for work says something else now."""

    type: Literal["WorkReworded"] = "WorkReworded"
    issue: IssueNumber
    title: str
    digest: str


class RoundClosed(Frozen):
    """Every question of a round is answered, or somebody (`skipped_by`) goes on without the rest."""

    type: Literal["RoundClosed"] = "RoundClosed"
    issue: IssueNumber
    round: int
    skipped_by: str = ""


class DraftReturned(Frozen):
    """A spec that a model wrote goes back to it once, with the reasons."""

    type: Literal["DraftReturned"] = "DraftReturned"
    issue: IssueNumber
    previous: str
    reasons: tuple[str, ...]


class IssuesRetired(Frozen):
    """Issues that asked for work, or were specs, are over: they leave the state, but for a line each."""

    type: Literal["IssuesRetired"] = "IssuesRetired"
    issues: tuple[IssueNumber, ...]


class DialogueEnded(Frozen):
    """A dialogue is over; `by` is who ended it, where somebody did."""

    type: Literal["DialogueEnded"] = "DialogueEnded"
    issue: IssueNumber
    ending: DialogueEnding
    by: str = ""
