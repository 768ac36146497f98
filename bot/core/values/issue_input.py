"""The input of a prompt about an issue that asks for work.

It is complete, so that the journal shows what was asked, and the same input gives the same prompt.
"""

from typing import Literal

from bot.core.values.ids import Frozen, IssueNumber

_PLACE = "issue:"

# Rounds of questions before a spec is proposed that lists what is still open.
ROUNDS_MAX = 3

# How often an edit is read at once: authors may edit their issues, and each reading costs.
EDITS_MAX = 3


class Remark(Frozen):
    """A comment on the issue by a person who may write here."""

    author: str
    text: str


class Exchange(Frozen):
    """A question and its answer; empty if nobody answered."""

    number: int
    question: str
    answer: str = ""
    author: str = ""


class DraftRejection(Frozen):
    """A spec as the model wrote it (JSON) that could not be used, and why."""

    previous: str
    reasons: tuple[str, ...]


class IssuePromptInput(Frozen):
    """`begun` counts the requests for work, `digest` identifies the issue's text at that time.

    `specs` are names of existing specs; `rejections` are drafts that our own check refused.
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
        return place_of(self.issue)

    @property
    def is_last(self) -> bool:
        """Whether this was the last round, so that the answer must be a spec."""
        return self.round > ROUNDS_MAX


def place_of(issue: IssueNumber) -> str:
    return f"{_PLACE}{issue}"


def issue_of(place: str) -> IssueNumber | None:
    """None if the place is not that of a dialogue."""
    number = place.removeprefix(_PLACE) if place.startswith(_PLACE) else ""
    return IssueNumber(int(number)) if number.isdecimal() else None


def prompt_id(begun: int, round_: int, digest: str, rejections: int) -> str:
    """The id of a round's first prompt, for one text of the issue."""
    return f"work:{begun}:{round_}:{digest}:{rejections}"
