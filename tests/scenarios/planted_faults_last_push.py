"""Faults in who may approve the newest push of a pull, each with the test that notices it."""

from tests.testkit.planting import PlantedFault

STORY = "scenarios/test_approvals_of_the_last_push.py::"
OBSERVE = "shell/observe_queue.py"

FAULTS = [
    PlantedFault(
        OBSERVE,
        "        if not is_change and needs_others(policy, state.rules):\n",
        "        if False:\n",
        STORY + "test_the_last_pusher_cannot_approve_a_queued_pull",
    ),
    PlantedFault(
        OBSERVE,
        "        if not _is_the_same(ports, facts, pull, (move.before, main)):\n",
        "        if True:\n",
        STORY + "test_merging_main_does_not_hide_the_last_pusher_of_work",
    ),
    PlantedFault(
        OBSERVE,
        "        own = approvals.by[:1]\n",
        "        own = ()\n",
        STORY + "test_two_approvals_are_needed_if_the_last_pusher_is_unknown",
    ),
    PlantedFault(
        "shell/perform_queue.py",
        "        if effect.needs_others:\n",
        "        if False:\n",
        STORY + "test_the_landing_checks_the_last_pusher_again",
    ),
    PlantedFault(
        "shell/observe_rules.py",
        "return rules, replace(state, rules=rules)",
        "return rules, state",
        STORY + "test_the_last_pusher_cannot_approve_a_queued_pull",
    ),
    PlantedFault(
        "core/state/approvals.py",
        "max(rule.approvals, int(rule.needs_last_push))",
        "rule.approvals",
        "core/test_stories_of_reviewed_pulls.py::TestApprovals::"
        "test_a_rule_about_the_last_push_requires_an_approval",
    ),
    PlantedFault(
        "core/state/approvals.py",
        "return is_left_to_rules and any(rule.needs_last_push for",
        "return any(rule.needs_last_push for",
        "core/test_stories_of_reviewed_pulls.py::TestApprovals::"
        "test_the_number_of_approvals_in_the_policy_replaces_the_rules",
    ),
    PlantedFault(
        "core/decide/queue/pulls.py",
        "needs_others=needs_others(decision.policy, decision.state.rules),",
        "needs_others=False,",
        "core/test_stories_of_reviewed_pulls.py::TestApprovals::"
        "test_a_rule_about_the_last_push_requires_an_approval",
    ),
    PlantedFault(
        "localhub/merge_rules.py",
        "if one is not pusher and one in at_head)",
        "if one is not pusher)",
        "localhub/test_pulls.py::test_the_last_pusher_cannot_approve",
    ),
]
