"""Faults in which runner takes an order and what its workflow is, and the test that each must fail."""

from tests.testkit.planting import PlantedFault

POLICY = "core/test_policy.py::"
FILES = "entry/test_workflow_files.py::"

WORKFLOW_FAULTS = [
    PlantedFault(
        "core/spec/policy.py",
        "(RunsOnFor(type_), orders)",
        "(orders, RunsOnFor(type_))",
        POLICY + "test_a_changes_type_chooses_its_runner_before_the_kind_of_order",
    ),
    PlantedFault(
        "entry/workflow_files.py",
        "    if not settings.action_repository:\n        return None\n",
        "",
        FILES + "test_without_a_repository_jobs_call_their_runners_own_program",
    ),
    PlantedFault(
        "entry/workflow_files.py",
        "settings.action_sha or own_commit()",
        "own_commit() or settings.action_sha",
        FILES + "test_the_setting_takes_precedence_over_the_release",
    ),
    PlantedFault(
        "entry/settings.py",
        'pattern="^([0-9a-f]{40})?$"',
        "min_length=0",
        FILES + "test_a_tag_in_place_of_a_commit_is_refused",
    ),
]
