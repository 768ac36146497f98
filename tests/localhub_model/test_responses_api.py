"""The Responses API as the real `openai` client sees it."""

import json

import openai
import pytest
from openai.types.responses import FunctionToolParam, ResponseInputParam

from tests.localhub_model.kit import openai_on, script

SHELL: FunctionToolParam = {
    "type": "function",
    "name": "shell",
    "strict": False,
    "parameters": {"type": "object", "properties": {"command": {"type": "array"}}},
}

PLAYED = script("""
    version: 1
    scenes:
      - name: river
        match: {task: [river], system: [terse], latest: [river|ok]}
        turns:
          - text: Looking
            calls:
              - bash: {command: ls}
              - edit: {command: create, path: a.txt, file_text: "it's"}
          - text: Done with {{change}}
      - name: cut short
        match: {task: [short]}
        turns: [{text: half an ans, stop_reason: max_tokens}]
      - name: no
        match: {task: [never]}
        turns: [{text: No, stop_reason: refusal}]
""")


def test_a_scene_is_played_through_function_calls() -> None:
    task = "Headgate order o1 change dam attempt 1\nriver"
    so_far: ResponseInputParam = [
        # Long enough for a prompt cache.
        {"role": "developer", "content": "Be terse. " * 500},
        {"role": "user", "content": "<environment_context/>"},
        {"role": "user", "content": [{"type": "input_text", "text": task}]},
    ]
    with openai_on(PLAYED) as client:
        first = client.responses.create(model="m", input=so_far, tools=[SHELL])
        assert first.output_text == "Looking"
        calls = [item for item in first.output if item.type == "function_call"]
        assert json.loads(calls[0].arguments) == {"command": ["bash", "-lc", "ls"]}
        assert "file_text" in json.loads(calls[1].arguments)["command"][2]
        followed: ResponseInputParam = [*so_far]
        followed.append({"role": "assistant", "content": "Looking"})
        for call in calls:
            followed.append(
                {
                    "type": "function_call",
                    "call_id": call.call_id,
                    "name": call.name,
                    "arguments": call.arguments,
                }
            )
        with pytest.raises(openai.BadRequestError, match="No tool output found"):
            client.responses.create(
                model="m", input=[*followed, {"role": "user", "content": "?"}], tools=[SHELL]
            )
        for call in calls:
            followed.append(
                {"type": "function_call_output", "call_id": call.call_id, "output": "ok"}
            )
        second = client.responses.create(model="m", input=followed, tools=[SHELL])
    assert second.output_text == "Done with dam"
    assert second.usage is not None
    assert second.usage.input_tokens_details.cached_tokens > 0
    assert second.usage.total_tokens == second.usage.input_tokens + second.usage.output_tokens


def test_a_stream_results_in_the_same_response() -> None:
    with openai_on(PLAYED) as client:
        whole = client.responses.create(
            model="m", input="river", instructions="terse", tools=[SHELL]
        )
        with client.responses.stream(
            model="m", input="river", instructions="terse", tools=[SHELL]
        ) as stream:
            kinds = [event.type for event in stream]
            streamed = stream.get_final_response()
    assert kinds[0] == "response.created"
    assert kinds[-1] == "response.completed"
    assert streamed.output_text == whole.output_text
    assert [item.type for item in streamed.output] == [item.type for item in whole.output]


def test_each_ending_has_its_form() -> None:
    with openai_on(PLAYED) as client:
        short = client.responses.create(model="m", input="short")
        assert short.status == "incomplete"
        assert short.incomplete_details is not None
        assert short.incomplete_details.reason == "max_output_tokens"
        refused = client.responses.create(model="m", input="never")
        assert refused.output[0].type == "message"
        assert refused.output[0].content[0].type == "refusal"
        with pytest.raises(openai.BadRequestError, match="No scene of the script matches"):
            client.responses.create(model="m", input="a lake")
        with pytest.raises(openai.BadRequestError, match="keeps no responses"):
            client.responses.create(model="m", input="river", previous_response_id="resp_1")


def test_a_key_that_the_api_does_not_have_is_refused() -> None:
    with openai_on(PLAYED) as client, pytest.raises(openai.BadRequestError, match="Extra inputs"):
        client.responses.create(model="m", input="river", extra_body={"messages": []})
