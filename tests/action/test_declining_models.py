"""A declining model is recognised for every program: the proxy reads it in either API's answer."""

import pytest

from action.model_request import DECLINES
from action.order import AgentKind, AgentSettings
from action.report import AgentEnding
from bot.localhub.model_server.script import parse_script
from bot.localhub.model_server.server import running
from tests.action.fake_server import FakeServer
from tests.action.kit import Harness, Project, agent_order
from tests.needs import needs_curl

PLAYED = """
version: 1
scenes: [{name: no, turns: [{stop_reason: refusal}]}]
"""


@needs_curl
@pytest.mark.slow
def test_a_program_whose_model_declines_has_given_up(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    # Responses by a stream: there the words are in events of their own.
    asked = '{"model": "claude-sonnet-4-6", "input": "hi", "stream": true}'
    ask = f"curl -sS $OPENAI_BASE_URL/responses -d '{asked}' >answer"
    agent = AgentSettings(kind=AgentKind.COMMAND, command=ask)
    server.order = agent_order(server, project, agent=agent)

    with running(parse_script(PLAYED)) as server.model_url:
        run = harness.run()

    report = server.agent_report
    assert report.ending is AgentEnding.GAVE_UP, (run.output, report)
    assert "declined" in report.sentence


@pytest.mark.parametrize(
    ("said", "declines"),
    [
        (b'data: {"type":"message_delta","delta":{"stop_reason":"refusal"}}', True),
        (b'{"type": "message", "stop_reason": "refusal"}', True),
        (b'\nevent: response.refusal.done\ndata: {"type":', True),
        (b'{"output":[{"content":[{"type":"refusal","refusal":"No"}]}]}', True),
        (b'data: {"delta":{"text":"{\\"stop_reason\\":\\"refusal\\"}"}}', False),
        (b'{"stop_reason":"end_turn"}', False),
    ],
)
def test_a_refusal_is_distinguished_from_a_text_about_refusals(said: bytes, declines: bool) -> None:
    assert (DECLINES.search(said) is not None) is declines
