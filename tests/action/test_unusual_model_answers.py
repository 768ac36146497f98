"""Model answers that must not be sent back unchanged."""

import json
from pathlib import Path

import pytest

from action.report import AgentEnding
from tests.action.fake_server import FakeServer, bash
from tests.action.kit import Harness, Project, agent_order, unpack

pytestmark = pytest.mark.slow

Json = dict[str, object]
CALL: Json = {"type": "tool_use", "id": "t1", "name": "bash", "input": {}}
TOUCH = '{"command": "touch odd"'


def stream(*blocks: tuple[Json, Json], stop: str | None) -> bytes:
    """An answer of blocks, each with what is added to it; one without a reason to stop has no end."""
    message = {
        **{"id": "m1", "type": "message", "role": "assistant", "model": "m", "content": []},
        **{"stop_reason": None, "usage": {"input_tokens": 9, "output_tokens": 1}},
    }
    told: list[Json] = [{"type": "message_start", "message": message}]
    for index, (block, delta) in enumerate(blocks):
        told.append({"type": "content_block_start", "index": index, "content_block": block})
        told.append({"type": "content_block_delta", "index": index, "delta": delta})
        if stop is not None:
            told.append({"type": "content_block_stop", "index": index})
    if stop is not None:
        usage = {"output_tokens": 9}
        told.append({"type": "message_delta", "delta": {"stop_reason": stop}, "usage": usage})
        told.append({"type": "message_stop"})
    return "".join(f"event: {t['type']}\ndata: {json.dumps(t)}\n\n" for t in told).encode()


def given(text: str) -> Json:
    return {"type": "input_json_delta", "partial_json": text}


NOTHING_SAID: tuple[Json, Json] = ({"type": "text", "text": ""}, {"type": "text_delta", "text": ""})
HALF_A_THOUGHT: tuple[Json, Json] = (
    {"type": "thinking", "thinking": "", "signature": ""},
    {"type": "thinking_delta", "thinking": "The till"},
)


def test_a_tool_call_in_a_truncated_answer_is_not_run(
    server: FakeServer, project: Project, harness: Harness, tmp_path: Path
) -> None:
    """A proxy may end a stream normally although its server stopped in the middle."""
    server.order = agent_order(server, project)
    server.script = [stream((CALL, given(TOUCH)), stop=None), [bash("touch new")], ["DONE"]]

    harness.run()

    assert server.agent_report.ending is AgentEnding.FINISHED
    clone = unpack(project, server.bundles[0], tmp_path)
    assert (clone / "new").exists()
    assert not (clone / "odd").exists()


@pytest.mark.parametrize(
    "odd",
    [
        stream(NOTHING_SAID, (CALL, given(TOUCH + "}")), stop="tool_use"),
        stream(NOTHING_SAID, stop="end_turn"),
        stream(HALF_A_THOUGHT, stop="max_tokens"),
        stream(stop="end_turn"),
    ],
    ids=["empty-beside-a-call", "empty", "half-a-thought", "nothing"],
)
def test_content_that_the_api_would_reject_is_not_sent_back(
    server: FakeServer, project: Project, harness: Harness, odd: bytes
) -> None:
    server.order = agent_order(server, project)
    server.script = [odd, [bash("touch new")], ["DONE"]]

    harness.run()

    report = server.agent_report
    assert report.ending is AgentEnding.FINISHED, report.sentence
    assert report.turns == 3
