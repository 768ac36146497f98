"""Events of an agent that asks people: its run ended so, and answers are waited for no longer.

Each is a small frozen value in the past tense; see `events` for the rule.
"""

from datetime import datetime
from typing import Literal

from action.report import SandboxKind, TokenUse
from bot.core.values.clarification import WaitingEnd
from bot.core.values.ids import ChangeId, Digest, Frozen, OrderId
from bot.core.values.question import Question


class AgentAsked(Frozen):
    """An agent run ended with questions for people; `bundle` is what it had done by then.

    `questions` are those of journals whose releases put them with this very event.
    """

    type: Literal["AgentAsked"] = "AgentAsked"
    change: ChangeId
    order: OrderId
    questions: tuple[Question, ...] = ()
    bundle: Digest | None
    asked_at: datetime
    turns: int
    tokens: TokenUse
    model: str
    seconds: float
    sandbox: SandboxKind


class ClarificationEnded(Frozen):
    """Nothing is waited for any more: the agent goes on with what is known, and assumes the rest."""

    type: Literal["ClarificationEnded"] = "ClarificationEnded"
    change: ChangeId
    end: WaitingEnd
    ended_by: str = ""
