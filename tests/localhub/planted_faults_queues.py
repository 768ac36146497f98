"""A fault for every guard of rules about pulls and merge queues, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

PULLS = "test_pulls.py::"
GROUPS = "test_merge_queue.py::"
QUEUE = "localhub/merge_queue.py"

PLANTED_FAULTS = [
    PlantedFault(
        "localhub/rules.py",
        "if RefRule.MERGE_QUEUE in rules and via is not MoveVia.QUEUE and not move.creates:",
        "if RefRule.MERGE_QUEUE in rules and via is MoveVia.PUSH and not move.creates:",
        PULLS + "test_a_merge_queue_refuses_merges_by_hand_as_it_refuses_pushes",
    ),
    PlantedFault(
        "localhub/merge_rules.py",
        "not in repository.merge_methods.intersection(*allowed)",
        "not in repository.merge_methods",
        PULLS + "test_only_the_methods_of_rule_and_repository_merge_a_pull[False]",
    ),
    PlantedFault(
        "localhub/merge_rules.py",
        "not in repository.merge_methods.intersection(*allowed)",
        "not in frozenset(MergeMethod).intersection(*allowed)",
        PULLS + "test_only_the_methods_of_rule_and_repository_merge_a_pull[True]",
    ),
    PlantedFault(
        QUEUE,
        "if expected_head is not None and expected_head != pull.head_sha:",
        "if False:",
        GROUPS + "test_a_refused_queue_entry_gets_the_reason",
    ),
    PlantedFault(
        QUEUE,
        "                require_checks(repository, pull)\n",
        "",
        GROUPS + "test_a_refused_queue_entry_gets_the_reason",
    ),
    PlantedFault(
        QUEUE,
        "if is_first.setdefault(branch, True) and self._has_passed(entry, group):",
        "if self._has_passed(entry, group):",
        GROUPS + "test_merge_groups_build_on_each_other_and_are_rebuilt_after_a_failure",
    ),
    PlantedFault(
        QUEUE,
        "has_passed(repository, group.head_sha, check) for check",
        "has_passed(repository, entry.head_sha, check) for check",
        GROUPS + "test_a_pull_is_merged_once_the_checks_have_passed_on_its_groups_head",
    ),
    PlantedFault(
        QUEUE,
        "if group is not None and group.base_sha != base:",
        "if False:",
        GROUPS + "test_a_push_past_the_queue_rebuilds_its_groups",
    ),
    PlantedFault(
        QUEUE,
        " or entry.pull.head_sha != entry.head_sha:\n",
        ":\n",
        GROUPS + "test_a_pull_leaves_the_queue_for_the_documented_reasons[push-BRANCH_PROTECTIONS]",
    ),
    PlantedFault(
        "localhub/graphql/mutations.py",
        '("pull_requests", "merge_queues")',
        '("pull_requests",)',
        GROUPS + "test_an_app_needs_both_permissions[merge_queues]",
    ),
    PlantedFault(
        "localhub/rules.py",
        '    if move.ref.startswith(f"refs/heads/{QUEUE_FOLDER}") and via is not MoveVia.QUEUE:\n',
        "    if False:\n",
        GROUPS + "test_only_the_merge_queue_may_push_a_group_branch",
    ),
    PlantedFault(
        "localhub/actions_host.py",
        "        if not known:\n",
        "        self.state.lock.acquire()\n        if not known:\n",
        "localhub/test_merge_queue.py::"
        "test_a_job_report_during_a_push_does_not_block_other_requests",
    ),
]
