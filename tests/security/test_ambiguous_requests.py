"""The model's proxy as a way out: requests that a laxer reader would understand differently."""

import json

import pytest

from action.model_headers import headers_to_send
from action.model_request import ModelApi, RefusedRequest, judge_request

_FAR = {"type": "url", "url": "https://evil.example"}
_IMAGE = {"type": "image", "source": _FAR}
_PICTURE = {"type": "input_image", "image_url": "https://evil.example"}
_SERVER_TOOL = {"type": "mcp", "server_url": "https://evil.example"}
_MESSAGES = {"model": "m", "max_tokens": 5, "messages": [{"role": "user", "content": "x"}]}


def _said(*blocks: object) -> dict[str, object]:
    return {**_MESSAGES, "messages": [{"role": "user", "content": [*blocks]}]}


def _source(**keys: str) -> dict[str, object]:
    return _said({"type": "image", "source": {"type": "base64", "data": "", **keys}})


@pytest.mark.parametrize(
    "asked",
    [
        {**_MESSAGES, "messages": [[{"role": "user", "content": [_IMAGE]}]]},
        {**_MESSAGES, "messages": [{"role": "user", "content": [[_IMAGE]]}]},
        {**_MESSAGES, "messages": {"0": {"role": "user", "content": [_IMAGE]}}},
        {**_MESSAGES, "tools": [{"type": "bash_２０２５０１２４", "name": "b"}]},
        {**_MESSAGES, "tools": [{"type": "bash_20250124\n", "name": "b"}]},
        {**_MESSAGES, "tools": {"0": {"type": "web_search_20250305"}}},
        {**_MESSAGES, "tools": "web_search_20250305"},
        {**_MESSAGES, "tool_choice": {"type": "mcp_tool", "name": "x"}},
        {**_MESSAGES, "context_management": [{"edits": [{"type": "compact_20260112"}]}]},
        {**_MESSAGES, "context_management": {"edits": [{"type": "clear_all_２０２６０１１２"}]}},
        _source(url="https://evil.example"),
        _source(file_id="file_1"),
    ],
)
@pytest.mark.attack(
    "Lists in lists, addresses beside a content, digits of other scripts: a second way to read a request",
    held="`action.model_request`: every object stands where it belongs, and has the keys that it may have",
)
def test_a_message_has_only_one_reading(asked: object) -> None:
    found = judge_request(ModelApi.MESSAGES, json.dumps(asked).encode(), ("m",))

    assert isinstance(found, RefusedRequest)


@pytest.mark.parametrize(
    "asked",
    [
        {
            "input": [
                {"role": "user", "content": [{**_PICTURE, "image_url": "data:https://x.example"}]}
            ]
        },
        {"input": [{"role": "user", "content": [[_PICTURE]]}]},
        {"input": [[{"role": "user", "content": [_PICTURE]}]]},
        {"input": "x", "tool_choice": _SERVER_TOOL},
        {"input": "x", "tool_choice": {"type": "allowed_tools", "tools": [_SERVER_TOOL]}},
        {"input": "x", "tools": [{"type": "function", "name": "f", "tools": [_SERVER_TOOL]}]},
        {
            "input": [
                {
                    "type": "tool_search_output",
                    "tools": [{"type": "custom", "tools": [_SERVER_TOOL]}],
                }
            ]
        },
    ],
)
@pytest.mark.attack(
    "The same in the Responses API: an address after `data:`, a tool of the provider inside a choice",
    held="`action.model_request`: pictures are base64, and every tool that is named is a client's",
)
def test_a_response_request_has_only_one_form(asked: dict[str, object]) -> None:
    body = json.dumps({"model": "m", **asked}).encode()

    assert isinstance(judge_request(ModelApi.RESPONSES, body, ("m",)), RefusedRequest)


@pytest.mark.parametrize(
    "asked",
    [
        _source(data="https://evil.example"),
        _said({"type": "text", "text": "x", "source": _FAR}),
        _said({"type": "text", "text": "x", "url": "https://evil.example"}),
        _said({"type": "tool_result", "tool_use_id": "a", "source": _FAR}),
        _said({"type": "tool_use", "id": "a", "name": "x", "input": {}, "content": [_IMAGE]}),
        _said({"type": "thinking", "thinking": "x", "signature": "x", "content": [_IMAGE]}),
        _said({"type": "search_result", "source": _FAR, "title": "t", "content": []}),
        {**_MESSAGES, "tools": [{"type": "bash_20250124", "name": "b", "url": "https://evil.example"}]},
        {**_MESSAGES, "tools": [{"name": "a", "input_schema": {"allOf": [{"$ref": "//evil.example"}]}}]},
        {**_MESSAGES, "output_config": {"format": {"schema": {"$dynamicRef": "https://evil.example"}}}},
    ],
)  # fmt: skip
@pytest.mark.attack(
    "An address in a place where a content stands, in an object that has none, or in a schema",
    held="`action.model_request`: no key that names an address, and references within a schema alone",
)
def test_an_address_in_an_unexpected_field_is_refused(asked: object) -> None:
    found = judge_request(ModelApi.MESSAGES, json.dumps(asked).encode(), ("m",))

    assert isinstance(found, RefusedRequest)


