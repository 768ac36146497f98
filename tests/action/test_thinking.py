"""Who is asked to think, how much, and what happens where a server does not know of it."""

import pytest

from action.agents.thinking import ROOM_TOKENS_MIN, thinking_for
from action.report import AgentEnding
from tests.action.fake_server import FakeServer, bash
from tests.action.kit import Harness, Project, agent_order

ROOM = 16_000


@pytest.mark.parametrize(
    ("model", "kind"),
    [
        ("claude-sonnet-4-6", "adaptive"),
        ("claude-opus-4-6", "adaptive"),
        ("claude-opus-4-8", "adaptive"),
        ("claude-sonnet-5", "adaptive"),
        ("claude-fable-5-1", "adaptive"),
        ("claude-haiku-4-5-20251001", "enabled"),
        ("claude-sonnet-4-20250514", "enabled"),
        ("claude-3-7-sonnet-20250219", None),
        ("gpt-5.2", None),
        ("scripted", None),
    ],
)
def test_a_model_is_asked_in_the_way_of_its_version(model: str, kind: str | None) -> None:
    thinking = thinking_for(model, ROOM)
    assert (thinking and thinking["type"]) == kind
    if thinking and thinking["type"] == "enabled":
        assert thinking["budget_tokens"] == ROOM // 4


@pytest.mark.parametrize("model", ["claude-sonnet-4-6", "claude-haiku-4-5"])
def test_with_little_left_the_answer_is_for_the_work(model: str) -> None:
    assert thinking_for(model, ROOM_TOKENS_MIN - 1) is None


@pytest.mark.slow
def test_a_server_that_knows_no_thinking_is_asked_without(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    server.order = agent_order(server, project)
    server.refuses_because = "thinking: Extra inputs are not permitted"
    server.script = [400, [bash("touch new")], ["DONE"]]

    harness.run()

    assert server.agent_report.ending is AgentEnding.FINISHED
    assert ["thinking" in asked for asked in server.asked] == [True, False, False]
