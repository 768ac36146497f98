"""A fault for every guard of landings that GitHub merges, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

WAY = "core/state/landing_way.py"
MERGE = "shell/merge_pull.py"
STORY = "test_stories_of_merges_by_github.py::"
CHANGE = STORY + "TestAChange::"
PULL = STORY + "TestAPersonsPull::"
METHOD = STORY + "TestTheMethod::test_the_rules_say_by_which_method"
SCENARIO = "scenarios/test_pulls_required.py::"
ANOTHER_TREE = SCENARIO + "test_a_merge_that_made_another_tree_is_not_taken_for_what_was_judged"
FORGE = "adapters/test_github_merges.py::"

PLANTED_FAULTS = [
    PlantedFault(
        WAY,
        "policy.file.landing is not Landing.GITHUB or not of_pulls",
        "not of_pulls",
        CHANGE + "test_without_the_policys_word_nothing_is_merged",
    ),
    PlantedFault(WAY, "and not (is_linear and method is MergeMethod.MERGE)", "", METHOD),
    PlantedFault(
        WAY,
        "binding = [rule for rule in (rules.rules if rules else ()) if not rule.bypass.is_free]",
        "binding = list(rules.rules if rules else ())",
        METHOD,
    ),
    PlantedFault(
        "core/state/approvals.py",
        "return max(asked, merges) if isinstance",
        "return asked if isinstance",
        CHANGE + "test_it_waits_for_the_approvals_that_github_asks_for",
    ),
    PlantedFault(
        "core/decide/main/account_commits.py",
        "is_news and not _is_being_merged(decision.state):",
        "is_news:",
        CHANGE + "test_main_is_not_accounted_for_while_github_is_asked_to_merge",
    ),
    PlantedFault(
        "core/journal/candidate_transitions.py",
        "return (event.candidate or event.sha) != candidate.sha",
        "return event.sha != candidate.sha",
        CHANGE + "test_it_lands_as_githubs_merge_of_the_tree_that_was_judged",
    ),
    PlantedFault(
        "core/journal/evolve_main.py",
        "return event.moved_by if is_landed and event.candidate is not None else None",
        "return None",
        CHANGE + "test_it_lands_as_githubs_merge_of_the_tree_that_was_judged",
    ),
    PlantedFault(
        "core/decide/people/tell_pulls.py",
        "if merges and pull.state is QueuedPullState.LANDING:",
        "if merges:",
        PULL + "test_its_head_has_no_verdict_before_it_lands",
    ),
    PlantedFault(
        "core/decide/people/tell_pulls.py",
        "if merges and pull.state is QueuedPullState.LANDING:",
        "if False:",
        SCENARIO + "test_a_persons_pull_lands_by_its_head_with_the_verdict_there",
    ),
    PlantedFault(MERGE, " and history[0].tree == wish.tree:", ":", ANOTHER_TREE),
    PlantedFault(
        MERGE, "pull.merged_by == facts.bot_login and pull.head_sha", "pull.head_sha", ANOTHER_TREE
    ),
    PlantedFault(
        MERGE,
        "    if pull.state is not PullState.MERGED or pull.merged_as is None or not is_ours:\n",
        "    if pull.merged_as is None or pull.state is PullState.MERGED:\n",
        SCENARIO + "test_a_lost_answer_of_the_merge_is_found_at_the_pull",
    ),
    PlantedFault(
        "adapters/github/writes.py",
        'body = {"sha": head, "commit_title"',
        'body = {"commit_title"',
        FORGE + "test_another_head_than_was_judged_is_not_merged",
    ),
    PlantedFault(
        "adapters/github/writes.py",
        "refused.status == _MOVED or _NOT_THIS_METHOD not in said:",
        "refused:",
        FORGE + "test_the_next_method_is_asked_for_where_one_is_not_allowed",
    ),
    PlantedFault(
        "adapters/github/writes.py",
        "refused.status == _MOVED or _NOT_THIS_METHOD not in said:",
        "refused.status == _MOVED:",
        FORGE + "test_a_refusal_has_githubs_words_and_asks_for_no_other_method",
    ),
]
