"""A fault for every guard of landings that GitHub's merge queue has, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

LETS_GO = "test_leaving_githubs_queue.py::"

PLANTED_FAULTS = [
    PlantedFault(
        "shell/perform.py",
        "on(state, branch), effect",
        "state, effect",
        "test_githubs_queue_of_branches.py::test_a_freeze_of_a_branch_removes_its_pull_from_githubs_queue",
    ),
    PlantedFault(
        "core/decide/specs/plan_new_spec.py",
        "                    landing=policy.file.landing,\n",
        "",
        "test_githubs_queue.py::test_a_change_lands_through_githubs_queue_and_is_judged_once",
    ),
    PlantedFault(
        "entry/commands/queue.py",
        "way_of(there.policy_landing, there.rules)",
        "None",
        "test_command_line.py::test_the_queue_states_its_limits_if_github_merges",
    ),
    PlantedFault(
        "core/decide/queue/recall.py",
        "if is_landing and entry.recall is None and decision.state.freezes:",
        "if False:",
        LETS_GO + "test_a_freeze_takes_a_pull_out_of_githubs_queue_and_unfreeze_puts_it_back",
    ),
    PlantedFault(
        "core/journal/evolve_freezes.py",
        "state.delays if landing is None else without(state.delays, landing.key)",
        "state.delays",
        LETS_GO + "test_hold_removes_a_pull_from_githubs_queue_and_keeps_its_place",
    ),
    PlantedFault(
        "core/decide/people/queue_pull.py",
        "Verb.HOLD: AfterRecall.HELD",
        "Verb.HOLD: AfterRecall.STAYS",
        LETS_GO + "test_hold_removes_a_pull_from_githubs_queue_and_keeps_its_place",
    ),
    PlantedFault(
        "core/decide/people/queue_pull.py",
        ", Verb.DEQUEUE: AfterRecall.LEAVES",
        "",
        LETS_GO + "test_dequeue_removes_a_pull_from_both_queues",
    ),
    PlantedFault(
        "core/decide/people/retry_and_stop.py",
        'if recall_landing(decision, c.entry, asked.author, "", AfterRecall.LEAVES)',
        "if False",
        LETS_GO + "test_holding_a_change_removes_its_pull_from_githubs_queue[stop]",
    ),
    PlantedFault(
        "shell/perform_queue.py",
        """    if stopped:
        if effect.queues:
            take_out""",
        """    if stopped:
        if False:
            take_out""",
        LETS_GO + "test_requested_changes_remove_a_pull_from_githubs_queue",
    ),
    PlantedFault(
        "shell/perform_queue.py",
        "    if pull is None or why:\n        if effect.queues:",
        "    if pull is None or why:\n        if False:",
        LETS_GO + "test_a_pull_that_becomes_a_draft_is_removed_from_githubs_queue",
    ),
    PlantedFault(
        "shell/perform_landing.py",
        "        if effect.queues:\n            take_out",
        "        if False:\n            take_out",
        LETS_GO + "test_holding_a_change_removes_its_pull_from_githubs_queue[hold]",
    ),
]
