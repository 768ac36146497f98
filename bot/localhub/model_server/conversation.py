"""A conversation and an answer, independent of the API.

Both APIs are read into `Conversation` and written from `Answer`. The number of answers in a
conversation is its place in the script: the server stores no conversation, and a client that was
killed can begin again.
"""

from dataclasses import dataclass

from pydantic import JsonValue

from bot.localhub.model_server.script import Fault, StopReason


class RequestError(ValueError):
    """A request that the real API would answer with 400; the message says why."""


@dataclass(frozen=True)
class PromptPart:
    """A piece of the prompt, in the order in which a prompt cache reads it.

    `answers_before` is its age; `marked` means that a cache breakpoint follows it, and
    `for_an_hour` that this one is to be kept for an hour instead of five minutes.
    """

    characters: int
    answers_before: int
    marked: bool
    for_an_hour: bool = False


@dataclass(frozen=True)
class Conversation:
    """The content of a request.

    `task` is all user text before the first answer, `latest` the newest user text or tool result,
    `answers` the number of answers so far, `must_call` whether the request requires a tool call and
    `forced_tool` which. `fingerprint` identifies the conversation up to here.
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
    """A call of a tool that the request offers, with that tool's own input."""

    name: str
    input: dict[str, JsonValue]


@dataclass(frozen=True)
class Answer:
    scene: str
    turn: int
    text: str
    calls: tuple[ToolCall, ...]
    stop_reason: StopReason
    after_seconds: float
    fault: Fault | None
