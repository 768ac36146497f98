"""A fault for every guard of what a queued pull takes from a spec, and of the checks that it needs."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_guarded_pulls.py::"

CHECKED = (
    "scenarios/test_approved_pulls_enter.py::"
    "test_a_check_that_fails_during_the_gates_prevents_the_landing"
)

GUARDED_FAULTS = [
    # The checks by which a pull entered by itself are read once more inside the landing.
    PlantedFault(
        "shell/perform_queue.py",
        "    if effect.checks and not _are_checks_green(ports, facts, effect):\n",
        "    if False:\n",
        CHECKED,
    ),
    PlantedFault(
        "core/decide/queue/pulls.py",
        " if pull.is_by_policy else ()\n    merges =",
        " if False else ()\n    merges =",
        CHECKED,
    ),
    PlantedFault(
        "core/state/queue_order.py",
        "is_kept or bool(lost_by(state, queued)) or",
        "is_kept or",
        STORIES + "test_a_loss_found_while_gates_run_prevents_the_landing",
    ),
    PlantedFault(
        "core/state/guarded.py",
        " and digest.head == pull.head else ()",
        " else ()",
        STORIES + "test_a_loss_at_another_head_does_not_count",
    ),
    PlantedFault(
        "core/plan/digest.py",
        "        lost=failing,\n        remarks=(*told, *",
        "        lost=lost,\n        remarks=(*told, *",
        STORIES + "test_a_pull_with_a_loss_lands_unless_the_policy_says_fail",
    ),
    PlantedFault(
        "core/talk/queue_text.py",
        "        held += what_it_loses(state, queued)\n",
        "        pass\n",
        STORIES + "test_a_pull_that_deletes_a_requirement_is_refused_with_the_reason",
    ),
]
