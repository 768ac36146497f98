"""A fault for every guard of what one event costs, and of how values get changed copies."""

from tests.testkit.planting import PlantedFault

COST = "core/journal/test_cost_of_a_fold.py::"
RETIRED = "core/test_stories_of_retirement.py::"

FOLD_FAULTS = [
    PlantedFault(
        "core/values/replacement.py",
        '        if not hasattr(known, "__dict__"):\n',
        "        if known:\n",
        COST + "test_folding_an_event_does_not_read_every_field",
    ),
    PlantedFault(
        "core/values/replacement.py",
        '        if not hasattr(known, "__dict__"):\n',
        "        if not known:\n",
        COST + "test_a_class_with_slots_can_be_copied",
    ),
    PlantedFault(
        "core/values/replacement.py",
        "        if len(copy.__dict__) != len(known.__dict__):\n",
        "        if not copy:\n",
        COST + "test_an_unknown_field_is_refused",
    ),
    PlantedFault(
        "core/journal/evolve_retired.py",
        "in state.run_of_issue.items() if id_ != run.id",
        "in state.run_of_issue.items()",
        RETIRED + "TestTheState::test_the_state_does_not_grow_with_ended_runs",
    ),
    PlantedFault(
        "core/journal/evolve_retired.py",
        "without(state.model_advice, *advised)",
        "state.model_advice",
        RETIRED + "TestTheState::test_advice_leaves_with_its_run",
    ),
]
