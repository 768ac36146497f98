"""The Messages API as the real `anthropic` client sees it."""

from typing import Literal

import anthropic
import httpx
import pytest
from anthropic import Anthropic
from anthropic.types import Message, MessageParam

from bot.localhub.model_server.server import running
from tests.localhub_model.kit import BASH, anthropic_on, script

TWO_TURNS = script("""
    version: 1
    texts:
      farewell: Goodbye from {{change}}
    scenes:
      - name: second attempt
        match: {task: [river], attempt_at_least: 2}
        turns: [{text: "again, {{change}}, for {{order_id}}"}]
      - name: river
        match: {task: [river], attempt: 1}
        captures:
          length: {patterns: ['(\\d+) miles', '(\\d+) km'], otherwise: unknown}
        turns:
          - text: It is {{length}} long
            calls:
              - bash: {command: "echo {{length}}"}
          - text: "{{farewell}}"
      - name: system and model
        match: {system: [terse], model: '^tiny-', latest: ['^now$']}
        turns: [{json: {ok: true, who: "{{change}}"}}]
""")


def ask(client: Anthropic, *messages: MessageParam) -> Message:
    return client.messages.create(
        model="any-model", max_tokens=100, tools=[BASH], messages=list(messages)
    )


def test_the_turn_follows_from_the_conversation_so_a_client_may_restart() -> None:
    task: MessageParam = {
        "role": "user",
        "content": "Headgate order o1 change dam attempt 1\nThe river has 42 km.",
    }
    with anthropic_on(TWO_TURNS) as client:
        for _ in range(2):
            first = ask(client, task)
            assert first.stop_reason == "tool_use"
            said, call = first.content
            assert said.type == "text"
            assert said.text == "It is 42 long"
            assert call.type == "tool_use"
            assert call.input == {"command": "echo 42"}
            second = ask(
                client,
                task,
                {"role": "assistant", "content": first.content},
                {
                    "role": "user",
                    "content": [{"type": "tool_result", "tool_use_id": call.id, "content": "42"}],
                },
            )
            assert second.stop_reason == "end_turn"
            assert second.content[0].type == "text"
            assert second.content[0].text == "Goodbye from dam"


def test_the_attempt_is_read_from_the_first_line() -> None:
    with anthropic_on(TWO_TURNS) as client:
        content = "Headgate order o7 change dam attempt 3\nriver"
        answer = ask(client, {"role": "user", "content": content})
    assert answer.content[0].type == "text"
    assert answer.content[0].text == "again, dam, for o7"


def test_system_model_and_latest_message_can_be_matched() -> None:
    with anthropic_on(TWO_TURNS) as client:
        answer = client.messages.create(
            model="tiny-1",
            max_tokens=5,
            system=[{"type": "text", "text": "Be terse."}],
            messages=[{"role": "user", "content": "now"}],
        )
    assert answer.content[0].type == "text"
    assert answer.content[0].text == '{"ok": true, "who": ""}'


def test_an_unmatched_request_gets_the_reasons() -> None:
    with anthropic_on(TWO_TURNS) as client, pytest.raises(anthropic.BadRequestError) as refusal:
        ask(client, {"role": "user", "content": "a lake"})
    assert "river: 'river' is not in the task" in str(refusal.value)
    assert "second attempt: it is for attempt 2 or later, and this is 1" in str(refusal.value)
    assert "'^now$' is not in the latest message" in str(refusal.value)


def test_a_conversation_longer_than_its_scene_is_refused() -> None:
    with (
        anthropic_on(TWO_TURNS) as client,
        pytest.raises(
            anthropic.BadRequestError, match="has 2 turns, and the conversation already holds 2"
        ),
    ):
        ask(
            client,
            {"role": "user", "content": "river"},
            {"role": "assistant", "content": "a"},
            {"role": "user", "content": "b"},
            {"role": "assistant", "content": "c"},
            {"role": "user", "content": "d"},
        )


def test_a_stream_results_in_the_same_message() -> None:
    long = "x" * 1_000 + " ünï © 漢字 "
    played = script(f"""
        version: 1
        scenes:
          - name: long
            turns:
              - text: "{long}"
                calls:
                  - bash: {{command: "{long}"}}
                  - bash: {{command: ls}}
    """)
    with anthropic_on(played) as client:
        whole = ask(client, {"role": "user", "content": "go"})
        with client.messages.stream(
            model="any-model",
            max_tokens=100,
            tools=[BASH],
            messages=[{"role": "user", "content": "go"}],
        ) as stream:
            kinds = [event.type for event in stream]
            streamed = stream.get_final_message()
    assert kinds[0] == "message_start"
    assert kinds[-1] == "message_stop"
    assert [block.model_dump() for block in streamed.content] == [
        {**block.model_dump()} for block in whole.content
    ]
    assert streamed.stop_reason == whole.stop_reason == "tool_use"
    assert streamed.usage.output_tokens == whole.usage.output_tokens
    assert streamed.usage.input_tokens == whole.usage.input_tokens


