"""Stories of gates that run at once: apart from each other, in the order's order, up to a red one."""

import pytest

from gates.asked import AskedRequirement
from gates.result import Ending, GateDefinition, GateResult, Judges
from tests.action.fake_server import FakeServer
from tests.action.kit import Harness, Project, gate_order
from tests.action.test_gate_order import gate

pytestmark = pytest.mark.slow


def results(server: FakeServer) -> dict[str, GateResult]:
    report = server.gate_report.report
    assert report is not None, server.gate_report.sentence
    return {result.gate: result for result in report.results}


def test_gates_run_in_parallel_and_isolated(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    passing = "echo '<testsuite><testcase name=\"NAME\"/></testsuite>' >$HEADGATE_JUNIT"
    line = (
        "date +%s%N; test ! -e made && test ! -e ~/made && test ! -e /tmp/made && test ! -e ../out/made; "
        f"touch made ~/made /tmp/made ../out/made; {passing}; sleep 0.7; date +%s%N"
    )
    gates = [gate(name, line.replace("NAME", name)) for name in ("one", "two")]
    server.order = gate_order(server, project, gates, at_once=2)

    run = harness.run("gates")

    found = results(server)
    assert {r.ending for r in found.values()} == {Ending.PASSED}, run.output
    assert {name: r.passed_tests for name, r in found.items()} == {"one": ("one",), "two": ("two",)}
    (begun, ended), (begun2, ended2) = (
        [int(moment) for moment in r.log_tail.split()] for r in found.values()
    )
    assert max(begun, begun2) < min(ended, ended2)
    assert harness.left_behind() == []


def test_no_gate_starts_after_a_red_one(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    gates = [
        gate("late", "true"),
        gate("red", "exit 1"),
        gate("optional", "exit 1", required=False),
        gate("middle", "true"),
    ]
    more = {"begin_with": ("optional", "middle", "red"), "stop_at_first_red": True}
    server.order = gate_order(server, project, gates, **more)

    run = harness.run("gates")

    begun = [line.split()[1] for line in run.output.splitlines() if line.endswith(" starts")]
    assert begun == ["optional", "middle", "red"], run.output
    found = results(server)
    assert list(found) == ["late", "red", "optional", "middle"]
    assert (found["late"].ending, found["late"].stopped_by) == (Ending.COULD_NOT_RUN, "red")
    assert found["middle"].ending is Ending.PASSED


def test_a_red_gate_is_reported_while_others_run(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    """The next regular heartbeat would come a minute later."""
    server.heartbeat_seconds = 180
    gates = [gate("slow", "sleep 2"), gate("red", "echo why; exit 1")]
    server.order = gate_order(server, project, gates, at_once=2)

    harness.run("gates")

    slow, red = server.batches[0].status.gates
    assert (slow.is_running, slow.ending) == (True, None)
    assert (red.ending, red.log_tail.strip()) == (Ending.FAILED, "why")


def test_the_runner_does_not_report_results_that_the_server_decides(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    """The server decides the level of proof at the end."""
    verify = GateDefinition(name="verify", judges=Judges.CHANGE, builtin="spec_verify")
    asked = AskedRequirement(id="REQ-A", names=("REQ-A",))
    gates = [verify, gate("red", "exit 1"), gate("never", "true")]
    more = {"stop_at_first_red": True, "requirements": (asked,)}
    server.order = gate_order(server, project, gates, **more)

    harness.run("gates")

    told = {one.gate: one.ending for one in server.batches[-1].status.gates}
    assert told == {"verify": None, "red": Ending.FAILED, "never": None}
