"""A fault for every guard that keeps what people wrote: in a delta folder, on a change's branch."""

from tests.testkit.planting import PlantedFault

FOLDERS = "core/test_stories_of_folders.py::"
PUSHES = "core/test_stories_of_peoples_pushes.py::"
TAKEN = PUSHES + "TestTakenOver::"
HAND = PUSHES + "TestTakenOverAndRed::"
ENDED = PUSHES + "TestEnded::"
GIT = "adapters/test_git_pushed_work.py::"

PEOPLE_FAULTS = [
    PlantedFault(
        "core/talk/candidate_content.py",
        " or run.proposed_edit is not None or",
        " or",
        FOLDERS + "test_a_folder_stays_while_an_edit_of_it_waits_for_approval",
    ),
    PlantedFault(
        "core/decide/queue/land.py",
        "    if finishes and decision.state.main_seen_at is not None:\n",
        "    if False:\n",
        FOLDERS + "test_a_candidate_that_would_move_the_folder_waits_until_a_push_was_read",
    ),
    PlantedFault(
        "core/decide/queue/land.py",
        "        Lack.OTHER_CONTENT: candidate.folder_version != finishes,\n",
        "",
        FOLDERS + "test_an_edit_without_new_requirements_is_archived_in_its_current_form",
    ),
    PlantedFault(
        "core/spec/archive/folding.py",
        "    if gone:\n",
        "    if False:\n",
        FOLDERS + "test_a_missing_operation_of_the_folder_is_a_conflict",
    ),
    PlantedFault(
        "core/decide/queue/land.py",
        "    if front.pushed is not None:\n        return None\n",
        "",
        TAKEN + "test_a_candidate_that_passed_does_not_land_without_the_push",
    ),
    PlantedFault(
        "core/decide/changes/take_over.py",
        "        give_up(decision, order, push_text.why_ended())\n",
        "        pass\n",
        TAKEN + "test_a_running_agent_ends_first_and_its_late_report_is_kept",
    ),
    PlantedFault(
        "core/decide/changes/take_over.py",
        "case PushState.NOTICED if change.state is ChangeState.STOPPED:",
        "case PushState.NOTICED if False:",
        ENDED + "test_a_push_to_a_stopped_change_waits_for_a_retry",
    ),
    PlantedFault(
        "core/state/branches_watched.py",
        "frozenset({ChangeState.FAILED, ChangeState.STOPPED})",
        "frozenset({ChangeState.FAILED})",
        ENDED + "test_a_push_to_a_stopped_change_waits_for_a_retry",
    ),
    PlantedFault(
        "core/decide/changes/take_over.py",
        "        revoke(decision, order)\n",
        "        pass\n",
        TAKEN + "test_gates_of_the_older_candidate_are_cancelled",
    ),
    PlantedFault(
        "core/decide/changes/take_over.py",
        "    if change.state is ChangeState.WAITING and waits_for(decision.state, change):\n",
        "    if False:\n",
        TAKEN + "test_a_pushed_change_still_waits_for_its_dependency",
    ),
    PlantedFault(
        "core/decide/changes/advance.py",
        "            shown=change.shown,\n",
        "            shown=change.candidate.sha if change.candidate else None,\n",
        TAKEN + "test_a_push_becomes_the_work_and_lands_under_its_author",
    ),
    PlantedFault(
        "core/decide/changes/advance.py",
        "    elif change.held_by:\n",
        "    elif False:\n",
        HAND + "test_red_work_of_a_person_gets_no_agent",
    ),
    PlantedFault(
        "core/decide/specs/end_spec_run.py",
        "    if any(isinstance(e, TakeOverPush) and e.change == change.id for e in effects):\n",
        "    if False:\n",
        ENDED + "test_a_push_to_a_failed_change_continues_it",
    ),
    PlantedFault(
        "core/journal/transitions.py",
        "    return event.pushed in {change.shown, change.pushed}\n",
        "    return event.pushed == (change.push.sha if change.push else None)\n",
        TAKEN + "test_the_same_commit_pushed_again_is_taken_over_again",
    ),
    PlantedFault(
        "adapters/git/pushed_work.py",
        "    if own:\n",
        "    if False:\n",
        GIT + "test_protected_paths_stay_protected_even_if_headgate_wrote_them",
    ),
    PlantedFault(
        "adapters/git/pushed_work.py",
        "    is_own = below is None or tree != expected\n",
        "    is_own = True\n",
        GIT + "test_a_merge_of_main_does_not_count_as_a_persons_work",
    ),
    PlantedFault(
        "adapters/git/pushed_work.py",
        "if sha not in rules.candidates]",
        "if sha]",
        GIT + "test_pushed_work_contains_the_persons_and_the_agents_files_but_not_headgates",
    ),
]
