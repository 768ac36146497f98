"""Stories of quick gates: the built-in agent may ask them, and DONE is answered by them."""

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


def test_red_of_a_quick_gate_answers_done_and_the_mend_is_handed_in(
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
