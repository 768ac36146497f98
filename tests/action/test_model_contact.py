"""Obstacles are distinguished from the agent's own failures: tables, and the real harness."""

import time
from email.utils import formatdate

import pytest

from action.agents.contact import ModelContact, obstacle_in, retry_after
from action.order import AgentKind, AgentSettings, SetupCommand
from action.report import AgentEnding, AgentReport, Obstacle
from gates.result import GateDefinition, Judges
from tests.action.fake_server import FakeServer
from tests.action.kit import Harness, Project, agent_order, gate_order
from tests.needs import needs_curl

QUESTION = '{"model": "claude-sonnet-4-6", "max_tokens": 9, "messages": [{"role": "user", "content": "hi"}]}'
ASK = f"curl -s -o /dev/null -d '{QUESTION}' $ANTHROPIC_BASE_URL/v1/messages"


@pytest.mark.parametrize(
    ("status", "obstacle"),
    [
        (200, None),
        (400, None),
        (413, None),
        (401, Obstacle.MODEL_REFUSED),
        (402, Obstacle.MODEL_UNPAID),
        (403, Obstacle.MODEL_REFUSED),
        (404, Obstacle.MODEL_REFUSED),
        (408, Obstacle.MODEL_AWAY),
        (429, Obstacle.MODEL_AWAY),
        (500, Obstacle.MODEL_AWAY),
        (503, Obstacle.MODEL_AWAY),
        (529, Obstacle.MODEL_AWAY),
    ],
)
def test_an_http_status_is_mapped_to_a_model_obstacle(
    status: int, obstacle: Obstacle | None
) -> None:
    assert obstacle_in(status) is obstacle


# As the API words them; a malformed request has the same status and type.
UNPAID = "Your credit balance is too low to access the Anthropic API."
LIMIT = "You have reached your specified API usage limits. You will regain access on 2026-12-01."


@pytest.mark.parametrize(
    ("status", "said", "obstacle"),
    [
        (400, UNPAID, Obstacle.MODEL_UNPAID),
        (400, LIMIT, Obstacle.MODEL_UNPAID),
        (400, "messages.0: all messages must have content", None),
        (200, UNPAID, None),
    ],
)
def test_an_unpaid_account_is_recognised_by_the_error_text(
    status: int, said: str, obstacle: Obstacle | None
) -> None:
    assert obstacle_in(status, said) is obstacle


@needs_curl
@pytest.mark.slow
@pytest.mark.parametrize("kind", AgentKind)
def test_running_out_of_credit_during_a_run_is_not_an_attempt(
    server: FakeServer, project: Project, harness: Harness, kind: AgentKind
) -> None:
    server.refuses_because = UNPAID
    server.script = [["hi"], 400, 400]
    own = {} if kind is AgentKind.BUILTIN else {"agent": command(f"{ASK}; {ASK}; echo x >new")}
    server.order = agent_order(server, project, **own)

    harness.run()

    assert server.agent_report.obstacle is Obstacle.MODEL_UNPAID
    assert "credit balance" in server.agent_report.sentence


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("7", 7.0),
        (" 0.5 ", 0.5),
        ("", None),
        ("soon", None),
        ("-1", None),
        ("inf", None),
        ("nan", None),
        (formatdate(0, usegmt=True), None),
    ],
)
def test_the_retry_delay_is_read_from_the_response(said: str, seconds: float | None) -> None:
    assert retry_after({"retry-after": said}) == seconds


def test_the_servers_clock_may_be_a_date() -> None:
    said = retry_after({"retry-after": formatdate(time.time() + 90, usegmt=True)})
    assert said is not None
    assert 80 < said <= 90
    assert retry_after({}) is None


def test_only_the_newest_request_counts() -> None:
    contact = ModelContact()
    assert contact.trouble is None
    contact.failed(Obstacle.MODEL_AWAY, "529", 9.0)
    trouble = contact.trouble
    assert trouble is not None
    assert (trouble.ending, trouble.obstacle) == (AgentEnding.DEFERRED, Obstacle.MODEL_AWAY)
    assert trouble.retry_after_seconds == 9.0
    contact.answered()
    assert contact.trouble is None


def test_one_refusal_after_an_answer_is_not_an_obstacle() -> None:
    contact = ModelContact()
    contact.failed(Obstacle.PROXY_REFUSED, "another path")
    assert contact.trouble is not None
    contact.answered()
    contact.failed(Obstacle.MODEL_REFUSED, "another model")
    assert contact.trouble is None
    contact.failed(Obstacle.MODEL_AWAY, "500")
    assert contact.trouble is not None