def test_forced_structured_output_comes_from_the_script() -> None:
    played = script("""
        version: 1
        scenes:
          - name: judge
            match: {task: [judge]}
            turns:
              - calls: [{tool: verdict, input: {met: [true, "{{change}}"], score: 3}}]
          - name: other
            turns: [{text: hm}]
    """)
    tool: anthropic.types.ToolParam = {"name": "verdict", "input_schema": {"type": "object"}}
    with anthropic_on(played) as client:
        answer = client.messages.create(
            model="m",
            max_tokens=9,
            tools=[tool],
            tool_choice={"type": "tool", "name": "verdict"},
            messages=[{"role": "user", "content": "judge this"}],
        )
        assert answer.content[0].type == "tool_use"
        assert answer.content[0].input == {"met": [True, ""], "score": 3}
        with pytest.raises(anthropic.BadRequestError, match="forces the tool 'verdict'"):
            client.messages.create(
                model="m",
                max_tokens=9,
                tools=[tool],
                tool_choice={"type": "tool", "name": "verdict"},
                messages=[{"role": "user", "content": "something else"}],
            )
        with pytest.raises(anthropic.BadRequestError, match="demands a tool call"):
            client.messages.create(
                model="m",
                max_tokens=9,
                tools=[tool],
                tool_choice={"type": "any"},
                messages=[{"role": "user", "content": "something else"}],
            )
        with pytest.raises(anthropic.BadRequestError, match="offers no tools"):
            client.messages.create(
                model="m", max_tokens=9, messages=[{"role": "user", "content": "judge this"}]
            )


def test_a_tool_call_without_its_result_is_refused_as_the_real_api_does() -> None:
    call: MessageParam = {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "toolu_1", "name": "bash", "input": {}}],
    }
    with anthropic_on(TWO_TURNS) as client:
        with pytest.raises(anthropic.BadRequestError, match="without `tool_result` blocks"):
            ask(
                client, {"role": "user", "content": "river"}, call, {"role": "user", "content": "?"}
            )
        with pytest.raises(anthropic.BadRequestError, match="unexpected `tool_use_id`"):
            ask(
                client,
                {
                    "role": "user",
                    "content": [{"type": "tool_result", "tool_use_id": "toolu_9", "content": ""}],
                },
            )
        with pytest.raises(anthropic.BadRequestError, match="must end with a user message"):
            ask(client, {"role": "user", "content": "river"}, {"role": "assistant", "content": "a"})


def test_tokens_are_computed_from_lengths_and_include_the_cache() -> None:
    rule = "r" * 4_000
    with anthropic_on(TWO_TURNS) as client:
        counted = client.messages.count_tokens(
            model="m", system=rule, messages=[{"role": "user", "content": "river"}]
        )
        assert 1_000 < counted.input_tokens < 1_050
        task: MessageParam = {"role": "user", "content": "river"}
        marked: anthropic.types.TextBlockParam = {
            "type": "text",
            "text": rule,
            "cache_control": {"type": "ephemeral"},
        }
        first = client.messages.create(
            model="m", max_tokens=9, system=[marked], tools=[BASH], messages=[task]
        )
        later = client.messages.create(
            model="m",
            max_tokens=9,
            system=[marked],
            tools=[BASH],
            messages=[task, {"role": "assistant", "content": "a"}, task],
        )
    assert (first.usage.cache_creation_input_tokens or 0) > 1_000
    assert first.usage.cache_read_input_tokens == 0
    assert later.usage.cache_creation_input_tokens == 0
    assert later.usage.cache_read_input_tokens == first.usage.cache_creation_input_tokens
    assert first.usage.input_tokens < 30


def test_usage_has_the_form_of_the_real_api() -> None:
    """`message_start` says all of the input, `message_delta` repeats it without the lifetimes."""

    def marked(text: str, ttl: Literal["5m", "1h"]) -> anthropic.types.TextBlockParam:
        mark = anthropic.types.CacheControlEphemeralParam(type="ephemeral", ttl=ttl)
        return {"type": "text", "text": text, "cache_control": mark}

    with anthropic_on(TWO_TURNS) as client:
        told = list(
            client.messages.create(
                model="m",
                max_tokens=9,
                stream=True,
                system=[marked("r" * 8_000, "1h"), marked("s" * 4_000, "5m")],
                messages=[{"role": "user", "content": "river"}],
                tools=[BASH],
            )
        )
    start = next(event.message.usage for event in told if event.type == "message_start")
    delta = next(event.usage for event in told if event.type == "message_delta")
    assert start.cache_creation is not None
    assert start.cache_creation.ephemeral_1h_input_tokens > 2_000
    assert 1_000 < start.cache_creation.ephemeral_5m_input_tokens < 1_100
    lifetimes = start.cache_creation
    assert start.cache_creation_input_tokens == (
        lifetimes.ephemeral_1h_input_tokens + lifetimes.ephemeral_5m_input_tokens
    )
    assert (start.service_tier, start.output_tokens) == ("standard", 1)
    assert set(delta.model_dump(exclude_unset=True)) == {
        "input_tokens",
        "cache_creation_input_tokens",
        "cache_read_input_tokens",
        "output_tokens",
    }
    assert delta.cache_creation_input_tokens == start.cache_creation_input_tokens
    assert delta.output_tokens > 1


