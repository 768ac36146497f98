"""The Anthropic Messages API: request -> Conversation, Answer -> message or event stream.

As strict as the real one where an agent's loop may go wrong: a key that the API does not have, a
tool call without its result, a conversation that does not begin or end with the user. There are no thinking blocks, citations or
server tools; `max_tokens` is required but limits nothing.
"""

import hashlib
import json
from collections.abc import Collection, Iterator
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from bot.localhub.model_server.conversation import (
    Answer,
    Conversation,
    PromptPart,
    RequestError,
    ToolCall,
)
from bot.localhub.model_server.script import StopReason
from bot.localhub.model_server.usage import Usage

# The Messages API's limit of cache breakpoints in one request ("Prompt caching").
_CACHE_MARKS_MAX = 4

# A whole file is a few dozen events, and a client must still assemble them.
_DELTA_CHARACTERS = 160

# What the API refuses without its beta ("Context editing"; system messages between others).
_CONTEXT_BETA = "context-management-2025-06-27"
_SYSTEM_BETA = "mid-conversation-system-2026-04-07"

Block = dict[str, JsonValue]


class RequestPart(BaseModel):
    """Part of a request; keys that the script does not need are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Message(RequestPart):
    role: Literal["user", "assistant", "system"]
    content: str | list[Block]


class CountRequest(BaseModel):
    """The body of `POST /v1/messages/count_tokens`; what the script does not need is read as it is."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    cache_control: JsonValue = None
    context_management: JsonValue = None
    output_config: JsonValue = None
    thinking: JsonValue = None
    messages: Annotated[list[Message], Field(min_length=1)]
    system: str | list[Block] = ""
    tools: list[Block] = []
    tool_choice: Block = {}


class MessagesRequest(CountRequest):
    max_tokens: Annotated[int, Field(ge=1)]
    stream: bool = False
    metadata: JsonValue = None
    service_tier: JsonValue = None
    stop_sequences: list[str] = []
    temperature: Annotated[float, Field(ge=0, le=1)] | None = None
    top_k: int | None = None
    top_p: float | None = None


def conversation_of(
    request: CountRequest, betas: Collection[str] = (_CONTEXT_BETA, _SYSTEM_BETA)
) -> Conversation:
    """Read a request. Raises RequestError where the real API would answer 400."""
    if request.context_management is not None and _CONTEXT_BETA not in betas:
        raise RequestError("context_management: Extra inputs are not permitted")
    if any(said.role == "system" for said in request.messages) and _SYSTEM_BETA not in betas:
        raise RequestError('messages: Unexpected role "system"')
    turns = _merged(request.messages)
    if turns[0].role != "user":
        raise RequestError('messages: first message must use the "user" role')
    if turns[-1].role != "user":
        raise RequestError("messages: the conversation must end with a user message")
    _check_tool_results(turns)
    _check_blocks(turns)
    parts = tuple(_parts(request, turns))
    marks = sum(part.marked for part in parts)
    if marks > _CACHE_MARKS_MAX:
        raise RequestError(
            f"A maximum of {_CACHE_MARKS_MAX} blocks with cache_control may be provided. "
            f"Found {marks}."
        )
    choice = request.tool_choice.get("type")
    forced = request.tool_choice.get("name")
    return Conversation(
        model=request.model,
        system=_text(request.system),
        task=_text(turns[0].content),
        latest=_text(turns[-1].content),
        answers=sum(turn.role == "assistant" for turn in turns),
        tools=()
        if choice == "none"
        else tuple(str(tool.get("name", "")) for tool in request.tools),
        forced_tool=str(forced) if choice == "tool" else None,
        must_call=choice in ("any", "tool"),
        parts=parts,
        fingerprint=hashlib.sha256(
            request.model_dump_json(exclude={"stream"}).encode()
        ).hexdigest(),
    )


def message(answer: Answer, conversation: Conversation, usage: Usage) -> Block:
    return {
        **_empty_message(conversation),
        "content": list(_blocks(answer, conversation)),
        "stop_reason": answer.stop_reason.value,
        **_stop_details(answer),
        "usage": _whole_usage(usage, usage.output),
    }


def events(answer: Answer, conversation: Conversation, usage: Usage) -> Iterator[tuple[str, Block]]:
    """The answer as server-sent events, in the documented order."""
    start: Block = {**_empty_message(conversation), "usage": _whole_usage(usage, 1)}
    yield "message_start", {"type": "message_start", "message": start}
    yield "ping", {"type": "ping"}
    for index, block in enumerate(_blocks(answer, conversation)):
        yield from _block_events(index, block)
    delta: Block = {
        "stop_reason": answer.stop_reason.value,
        "stop_sequence": None,
        **_stop_details(answer),
    }
    final: Block = {"type": "message_delta", "delta": delta, "usage": _usage(usage, usage.output)}
    yield "message_delta", final
    yield "message_stop", {"type": "message_stop"}


def error_body(kind: str, sentence: str) -> Block:
    """An error in the API's form, as a body or as an `error` event."""
    return {"type": "error", "error": {"type": kind, "message": sentence}}


