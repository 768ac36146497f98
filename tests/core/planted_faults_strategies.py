"""A fault for every check between what a strategy says and what is done."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_queue_strategies.py::"
LAND = "core/decide/queue/land.py"

STRATEGY_FAULTS = [
    PlantedFault(
        LAND,
        " and blocked_by(state) is None\n",
        "\n",
        STORIES + "test_a_strategy_cannot_land_an_entry_of_a_frozen_queue",
    ),
    PlantedFault(
        LAND,
        " or is_aside(state, queued, decision.now):\n",
        ":\n",
        STORIES + "test_a_strategy_cannot_land_a_held_entry",
    ),
    PlantedFault(
        LAND,
        "queued is None or is_landing or",
        "queued is None or",
        STORIES + "test_two_entries_never_land_at_once",
    ),
    PlantedFault(
        "core/decide/queue/plan.py",
        "for e in view.entries if not e.is_aside)",
        "for e in view.entries)",
        STORIES + "test_the_serial_strategy_handles_one_entry_at_a_time",
    ),
    PlantedFault(
        "core/decide/queue/plan.py",
        ", tuning.window)",
        ", 1)",
        STORIES + "test_a_wider_window_runs_more_entries_and_allows_more_overtaking",
    ),
    PlantedFault(
        "core/state/queue_order.py",
        "return 2 * self.window",
        "return 4",
        STORIES + "test_a_wider_window_runs_more_entries_and_allows_more_overtaking",
    ),
]