@pytest.mark.parametrize(
    ("model", "characters", "is_cached"),
    [
        ("claude-sonnet-4-6", 3_500, False),
        ("claude-sonnet-4-6", 4_200, True),
        ("claude-haiku-4-5", 4_200, False),
        ("claude-opus-4-6", 4_200, False),
        ("claude-opus-4-6", 17_000, True),
    ],
)
def test_a_short_prompt_is_not_cached(model: str, characters: int, is_cached: bool) -> None:
    mark: anthropic.types.CacheControlEphemeralParam = {"type": "ephemeral"}
    with anthropic_on(TWO_TURNS) as client:
        answer = client.messages.create(
            model=model,
            max_tokens=9,
            tools=[BASH],
            system=[{"type": "text", "text": "r" * characters, "cache_control": mark}],
            messages=[{"role": "user", "content": "river"}],
        )
    assert bool(answer.usage.cache_creation_input_tokens) is is_cached
    assert (answer.usage.input_tokens > characters // 4) is not is_cached


def test_a_fifth_cache_mark_is_refused() -> None:
    mark: anthropic.types.CacheControlEphemeralParam = {"type": "ephemeral"}
    piece: anthropic.types.TextBlockParam = {"type": "text", "text": "r", "cache_control": mark}
    with (
        anthropic_on(TWO_TURNS) as client,
        pytest.raises(anthropic.BadRequestError, match=r"maximum of 4 blocks .* Found 5"),
    ):
        client.messages.create(
            model="m",
            max_tokens=9,
            system=[piece] * 5,
            messages=[{"role": "user", "content": "river"}],
        )


def test_a_refusal_has_its_stop_reason() -> None:
    played = script("""
        version: 1
        scenes: [{name: no, turns: [{text: I will not, stop_reason: refusal}]}]
    """)
    with anthropic_on(played) as client:
        answer = ask(client, {"role": "user", "content": "x"})
        with client.messages.stream(
            model="m", max_tokens=9, messages=[{"role": "user", "content": "x"}]
        ) as stream:
            streamed = stream.get_final_message()
    assert answer.stop_reason == streamed.stop_reason == "refusal"
    assert answer.stop_details is not None
    assert answer.stop_details.explanation == "I will not"


def test_models_and_the_root_path_answer() -> None:
    with running(TWO_TURNS) as base_url:
        with Anthropic(api_key="any", base_url=base_url) as client:
            assert [model.id for model in client.models.list()] == ["scripted-model"]
            assert client.models.retrieve("claude-x").id == "claude-x"
        with httpx.Client() as plain:
            assert plain.head(base_url).status_code == 200
            assert plain.get(f"{base_url}/nowhere", headers={"x-api-key": "k"}).status_code == 404
            assert plain.post(f"{base_url}/v1/messages", json={}).status_code == 401
            headers = {"x-api-key": "k"}
            bare = plain.post(f"{base_url}/v1/messages", json={}, headers=headers)
            assert "anthropic-version" in bare.json()["error"]["message"]
            headers["anthropic-version"] = "2023-06-01"
            empty = plain.post(f"{base_url}/v1/messages", json={}, headers=headers)
            assert empty.status_code == 400
            assert empty.json()["error"]["type"] == "invalid_request_error"


def test_a_key_that_the_api_does_not_have_is_refused() -> None:
    question = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "river"}]}
    headers = {"x-api-key": "k", "anthropic-version": "2023-06-01"}
    with running(TWO_TURNS) as base_url, httpx.Client(headers=headers, base_url=base_url) as plain:
        unknown = plain.post("/v1/messages", json=question | {"prompt": "x"})
        assert unknown.status_code == 400
        assert "prompt: Extra inputs" in unknown.json()["error"]["message"]
        counted = plain.post("/v1/messages/count_tokens", json=question)
        assert "max_tokens: Extra inputs" in counted.json()["error"]["message"]


def test_beta_features_are_refused_without_the_beta_header() -> None:
    managed = {
        "model": "m",
        "max_tokens": 9,
        "messages": [{"role": "user", "content": "river"}],
        "context_management": {"edits": []},
        "tools": [BASH],
    }
    told = [{"role": "user", "content": "river"}, {"role": "system", "content": "Hurry."}]
    headers = {"x-api-key": "k", "anthropic-version": "2023-06-01"}
    betas = "context-management-2025-06-27, mid-conversation-system-2026-04-07"
    with running(TWO_TURNS) as base_url, httpx.Client(headers=headers, base_url=base_url) as plain:
        for body in (managed, managed | {"messages": told}):
            assert plain.post("/v1/messages", json=body).status_code == 400
            with_betas = plain.post("/v1/messages", json=body, headers={"anthropic-beta": betas})
            assert with_betas.status_code == 200, with_betas.text
