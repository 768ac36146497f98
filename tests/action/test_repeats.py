"""Stories of a red gate that runs again in the same order before it counts."""

from dataclasses import replace
from typing import cast

import pytest

from action.harness.gate_line import Place
from action.harness.reruns import LINE_SECONDS_MAX, judge_red_again
from action.harness.side_by_side import Results
from action.order import GateOrder
from gates.result import Ending, GateDefinition, GateResult
from tests.action.fake_server import FakeServer
from tests.action.kit import Harness, Project, gate_order
from tests.action.test_gate_order import gate

TEST = gate("test", "true")
NO_PLACE = cast("Place", None)
ORDER = GateOrder(
    order_id="o1",
    repository="acme/shop",
    clone_url="",
    candidate_sha="",
    candidate_ref="",
    diff_base_sha="",
    definition_hash="",
    gates=(TEST,),
)


def ended(ending: Ending, seconds: float = 0.0, stopped_by: str = "") -> GateResult:
    return GateResult(
        gate="test",
        judges=TEST.judges,
        ending=ending,
        sentence="Said.",
        seconds=seconds,
        log_tail="out",
        stopped_by=stopped_by,
    )


RED, GREEN = ended(Ending.FAILED), ended(Ending.PASSED)


class Runs:
    """A line that ends as it is told, run by run; `told` is what people were shown."""

    def __init__(self, *later: GateResult, first: GateResult = RED) -> None:
        self._later = list(later)
        self.told: list[GateResult] = []
        self.results = Results(self.told.append, stops_at_first_red=True)
        self.results.add(TEST, first)

    def again(self, repeats: int) -> list[GateResult]:
        order = ORDER.replace(repeats=("other", *("test",) * repeats))

        def judge(_definition: GateDefinition, _place: Place) -> GateResult:
            return self._later.pop(0)

        return judge_red_again(TEST, order, NO_PLACE, (), self.results, judge)

    @property
    def last(self) -> GateResult:
        return self.results.by_gate["test"]


def test_a_gate_that_passes_at_its_second_run_has_passed() -> None:
    runs = Runs(GREEN)
    (doubt,) = runs.again(1)
    assert (doubt.ending, doubt.log_tail) == (Ending.FAILED, "")
    assert runs.last == GREEN


def test_a_gate_that_fails_twice_is_red() -> None:
    runs = Runs(RED, GREEN)
    assert len(runs.again(1)) == 1
    assert runs.last.ending is Ending.FAILED


def test_a_gate_runs_as_often_as_the_order_says() -> None:
    runs = Runs(RED, GREEN)
    assert [doubt.ending for doubt in runs.again(2)] == [Ending.FAILED, Ending.FAILED]
    assert runs.last == GREEN
    runs = Runs(GREEN)
    assert runs.again(0) == []
    assert runs.last == RED


@pytest.mark.parametrize("ending", [Ending.TIMED_OUT, Ending.CRASHED, Ending.COULD_NOT_RUN])
def test_every_gate_that_did_not_pass_runs_once_more(ending: Ending) -> None:
    runs = Runs(GREEN, first=ended(ending))
    assert [doubt.ending for doubt in runs.again(1)] == [ending]


def test_a_gate_that_passed_or_never_started_is_not_repeated() -> None:
    assert Runs(first=GREEN).again(1) == []
    assert Runs(first=ended(Ending.COULD_NOT_RUN, stopped_by="build")).again(1) == []


def test_a_slow_gate_runs_again_in_an_order_of_its_own() -> None:
    """A job has a time limit, and results of earlier gates would be lost."""
    assert Runs(first=ended(Ending.FAILED, seconds=LINE_SECONDS_MAX + 1)).again(1) == []


def test_a_red_gate_is_shown_as_red_while_it_runs_again() -> None:
    runs = Runs(GREEN)
    runs.again(1)
    assert [one.ending for one in runs.told] == [Ending.FAILED, Ending.FAILED, Ending.PASSED]
    assert runs.told[1].sentence == "Said. It runs once more."


def test_gates_stopped_by_a_flake_may_start_unless_another_is_red() -> None:
    late = gate("late", "true")

    def after(*more: GateDefinition) -> bool:
        runs = Runs(GREEN)
        for definition in more:
            runs.results.add(definition, replace(RED, gate=definition.name))
        stopped = runs.results.stopped(late)
        assert stopped is not None
        runs.results.add(late, stopped)
        assert not runs.results.may_begin(late)
        runs.again(1)
        return runs.results.may_begin(late)

    assert after()
    assert not after(gate("lint", "true"))


# Red where it begins in the first seconds after the checkout.
FLAKE = """python3 -c '
import os, sys, time
until = os.stat("README.md").st_mtime + 6
left = until - time.time()
time.sleep(left if left > 0 else 3)
sys.exit(left > 0)
'"""


@pytest.mark.slow
def test_a_flaky_gate_passes_and_the_gates_it_stopped_run(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    gates = [gate("flaky", FLAKE), gate("late", "true")]
    more = {"stop_at_first_red": True, "repeats": ("flaky", "late")}
    server.heartbeat_seconds = 3
    server.order = gate_order(server, project, gates, **more)

    run = harness.run("gates")

    report = server.gate_report.report
    assert report is not None, server.gate_report.sentence
    assert [(r.gate, r.ending) for r in report.results] == [
        ("flaky", Ending.PASSED),
        ("late", Ending.PASSED),
    ], run.output
    assert [(r.gate, r.ending) for r in report.doubts] == [("flaky", Ending.FAILED)]
    assert harness.left_behind() == []
    stood = [one for batch in server.batches for one in batch.status.gates if one.gate == "flaky"]
    told = [one.ending for one in stood]
    assert None not in told[told.index(Ending.FAILED) :]
