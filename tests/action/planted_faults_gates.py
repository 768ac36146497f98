"""Faults in how gates run side by side, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

BESIDE = "test_parallel_gates.py::"
AGAIN = "test_repeats.py::"

SIDE_BY_SIDE_FAULTS = [
    PlantedFault(
        "harness/side_by_side.py",
        "[gate for gate in self._red if gate != result.gate]",
        "[]",
        AGAIN + "test_gates_stopped_by_a_flake_may_start_unless_another_is_red",
    ),
    PlantedFault(
        "harness/gate_order.py",
        "        waiting = [line for line in waiting if results.may_begin(line)]\n",
        "        waiting = []\n",
        AGAIN + "test_a_flaky_gate_passes_and_the_gates_it_stopped_run",
    ),
    PlantedFault(
        "harness/gate_order.py",
        "paths, results, run_line)",
        "paths, results, judge_one)",
        AGAIN + "test_a_flaky_gate_passes_and_the_gates_it_stopped_run",
    ),
    PlantedFault(
        "harness/reruns.py",
        "if not result.is_red or",
        "if",
        AGAIN + "test_a_gate_that_passed_or_never_started_is_not_repeated",
    ),
    PlantedFault(
        "harness/reruns.py",
        " or result.seconds > LINE_SECONDS_MAX",
        "",
        AGAIN + "test_a_slow_gate_runs_again_in_an_order_of_its_own",
    ),
    PlantedFault(
        "harness/reruns.py",
        "for _ in range(order.repeats.count(definition.name))",
        "for _ in range(1)",
        AGAIN + "test_a_gate_runs_as_often_as_the_order_says",
    ),
    PlantedFault(
        "harness/side_by_side.py",
        "first.saved.beside(sandbox, own)",
        "first.saved",
        BESIDE + "test_gates_run_in_parallel_and_isolated",
    ),
    PlantedFault(
        "harness/side_by_side.py",
        "            is_red = definition.required and result.ending is not Ending.PASSED\n",
        "            is_red = result.ending is not Ending.PASSED\n",
        BESIDE + "test_no_gate_starts_after_a_red_one",
    ),
    PlantedFault(
        "harness/gate_order.py",
        "for definition in in_order(order) if _is_line(definition)",
        "for definition in order.gates if _is_line(definition)",
        BESIDE + "test_no_gate_starts_after_a_red_one",
    ),
]
