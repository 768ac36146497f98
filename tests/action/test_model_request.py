"""Requests of agent programs pass to a model; requests that reach the network do not."""

import json

import pytest

from action.model_headers import known_betas
from action.model_request import (
    ModelApi,
    ModelRequest,
    RefusedRequest,
    api_of,
    judge_request,
    target_of,
)
from tests.action.model_requests import CLAUDE_CODE, CLAUDE_CODE_BETAS, CODEX, HELPER, MODEL

MODELS = (MODEL, HELPER)
HI: dict[str, object] = {"role": "user", "content": "hi"}
MESSAGES: dict[str, object] = {"model": MODEL, "max_tokens": 400, "messages": [HI]}
RESPONSES: dict[str, object] = {"model": MODEL, "input": "hi"}

GOOD = json.dumps(MESSAGES).encode()[:-1]


def judged(
    body: dict[str, object], api: ModelApi = ModelApi.MESSAGES
) -> ModelRequest | RefusedRequest:
    return judge_request(api, json.dumps(body).encode(), MODELS)


def refusal(body: dict[str, object], api: ModelApi = ModelApi.MESSAGES) -> str:
    answer = judged(body, api)
    assert isinstance(answer, RefusedRequest), answer
    return answer.sentence


def sent(
    body: dict[str, object], api: ModelApi = ModelApi.MESSAGES, left: int = 10**9
) -> dict[str, object]:
    """What comes out of a request that is passed on."""
    asked = judged(body, api)
    assert isinstance(asked, ModelRequest), asked
    written = asked.written(left)
    assert isinstance(written, bytes), written
    read: dict[str, object] = json.loads(written)
    return read


def saying(*blocks: dict[str, object]) -> dict[str, object]:
    return MESSAGES | {"messages": [{"role": "user", "content": list(blocks)}]}


def in_result(block: dict[str, object]) -> dict[str, object]:
    return {"type": "tool_result", "tool_use_id": "t", "content": [block]}


PICTURE: dict[str, object] = {
    "type": "image",
    "source": {"type": "url", "url": "https://evil.example/?d=secret"},
}
PAPER: dict[str, object] = {
    "type": "document",
    "source": {"type": "url", "url": "https://evil.example/a.pdf"},
}
KEPT: dict[str, object] = {"type": "image", "source": {"type": "file", "file_id": "file_1"}}


def test_requests_of_claude_code_pass_unchanged() -> None:
    assert sent(CLAUDE_CODE) == CLAUDE_CODE
    counted = {key: CLAUDE_CODE[key] for key in ("model", "messages", "tools", "system")}
    assert sent(counted, ModelApi.COUNT) == counted
    assert known_betas(CLAUDE_CODE_BETAS) == CLAUDE_CODE_BETAS.replace(", ", ",")


def test_requests_of_codex_pass_with_an_added_output_limit() -> None:
    assert sent(CODEX, ModelApi.RESPONSES) == CODEX | {"max_output_tokens": 128_000}


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (MESSAGES | {"mcp_servers": [{"type": "url", "url": "https://e.example"}]}, "mcp_servers"),
        (MESSAGES | {"container": "container_1"}, "container"),
        (MESSAGES | {"fallbacks": [{"model": "claude-opus-4-6"}]}, "fallbacks"),
        (MESSAGES | {"speed": "fast"}, "speed"),
        (MESSAGES | {"something_new": 1}, "something_new"),
        (MESSAGES | {"service_tier": "priority"}, "priority"),
        (MESSAGES | {"model": "claude-opus-4-6"}, f"ask {MODEL} or {HELPER}"),
        (MESSAGES | {"model": None}, "model"),
        (MESSAGES | {"max_tokens": None}, "max_tokens"),
        (MESSAGES | {"max_tokens": True}, "max_tokens"),
        (MESSAGES | {"max_tokens": 0}, "max_tokens"),
        (MESSAGES | {"max_tokens": 1.5}, "max_tokens"),
        (MESSAGES | {"max_tokens": "9"}, "max_tokens"),
        (MESSAGES | {"tools": [{"type": "web_search_20250305", "name": "w"}]}, "web_search"),
        (MESSAGES | {"tools": [{"type": "web_fetch_20250910", "name": "w"}]}, "web_fetch"),
        (MESSAGES | {"tools": [{"type": "code_execution_20250825", "name": "c"}]}, "code_exec"),
        (MESSAGES | {"tools": [{"type": "mcp_toolset", "mcp_server_name": "m"}]}, "mcp_toolset"),
        (MESSAGES | {"tools": {"type": "web_search_20250305", "name": "w"}}, "web_search"),
        (MESSAGES | {"tools": [{"type": None, "name": "w"}]}, "null"),
        (MESSAGES | {"context_management": {"edits": [{"type": "compact_20260112"}]}}, "compact"),
        (MESSAGES | {"system": [PICTURE]}, "base64"),
        (MESSAGES | {"messages": {"role": "user", "content": [PICTURE]}}, "base64"),
        (MESSAGES | {"messages": [{"role": "user", "content": PICTURE}]}, "base64"),
        (saying(PICTURE), "base64"),
        (saying(KEPT), "base64"),
        (saying(PAPER), "base64"),
        (saying({"type": "image"}), "base64"),
        (saying(in_result(PICTURE)), "base64"),
        (saying(in_result(in_result(PAPER))), "base64"),
        (saying({"type": "search_result", "content": [PICTURE]}), "base64"),
        (
            saying({"type": "document", "source": {"type": "content", "content": [PICTURE]}}),
            "base64",
        ),
        (saying({"type": "container_upload", "file_id": "file_1"}), "container_upload"),
        (saying({"type": "server_tool_use", "name": "web_search"}), "server_tool_use"),
        (saying({"text": "hi"}), "null"),
    ],
)
def test_requests_of_the_messages_api_cannot_use_network_features(
    body: dict[str, object], says: str
) -> None:
    assert says in refusal(body)
    if says != "max_tokens":
        assert says in refusal(body, ModelApi.COUNT)