@pytest.mark.parametrize(
    ("ending", "obstacle"),
    [
        ("model_unreachable", Obstacle.MODEL_AWAY),
        ("setup_failed", Obstacle.SETUP_FAILED),
        ("sandbox_refused", Obstacle.SANDBOX_REFUSED),
    ],
)
def test_reports_of_older_harnesses_are_understood(ending: str, obstacle: Obstacle) -> None:
    body = {"version": 2, "order_id": "o1", "ending": ending, "sentence": "Why."}
    report = AgentReport.model_validate(body)
    assert (report.ending, report.obstacle) == (AgentEnding.DEFERRED, obstacle)


def command(line: str) -> AgentSettings:
    return AgentSettings(kind=AgentKind.COMMAND, command=line)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "obstacle", "said"),
    [
        ("no-such-agent --go", Obstacle.PROGRAM_MISSING, "was not found (exit code 127)"),
        ("./shop.py", Obstacle.PROGRAM_MISSING, "cannot be executed (exit code 126)"),
        ("echo x >new; exit 3", None, "ended with code 3"),
    ],
)
def test_a_command_that_cannot_start_reports_its_obstacle(
    server: FakeServer,
    project: Project,
    harness: Harness,
    line: str,
    obstacle: Obstacle | None,
    said: str,
) -> None:
    server.order = agent_order(server, project, agent=command(line))

    assert harness.run().code == 0

    assert server.agent_report.obstacle is obstacle
    assert said in server.agent_report.sentence


@needs_curl
@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "script", "obstacle"),
    [
        (f"{ASK}; exit 1", [529], Obstacle.MODEL_AWAY),
        (f"{ASK}; echo x >new", [529], Obstacle.MODEL_AWAY),
        (f"{ASK}; {ASK}; echo x >new", [529, ["hi"]], None),
        (f"{ASK}; exit 1", [401], Obstacle.MODEL_REFUSED),
        (f"{ASK}; {ASK}; echo x >new", [["hi"], 404], None),
        (f"{ASK}; exit 127", [["hi"]], None),
        ("curl -s -d '{}' $ANTHROPIC_BASE_URL/v1/responses; exit 1", [], Obstacle.PROXY_REFUSED),
    ],
)
def test_a_command_without_answers_from_its_model_is_not_an_attempt(
    server: FakeServer,
    project: Project,
    harness: Harness,
    line: str,
    script: list[int | list[str]],
    obstacle: Obstacle | None,
) -> None:
    server.order = agent_order(server, project, agent=command(line))
    server.script = [*script]

    assert harness.run().code == 0

    assert server.agent_report.obstacle is obstacle
    assert (server.agent_report.ending is AgentEnding.DEFERRED) is (obstacle is not None)


@pytest.mark.slow
def test_an_overloaded_model_ends_the_built_in_agents_order_as_deferred(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    server.order = agent_order(server, project)
    server.script = [529] * 40

    harness.run()

    assert server.agent_report.obstacle is Obstacle.MODEL_AWAY
    assert "answered 529" in server.agent_report.sentence


@needs_curl
@pytest.mark.slow
def test_a_setup_failure_names_the_host_missing_from_egress(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    setup = (SetupCommand(run="curl -sS https://pypi.test/simple"),)
    hosts = ("files.test",)
    server.order = agent_order(server, project, setup=setup, egress_hosts=hosts)

    harness.run()

    assert server.agent_report.obstacle is Obstacle.SETUP_FAILED
    assert "`egress` does not list them: pypi.test:443." in server.agent_report.sentence


@pytest.mark.slow
@pytest.mark.parametrize(
    ("more", "obstacle"),
    [
        ({"setup": (SetupCommand(run="exit 7"),)}, Obstacle.SETUP_FAILED),
        ({"candidate_sha": "1" * 40}, Obstacle.FETCH_FAILED),
        ({}, None),
    ],
)
def test_a_gate_report_names_its_obstacle(
    server: FakeServer,
    project: Project,
    harness: Harness,
    more: dict[str, object],
    obstacle: Obstacle | None,
) -> None:
    gates = (GateDefinition(name="test", judges=Judges.TREE, command="no-such-program"),)
    server.order = gate_order(server, project, gates, **more)

    harness.run("gates")

    assert server.gate_report.obstacle is obstacle
    if obstacle is None:
        assert server.gate_report.report is not None
        assert server.gate_report.report.results[0].exit_code == 127
