"""Orders to regenerate files: commands of the policy run in the sandbox, without an agent."""

from pathlib import Path

import pytest

from action.order import Remake, SetupCommand
from action.report import AgentEnding
from tests.action.fake_server import FakeServer
from tests.action.kit import Harness, Project, agent_order, unpack

pytestmark = pytest.mark.slow


def test_files_made_by_the_commands_are_handed_in_without_a_model(
    server: FakeServer, project: Project, harness: Harness, tmp_path: Path
) -> None:
    line = "cat README.md >one.lock && echo more >aside.txt"
    server.order = agent_order(
        server,
        project,
        setup=(SetupCommand(run="exit 1"),),
        remake=(Remake(files=("one.lock",), run=line),),
    )
    run = harness.run()
    assert run.code == 0, run.output
    report = server.agent_report
    assert report.ending is AgentEnding.FINISHED
    assert report.sentence == "Generated again: one.lock."
    assert server.asked == []
    assert (report.turns, report.tokens.total) == (0, 0)
    clone = unpack(project, server.bundles[0], tmp_path)
    assert (clone / "one.lock").read_text() == (clone / "README.md").read_text()


def test_unchanged_remade_files_are_handed_in_as_well(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    remake = (Remake(files=("one.lock",), run="true"),)
    server.order = agent_order(server, project, remake=remake)
    harness.run()
    assert server.agent_report.ending is AgentEnding.FINISHED
    assert server.agent_report.head_sha is not None
    assert len(server.bundles) == 1


def test_a_failing_command_hands_in_its_output_and_no_work(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    line = "echo half >one.lock; echo 'error: no such package'; exit 7"
    remake = (Remake(files=("one.lock",), run=line), Remake(files=("two.lock",), run="true"))
    server.order = agent_order(server, project, remake=remake)
    harness.run()
    report = server.agent_report
    assert report.ending is AgentEnding.CRASHED
    assert "ended with 7: error: no such package" in report.sentence
    assert report.head_sha is None
    assert server.bundles == []


def test_a_command_that_takes_too_long_is_stopped(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    remake = (Remake(files=("one.lock",), run="sleep 60", remake_timeout_seconds=1),)
    server.order = agent_order(server, project, remake=remake)
    harness.run()
    assert "took longer than 1 s" in server.agent_report.sentence
