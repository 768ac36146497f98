"""A fault for each guard of specs and deltas, and the story that fails with it."""

from tests.testkit.planting import PlantedFault

STALE = "scenarios/test_stale_deltas.py::"

BRANCHES = "scenarios/test_people_at_pulls_and_issues.py::"

SPEC_STORY_FAULTS = [
    PlantedFault(
        "shell/perform_pushes.py",
        "there):\n        return BranchPushed(change=change.id, pushed=there)\n    updates",
        "there):\n        pass\n    updates",
        BRANCHES + "test_a_push_with_a_lost_webhook_is_detected_by_the_lease_of_our_push",
    ),
    PlantedFault(
        "core/decide/changes/advance.py",
        "            if refuse_if_conflicting(decision, run, change):\n",
        "            if not change.id:\n",
        STALE + "test_a_stale_delta_is_refused_before_an_agent_is_ordered",
    ),
    PlantedFault(
        "core/decide/changes/advance.py",
        "    elif refuse_if_conflicting(decision, run, change):\n",
        "    elif not change.id:\n",
        STALE + "test_an_agent_that_gave_up_on_a_stale_delta_has_no_successor",
    ),
    PlantedFault(
        "core/decide/changes/delta_check.py",
        "        if sentence != change.delta_conflict and main is not None:\n",
        "        if not sentence and main is not None:\n",
        STALE
        + "test_an_edit_during_agent_work_is_reported_once_and_the_work_lands_after_the_revert",
    ),
    PlantedFault(
        "core/decide/specs/propose_issue_spec.py",
        "    if _is_on_main(decision, path, read):\n",
        "    if not path:\n",
        "scenarios/test_specs_as_issues.py::test_reopening_a_merged_issue_opens_no_empty_pull",
    ),
    PlantedFault(
        "localhub/mount.py",
        " and issue.pull.fork is None:",
        ":",
        "scenarios/test_pulls_from_forks.py::test_a_workflow_from_a_fork_is_not_run",
    ),
    PlantedFault(
        "localhub/pulls.py",
        "            if pull.fork is not None:\n                fetch_commit(pull.fork, home, move.after)\n",
        "",
        "localhub/test_forks.py::test_a_pull_from_a_fork_is_opened_updated_and_merged",
    ),
]
