"""A fault for each line of a verdict's truth table."""

from tests.testkit.planting import PlantedFault

TABLE = "core/state/test_verdict_truth.py::"
GREEN = TABLE + "test_a_verdict_is_green_if_all_required_gates_passed"

VERDICT_FAULTS = [
    PlantedFault(
        "core/state/verdict.py",
        "if g.required and g.name in by_name}",
        "if g.required and not by_name}",
        GREEN,
    ),
    PlantedFault(
        "core/state/verdict.py",
        "worst_last = sorted(results, key=lambda r: not r.is_accepted)",
        "worst_last = sorted(results, key=lambda r: r.is_accepted)",
        TABLE + "test_the_worse_of_two_results_of_a_gate_counts",
    ),
    PlantedFault(
        "core/state/verdict.py",
        "if r.gate in required and not r.is_accepted)",
        "if r.gate in required and r.ending is Ending.FAILED)",
        GREEN,
    ),
]
