"""Which models get a thinking budget, how much, and what happens if a server does not support it."""

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
def test_thinking_is_requested_in_the_form_of_the_model_version(
    model: str, kind: str | None
) -> None:
    thinking = thinking_for(model, ROOM)
    assert (thinking and thinking["type"]) == kind
    if thinking and thinking["type"] == "enabled":
        assert thinking["budget_tokens"] == ROOM // 4


@pytest.mark.parametrize("model", ["claude-sonnet-4-6", "claude-haiku-4-5"])
def test_without_room_for_tokens_no_thinking_is_requested(model: str) -> None:
    assert thinking_for(model, ROOM_TOKENS_MIN - 1) is None


@pytest.mark.slow
def test_a_server_without_thinking_gets_requests_without_it(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    server.order = agent_order(server, project)
    server.refuses_because = "thinking: Extra inputs are not permitted"
    server.script = [400, [bash("touch new")], ["DONE"]]

    harness.run()

    assert server.agent_report.ending is AgentEnding.FINISHED
    assert ["thinking" in asked for asked in server.asked] == [True, False, False]
