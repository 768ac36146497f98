"""A fault for every guard of work that is kept in part, and of files that a command makes anew."""

from tests.testkit.planting import PlantedFault

BUNDLES = "adapters/test_git_bundles.py::"
UNFINISHED = "core/test_stories_of_unfinished_work.py::TestFilesThatBreakARule::"

DIALOGUES = "core/test_stories_of_dialogues.py::"
FOLDERS = "core/test_stories_of_folders.py::"
REMADE = "core/test_stories_of_remade_files.py::"
ALONE = REMADE + "TestOnlyALockFile::"
FAILING = REMADE + "TestFailingCommand::"
MIXED = REMADE + "TestLockFileAndOthers::"

FAIR_A_FAULTS = [
    PlantedFault(
        "adapters/git/bundles.py",
        "        tree = self._made_anew(kept)\n",
        "        tree, kept = _TIP_REF, changed\n",
        BUNDLES + "test_refused_files_leave_no_objects_in_the_mirror",
    ),
    PlantedFault(
        "adapters/git/bundles.py",
        "        if isinstance(again, BundleRefusal) or again != kept:\n",
        "        if isinstance(again, BundleRefusal):\n",
        BUNDLES + "test_a_kept_file_may_not_displace_a_restored_protected_file",
    ),
    PlantedFault(
        "adapters/git/bundles.py",
        "        if refused and not kept:\n",
        "        if False:\n",
        BUNDLES + "test_a_requested_file_must_follow_the_rules",
    ),
    PlantedFault(
        "core/journal/transitions.py",
        "another_order, nothing_refused),",
        "another_order, lambda _change, _event: True),",
        UNFINISHED + "test_the_next_attempt_continues_from_the_accepted_files",
    ),
    PlantedFault(
        "core/journal/evolve_work.py",
        "        change, is_whole = _told_what_was_refused(change, event), False\n",
        "        is_whole = False\n",
        UNFINISHED + "test_the_attempt_is_shown_as_refused_with_the_file",
    ),
    PlantedFault(
        "core/journal/evolve_work.py",
        '    said = f"{change.agent_runs[-1].sentence} {refused}".strip()\n',
        "    said = refused\n",
        UNFINISHED + "test_the_next_attempt_learns_how_the_run_ended_and_the_refused_files",
    ),
    PlantedFault(
        "adapters/git/bundles.py",
        "        return not self.rules.only or row.display_path in self.rules.only\n",
        "        return True\n",
        BUNDLES + "test_only_requested_files_are_taken_from_a_bundle",
    ),
    PlantedFault(
        "adapters/git/bundles.py",
        "        if not deltas and not self.rules.only:\n",
        "        if not deltas:\n",
        BUNDLES + "test_unchanged_requested_files_are_not_refused",
    ),
    PlantedFault(
        "shell/perform_git.py",
        " if all(path in side for side in sides)}",
        " if path in sides[0]}",
        "adapters/test_remade_files.py::test_a_removed_lock_file_stays_in_conflict",
    ),
    PlantedFault(
        "core/decide/changes/import_work.py",
        "            only=change.remaking,\n",
        "",
        ALONE + "test_only_the_regenerated_file_is_taken_from_the_bundle",
    ),
    PlantedFault(
        "core/decide/changes/remake_files.py",
        "    if is_conflict and is_prepared and change.head_is_whole",
        "    if is_prepared",
        MIXED + "test_an_interrupted_agent_does_not_lose_the_remake",
    ),
    PlantedFault(
        "core/journal/change_state.py",
        "tries - remade)",
        "tries)",
        FAILING + "test_a_failed_remake_costs_no_attempt",
    ),
    PlantedFault(
        "core/journal/evolve_work.py",
        "    return replace(handed_in, conflicts=max(change.conflicts - 1, change.conflicts_before))\n",
        "    return handed_in\n",
        ALONE + "test_repeated_lock_file_conflicts_do_not_fail_a_change",
    ),
    PlantedFault(
        "core/journal/evolve_work.py",
        "        conflicts=change.conflicts + (1 if _remakes_later(change) else 0),\n",
        "",
        FAILING + "test_a_failed_remake_after_an_agent_costs_no_attempt",
    ),
    PlantedFault(
        "core/decide/changes/advance.py",
        "remake=() if change.remake_failed else decision.policy.remade,",
        "remake=decision.policy.remade,",
        FAILING + "test_a_failed_remake_leaves_the_conflict_to_an_agent_with_its_output",
    ),
    PlantedFault(
        "core/journal/evolve_work.py",
        "        retry=retry,\n        bundle=None,\n        head_is_fresh=False,\n",
        "        retry=retry,\n        head_is_fresh=False,\n",
        FAILING + "test_a_failed_remake_imports_no_files",
    ),
    PlantedFault(
        "core/journal/evolve_work.py",
        "        remake_failed=False,\n",
        "",
        FAILING + "test_a_failed_remake_is_tried_again_at_the_next_conflict",
    ),
    PlantedFault(
        "core/journal/evolve_work.py",
        "dict.fromkeys((*change.remake, *event.remake))",
        "dict.fromkeys(event.remake)",
        MIXED + "test_an_interrupted_agent_does_not_lose_the_remake",
    ),
    PlantedFault(
        "core/decide/changes/advance.py",
        "    if in_turn and not order_remake(decision, change):\n",
        "    if in_turn:\n",
        MIXED + "test_an_agent_resolves_the_others_and_the_command_the_lock_file",
    ),
    PlantedFault(
        "core/decide/specs/follow_repository.py",
        "        if dialogue.is_open:\n",
        "        if False:\n",
        DIALOGUES + "test_a_removed_installation_ends_a_dialogue_until_the_label_is_set_again",
    ),
    PlantedFault(
        "core/decide/specs/follow_repository.py",
        "if dialogue.is_open:",
        "if dialogue.ending is None:",
        DIALOGUES + "test_a_removal_keeps_the_pull_of_a_proposed_spec",
    ),
    PlantedFault(
        "core/state/access.py",
        "    is_open = is_open or any(dialogue.is_open for dialogue in state.dialogues.values())\n",
        "",
        DIALOGUES + "test_a_removed_installation_ends_a_dialogue_until_the_label_is_set_again",
    ),
    PlantedFault(
        "core/decide/specs/landed_requirements.py",
        "if r in landed and r not in there)",
        "if r not in there)",
        FOLDERS + "test_an_edit_that_removes_no_landed_requirement_is_not_reported",
    ),
    PlantedFault(
        "core/decide/specs/landed_requirements.py",
        ", stays_in_changes=is_last)",
        ", stays_in_changes=True)",
        FOLDERS + "test_a_folder_is_archived_by_landings_while_changes_are_running",
    ),
]
