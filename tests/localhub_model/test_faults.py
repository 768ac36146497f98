"""Faults of a model server happen as often as scripted, and then end."""

import threading
import time

import anthropic
import httpx
import httpx2
import openai
import pytest
from anthropic import Anthropic

from bot.localhub.model_server.script import Script
from bot.localhub.model_server.server import running
from tests.localhub_model.kit import anthropic_on, openai_on, script


def faulty(kind: str, times: int = 1) -> Script:
    return script(f"""
        version: 1
        scenes:
          - name: faulty
            turns:
              - text: "{"a long answer " * 100}"
                fault: {{kind: {kind}, times: {times}, retry_after_seconds: 0.05}}
    """)


def ask(client: Anthropic) -> anthropic.types.Message:
    return client.messages.create(
        model="m", max_tokens=9, messages=[{"role": "user", "content": "go"}]
    )


def ask_streaming(client: Anthropic) -> anthropic.types.Message:
    with client.messages.stream(
        model="m", max_tokens=9, messages=[{"role": "user", "content": "go"}]
    ) as stream:
        return stream.get_final_message()


@pytest.mark.parametrize(
    ("kind", "status"), [("rate_limited", 429), ("overloaded", 529), ("server_error", 500)]
)
def test_a_refused_request_is_refused_as_often_as_scripted(kind: str, status: int) -> None:
    with anthropic_on(faulty(kind, times=2)) as client:
        for _ in range(2):
            with pytest.raises(anthropic.APIStatusError) as refusal:
                ask(client)
            assert refusal.value.status_code == status
            expected = "0.05" if status in (429, 529) else None
            assert refusal.value.response.headers.get("retry-after") == expected
        assert ask(client).stop_reason == "end_turn"


def test_the_clients_own_retries_succeed() -> None:
    with anthropic_on(faulty("rate_limited", times=2)) as client:
        assert ask(client.with_options(max_retries=2)).stop_reason == "end_turn"


def test_a_cut_stream_is_a_broken_connection() -> None:
    with anthropic_on(faulty("cut_stream")) as client:
        with pytest.raises((httpx2.TransportError, anthropic.APIConnectionError)):
            ask_streaming(client)
        assert ask_streaming(client).stop_reason == "end_turn"


def test_a_cut_answer_is_a_broken_connection() -> None:
    with anthropic_on(faulty("cut_stream")) as client:
        with pytest.raises((httpx2.TransportError, anthropic.APIConnectionError)):
            ask(client)
        assert ask(client).stop_reason == "end_turn"


def test_truncated_json_ends_in_the_middle_of_a_document() -> None:
    with running(faulty("truncated_json")) as base_url, httpx.Client() as plain:
        body = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "go"}]}
        headers = {"x-api-key": "k", "anthropic-version": "2023-06-01"}
        answers = [
            plain.post(f"{base_url}/v1/messages", json=body, headers=headers) for _ in range(2)
        ]
        assert answers[0].status_code == 200
        with pytest.raises(ValueError, match=r"Unterminated|Expecting"):
            answers[0].json()
        assert answers[1].json()["stop_reason"] == "end_turn"


def test_a_truncated_stream_has_no_stop_event() -> None:
    with running(faulty("truncated_json")) as base_url, httpx.Client() as plain:
        body = {
            "model": "m",
            "max_tokens": 9,
            "stream": True,
            "messages": [{"role": "user", "content": "go"}],
        }
        headers = {"x-api-key": "k", "anthropic-version": "2023-06-01"}
        answer = plain.post(f"{base_url}/v1/messages", json=body, headers=headers)
    assert "message_start" in answer.text
    assert "message_stop" not in answer.text
    assert not answer.text.endswith("\n\n")


def test_an_overload_in_the_middle_of_a_stream_is_an_error_event() -> None:
    with anthropic_on(faulty("overloaded_midway")) as client:
        with pytest.raises(anthropic.APIStatusError, match="overloaded_error"):
            ask_streaming(client)
        assert ask_streaming(client).stop_reason == "end_turn"


def test_the_responses_api_has_the_same_faults() -> None:
    with openai_on(faulty("rate_limited")) as client:
        with pytest.raises(openai.RateLimitError):
            client.responses.create(model="m", input="go")
        assert client.responses.create(model="m", input="go").status == "completed"
    with openai_on(faulty("overloaded_midway")) as client:
        kinds = [e.type for e in client.responses.create(model="m", input="go", stream=True)]
        assert kinds[-1] == "response.failed"


def test_stopping_the_server_ends_waiting_answers() -> None:
    played = script("""
        version: 1
        scenes: [{name: slow, turns: [{text: late, after_seconds: 500}]}]
    """)
    asked = threading.Event()
    ended = threading.Event()

    def wait_for_answer(base_url: str) -> None:
        client = Anthropic(api_key="any", base_url=base_url, max_retries=0)
        with client.messages.stream(
            model="m", max_tokens=9, messages=[{"role": "user", "content": "go"}]
        ) as stream:
            for _ in stream:
                asked.set()
        ended.set()

    began = time.monotonic()
    with running(played) as base_url:
        asking = threading.Thread(target=wait_for_answer, args=(base_url,), daemon=True)
        asking.start()
        assert asked.wait(10)
    assert ended.wait(10)
    asking.join()
    assert time.monotonic() - began < 60


@pytest.mark.parametrize("stream", [False, True])
def test_an_answer_behind_a_gateway_may_omit_its_usage(stream: bool) -> None:
    with running(faulty("no_usage")) as base_url, httpx.Client() as plain:
        question = {"role": "user", "content": "go"}
        body = {"model": "m", "max_tokens": 9, "stream": stream, "messages": [question]}
        headers = {"x-api-key": "k", "anthropic-version": "2023-06-01"}
        first, second = (
            plain.post(f"{base_url}/v1/messages", json=body, headers=headers) for _ in range(2)
        )
    assert (first.status_code, second.status_code) == (200, 200)
    assert "usage" not in first.text
    assert "a long answer" in first.text
    assert "usage" in second.text