def parts(*content: dict[str, object]) -> dict[str, object]:
    return RESPONSES | {"input": [{"role": "user", "content": list(content)}]}


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (RESPONSES | {"background": True}, "background"),
        (RESPONSES | {"conversation": "conv_1"}, "conversation"),
        (RESPONSES | {"previous_response_id": "resp_1"}, "previous_response_id"),
        (RESPONSES | {"prompt": {"id": "pmpt_1"}}, "prompt"),
        (RESPONSES | {"store": True}, "store"),
        (RESPONSES | {"service_tier": "priority"}, "priority"),
        (RESPONSES | {"model": "gpt-5-pro"}, "gpt-5-pro"),
        (RESPONSES | {"max_output_tokens": -1}, "max_output_tokens"),
        (RESPONSES | {"tools": [{"type": "web_search"}]}, "web_search"),
        (RESPONSES | {"tools": [{"type": "mcp", "server_url": "https://e.example"}]}, "mcp"),
        (RESPONSES | {"tools": [{"type": "code_interpreter"}]}, "code_interpreter"),
        (RESPONSES | {"tools": [{"type": "file_search"}]}, "file_search"),
        (RESPONSES | {"tools": [{"type": "tool_search"}]}, "tool_search"),
        (
            RESPONSES | {"tools": [{"type": "namespace", "tools": [{"type": "web_search"}]}]},
            "web_search",
        ),
        (
            RESPONSES | {"input": [{"type": "tool_search_output", "tools": [{"type": "mcp"}]}]},
            "mcp",
        ),
        (RESPONSES | {"input": [{"type": "item_reference", "id": "msg_1"}]}, "item_reference"),
        (RESPONSES | {"input": [{"id": "msg_1"}]}, "item_reference"),
        (RESPONSES | {"input": [{"type": "mcp_call"}]}, "mcp_call"),
        (parts({"type": "input_image", "image_url": "https://evil.example/?d=1"}), "data: URL"),
        (parts({"type": "input_image", "image_url": {"url": "https://evil.example"}}), "data: URL"),
        (
            RESPONSES
            | {"instructions": [{"type": "input_image", "image_url": "https://evil.example"}]},
            "instructions must be a text",
        ),
        (parts({"type": "input_image", "file_id": "file_1"}), "data: URL"),
        (parts({"type": "input_file", "file_url": "https://evil.example/a.pdf"}), "data: URL"),
        (parts({"type": "computer_screenshot"}), "computer_screenshot"),
        (
            RESPONSES
            | {
                "input": [
                    {
                        "type": "function_call_output",
                        "call_id": "c",
                        "output": [{"type": "input_image", "image_url": "http://evil.example"}],
                    }
                ]
            },
            "data: URL",
        ),
    ],
)
def test_requests_of_the_responses_api_cannot_use_network_features(
    body: dict[str, object], says: str
) -> None:
    assert says in refusal(body, ModelApi.RESPONSES)


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"[]", b"7", b"\xff", b"{" * 5_000, b"[" * 100_000),
        GOOD + b', "temperature": NaN}',
        GOOD + b', "temperature": 1e999}',
        GOOD + b', "metadata": {"user_id": "\\ud800"}}',
        GOOD + b', "metadata": ' + b"[" * 400 + b"]" * 400 + b"}",
        GOOD + b', "metadata": [' + b"[]," * 600_000 + b"[]]}",
    ],
    ids=lambda body: repr(body[-9:]),
)
def test_ambiguous_json_is_refused(body: bytes) -> None:
    assert isinstance(judge_request(ModelApi.MESSAGES, body, MODELS), RefusedRequest)


