"""A fault for every guard of pulls from forks in the queue."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_forks_pulls.py::"
WHICH = STORIES + "TestNamedCommit::"
WHERE = STORIES + "TestForkRunners::"

FORKS_PULLS_FAULTS = [
    PlantedFault(
        "core/decide/people/queue_pull.py",
        "    if decision.policy.file.forks.runs_on is None:\n        return queue_text.from_fork()\n",
        "",
        WHICH + "test_without_runners_for_forks_a_fork_pull_is_refused",
    ),
    PlantedFault(
        "core/decide/people/queue_pull.py",
        'return "" if request.head or request.is_by_policy else queue_text.which_head(pull.head_sha)',
        'return ""',
        WHICH + "test_a_commit_must_be_named",
    ),
    PlantedFault(
        "core/decide/people/queue_pull.py",
        "    if not why and not pull.head_sha.startswith(request.head):",
        "    if False:",
        WHICH + "test_a_named_commit_that_is_no_longer_the_head_is_not_queued",
    ),
    PlantedFault(
        "core/spec/policy.py",
        "            egress=(),\n",
        "",
        WHERE + "test_fork_gates_run_on_the_policys_runners_without_network_or_variables",
    ),
    PlantedFault(
        "core/spec/policy.py",
        "            environment=EnvironmentEntry(),\n",
        "",
        WHERE + "test_fork_gates_run_on_the_policys_runners_without_network_or_variables",
    ),
    PlantedFault(
        "core/spec/policy.py",
        '            sandbox="required",\n',
        "",
        WHERE + "test_fork_gates_run_on_the_policys_runners_without_network_or_variables",
    ),
    PlantedFault(
        "core/spec/policy.py",
        "            runs_on=self.file.forks.runs_on or {},\n",
        "",
        WHERE + "test_fork_gates_run_on_the_policys_runners_without_network_or_variables",
    ),
    PlantedFault(
        "core/state/queue_definitions.py",
        "return policy.of_forks() if pull.is_from_fork else policy.of_pulls()",
        "return policy.of_forks()",
        WHERE + "test_pulls_of_the_repository_keep_their_runners",
    ),
    PlantedFault(
        "core/decide/queue/pulls.py",
        "if pull.is_from_fork and decision.policy.file.forks.runs_on is None:",
        "if False:",
        WHERE + "test_a_fork_pull_leaves_if_the_policy_loses_its_runners",
    ),
    PlantedFault(
        "core/decide/queue/pulls.py",
        "    if pull.is_from_fork and pull.rules:\n",
        "    if False:\n",
        WHERE + "test_a_fork_pull_cannot_bring_its_own_policy",
    ),
    PlantedFault(
        "core/decide/main/pause_orders.py",
        "if pull is not None and pull.is_from_fork:",
        "if False:",
        STORIES
        + "TestMissingRunners::test_lost_fork_gates_do_not_block_other_pulls_and_are_reported",
    ),
    PlantedFault(
        "core/state/unasked_pulls.py",
        "    if pull.is_from_fork and not policy.file.forks.auto_queue:\n",
        "    if False:\n",
        "core/test_stories_of_approved_pulls.py::test_a_pull_from_a_fork_does_not_enter_by_itself",
    ),
]
