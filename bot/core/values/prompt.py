"""One prompt to a model and what comes of it, as values.

A prompt names the tool that must be called and its schema; a reply's text is what the model put into
the call, not yet checked. A call is always recorded, whatever came of it.
"""

from enum import StrEnum
from typing import Literal

from action.report import TokenUse
from bot.core.values.ids import Frozen
from bot.core.values.model_roles import ModelRole


class PromptPart(Frozen):
    """A piece of the prompt; a prompt cache keeps what stands up to a part that ends a stretch."""

    text: str
    ends_stretch: bool = False


class Repair(Frozen):
    """An answer that was no answer, and why."""

    said: str
    errors: tuple[str, ...]


class Question(Frozen):
    """What is asked. `tool_schema` is JSON; the model must call `tool` with an input of it."""

    system: str
    parts: tuple[PromptPart, ...]
    tool: str
    tool_says: str
    tool_schema: str
    answer_tokens_max: int
    repair: Repair | None = None


class ReplyEnding(StrEnum):
    """How an answer ended."""

    SAID = "said"
    TRUNCATED = "truncated"
    REFUSED = "refused"


class Reply(Frozen):
    """What the model said: `text` is the tool's input as it came, perhaps no JSON at all."""

    ending: ReplyEnding
    text: str
    tokens: TokenUse
    request_id: str


class CallOutcome(StrEnum):
    """What became of one call."""

    ANSWERED = "answered"
    INVALID = "invalid"
    REFUSED = "refused"
    BUSY = "busy"
    FAILED = "failed"


class ModelCall(Frozen):
    """One call, as it is written down; `dollars` None: the price is unknown."""

    role: ModelRole
    model: str
    outcome: CallOutcome
    tokens: TokenUse = TokenUse()
    dollars: float | None = None
    cache_share: float = 0.0
    seconds: float
    request_id: str = ""
    sentence: str = ""


class AskOutcome(StrEnum):
    """What became of one asking, all its calls together: done, again later, or never."""

    ANSWERED = "answered"
    BUSY = "busy"
    FAILED = "failed"


class Asked(Frozen):
    """One asking: its calls, and the checked answer (JSON) or a sentence that says why not."""

    version: Literal[1] = 1
    outcome: AskOutcome
    calls: tuple[ModelCall, ...]
    answer: str = ""
    sentence: str = ""
    after_seconds: float = 0.0