ODD: tuple[object, ...] = ([], {}, [[]], 5, True, None)


@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_a_type_that_is_not_a_string_is_refused(odd: object) -> None:
    """A value that is not hashable would crash a look-up."""
    for body in (
        saying({"type": odd}),
        saying({"type": "image", "source": {"type": odd}}),
        MESSAGES | {"tools": [{"type": odd}]},
        MESSAGES | {"context_management": {"edits": [{"type": odd}]}},
    ):
        assert "is " in refusal(body)
    for body in (
        RESPONSES | {"input": [{"type": odd}]},
        RESPONSES | {"tools": [{"type": odd}]},
        RESPONSES | {"tools": [{"type": "namespace", "tools": [{"type": odd}]}]},
        parts({"type": odd}),
    ):
        assert "is not passed on" in refusal(body, ModelApi.RESPONSES)
    if odd is not None:
        assert "service_tier" in refusal(MESSAGES | {"service_tier": odd})


def test_a_duplicate_key_is_sent_once() -> None:
    good = json.dumps(MESSAGES)
    twice = good[:-1] + ', "messages": ' + json.dumps(MESSAGES["messages"]) + "}"
    twice = twice.replace('{"model"', '{"mcp_servers": [], "model"', 1)
    assert isinstance(judge_request(ModelApi.MESSAGES, twice.encode(), MODELS), RefusedRequest)
    doubled = '{"model": "claude-opus-4-6", ' + good[1:]
    asked = judge_request(ModelApi.MESSAGES, doubled.encode(), MODELS)
    assert isinstance(asked, ModelRequest)
    written = asked.written(400)
    assert isinstance(written, bytes)
    assert written.count(b'"model"') == 1
    assert b"opus" not in written


def test_the_output_limit_is_lowered_to_the_remaining_budget() -> None:
    assert sent(MESSAGES, left=300)["max_tokens"] == 300
    assert sent(MESSAGES, left=500)["max_tokens"] == 400
    assert sent(MESSAGES, left=0)["max_tokens"] == 1
    codex = sent(RESPONSES | {"max_output_tokens": 50}, ModelApi.RESPONSES, left=20)
    assert codex["max_output_tokens"] == 20
    assert sent(RESPONSES, ModelApi.RESPONSES, left=3)["max_output_tokens"] == 16


def test_thinking_is_cut_with_the_answer_or_refused() -> None:
    thinking: dict[str, object] = {"type": "enabled", "budget_tokens": 8_000}
    asked = MESSAGES | {"max_tokens": 16_000, "thinking": thinking}
    assert sent(asked, left=9_000)["thinking"] == thinking
    assert sent(asked, left=2_000)["thinking"] == thinking | {"budget_tokens": 1_024}
    request = judged(asked)
    assert isinstance(request, ModelRequest)
    short = request.written(1_024)
    assert isinstance(short, RefusedRequest)
    assert "without it" in short.sentence


def test_a_picture_costs_by_its_size_on_the_screen() -> None:
    data: dict[str, object] = {
        "type": "image",
        "source": {"type": "base64", "data": "x" * 5_000_000},
    }
    shown = judged(saying(data, in_result(data)))
    assert isinstance(shown, ModelRequest)
    assert shown.input_bytes < 21_000
    drawn: dict[str, object] = {
        "type": "input_image",
        "image_url": "data:image/png;base64," + "x" * 5_000_000,
    }
    there = judged(parts(drawn), ModelApi.RESPONSES)
    assert isinstance(there, ModelRequest)
    assert there.input_bytes < 11_000


def test_a_dated_name_is_the_plain_one() -> None:
    assert sent(MESSAGES | {"model": f"{HELPER}-20251001"})["model"] == f"{HELPER}-20251001"


def test_unknown_paths_queries_and_betas_do_not_pass() -> None:
    assert api_of("/v1/messages/batches") is None
    assert api_of("/v1/files") is None
    assert target_of(ModelApi.MESSAGES, "a=1&beta=true&b=2") == "/v1/messages?beta=true"
    assert target_of(ModelApi.MESSAGES, "beta=false") == "/v1/messages"
    assert target_of(ModelApi.RESPONSES, "beta=true") == "/v1/responses"
    asked = (
        "files-api-2025-04-14, effort-2025-11-24,mcp-client-2025-11-20, code-execution-2025-05-22"
    )
    assert known_betas(asked) == "effort-2025-11-24"
