"""Stories of quick gates: the built-in agent can run them, and they run after DONE."""

from pathlib import Path

import pytest

from action.report import AgentEnding
from gates.result import GateDefinition, Judges
from tests.action.fake_server import Call, FakeServer, bash
from tests.action.kit import Harness, Project, agent_order, unpack

pytestmark = pytest.mark.slow

LINT = GateDefinition(
    name="lint",
    judges=Judges.TREE,
    command="test -e mended || { echo shop.py:$((1+1)): too long; exit 1; }",
)
SLOW = GateDefinition(name="all", judges=Judges.TREE, command="touch all-ran; exit 1")


def test_a_red_quick_gate_answers_done_and_the_fix_is_handed_in(
    server: FakeServer, project: Project, harness: Harness, tmp_path: Path
) -> None:
    server.order = agent_order(server, project, gates=(LINT, SLOW), quick_gates=("lint",))
    server.script = [
        [Call("quick_gates", {})],
        ["All is there.\nDONE"],
        [bash("touch mended")],
        ["DONE"],
    ]

    harness.run()

    report = server.agent_report
    assert (report.ending, report.turns) == (AgentEnding.FINISHED, 4)
    offered = {str(tool["name"]) for tool in server.asked[0]["tools"]}  # type: ignore[attr-defined]
    assert "quick_gates" in offered
    by_tool, after_done = (str(server.asked[turn]["messages"]) for turn in (1, 2))
    assert by_tool.count("shop.py:2: too long") == 1
    assert after_done.count("shop.py:2: too long") == 2
    clone = unpack(project, server.bundles[0], tmp_path)
    assert (clone / "mended").exists()
    assert not (clone / "all-ran").exists()


def test_a_line_that_writes_a_report_or_reads_the_base_is_green_in_the_agents_tree(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    line = (
        "echo '<testsuite/>' > $HEADGATE_JUNIT; echo '{}' > $HEADGATE_SARIF"
        " && git cat-file -e $HEADGATE_DIFF_BASE"
    )
    gate = GateDefinition(name="test", judges=Judges.TREE, command=f"set -e; {line}")
    server.order = agent_order(server, project, gates=(gate,), quick_gates=("test",))
    server.script = [[bash(f"{line} && echo all-there >found")], ["DONE"]]

    harness.run()

    assert server.agent_report.ending is AgentEnding.FINISHED, server.agent_report
    assert server.agent_report.turns == 2


def test_the_running_agent_learns_of_refused_files_and_can_restore_them(
    server: FakeServer, project: Project, harness: Harness, tmp_path: Path
) -> None:
    server.order = agent_order(server, project, protected=("/README.md", "gates/"))
    server.script = [
        [bash("echo 1 >new.py; echo mine >README.md; mkdir gates; touch gates/x __pycache__x.pyc")],
        ["DONE"],
        [bash("git checkout HEAD -- README.md && rm -r gates; echo 2 >>new.py")],
        ["DONE"],
    ]

    harness.run()

    report = server.agent_report
    assert (report.ending, report.turns) == (AgentEnding.FINISHED, 4), report
    said = str(server.asked[2]["messages"])
    assert "`README.md` is protected" in said
    assert "`gates/x` is protected" in said
    assert "new.py" not in said.partition("cannot be taken")[2]
    clone = unpack(project, server.bundles[0], tmp_path)
    assert (clone / "new.py").read_text() == "1\n2\n"
    assert (clone / "README.md").read_text() == "A project.\n"
    assert not (clone / "__pycache__x.pyc").exists()
    assert report.left_out == ("__pycache__x.pyc",)


def test_a_file_that_was_refused_may_be_ignored_instead(
    server: FakeServer, project: Project, harness: Harness, tmp_path: Path
) -> None:
    server.order = agent_order(server, project)
    key = "sk-ant-" + "canary0123456789" * 3
    server.script = [
        [bash(f"echo 1 >new.py; echo KEY={key} >local.cfg")],
        ["DONE"],
        [bash("echo local.cfg >.gitignore")],
        ["DONE"],
    ]

    harness.run()

    assert server.agent_report.ending is AgentEnding.FINISHED, server.agent_report
    clone = unpack(project, server.bundles[0], tmp_path)
    assert not (clone / "local.cfg").exists()
    assert (clone / ".gitignore").exists()
