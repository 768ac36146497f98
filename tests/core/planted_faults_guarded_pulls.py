"""A fault for every guard that keeps a queued pull from taking away what a spec says."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_guarded_pulls.py::"

GUARDED_FAULTS = [
    PlantedFault(
        "core/state/queue_order.py",
        " or bool(lost_by(state, queued))\n",
        "\n",
        STORIES + "test_what_is_read_while_its_gates_run_counts_too",
    ),
    PlantedFault(
        "core/state/guarded.py",
        " and digest.head == pull.head else ()",
        " else ()",
        STORIES + "test_what_was_read_of_another_head_says_nothing_of_this_one",
    ),
    PlantedFault(
        "core/plan/digest.py",
        "        lost=failing,\n        remarks=(*told, *",
        "        lost=lost,\n        remarks=(*told, *",
        STORIES + "test_unless_the_policy_says_fail_it_lands",
    ),
    PlantedFault(
        "core/talk/queue_text.py",
        "        held += what_it_loses(state, queued)\n",
        "        pass\n",
        STORIES + "test_a_pull_that_deletes_a_requirement_does_not_land_and_is_told_why",
    ),
]