def _merged(messages: list[Message]) -> list[Message]:
    """Neighbouring messages of one role are one turn, as in the API."""
    turns: list[Message] = []
    for one in messages:
        # A word of the operator between others counts with the user's.
        said = Message(role="user", content=one.content) if one.role == "system" else one
        if turns and turns[-1].role == said.role:
            both = [*_as_blocks(turns[-1].content), *_as_blocks(said.content)]
            turns[-1] = Message(role=said.role, content=both)
        else:
            turns.append(said)
    return turns


def _check_blocks(turns: list[Message]) -> None:
    """What the API answers with and does not take back."""
    for block in (block for turn in turns for block in _as_blocks(turn.content)):
        if block.get("type") == "text" and not str(block.get("text", "")).strip():
            raise RequestError("messages: text content blocks must be non-empty")
        if block.get("type") == "thinking" and not block.get("signature"):
            raise RequestError("messages: Invalid `signature` in `thinking` block")


def _check_tool_results(turns: list[Message]) -> None:
    open_ids: set[str] = set()
    for number, turn in enumerate(turns):
        blocks = _as_blocks(turn.content)
        if turn.role == "assistant":
            open_ids = {str(b.get("id")) for b in blocks if b.get("type") == "tool_use"}
            continue
        results = {str(b.get("tool_use_id")) for b in blocks if b.get("type") == "tool_result"}
        if missing := open_ids - results:
            raise RequestError(
                f"messages.{number}: `tool_use` ids were found without `tool_result` blocks "
                f"immediately after: {', '.join(sorted(missing))}"
            )
        if unknown := results - open_ids:
            raise RequestError(
                f"messages.{number}: unexpected `tool_use_id` found in `tool_result` blocks: "
                f"{', '.join(sorted(unknown))}"
            )


def _as_blocks(content: str | list[Block]) -> list[Block]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _text(content: JsonValue | list[Block]) -> str:
    if isinstance(content, str):
        return content
    pieces: list[str] = []
    for block in content if isinstance(content, list) else []:
        if isinstance(block, dict):
            inner = block.get("text") if block.get("type") == "text" else block.get("content")
            pieces.append(_text(inner))
    return "\n".join(pieces)


def _parts(request: CountRequest, turns: list[Message]) -> Iterator[PromptPart]:
    for block in (*request.tools, *_as_blocks(request.system)):
        yield _part(block, 0)
    answers = 0
    for turn in turns:
        answers += turn.role == "assistant"
        for block in _as_blocks(turn.content):
            # An answer first appears in the next request: it is as old as the user turn after it.
            yield _part(block, answers)


def _part(block: Block, answers_before: int) -> PromptPart:
    mark = block.get("cache_control")
    return PromptPart(
        len(json.dumps(block)),
        answers_before,
        marked=mark is not None,
        for_an_hour=isinstance(mark, dict) and mark.get("ttl") == "1h",
    )


def _empty_message(conversation: Conversation) -> Block:
    return {
        "id": f"msg_{conversation.fingerprint[:24]}",
        "type": "message",
        "role": "assistant",
        "model": conversation.model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
    }


def _blocks(answer: Answer, conversation: Conversation) -> Iterator[Block]:
    if answer.text:
        yield {"type": "text", "text": answer.text}
    for number, call in enumerate(answer.calls):
        yield _tool_use(call, f"toolu_{conversation.fingerprint[:20]}{number:02}")


def _tool_use(call: ToolCall, call_id: str) -> Block:
    return {"type": "tool_use", "id": call_id, "name": call.name, "input": call.input}


def _block_events(index: int, block: Block) -> Iterator[tuple[str, Block]]:
    if block["type"] == "text":
        empty: Block = {"text": ""}
        key, kind, whole = "text", "text_delta", str(block["text"])
    else:
        empty = {"input": {}}
        key, kind = "partial_json", "input_json_delta"
        whole = json.dumps(block["input"], ensure_ascii=False)
    start: Block = {**block, **empty}
    yield (
        "content_block_start",
        {
            "type": "content_block_start",
            "index": index,
            "content_block": start,
        },
    )
    for begin in range(0, len(whole), _DELTA_CHARACTERS):
        delta: Block = {"type": kind, key: whole[begin : begin + _DELTA_CHARACTERS]}
        yield "content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta}
    yield "content_block_stop", {"type": "content_block_stop", "index": index}


def _stop_details(answer: Answer) -> Block:
    if answer.stop_reason is not StopReason.REFUSAL:
        return {}
    return {
        "stop_details": {"type": "refusal", "category": None, "explanation": answer.text or None}
    }


def _whole_usage(usage: Usage, output: int) -> Block:
    """With the fields that only a message and `message_start` have, not the cumulative `message_delta`."""
    return {
        **_usage(usage, output),
        "cache_creation": {
            "ephemeral_5m_input_tokens": usage.cache_write - usage.cache_write_hour,
            "ephemeral_1h_input_tokens": usage.cache_write_hour,
        },
        "service_tier": "standard",
    }


def _usage(usage: Usage, output: int) -> Block:
    return {
        "input_tokens": usage.input,
        "cache_creation_input_tokens": usage.cache_write,
        "cache_read_input_tokens": usage.cache_read,
        "output_tokens": output,
    }
