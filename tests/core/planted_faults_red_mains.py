"""A fault for every guard that keeps work from being blamed for a red main."""

from tests.testkit.planting import PlantedFault

MAINS = "core/test_stories_of_red_mains.py::"
FIRST = MAINS + "TestTheFirstMain::"
WAIVERS = MAINS + "TestWaivers::"
HANDS = "core/test_stories_of_turns.py::TestManualMerges::"

RED_MAIN_FAULTS = [
    PlantedFault(
        "core/decide/decision.py",
        "        if is_news(event, self.state, after):\n",
        "        if True:\n",
        FIRST + "test_a_pushed_commit_is_not_judged_twice",
    ),
    PlantedFault(
        "core/state/capacity.py",
        "under is not None and under.is_first and under.green is None",
        "False",
        FIRST + "test_no_agent_is_ordered_before_main_is_judged",
    ),
    PlantedFault(
        "core/state/capacity.py",
        "    return state.frozen is not None or (",
        "    return False or (",
        FIRST + "test_a_red_main_starts_no_order_and_names_red_gates_and_tests",
    ),
    PlantedFault(
        "core/decide/main/account_commits.py",
        "is_planned and bool(decision.policy.required_gates) and",
        "is_planned and",
        FIRST + "test_without_required_gates_there_is_nothing_to_judge",
    ),
    PlantedFault(
        "core/state/waivers.py",
        "or failed - waived:",
        "or not failed & waived:",
        WAIVERS + "test_a_new_failure_still_fails_the_candidate",
    ),
    PlantedFault(
        "core/state/waivers.py",
        "if day is None or now.date() <= day)",
        "if day is None or now.date())",
        WAIVERS + "test_a_waiver_ends_with_its_date",
    ),
    PlantedFault(
        "core/state/waivers.py",
        "        **policy.file.waive,\n",
        "",
        WAIVERS + "test_the_policy_may_accept_failures",
    ),
    PlantedFault(
        "core/decide/people/waive_tests.py",
        "    if unknown:\n",
        "    if False:\n",
        WAIVERS + "test_a_test_that_does_not_fail_on_main_is_refused",
    ),
    PlantedFault(
        "core/journal/evolve_main.py",
        "            waived = tuple(t for r in results for t in r.waived_tests if t not in lost)\n",
        "",
        WAIVERS + "test_an_accepted_failure_of_main_does_not_block_work",
    ),
    PlantedFault(
        "core/decide/main/account_commits.py",
        "    if begun:\n        return begun[0]\n",
        "",
        HANDS + "test_pushes_while_main_is_judged_are_judged_at_the_newest_tip_only",
    ),
    PlantedFault(
        "core/state/queue_order.py",
        "    if state.main is not None and is_doubtful(state, state.main):\n",
        "    if False:\n",
        HANDS + "test_the_front_is_judged_in_parallel_with_main_and_lands_when_both_are_green",
    ),
]
