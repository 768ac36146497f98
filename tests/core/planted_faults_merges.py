"""A fault for every guard of landings that GitHub merges, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

GROUPS_OF_GITHUB = "core/decide/main/merged_by_github.py"
WAY = "core/state/landing_way.py"
MERGE = "shell/merge_pull.py"
STORY = "test_stories_of_merges_by_github.py::"
CHANGE = STORY + "TestAChange::"
PULL = STORY + "TestAPersonsPull::"
METHOD = STORY + "TestMergeMethod::test_the_rules_choose_the_merge_method"
QUEUE = "test_stories_of_githubs_queue.py::"
GITHUBS_QUEUE = "scenarios/test_githubs_queue.py::"
SCENARIO = "scenarios/test_pulls_required.py::"
ANOTHER_TREE = SCENARIO + "test_a_merge_with_a_different_tree_does_not_count_as_judged"
FORGE = "adapters/test_github_merges.py::"

PLANTED_FAULTS = [
    PlantedFault(
        WAY,
        "binding = _binding(rules) if landing is Landing.GITHUB else []",
        "binding = _binding(rules)",
        CHANGE + "test_without_the_policy_github_does_not_merge",
    ),
    PlantedFault(WAY, "and not (is_linear and method is MergeMethod.MERGE)", "", METHOD),
    PlantedFault(
        WAY,
        "for rule in (rules.rules if rules else ()) if not rule.bypass.is_free]",
        "for rule in (rules.rules if rules else ())]",
        METHOD,
    ),
    PlantedFault(
        "core/state/approvals.py",
        "return max(asked, merges) if isinstance",
        "return asked if isinstance",
        CHANGE + "test_a_change_waits_for_approvals_that_github_requires",
    ),
    PlantedFault(
        "core/decide/main/account_commits.py",
        "if _is_landed_pull(decision, commit) or is_merged_by_github(decision, commit):",
        "if _is_landed_pull(decision, commit):",
        CHANGE + "test_a_merge_without_an_answer_is_recognised_by_its_tree",
    ),
    PlantedFault(
        GROUPS_OF_GITHUB,
        "if (candidate.tree, (candidate.base,)) != (commit.tree, commit.parents[:1]):",
        "if (candidate.base,) != commit.parents[:1]:",
        CHANGE + "test_a_different_tree_on_main_is_not_a_landing",
    ),
    PlantedFault(
        "core/journal/candidate_transitions.py",
        "return (event.candidate or event.sha) != candidate.sha",
        "return event.sha != candidate.sha",
        CHANGE + "test_a_change_lands_as_githubs_merge_of_the_judged_tree",
    ),
    PlantedFault(
        "core/journal/evolve_main.py",
        "    return event.moved_by\n",
        "    return None\n",
        CHANGE + "test_a_change_lands_as_githubs_merge_of_the_judged_tree",
    ),
    PlantedFault(
        "core/decide/people/tell_pulls.py",
        "if merges and pull.state is QueuedPullState.LANDING:",
        "if merges:",
        PULL + "test_the_head_of_a_pull_has_no_verdict_before_the_landing",
    ),
    PlantedFault(
        "core/decide/people/tell_pulls.py",
        "if merges and pull.state is QueuedPullState.LANDING:",
        "if False:",
        SCENARIO + "test_a_persons_pull_lands_by_its_head_with_the_verdict_there",
    ),
    PlantedFault(MERGE, " and history[0].tree == wanted.tree:", ":", ANOTHER_TREE),
    PlantedFault(
        MERGE, "wanted.is_queued or pull.merged_by == facts.bot_login", "True", ANOTHER_TREE
    ),
    PlantedFault(
        MERGE,
        "    if pull.state is not PullState.MERGED or pull.merged_as is None or not is_ours:\n",
        "    if pull.merged_as is None or pull.state is PullState.MERGED:\n",
        ANOTHER_TREE,
    ),
    PlantedFault(
        "adapters/github/writes.py",
        'body = {"sha": head, "commit_title"',
        'body = {"commit_title"',
        FORGE + "test_a_head_that_was_not_judged_is_not_merged",
    ),
    PlantedFault(
        "adapters/github/writes.py",
        "refused.status == _MOVED or _NOT_THIS_METHOD not in said:",
        "refused:",
        FORGE + "test_the_next_merge_method_is_tried_if_one_is_not_allowed",
    ),
    PlantedFault(
        "adapters/github/writes.py",
        "refused.status == _MOVED or _NOT_THIS_METHOD not in said:",
        "refused.status == _MOVED:",
        FORGE + "test_a_refusal_is_quoted_and_no_other_method_is_tried",
    ),
    PlantedFault(
        WAY,
        "return way_of(policy.file.landing, rules) is MovedBy.MERGE_QUEUE\n",
        "return way_of(Landing.GITHUB, rules) is MovedBy.MERGE_QUEUE\n",
        QUEUE + "TestTexts::test_the_rule_refuses_unless_the_policy_lets_github_merge",
    ),
    PlantedFault(
        GROUPS_OF_GITHUB,
        "if (candidate.tree, candidate.base) == (group.tree, group.base):",
        "if candidate.base == group.base:",
        QUEUE + "TestAGroup::test_a_group_with_another_tree_on_the_same_base_is_judged",
    ),
    PlantedFault(
        GROUPS_OF_GITHUB,
        "            return candidate.results\n",
        "            return ()\n",
        QUEUE + "TestAGroup::test_a_group_with_the_landing_tree_is_not_judged_again",
    ),
    PlantedFault(
        "core/decide/main/account_commits.py",
        "ref=group.ref if group is not None else Ref(facts.main_ref)",
        "ref=Ref(facts.main_ref)",
        QUEUE + "TestAGroup::test_a_group_of_other_pulls_is_judged_by_the_gates_of_main",
    ),
    PlantedFault(
        "core/journal/evolve_main.py",
        "        return rested if known.green is None else _with_freeze(rested)\n",
        "        return rested\n",
        QUEUE + "TestAGroup::test_a_red_group_that_became_main_freezes_the_queue",
    ),
    PlantedFault(
        "core/journal/evolve_main.py",
        "    if known is not None and known.group is not None:\n        # It was judged",
        "    if False:\n        # It was judged",
        QUEUE + "TestAGroup::test_a_judged_group_that_became_main_is_not_judged_again",
    ),
    PlantedFault(
        "shell/queue_on_github.py",
        "    if standing.removed_at is not None and standing.removed_at >= since - CLOCKS_APART:\n",
        "    if False:\n",
        GITHUBS_QUEUE + "test_a_change_removed_by_github_waits_and_is_queued_again",
    ),
    PlantedFault(
        "shell/queue_on_github.py",
        "    if standing.place is not None:\n",
        "    if False:\n",
        GITHUBS_QUEUE + "test_a_pull_is_not_added_twice_to_githubs_queue",
    ),
    PlantedFault(
        "shell/perform_landing.py",
        "            take_out(ports, facts, effect.pull)\n",
        "            pass\n",
        GITHUBS_QUEUE + "test_a_change_that_may_no_longer_land_is_removed_from_githubs_queue",
    ),
    PlantedFault(
        "shell/perform_queue.py",
        "            take_out(ports, facts, effect.number)\n        return stopped",
        "            pass\n        return stopped",
        GITHUBS_QUEUE + "test_a_pull_with_requested_changes_is_removed_from_githubs_queue",
    ),
    PlantedFault(
        "core/decide/people/tell_pulls.py",
        "            publish_check(decision, pull.head, where, checks.taken_back())\n",
        "            pass\n",
        PULL + "test_the_head_of_a_pull_has_the_verdict_during_the_landing",
    ),
    PlantedFault(
        "core/decide/people/tell_main.py",
        "adoption.group is not None and is_frozen:",
        "False:",
        GITHUBS_QUEUE + "test_pulls_in_githubs_queue_wait_for_the_end_of_a_freeze",
    ),
    PlantedFault(
        "core/decide/people/tell_main.py",
        "return known is not None and not known.startswith(OPEN)",
        "return known is not None",
        GITHUBS_QUEUE + "test_pulls_in_githubs_queue_wait_for_the_end_of_a_freeze",
    ),
    PlantedFault(
        "core/decide/people/tell_main.py",
        "    _conclude_dropped(decision)\n",
        "",
        QUEUE + "TestAGroup::test_a_withheld_verdict_is_closed_when_github_drops_the_group",
    ),
    PlantedFault(
        "shell/observe_branches.py",
        "    if state.main is None or not is_queued(policy, state.rules):\n",
        "    if True:\n",
        GITHUBS_QUEUE + "test_pulls_that_people_add_to_githubs_queue_get_the_required_verdict",
    ),
    PlantedFault(
        "core/state/webhook.py",
        " or ref.startswith(MERGE_GROUPS):",
        ":",
        "test_webhook.py::test_a_merge_group_delivery_gives_a_hint_about_main",
    ),
    PlantedFault(
        "core/talk/news_text.py",
        " and not (is_merged and _is_of_merges(one))",
        "",
        "test_stories_of_bad_input.py::"
        "test_a_rule_in_the_way_is_logged_unless_the_policy_leaves_it_to_github",
    ),
    PlantedFault(
        "core/talk/news_text.py",
        "is_merged = state.policy_landing is Landing.GITHUB",
        "is_merged = True",
        "test_stories_of_bad_input.py::"
        "test_a_rule_in_the_way_is_logged_unless_the_policy_leaves_it_to_github",
    ),
    PlantedFault(
        "core/journal/evolve_main.py",
        "    if group.sha in state.adoptions or _is_on_line(state, group.sha):\n",
        "    if _is_on_line(state, group.sha):\n",
        QUEUE + "TestAGroup::test_a_group_seen_again_keeps_its_verdict",
    ),
]
