"""Faults in what `/metrics` counts."""

from tests.testkit.planting import PlantedFault

COUNTED = "core/test_counters.py::"

COUNT_FAULTS = [
    PlantedFault(
        "core/state/counted.py",
        "if result.gate not in reused:",
        "if True:",
        COUNTED + "test_a_gate_whose_result_was_reused_did_not_run",
    ),
    PlantedFault(
        "core/state/counted.py",
        "case GatesOrdered() | AdoptionOrdered() | PullGatesOrdered() | SmokeOrdered():",
        "case GatesOrdered():",
        COUNTED + "test_the_gates_of_main_are_orders_like_others",
    ),
    PlantedFault(
        "core/state/counted.py",
        "if dollars is not None:",
        "if True:",
        COUNTED + "test_tokens_are_counted_by_model_and_priced_where_the_price_is_known",
    ),
]
