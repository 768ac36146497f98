"""Every kind of agent does the same change, inside both sandboxes, and ends as the table says."""

from pathlib import Path

import pytest

from action.order import AgentKind, AskingRule, ToldWords
from action.report import AgentEnding, Obstacle, SandboxKind
from tests.action.fake_server import FakeServer
from tests.action.kit import Harness, Project, agent_order, git, unpack
from tests.agents.kit import EVERY, REAL, model, path_without_bubblewrap, settings

pytestmark = pytest.mark.slow

WORK = """
      - text: I look first.
        calls: [{bash: {command: "cat shop.py"}}]
      - calls:
          - bash: {command: "printf 'def hello():\\n    return 1\\n' > shop.py && echo new > new.txt"}
      - text: "It greets.\\n\\nDONE"
"""


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize("walls", [SandboxKind.BUBBLEWRAP, SandboxKind.UNSHARE])
def test_each_kind_makes_the_same_change_inside_both_sandboxes(
    server: FakeServer,
    project: Project,
    harness: Harness,
    tmp_path: Path,
    kind: AgentKind,
    walls: SandboxKind,
) -> None:
    if walls is SandboxKind.UNSHARE:
        harness.environment["PATH"] = path_without_bubblewrap(tmp_path / "programs")
    server.order = agent_order(server, project, agent=settings(kind))

    with model(WORK) as server.model_url:
        run = harness.run()

    report = server.agent_report
    assert report.ending is AgentEnding.FINISHED, (run.output, report)
    assert report.sandbox is walls
    assert report.turns == 3, report.transcript_tail
    clone = unpack(project, server.bundles[0], tmp_path)
    assert git(clone, "diff", "--name-only", project.head_sha).split() == ["new.txt", "shop.py"]
    assert (clone / "shop.py").read_text() == "def hello():\n    return 1\n"
    assert "It greets." in report.transcript_tail


ASK = (
    '{"questions": [{"question": "Which greeting?", "why": "Two are named.", '
    '"assumption": "The first."}]}'
)
# What the model does, the limits, and how the run ends. What went wrong before the model answered is
# nobody's attempt.
ENDINGS = {
    "401": (
        "[{text: x, fault: {kind: key_refused, times: 99}}]",
        {},
        (AgentEnding.DEFERRED, Obstacle.MODEL_REFUSED),
    ),
    "429": (
        "[{text: x, fault: {kind: rate_limited, times: 99, retry_after_seconds: 0}}]",
        {},
        (AgentEnding.DEFERRED, Obstacle.MODEL_AWAY),
    ),
    "limit": (
        '[{calls: [{bash: {command: "echo 1 >a"}}]}, {calls: [{bash: {command: "echo 2 >b"}}]},'
        " {text: DONE}]",
        {"turns_max": 1},
        (AgentEnding.OUT_OF_TURNS, None),
    ),
    "crash": (
        "[{calls: [{bash: {command: \"for p in $(ps -eo pid=,comm= | grep -E 'claude|codex|opencode' "
        '| cut -c1-7); do kill -9 $p; done"}}]}, {text: DONE}]',
        {},
        (AgentEnding.CRASHED, None),
    ),
    "refusal": ("[{stop_reason: refusal}]", {}, (AgentEnding.GAVE_UP, None)),
    "gives up": ('[{text: "GIVE UP: no greeting is named"}]', {}, (AgentEnding.GAVE_UP, None)),
    "questions": (
        f"[{{calls: [{{edit: {{command: create, path: .headgate/questions.json, file_text: {ASK!r}}}}}]}},"
        " {text: I asked.}]",
        {},
        (AgentEnding.ASKED, None),
    ),
}


@pytest.mark.parametrize("kind", REAL)
@pytest.mark.parametrize("row", ENDINGS)
def test_each_kind_ends_as_the_table_says(
    server: FakeServer, project: Project, harness: Harness, kind: AgentKind, row: str
) -> None:
    turns, limits, ending = ENDINGS[row]
    agent = settings(kind, **limits)
    server.order = agent_order(server, project, agent=agent, asking=AskingRule.ALLOWED)

    with model(f"      {turns}") as server.model_url:
        run = harness.run(timeout_seconds=300)

    report = server.agent_report
    assert (report.ending, report.obstacle) == ending, (run.output, report)


# Longer than it takes until words arrive.
SLOW = """
      - calls: [{bash: {command: "sleep 12; echo 1 >a"}}]
      - text: "I heard.\\n\\nDONE"
"""


@pytest.mark.parametrize("kind", [AgentKind.CLAUDE_CODE, AgentKind.ACP])
def test_a_program_gets_messages_of_people_between_two_turns(
    server: FakeServer, project: Project, harness: Harness, tmp_path: Path, kind: AgentKind
) -> None:
    server.order = agent_order(server, project, agent=settings(kind))
    server.told.append(ToldWords(author="ann", text="Round half up."))

    with model(SLOW) as server.model_url:
        run = harness.run(timeout_seconds=300)

    report = server.agent_report
    assert report.ending is AgentEnding.FINISHED, (run.output, report)
    assert report.restarts == ("The same conversation continues.",), report.transcript_tail
    assert report.transcript_tail.count("@ann:") == 1
    assert "I heard." in report.transcript_tail
    clone = unpack(project, server.bundles[0], tmp_path)
    assert (clone / "a").read_text() == "1\n"
