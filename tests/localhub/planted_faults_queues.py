"""A fault for every guard of rules about pulls and merge queues, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

PULLS = "test_pulls.py::"

PLANTED_FAULTS = [
    PlantedFault(
        "localhub/rules.py",
        "if RefRule.MERGE_QUEUE in rules and not move.creates:",
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
]