def _part(**keys: object) -> dict[str, object]:
    return {"input": [{"role": "user", "content": [{"type": "input_image", **keys}]}]}


@pytest.mark.parametrize(
    "asked",
    [
        _part(type="input_file", file_data="https://evil.example/a.pdf"),
        _part(image_url="data:image/png;base64,AAAA https://evil.example"),
        _part(url="https://evil.example"),
        _part(source=_FAR),
        _part(type="output_text", content=[_PICTURE]),
        {"input": [{"type": "message", "role": "user", "content": "x", "image_url": "https://evil.example"}]},
        {"input": {"role": "user", "content": "x"}},
        {"input": "x", "tools": "web_search"},
        {"input": "x", "tool_choice": "web_search_preview"},
        {"input": "x", "tools": [{"type": "local_shell", "environment": {"type": "container_auto"}}]},
        {"input": "x", "tools": [{"type": "function", "name": "f", "container": {"type": "auto"}}]},
        {"input": "x", "tools": [{"type": "function", "name": "f", "parameters": {"$ref": "https://e.co"}}]},
        {"input": "x", "text": {"format": {"schema": {"items": [{"$ref": "https://evil.example"}]}}}},
    ],
)  # fmt: skip
@pytest.mark.attack(
    "The same in the Responses API: a file's address in place of its content, a machine beside a client's tool",
    held="`action.model_request`: a file's and a picture's content is base64, and a tool has nothing of the provider's",
)
def test_an_address_in_an_unexpected_field_of_a_response_request_is_refused(
    asked: dict[str, object],
) -> None:
    body = json.dumps({"model": "m", **asked}).encode()

    assert isinstance(judge_request(ModelApi.RESPONSES, body, ("m",)), RefusedRequest)


def test_schemas_and_files_of_real_programs_are_passed_on() -> None:
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": {"a": {}},
        "properties": {"url": {"$ref": "#/$defs/a"}, "$ref": {"type": "string"}},
    }
    found = _said(
        {"type": "search_result", "source": "https://docs.example", "title": "t", "content": []}
    )
    said = {**found, "tools": [{"name": "a", "input_schema": schema}]}
    assert not isinstance(
        judge_request(ModelApi.MESSAGES, json.dumps(said).encode(), ("m",)), RefusedRequest
    )
    file = _part(type="input_file", file_data="data:application/pdf;base64,AAAA")
    said = {
        "model": "m",
        **file,
        "tools": [{"type": "function", "name": "f", "parameters": schema}],
    }
    assert not isinstance(
        judge_request(ModelApi.RESPONSES, json.dumps(said).encode(), ("m",)), RefusedRequest
    )


@pytest.mark.attack(
    "A header that has the provider read the body in another encoding, or that no program can send",
    held="`action.model_headers.headers_to_send`: JSON is ours to say, and a value is printable ASCII",
)
@pytest.mark.parametrize("value", ["\xe9", "a\r\n b", "a\0b", "\x7f", "a" * 2_000, " a", "\udce9"])
def test_a_header_has_only_one_reading(value: str) -> None:
    said = {"content-type": "application/json; charset=utf-7", "user-agent": value, "accept": "a/b"}
    sent = headers_to_send(said, [], "key")

    assert sent["content-type"] == "application/json"
    assert "user-agent" not in sent
    assert sent["accept"] == "a/b"


@pytest.mark.parametrize(
    "body",
    [
        b'\xef\xbb\xbf{"model":"m","max_tokens":5,"messages":[]}',
        '{"model":"m","max_tokens":5,"messages":[]}'.encode("utf-16"),
        b'{"model":"m","max_tokens":5,"messages":[],"mcp_\\u0073ervers":[]}',
        b'{"model":"m","max_tokens":5,"messages":[],"tools":[],"tools":[{"type":"web_fetch_1"}]}',
        b'{"model":"m","max_tokens":5,"messages":[]} {}',
        b"\x1f\x8b\x08\x00",
    ],
)
@pytest.mark.attack(
    "A request in another encoding, packed, with a key twice or a key in escapes",
    held="`action.model_request.judge_request`: read once as UTF-8, and sent as it was read",
)
def test_a_request_is_plain_json(body: bytes) -> None:
    assert isinstance(judge_request(ModelApi.MESSAGES, body, ("m",)), RefusedRequest)


def test_only_the_last_of_two_equal_keys_is_sent() -> None:
    body = b'{"model":"m","max_tokens":5,"messages":[],"tools":[{"type":"web_fetch_1"}],"tools":[]}'
    found = judge_request(ModelApi.MESSAGES, body, ("m",))

    assert not isinstance(found, RefusedRequest)
    assert b"web_fetch" not in bytes(found.written(5))  # type: ignore[arg-type]
