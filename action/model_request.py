"""What a request to a model may say, judged before it is sent. Pure.

The harness's proxy and the server's gateway pass on what is listed here and nothing else. A model's
provider can fetch addresses, run code and call other servers for whoever asks it, so a request that
may say anything is a way to the network. What is sent is written anew from what was read: no second
reader can understand it otherwise.

Two APIs: Messages (Claude Code and most others) and Responses (Codex).
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from pydantic_core import from_json, to_json

Json = dict[str, object]

_NO_NUMBERS = (b"NaN", b"Infinity")
_REFERENCES = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})


class ModelApi(StrEnum):
    """What may be asked for, by its path."""

    MESSAGES = "/v1/messages"
    COUNT = "/v1/messages/count_tokens"
    RESPONSES = "/v1/responses"


# A stream that has begun with 200 may still end with an error.
ERROR_EVENTS = (b"\nevent: error", b"\nevent: response.failed")
# An answer in which the model declines, in a stream or a document of either API.
DECLINES = re.compile(
    rb'"stop_reason":\s*"refusal"|"type":\s*"refusal"|\nevent: response\.refusal\.done'
)
# What a server answers that has no Responses API, and the code of an error that has the same status.
_NO_PATH, _NO_MODEL = (404, 405), b"model_not_found"
NO_RESPONSES = (
    f"The model's server has no {ModelApi.RESPONSES}, which this agent needs: it supports only "
    "the Messages API. Codex needs a model server that supports the Responses API."
)

# The limit of the Messages API ("Errors", `request_too_large`).
REQUEST_BYTES_MAX = 32 * 1024**2
# Each is a value in memory; a body of nothing but brackets would be a hundred times its size.
_VALUES_MAX = 1_000_000
# What an answer may have where a request of the Responses API does not say it.
_ANSWER_TOKENS_DEFAULT = 128_000
# The APIs' own least: of thinking, and of `max_output_tokens`.
_THINKING_TOKENS_MIN, _OUTPUT_TOKENS_MIN = 1_024, 16
# An image costs by its size on the screen, at most some 4,800 tokens, however many bytes it has.
_IMAGE_BYTES_MAX = 10_000
_SHOWN_CHARACTERS = 80

# Left out on purpose: mcp_servers, container (others' machines), speed, inference_geo (other
# prices), fallbacks (other models).
_MESSAGES_KEYS = frozenset({
    *("cache_control", "context_management", "diagnostics", "max_tokens", "messages"),
    *("metadata", "model", "output_config", "output_format", "service_tier"),
    *("stop_sequences", "stream", "system", "temperature", "thinking", "tool_choice"),
    *("tools", "top_k", "top_p"),
})  # fmt: skip
# Left out on purpose: background, conversation, previous_response_id, prompt (what the provider
# keeps), context_management (a call of its own).
_RESPONSES_KEYS = frozenset({
    *("client_metadata", "include", "input", "instructions", "max_output_tokens"),
    *("metadata", "model", "parallel_tool_calls", "prompt_cache_key", "reasoning"),
    *("safety_identifier", "service_tier", "store", "stream", "stream_options"),
    *("temperature", "text", "tool_choice", "tools", "top_logprobs", "top_p"),
    *("truncation", "user"),
})  # fmt: skip
# Written by us once it is known how much the budget leaves.
_OWN_KEYS = frozenset({"max_tokens", "max_output_tokens", "store", "thinking"})
# "priority" has another price.
_SERVICE_TIERS = frozenset({None, "auto", "default", "standard_only", "flex"})

_MESSAGES_BLOCKS = frozenset({
    *("text", "image", "document", "search_result", "thinking", "redacted_thinking"),
    *("tool_use", "tool_result", "tool_reference"),
})  # fmt: skip
# Where a block's content is, and the keys beside its type.
_SOURCES = {
    "base64": {"data", "media_type"},
    "text": {"data", "media_type"},
    "content": {"content"},
}
# Tools of the API that the caller runs itself; one without a type is the caller's own.
_CLIENT_TOOL = re.compile(r"(?:custom|(?:bash|text_editor|memory|computer)_[0-9]{8})")
_TOOL_CHOICES = frozenset({"auto", "any", "tool", "none"})
_EDITS = re.compile(r"clear_[a-z_]+_[0-9]{8}")

_RESPONSES_ITEMS = frozenset({
    *("message", "reasoning", "function_call", "function_call_output"),
    *("custom_tool_call", "custom_tool_call_output", "local_shell_call"),
    *("local_shell_call_output", "apply_patch_call", "apply_patch_call_output"),
    *("tool_search_call", "tool_search_output"),
})  # fmt: skip
_RESPONSES_PARTS = frozenset({
    *("input_text", "output_text", "summary_text", "reasoning_text", "refusal"),
    *("input_image", "input_file"),
})  # fmt: skip
_RESPONSES_CHOICES = frozenset({"auto", "none", "required"})
_RESPONSES_TOOLS = frozenset({"function", "custom", "local_shell", "apply_patch"})
_WITHIN = re.compile(r"data:[\w.+/-]{1,80};base64,", re.ASCII)
# Where others' objects name an address, a file of the provider's or a machine of its own.
_FAR_KEYS = frozenset({
    *("url", "uri", "file_url", "file_uri", "file_id", "server_url", "source_url", "connector_id"),
    *("container", "environment", "vector_store_ids"),
})  # fmt: skip

_DATED = re.compile(r"-20[0-9]{6}\Z")


@dataclass(frozen=True)
class RefusedRequest:
    """`sentence` says to the agent what to ask instead."""

    sentence: str


@dataclass(frozen=True)
class ModelRequest:
    """A request that may be sent. `answer_tokens`: the longest answer that it asks for.

    `input_bytes` is its size as far as it costs tokens. The keys that depend on what is left of a budget
    are in `_own`, all others written already in `_rest`: a conversation is long, and is written once.
    """

    api: ModelApi
    model: str
    answer_tokens: int
    input_bytes: int
    _own: Json
    _rest: bytes

    def written(self, answer_tokens: int) -> bytes | RefusedRequest:
        """The body to send, with an answer of at most so many tokens."""
        body = dict(self._own)
        most = min(self.answer_tokens, answer_tokens)
        if self.api is ModelApi.RESPONSES:
            body |= {"max_output_tokens": max(most, _OUTPUT_TOKENS_MIN), "store": False}
        elif self.api is ModelApi.MESSAGES:
            body["max_tokens"] = max(most, 1)
            thinking = body.get("thinking")
            wanted = thinking.get("budget_tokens") if isinstance(thinking, dict) else None
            if isinstance(thinking, dict) and isinstance(wanted, int) and wanted >= most:
                if most <= _THINKING_TOKENS_MIN:
                    return RefusedRequest(
                        "What is left of the agent's budget is too little for an answer with "
                        "thinking. Finish without it, or end."
                    )
                body["thinking"] = {**thinking, "budget_tokens": _THINKING_TOKENS_MIN}
        return _joined(_written(body), self._rest)


def api_of(path: str) -> ModelApi | None:
    """The API at a path without its query; None where nothing is passed on."""
    return ModelApi(path) if path in {*ModelApi} else None


def target_of(api: ModelApi, query: str) -> str:
    """What is asked upstream: of the query only what the APIs' clients are known to send."""
    is_beta = api is not ModelApi.RESPONSES and "beta=true" in query.split("&")
    return f"{api}?beta=true" if is_beta else str(api)


