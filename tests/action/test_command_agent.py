"""Stories of command agents: any program in the sandbox, the model behind a proxy."""

from pathlib import Path

import pytest

from action.order import AgentKind, AgentLimits, AgentSettings
from action.report import AgentEnding
from tests.action.fake_server import MODEL_KEY, FakeServer
from tests.action.kit import Harness, Project, agent_order, unpack
from tests.needs import needs_curl

pytestmark = pytest.mark.slow


# The least that the model's API takes, left open at its end.
QUESTION = '{"model": "claude-sonnet-4-6", "max_tokens": 9, "messages": [{"role": "user", "content": "hi"}]'


def command_settings(line: str, **limits: int) -> AgentSettings:
    return AgentSettings(kind=AgentKind.COMMAND, command=line, limits=AgentLimits(**limits))


@needs_curl
def test_a_command_agent_gets_the_prompt_and_the_model_proxy(
    server: FakeServer, project: Project, harness: Harness, tmp_path: Path
) -> None:
    ask = (
        'curl -sS "$ANTHROPIC_BASE_URL/v1/messages?beta=true" -H "x-api-key: $ANTHROPIC_API_KEY"'
        f" -H 'content-type: application/json' -d '{QUESTION}, \"stream\": true}}' >answer;"
        ' cat >from-stdin; cmp from-stdin "$HEADGATE_PROMPT_FILE" && env >environment'
    )
    server.order = agent_order(server, project, agent=command_settings(ask))
    server.script = [["hello from the model"]]

    run = harness.run()

    assert run.code == 0, run.output
    report = server.agent_report
    assert report.ending is AgentEnding.FINISHED
    assert (report.turns, report.tokens.total) == (1, 100)
    clone = unpack(project, server.bundles[0], tmp_path)
    assert "hello from the model" in (clone / "answer").read_text()
    assert "Headgate order order-1 change" in (clone / "from-stdin").read_text()
    environment = (clone / "environment").read_text()
    assert MODEL_KEY not in environment
    assert "ANTHROPIC_MODEL=claude-sonnet-4-6" in environment
    assert server.model_headers[0]["authorization"] == f"Bearer {MODEL_KEY}"
    assert "x-api-key" not in server.model_headers[0]


@needs_curl
def test_the_model_proxy_passes_on_two_paths_only_and_to_no_other_host(
    server: FakeServer, project: Project, harness: Harness, tmp_path: Path
) -> None:
    code = "curl -s -o /dev/null -w '%{http_code} '"
    ask = (
        f"({code} -I $ANTHROPIC_BASE_URL/; {code} -d x $ANTHROPIC_BASE_URL/v1/files;"
        f" {code} -d x $ANTHROPIC_BASE_URL/v1/messages/batches; {code} $ANTHROPIC_BASE_URL/v1/models;"
        f" {code} -d '{QUESTION}}}' --request-target http://example.org/v1/messages $ANTHROPIC_BASE_URL) >codes"
    )
    server.order = agent_order(server, project, agent=command_settings(ask))

    harness.run()

    clone = unpack(project, server.bundles[0], tmp_path)
    assert (clone / "codes").read_text().split() == ["200", "403", "403", "404", "200"]
    assert len(server.asked) == 1


@needs_curl
def test_the_model_proxy_enforces_the_orders_tokens(
    server: FakeServer, project: Project, harness: Harness, tmp_path: Path
) -> None:
    ask = (
        f"for i in 1 2 3; do curl -s -o /dev/null -w '%{{http_code}} ' -d '{QUESTION}}}'"
        " $ANTHROPIC_BASE_URL/v1/messages >>codes; done"
    )
    settings = command_settings(ask, tokens_max=150)
    server.order = agent_order(server, project, agent=settings)
    server.script = [["a"], ["b"], ["c"]]

    harness.run()

    assert server.agent_report.ending is AgentEnding.OUT_OF_TOKENS
    assert len(server.asked) == 2
    clone = unpack(project, server.bundles[0], tmp_path)
    assert (clone / "codes").read_text().split() == ["200", "200", "400"]


def test_the_tree_outranks_the_exit_code_of_a_command_agent(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    server.order = agent_order(server, project, agent=command_settings("echo oops; exit 3"))

    harness.run()

    assert server.agent_report.ending is AgentEnding.CRASHED
    assert "code 3" in server.agent_report.sentence
    assert "oops" in server.agent_report.sentence
