"""Faults in where orders run, and the story that each must make fail."""

from tests.testkit.planting import PlantedFault

WHERE = "scenarios/test_runner_selection.py::"

WORKFLOW_STORY_FAULTS = [
    PlantedFault(
        "shell/orders.py",
        "    elif not _is_the_files_own_job(claims):",
        "    elif False:",
        WHERE + "test_a_job_of_another_workflow_gets_no_lease",
    ),
    PlantedFault(
        "shell/perform_github.py",
        "        if effect.runs_on:",
        "        if False:",
        WHERE + "test_orders_go_to_the_runners_that_the_policy_names_by_change_type",
    ),
]
