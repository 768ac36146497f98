"""The OpenAI Responses API as `codex exec` uses it: request -> Conversation, Answer -> response.

`previous_response_id` is refused, because this server stores no conversation. There are no
reasoning items, hosted tools or background responses.
"""

import hashlib
import json
from collections.abc import Iterator
from typing import Annotated

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

_DELTA_CHARACTERS = 160

Item = dict[str, JsonValue]


class ResponsesRequest(BaseModel):
    """The body of `POST /v1/responses`; what the script does not need is read as it is."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    input: str | Annotated[list[Item], Field(min_length=1)]
    instructions: str | None = None
    tools: list[Item] = []
    tool_choice: str | Item = "auto"
    stream: bool = False
    previous_response_id: str | None = None
    client_metadata: JsonValue = None
    include: list[str] | None = None
    max_output_tokens: Annotated[int, Field(ge=16)] | None = None
    metadata: JsonValue = None
    parallel_tool_calls: bool | None = None
    prompt_cache_key: str | None = None
    reasoning: JsonValue = None
    safety_identifier: str | None = None
    service_tier: str | None = None
    store: bool | None = None
    stream_options: JsonValue = None
    temperature: float | None = None
    text: JsonValue = None
    top_logprobs: int | None = None
    top_p: float | None = None
    truncation: str | None = None
    user: str | None = None


def conversation_of(request: ResponsesRequest) -> Conversation:
    """Read a request. Raises RequestError if no answer can be given."""
    if request.previous_response_id is not None:
        raise RequestError("previous_response_id: this server keeps no responses; send all input")
    items = _items(request)
    first = next((i for i, item in enumerate(items) if _is_answer(item)), len(items))
    _check_outputs(items)
    if _is_answer(items[-1]):
        raise RequestError("input: the conversation must end with a message or a tool's output")
    task = "\n".join(_text(item) for item in items[:first] if item.get("role") == "user")
    last = max((i for i, item in enumerate(items) if _is_answer(item)), default=-1)
    after = [item for item in items[last + 1 :] if item.get("role") not in ("developer", "system")]
    choice = request.tool_choice
    forced = choice.get("name") if isinstance(choice, dict) else None
    return Conversation(
        model=request.model,
        system=_system(request, items),
        task=task,
        latest="\n".join(_text(item) for item in after),
        answers=_answers_before(items, len(items)),
        tools=() if choice == "none" else tuple(_tool_names(request.tools)),
        forced_tool=str(forced) if forced is not None else None,
        must_call=choice == "required" or forced is not None,
        parts=tuple(_parts(request, items)),
        fingerprint=hashlib.sha256(
            request.model_dump_json(exclude={"stream"}).encode()
        ).hexdigest(),
    )


def response(answer: Answer, conversation: Conversation, usage: Usage, created_at: int) -> Item:
    incomplete = answer.stop_reason is StopReason.MAX_TOKENS
    return {
        **_empty_response(conversation, created_at),
        "status": "incomplete" if incomplete else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if incomplete else None,
        "output": list(_output(answer, conversation)),
        "usage": _usage(usage),
    }


def events(
    answer: Answer, conversation: Conversation, usage: Usage, created_at: int
) -> Iterator[tuple[str, Item]]:
    """The answer as server-sent events, numbered as the API numbers them."""
    for number, (kind, body) in enumerate(_events(answer, conversation, usage, created_at)):
        yield kind, {"type": kind, "sequence_number": number, **body}


def error_body(kind: str, sentence: str) -> Item:
    return {"error": {"message": sentence, "type": kind, "param": None, "code": kind}}


def failed_event(conversation: Conversation, sentence: str, created_at: int) -> tuple[str, Item]:
    """The event that ends a failed stream."""
    failed: Item = {
        **_empty_response(conversation, created_at),
        "status": "failed",
        "error": {"code": "server_is_overloaded", "message": sentence},
    }
    return "response.failed", {"type": "response.failed", "sequence_number": 2, "response": failed}


def _events(
    answer: Answer, conversation: Conversation, usage: Usage, created_at: int
) -> Iterator[tuple[str, Item]]:
    empty = _empty_response(conversation, created_at)
    yield "response.created", {"response": empty}
    yield "response.in_progress", {"response": empty}
    for index, item in enumerate(_output(answer, conversation)):
        spot: Item = {"output_index": index, "item_id": item["id"]}
        is_call = item["type"] == "function_call"
        bare: Item = {"arguments": ""} if is_call else {"content": []}
        begun: Item = {**item, "status": "in_progress", **bare}
        yield "response.output_item.added", {"output_index": index, "item": begun}
        yield from _call_events(spot, item) if is_call else _text_events(spot, item)
        yield "response.output_item.done", {"output_index": index, "item": item}
    whole = response(answer, conversation, usage, created_at)
    yield f"response.{whole['status']}", {"response": whole}


def _call_events(spot: Item, item: Item) -> Iterator[tuple[str, Item]]:
    whole = str(item["arguments"])
    for piece in _pieces(whole):
        yield "response.function_call_arguments.delta", {**spot, "delta": piece}
    yield (
        "response.function_call_arguments.done",
        {**spot, "arguments": whole, "name": item["name"]},
    )


def _text_events(spot: Item, item: Item) -> Iterator[tuple[str, Item]]:
    content = item["content"]
    part = content[0] if isinstance(content, list) else None
    if not isinstance(part, dict):
        return
    key = "refusal" if part["type"] == "refusal" else "text"
    name = "response.refusal" if key == "refusal" else "response.output_text"
    logprobs: Item = {} if key == "refusal" else {"logprobs": []}
    place: Item = {**spot, "content_index": 0}
    yield "response.content_part.added", {**place, "part": {**part, key: ""}}
    whole = str(part[key])
    for piece in _pieces(whole):
        yield f"{name}.delta", {**place, "delta": piece, **logprobs}
    yield f"{name}.done", {**place, key: whole, **logprobs}
    yield "response.content_part.done", {**place, "part": part}


def _pieces(whole: str) -> Iterator[str]:
    for begin in range(0, len(whole), _DELTA_CHARACTERS):
        yield whole[begin : begin + _DELTA_CHARACTERS]


def _output(answer: Answer, conversation: Conversation) -> Iterator[Item]:
    name = conversation.fingerprint[:20]
    refused = answer.stop_reason is StopReason.REFUSAL
    if answer.text or refused:
        part: Item = (
            {"type": "refusal", "refusal": answer.text or "I cannot help with that."}
            if refused
            else {"type": "output_text", "text": answer.text, "annotations": []}
        )
        yield {
            "id": f"msg_{name}",
            "type": "message",
            "status": "completed",
            "role": "assistant",
            "content": [part],
        }
    for number, call in enumerate(answer.calls):
        yield _function_call(call, f"{name}{number:02}")


def _function_call(call: ToolCall, name: str) -> Item:
    return {
        "id": f"fc_{name}",
        "type": "function_call",
        "status": "completed",
        "call_id": f"call_{name}",
        "name": call.name,
        "arguments": json.dumps(call.input, ensure_ascii=False),
    }


def _items(request: ResponsesRequest) -> list[Item]:
    if isinstance(request.input, str):
        return [{"type": "message", "role": "user", "content": request.input}]
    return request.input


def _is_answer(item: Item) -> bool:
    """Whether the model made this item: a message of its own, a call, a thought."""
    kind = str(item.get("type", "message"))
    return item.get("role") == "assistant" or kind == "reasoning" or kind.endswith("_call")


def _answers_before(items: list[Item], end: int) -> int:
    """The answers among the first items: consecutive items of the model are one answer."""
    made = [_is_answer(item) for item in items[:end]]
    return sum(now and not before for before, now in zip([False, *made], made, strict=False))


def _check_outputs(items: list[Item]) -> None:
    calls = {str(item["call_id"]) for item in items if _is_answer(item) and "call_id" in item}
    outputs = {str(item["call_id"]) for item in items if not _is_answer(item) and "call_id" in item}
    if missing := calls - outputs:
        raise RequestError(f"No tool output found for function call {sorted(missing)[0]}.")
    if unknown := outputs - calls:
        raise RequestError(f"No tool call found for function call output {sorted(unknown)[0]}.")


def _system(request: ResponsesRequest, items: list[Item]) -> str:
    messages = [_text(item) for item in items if item.get("role") in ("developer", "system")]
    return "\n".join([request.instructions or "", *messages])


def _text(item: Item) -> str:
    content = item.get("content", item.get("output"))
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(str(part.get("text", "")) for part in parts if isinstance(part, dict))


def _tool_names(tools: list[Item]) -> Iterator[str]:
    """Tools by name; a hosted tool has none and is named by its type."""
    for tool in tools:
        yield str(tool.get("name", tool.get("type", "")))


def _parts(request: ResponsesRequest, items: list[Item]) -> Iterator[PromptPart]:
    # This API caches automatically: everything counts as marked.
    fixed: list[JsonValue] = [*request.tools, request.instructions or ""]
    for part in fixed:
        yield PromptPart(len(json.dumps(part)), 0, marked=True)
    for index, item in enumerate(items):
        yield PromptPart(len(json.dumps(item)), _answers_before(items, index + 1), marked=True)


def _empty_response(conversation: Conversation, created_at: int) -> Item:
    return {
        "id": f"resp_{conversation.fingerprint[:24]}",
        "object": "response",
        "created_at": created_at,
        "status": "in_progress",
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "model": conversation.model,
        "output": [],
        "parallel_tool_calls": True,
        "temperature": 1.0,
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "usage": None,
    }


def _usage(usage: Usage) -> Item:
    whole_input = usage.input + usage.cache_read + usage.cache_write
    return {
        "input_tokens": whole_input,
        "input_tokens_details": {"cached_tokens": usage.cache_read},
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": whole_input + usage.output,
    }
