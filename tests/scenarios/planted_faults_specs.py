"""A fault for every guard of specs and their deltas that a story shows, and the story that dies."""

from tests.testkit.planting import PlantedFault

STALE = "scenarios/test_stale_deltas.py::"

SPEC_STORY_FAULTS = [
    PlantedFault(
        "core/decide/changes/advance.py",
        "            if refuse_if_conflicting(decision, run, change):\n",
        "            if not change.id:\n",
        STALE
        + "test_a_delta_that_another_specs_archive_has_outrun_is_refused_before_an_agent_is_ordered",
    ),
    PlantedFault(
        "core/decide/changes/advance.py",
        "    elif refuse_if_conflicting(decision, run, change):\n",
        "    elif not change.id:\n",
        STALE + "test_red_work_whose_delta_main_has_outrun_is_not_given_to_a_second_agent",
    ),
    PlantedFault(
        "core/decide/changes/delta_check.py",
        "        if sentence != change.delta_conflict and main is not None:\n",
        "        if not sentence and main is not None:\n",
        STALE
        + "test_an_edit_under_an_agent_at_work_is_told_once_and_its_work_lands_when_it_is_taken_back",
    ),
    PlantedFault(
        "core/decide/specs/propose_issue_spec.py",
        "    if _is_on_main(decision, path, read):\n",
        "    if not path:\n",
        "scenarios/test_specs_as_issues.py::"
        "test_a_merged_issue_that_is_opened_again_asks_for_no_empty_pull",
    ),
    PlantedFault(
        "localhub/mount.py",
        " and issue.pull.fork is None:",
        ":",
        "scenarios/test_pulls_from_forks.py::test_a_workflow_that_a_fork_brings_is_not_run",
    ),
    PlantedFault(
        "localhub/pulls.py",
        "            if pull.fork is not None:\n                fetch_commit(pull.fork, home, move.after)\n",
        "",
        "localhub/test_forks.py::test_a_pull_from_a_fork_is_opened_updated_and_merged",
    ),
]