def may_lack(api: ModelApi, status: int) -> bool:
    """Whether a status may mean that the server does not have this API."""
    return api is ModelApi.RESPONSES and status in _NO_PATH


def lacks_responses(body: bytes) -> bool:
    """Whether the body of such an answer means just that, and not an unknown model."""
    return _NO_MODEL not in body


def error_body(sentence: str) -> bytes:
    """A refusal in a form that the clients of both APIs read."""
    error = {"type": "invalid_request_error", "message": f"headgate: {sentence}"}
    return json.dumps({"type": "error", "error": error}).encode()


def words_of(body: bytes) -> str:
    """The sentence in an error of the API; empty where there is none."""
    try:
        return str(json.loads(body)["error"]["message"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return ""


def is_asked_for(model: str, allowed: tuple[str, ...]) -> bool:
    """Whether a model is one of these; a dated name is the plain one."""
    return model in allowed or _DATED.sub("", model) in allowed


def judge_request(
    api: ModelApi, body: bytes, models: tuple[str, ...]
) -> ModelRequest | RefusedRequest:
    """Read a body and hold it to what may be asked; `models` are those of the order."""
    # A body has no more values than bytes: most need not be counted.
    if len(body) > _VALUES_MAX and sum(map(body.count, (b",", b"[", b"{"))) > _VALUES_MAX:
        return RefusedRequest(f"The request holds more than {_VALUES_MAX:,} values.")
    try:
        # Two readers may differ about text that is no Unicode, and depth; this one refuses them.
        asked = from_json(body, cache_strings=False)
        if not isinstance(asked, dict):
            return RefusedRequest("The request is not a JSON object.")
        own = {key: asked[key] for key in _OWN_KEYS if key in asked}
        rest = _written({key: value for key, value in asked.items() if key not in _OWN_KEYS})
        _written(own)
    except (ValueError, RecursionError):
        return RefusedRequest("The request is not a JSON document that can be read.")
    wrong = next(_faults(api, asked, models), None)
    if wrong is not None:
        return RefusedRequest(wrong)
    key, default = "max_tokens", 0
    if api is ModelApi.RESPONSES:
        key, default = "max_output_tokens", _ANSWER_TOKENS_DEFAULT
    most = asked.get(key)
    size = len(body) - _free_bytes(asked)
    request = ModelRequest(api, str(asked["model"]), default, size, own, rest)
    return request if most is None else replace(request, answer_tokens=int(most))


def _written(body: Json) -> bytes:
    said = to_json(body, inf_nan_mode="constants")
    if any(word in said for word in _NO_NUMBERS):
        # Perhaps only in a text. As numbers, which readers may differ about, they are refused here.
        json.dumps(body, allow_nan=False)
    return said


def _joined(one: bytes, other: bytes) -> bytes:
    """Two objects without a key in common, as one."""
    comma = b"," if b"{}" not in (one, other) else b""
    return b"%b%b%b" % (one[:-1], comma, other[1:])


def _faults(api: ModelApi, asked: Json, models: tuple[str, ...]) -> Iterator[str]:
    known = _RESPONSES_KEYS if api is ModelApi.RESPONSES else _MESSAGES_KEYS
    for key in asked:
        if key not in known:
            yield f"{_shown(key)} is not passed on: the request may hold {', '.join(sorted(known))}."
    model = asked.get("model")
    if not isinstance(model, str) or not is_asked_for(model, models):
        yield f"The model {_shown(model)} is not one of this order's: ask {' or '.join(models)}."
    if not _is_one(asked.get("service_tier"), _SERVICE_TIERS):
        yield f"service_tier {_shown(asked['service_tier'])} is not passed on: leave it out."
    if api is ModelApi.RESPONSES:
        yield from _responses_faults(asked)
    else:
        yield from _messages_faults(api, asked)


def _messages_faults(api: ModelApi, asked: Json) -> Iterator[str]:
    most = asked.get("max_tokens")
    if (api is ModelApi.MESSAGES or most is not None) and not _is_count(most):
        yield f"max_tokens must be a whole number above 0, not {_shown(most)}."
    for tool in _objects(asked.get("tools")):
        kind = tool.get("type", "custom")
        if not isinstance(kind, str) or not _CLIENT_TOOL.fullmatch(kind) or tool.keys() & _FAR_KEYS:
            yield _server_tool(kind)
    yield from _edit_faults(asked.get("context_management"))
    for block in _blocks_of(asked):
        yield from _block_faults(block)
    yield from _form_faults(asked)
    yield from _reference_faults(*map(asked.get, ("tools", "output_config", "output_format")))


def _block_faults(block: Json) -> Iterator[str]:
    kind, source = block.get("type"), block.get("source")
    if not _is_one(kind, _MESSAGES_BLOCKS):
        yield f"A {_shown(kind)} block is not passed on: send {', '.join(sorted(_MESSAGES_BLOCKS))}."
    elif kind in ("image", "document"):
        if not isinstance(source, dict) or not _is_within(source):
            yield _by_address(str(kind), "as a base64 source")
    elif kind == "search_result":
        if isinstance(source, dict | list):
            yield "The source of a search_result is the name of where it was found."
    elif source is not None or (kind != "tool_result" and block.get("content") is not None):
        yield f"A {kind} block has neither a source nor a content of its own."
    yield from _far_faults(block, "block", "as a base64 source")


def _form_faults(asked: Json) -> Iterator[str]:
    """What another reader might understand otherwise."""
    for choice in _objects(asked.get("tool_choice")):
        if not _is_one(choice.get("type"), _TOOL_CHOICES):
            yield f"The tool choice {_shown(choice.get('type'))} is not passed on."
    for key, kind in (("messages", list), ("tools", list), ("context_management", dict)):
        if not isinstance(asked.get(key), kind | None):
            yield f"{key} has another form than the API's."
    if any("role" not in message for message in _objects(asked.get("messages"))):
        yield "Each of the messages must be an object with a role."


def _is_within(source: Json) -> bool:
    """Whether a block's content is in the request itself, without an address to fetch."""
    kind = source.get("type")
    return (
        isinstance(kind, str)
        and source.keys() <= {"type", *_SOURCES.get(kind, ())}
        and kind in _SOURCES
        # Base64 has none; some servers take an address in its place.
        and (kind != "base64" or ":" not in str(source.get("data")))
    )


def _edit_faults(management: object) -> Iterator[str]:
    """Edits of the context that drop something; one that asks a model again costs unseen."""
    edits = management.get("edits") if isinstance(management, dict) else None
    for edit in _objects(edits):
        kind = edit.get("type")
        if not isinstance(kind, str) or not _EDITS.fullmatch(kind):
            yield f"The context edit {_shown(kind)} is not passed on: only clear_… edits are."


def _responses_faults(asked: Json) -> Iterator[str]:
    most = asked.get("max_output_tokens")
    if most is not None and not _is_count(most):
        yield f"max_output_tokens must be a whole number above 0, not {_shown(most)}."
    if not isinstance(asked.get("instructions", ""), str | None):
        yield "instructions must be a text."
    if asked.get("store") not in (None, False):
        yield "store is not passed on: send store: false, and all input with every request."
    yield from _responses_tool_faults(asked.get("tools"))
    choice = asked.get("tool_choice")
    if isinstance(choice, str) and choice not in _RESPONSES_CHOICES:
        yield f"The tool choice {_shown(choice)} is not passed on."
    for key, kinds in (("tools", list | None), ("input", str | list | None)):
        if not isinstance(asked.get(key), kinds):
            yield f"{key} has another form than the API's."
    if isinstance(choice, dict) and choice.get("type") == "allowed_tools":
        choice = choice.get("tools")
    yield from _responses_tool_faults(choice)
    for item in _objects(asked.get("input")):
        # Without a type it may be a message, or name an item that the provider keeps.
        kind = item.get("type", "message" if "role" in item else "item_reference")
        if not _is_one(kind, _RESPONSES_ITEMS):
            yield f"A {_shown(kind)} item is not passed on: send {', '.join(sorted(_RESPONSES_ITEMS))}."
        yield from _responses_tool_faults(item.get("tools"))
        yield from _content_faults(item)
        for part in _parts_of(item):
            yield from _part_faults(part)
        yield from _reference_faults(item.get("tools"))
    yield from _reference_faults(asked.get("tools"), asked.get("text"))


def _part_faults(part: Json) -> Iterator[str]:
    kind = part.get("type")
    if not _is_one(kind, _RESPONSES_PARTS):
        yield f"A {_shown(kind)} part is not passed on: send {', '.join(sorted(_RESPONSES_PARTS))}."
    if any(part.get(key) is not None for key in ("content", "source")):
        yield f"A {_shown(kind)} part has neither a source nor a content of its own."
    yield from _content_faults(part)


def _content_faults(holder: Json) -> Iterator[str]:
    """What an item or a part has of a file or a picture is its content."""
    yield from _far_faults(holder, "file or image", "as a data: URL")
    for key in ("image_url", "file_data"):
        said = holder.get(key)
        if said is None:
            continue
        text = said if isinstance(said, str) else ""
        found = _WITHIN.match(text)
        if found is None or ":" in text[found.end() :]:
            yield _by_address("file or image", "as a data: URL")


def _far_faults(holder: Json, what: str, how: str) -> Iterator[str]:
    for key in sorted(holder.keys() & _FAR_KEYS):
        if holder[key] is not None:
            yield _by_address(what, f"{how}, without {key}")


def _reference_faults(*schemas: object) -> Iterator[str]:
    for said in _references_outside(*schemas):
        yield f"A schema may refer to its own parts only (#/…), not to {_shown(said)}."


def _responses_tool_faults(tools: object) -> Iterator[str]:
    for tool in _objects(tools):
        kind = tool.get("type")
        yield from _responses_tool_faults(tool.get("tools"))
        if kind == "tool_search":
            if tool.get("execution") != "client":
                yield _server_tool(kind)
        elif kind != "namespace" and not _is_one(kind, _RESPONSES_TOOLS):
            yield _server_tool(kind)
        if tool.keys() & _FAR_KEYS:
            yield _server_tool(kind)


def _server_tool(kind: object) -> str:
    return (
        f"The tool {_shown(kind)} is not passed on, because the model's provider would run it: offer "
        "only tools that you run yourself. The task has no network."
    )


def _by_address(what: str, how: str) -> str:
    return (
        f"A {what} is passed on only with its content, {how}: an address or a file id would be "
        "fetched by the model's provider."
    )


def _blocks_of(asked: Json) -> Iterator[Json]:
    """Every content block: of the system, of messages, in tool results, in documents."""
    waiting: list[object] = [asked.get("system")]
    waiting += [message.get("content") for message in _objects(asked.get("messages"))]
    while waiting:
        for block in _objects(waiting.pop()):
            yield block
            source = block.get("source")
            if block.get("type") == "document" and isinstance(source, dict):
                waiting.append(source.get("content"))
            if block.get("type") in ("tool_result", "search_result"):
                waiting.append(block.get("content"))


def _parts_of(item: Json) -> Iterator[Json]:
    for key in ("content", "output", "summary"):
        yield from _objects(item.get(key))


def _objects(values: object) -> Iterator[Json]:
    """The objects of a list, or a single object in place of a list; a text has none."""
    alike = [values] if isinstance(values, dict) else values
    for value in alike if isinstance(alike, list) else ():
        yield value if isinstance(value, dict) else {"type": value}


def _free_bytes(asked: Json) -> int:
    """Bytes of pictures beyond what a picture costs."""
    pictures = (b.get("source") for b in _blocks_of(asked) if b.get("type") == "image")
    sizes = [len(str(s.get("data", ""))) for s in pictures if isinstance(s, dict)]
    for item in _objects(asked.get("input")):
        sizes += [len(str(p["image_url"])) for p in _parts_of(item) if "image_url" in p]
    return sum(max(0, size - _IMAGE_BYTES_MAX) for size in sizes)


def _is_one(word: object, known: frozenset[str | None] | frozenset[str]) -> bool:
    """A list or an object in a word's place is none."""
    return (word is None or isinstance(word, str)) and word in known


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return repr(text[:_SHOWN_CHARACTERS])


def _references_outside(*schemas: object) -> Iterator[str]:
    """What leads out of a JSON schema to another document, which a reader may fetch."""
    waiting = [*schemas]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting += one
        elif isinstance(one, dict):
            waiting += one.values()
            for key in one.keys() & _REFERENCES:
                said = one[key]
                if isinstance(said, str) and not said.startswith("#"):
                    yield said
