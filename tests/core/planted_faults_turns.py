"""A fault for every guard that keeps changes from meeting twice."""

from tests.testkit.planting import PlantedFault

TURNS = "core/test_stories_of_turns.py::"
FRONT = TURNS + "TestFrontFirst::"
CONFLICTS = TURNS + "TestConflicts::"

TURN_FAULTS = [
    PlantedFault(
        "shell/perform_git.py",
        "git.changed_since_fork(facts, effect.head, effect.base, files)",
        "git.changed_since_fork(facts, effect.base, effect.head, files)",
        "scenarios/test_the_queue.py::"
        "test_a_conflict_is_returned_to_the_agent_with_its_markers_and_lands",
    ),
    PlantedFault(
        "core/decide/changes/advance.py",
        " and not judged_beside(state, change)\n",
        "\n",
        FRONT + "test_seven_changes_cost_seven_gate_orders",
    ),
    PlantedFault(
        "core/state/queue_order.py",
        "        if refused_until is None and not entry.pull_closed and not is_held(state, entry):\n",
        "        if True:\n",
        FRONT + "test_changes_do_not_wait_for_a_stuck_queue",
    ),
    PlantedFault(
        "core/decide/changes/advance.py",
        "    if entry.entered is not None:\n        return (0, entry.entered, 0)\n",
        "",
        FRONT + "test_gates_of_the_front_are_dispatched_before_other_gates",
    ),
    PlantedFault(
        "core/journal/change_state.py",
        "- asked - self.conflicts_now\n",
        "- asked\n",
        CONFLICTS + "test_a_conflict_does_not_count_as_an_attempt",
    ),
    PlantedFault(
        "core/decide/changes/advance.py",
        "    if change.conflicts_now > decision.policy.file.conflicts_max:\n",
        "    if False:\n",
        CONFLICTS + "test_after_five_conflicts_the_change_fails_with_the_last",
    ),
    PlantedFault(
        "core/decide/changes/advance.py",
        "bool(ahead_of(state, change) or conflict_ahead_of(state, change))",
        "bool(ahead_of(state, change))",
        CONFLICTS + "test_conflicts_about_one_file_are_resolved_one_after_another",
    ),
    PlantedFault(
        "core/state/queue_order.py",
        "        and files.intersection(c.conflict_files)\n",
        "",
        CONFLICTS + "test_conflicts_about_other_files_do_not_wait_for_each_other",
    ),
    PlantedFault(
        "core/decide/changes/agent_order.py",
        "        retry=with_landed_since(decision.state, change) if attempt > 1 or prepared else None,\n",
        "        retry=change.retry if attempt > 1 or prepared else None,\n",
        CONFLICTS + "test_the_order_lists_landings_and_edits_of_both_sides",
    ),
    PlantedFault(
        "core/journal/evolve_change.py",
        "        conflicts_before=change.conflicts,\n",
        "",
        CONFLICTS + "test_a_retry_by_a_person_resets_the_conflict_count",
    ),
    PlantedFault(
        "adapters/git/union.py",
        "        if ours is not None and theirs is not None:\n",
        "        if True:\n",
        "adapters/test_union.py::test_a_removed_file_is_not_merged_by_union",
    ),
    PlantedFault(
        "core/state/queue_void.py",
        "        Phase.REPEATED: _NOTHING,\n",
        "        Phase.REPEATED: _MOVED,\n",
        FRONT + "test_gates_of_the_front_are_dispatched_before_other_gates",
    ),
    PlantedFault(
        "core/state/queue_void.py",
        "        Phase.PLACED: _MOVED,\n        # A flake",
        "        Phase.PLACED: _NOTHING,\n        # A flake",
        "core/test_stories_of_turns.py::TestManualMerges::"
        "test_gates_that_no_runner_took_are_withdrawn_when_main_has_moved",
    ),
]
