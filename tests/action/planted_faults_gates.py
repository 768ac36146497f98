"""Faults in how gates run side by side, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

BESIDE = "test_side_by_side.py::"

SIDE_BY_SIDE_FAULTS = [
    PlantedFault(
        "harness/side_by_side.py",
        "first.saved.beside(sandbox, own)",
        "first.saved",
        BESIDE + "test_gates_run_at_once_and_apart",
    ),
    PlantedFault(
        "harness/side_by_side.py",
        "            is_red = definition.required and result.ending is not Ending.PASSED\n",
        "            is_red = result.ending is not Ending.PASSED\n",
        BESIDE + "test_after_a_red_gate_nothing_more_is_begun",
    ),
    PlantedFault(
        "harness/gate_order.py",
        "for definition in in_order(order) if _is_line(definition)",
        "for definition in order.gates if _is_line(definition)",
        BESIDE + "test_after_a_red_gate_nothing_more_is_begun",
    ),
]
