"""What a prompt about an issue that asks for work is made of, as values.

Everything that the model is given stands here, so that what was asked can be read in the journal and
the same input gives the same prompt.
"""

from typing import Literal

from bot.core.values.ids import Frozen, IssueNumber

_PLACE = "issue:"

# How often questions are put before a spec is proposed with what is still open listed as open.
ROUNDS_MAX = 3

# An edit is read at once this often; anybody may edit their own issue, and each reading costs.
EDITS_MAX = 3


class Remark(Frozen):
    """What a person who may write here said on the issue, as of the look."""

    author: str
    text: str


class Exchange(Frozen):
    """A question that was put, and the answer; empty where nobody gave one."""

    number: int
    question: str
    answer: str = ""
    author: str = ""


class DraftRejection(Frozen):
    """A spec that could not be used, as the model wrote it (JSON), and why."""

    previous: str
    reasons: tuple[str, ...]


class IssuePromptInput(Frozen):
    """`begun` counts how often work was asked for, `digest` is what the issue said then; `specs` are
    names of specs that are there; `rejections` are drafts that came back from our own check.
    """

    kind: Literal["issue"] = "issue"
    issue: IssueNumber
    begun: int
    round: int
    digest: str
    title: str
    author: str
    body: str
    remarks: tuple[Remark, ...] = ()
    exchanges: tuple[Exchange, ...] = ()
    specs: tuple[str, ...] = ()
    rejections: tuple[DraftRejection, ...] = ()

    @property
    def place(self) -> str:
        """The place of the issue's dialogue."""
        return place_of(self.issue)

    @property
    def is_last(self) -> bool:
        """Whether all rounds are over, so that only a spec can be answered."""
        return self.round > ROUNDS_MAX


def place_of(issue: IssueNumber) -> str:
    """The place of an issue's dialogue in the journal."""
    return f"{_PLACE}{issue}"


def issue_of(place: str) -> IssueNumber | None:
    """The issue whose dialogue is at a place; None where the place is none of a dialogue."""
    number = place.removeprefix(_PLACE) if place.startswith(_PLACE) else ""
    return IssueNumber(int(number)) if number.isdecimal() else None


def prompt_id(begun: int, round_: int, digest: str, rejections: int) -> str:
    """The id of the prompt that a round begins with, for one text of the issue."""
    return f"work:{begun}:{round_}:{digest}:{rejections}"
