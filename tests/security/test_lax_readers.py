"""The model's proxy as a way out, once more: what only a reader laxer than ours would understand."""

import json

import pytest

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
def test_a_message_is_read_in_one_way_only(asked: object) -> None:
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
def test_a_response_is_asked_for_in_one_way_only(asked: dict[str, object]) -> None:
    body = json.dumps({"model": "m", **asked}).encode()

    assert isinstance(judge_request(ModelApi.RESPONSES, body, ("m",)), RefusedRequest)


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


def test_the_last_of_two_keys_alone_is_sent() -> None:
    body = b'{"model":"m","max_tokens":5,"messages":[],"tools":[{"type":"web_fetch_1"}],"tools":[]}'
    found = judge_request(ModelApi.MESSAGES, body, ("m",))

    assert not isinstance(found, RefusedRequest)
    assert b"web_fetch" not in bytes(found.written(5))  # type: ignore[arg-type]
