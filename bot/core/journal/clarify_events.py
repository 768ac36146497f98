"""Events of an agent that asks people: asked, answered, and no longer waited for.

Each is a small frozen value in the past tense; see `events` for the rule.
"""

from datetime import datetime
from typing import Literal

from action.report import SandboxKind, TokenUse
from bot.core.values.clarification import AskedQuestion, WaitingEnd
from bot.core.values.ids import ChangeId, Digest, Frozen, OrderId


class AgentAsked(Frozen):
    """An agent run ended with questions for people; `bundle` is what it had done by then."""

    type: Literal["AgentAsked"] = "AgentAsked"
    change: ChangeId
    order: OrderId
    questions: tuple[AskedQuestion, ...]
    bundle: Digest | None
    asked_at: datetime
    turns: int
    tokens: TokenUse
    model: str
    seconds: float
    sandbox: SandboxKind


class ClarificationAnswered(Frozen):
    """A person answered one of the questions; a later answer takes its place."""

    type: Literal["ClarificationAnswered"] = "ClarificationAnswered"
    change: ChangeId
    number: int
    answer: str
    author: str
    given_at: datetime


class ClarificationEnded(Frozen):
    """Nothing is waited for any more: the agent goes on with what is known, and assumes the rest."""

    type: Literal["ClarificationEnded"] = "ClarificationEnded"
    change: ChangeId
    end: WaitingEnd
    ended_by: str = ""
