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
    """A piece of a prompt; a prompt cache holds everything up to a part that `ends_stretch`."""

    text: str
    ends_stretch: bool = False


class Repair(Frozen):
    """A reply that does not fit the schema, sent back with its errors."""

    reply: str
    errors: tuple[str, ...]


class Prompt(Frozen):
    """`tool_schema` is a JSON schema; the model must call `tool` with an input that fits it."""

    system: str
    parts: tuple[PromptPart, ...]
    tool: str
    tool_says: str
    tool_schema: str
    answer_tokens_max: int
    repair: Repair | None = None


class ReplyEnding(StrEnum):
    COMPLETE = "complete"
    TRUNCATED = "truncated"
    REFUSED = "refused"


class Reply(Frozen):
    """`text` is the tool's input as the model wrote it; it may not be valid JSON."""

    ending: ReplyEnding
    text: str
    tokens: TokenUse
    request_id: str


class CallOutcome(StrEnum):
    ANSWERED = "answered"
    INVALID = "invalid"
    REFUSED = "refused"
    BUSY = "busy"
    FAILED = "failed"


class ModelCall(Frozen):
    """One recorded call; `dollars` is None where the price is unknown."""

    role: ModelRole
    model: str
    outcome: CallOutcome
    tokens: TokenUse = TokenUse()
    dollars: float | None = None
    cache_share: float = 0.0
    seconds: float
    request_id: str = ""
    sentence: str = ""


class PromptOutcome(StrEnum):
    """The outcome of all calls of one attempt; BUSY is tried again later, FAILED is not."""

    ANSWERED = "answered"
    BUSY = "busy"
    FAILED = "failed"


class PromptResult(Frozen):
    """The calls of one attempt, and the checked answer (JSON) or a sentence that says why not."""

    version: Literal[1] = 1
    outcome: PromptOutcome
    calls: tuple[ModelCall, ...]
    answer: str = ""
    sentence: str = ""
    after_seconds: float = 0.0
