"""A conversation as every API tells it, and an answer as every API can give it.

The two APIs are read into `Conversation` and write from `Answer`; between them nobody knows which
API is spoken. How many answers a conversation holds is its place in the script: the server itself
remembers no conversation, and a client that was killed can begin again.
"""

from dataclasses import dataclass

from pydantic import JsonValue

from bot.localhub.model_server.script import Fault, StopReason


class RequestError(ValueError):
    """A request that the real API would answer with 400; the message says why."""


@dataclass(frozen=True)
class PromptPart:
    """A piece of the prompt, in the order in which a prompt cache reads it.

    `answers_before` tells how old it is; `marked` that a cache breakpoint follows it.
    """

    characters: int
    answers_before: int
    marked: bool


@dataclass(frozen=True)
class Conversation:
    """What a request says, without the form in which its API says it.

    `task` is all user text before the first answer, `latest` the newest user text or tool result,
    `answers` the number of answers so far, `must_call` whether the request demands a tool call and
    `forced_tool` which. `fingerprint` names the conversation up to here.
    """

    model: str
    system: str
    task: str
    latest: str
    answers: int
    tools: tuple[str, ...]
    forced_tool: str | None
    must_call: bool
    parts: tuple[PromptPart, ...]
    fingerprint: str


@dataclass(frozen=True)
class ToolCall:
    """A call of a tool that the request offers, in that tool's own terms."""

    name: str
    input: dict[str, JsonValue]


@dataclass(frozen=True)
class Answer:
    """One turn of a scene, ready to be said; `fault` is what the script puts before it."""

    scene: str
    turn: int
    text: str
    calls: tuple[ToolCall, ...]
    stop_reason: StopReason
    after_seconds: float
    fault: Fault | None
