"""A fault for every guard that keeps a flaky gate from convicting sound work."""

from tests.testkit.planting import PlantedFault

FLAKES = "core/test_stories_of_flakes.py::"
IN_ORDER = FLAKES + "TestRepeatsInTheSameOrder::"
PULLS = "core/test_stories_of_queued_pulls.py::TestWhatTakesItOut::"

FLAKE_FAULTS = [
    PlantedFault(
        "core/state/flaky_results.py",
        "    return bool(red) and all(",
        "    return False and all(",
        FLAKES + "TestDoubt::test_red_and_then_green_lands_and_is_told",
    ),
    PlantedFault(
        "core/state/flaky_results.py",
        "seen.count(r.gate) < policy.repeats(r.gate)",
        "seen.count(r.gate) < 1",
        FLAKES + "TestDoubt::test_the_policy_may_ask_twice_or_never",
    ),
    PlantedFault(
        "core/spec/policy.py",
        "return 0 if entry is None or entry.builtin is not None else entry.repeat",
        "return 0 if entry is None else entry.repeat",
        FLAKES + "TestDoubt::test_headgates_own_gate_is_not_doubted",
    ),
    PlantedFault(
        "core/journal/evolve_change_candidate.py",
        "event: ev.GatesDoubted) -> ChangeFacts:\n    return _judged(change, event)\n",
        "event: ev.GatesDoubted) -> ChangeFacts:\n    return change\n",
        FLAKES + "TestDoubt::test_only_what_was_red_runs_again_and_nobody_is_blamed",
    ),
    PlantedFault(
        "core/journal/evolve_main.py",
        "    return _with_adoption(state, replace(adoption, order=None, doubts=(*adoption.doubts, *red)))\n",
        "    return _with_adoption(state, replace(adoption, order=None))\n",
        FLAKES + "TestDoubt::test_main_is_doubted_too_before_the_queue_is_frozen",
    ),
    PlantedFault(
        "core/journal/evolve_main.py",
        "if (kept := _after(ats, since))",
        "if (kept := ats)",
        FLAKES + "TestWhatIsRemembered::test_flakes_older_than_a_month_are_forgotten",
    ),
    PlantedFault(
        "core/journal/evolve_work.py",
        "    if event.ending == AgentEnding.NOTHING_CHANGED and _was_red(change):\n",
        "    if False:\n",
        FLAKES + "TestTheAgentsWord::test_nothing_to_change_after_a_red_gate_is_judged_once_more",
    ),
    PlantedFault(
        "core/decide/changes/advance.py",
        "    if change.head is not None and change.rejudged == change.head.sha:\n",
        "    if False:\n",
        FLAKES + "TestTheAgentsWord::test_red_again_fails_with_the_gates_sentence",
    ),
    PlantedFault(
        "core/journal/evolve_change.py",
        "change.head_is_whole and not event.is_new_text and not event.with_agent",
        "change.head_is_fresh and not event.is_new_text",
        FLAKES + "TestRetry::test_a_retry_judges_the_work_that_there_is",
    ),
    PlantedFault(
        "core/journal/evolve_change.py",
        "and not event.is_new_text and not event.with_agent",
        "and not event.is_new_text",
        FLAKES + "TestRetry::test_a_person_may_ask_for_an_agent_at_once",
    ),
    PlantedFault(
        "core/journal/evolve_work.py",
        "    is_whole = not change.has_partial_work\n",
        "    is_whole = True\n",
        FLAKES + "TestRetry::test_half_of_an_agents_work_is_never_judged_by_a_retry",
    ),
    PlantedFault(
        "core/state/flaky_results.py",
        "OFTEN = 3\n",
        "OFTEN = 4\n",
        FLAKES + "TestWhatIsRemembered::test_the_third_flake_of_a_test_is_named_to_people",
    ),
    PlantedFault(
        "core/state/lost_gates.py",
        " if order.state is OrderState.LOST else []",
        " if order.state is OrderState.LOST else lost",
        FLAKES + "TestDoubt::test_losses_before_the_first_red_do_not_count_against_the_repetition",
    ),
    PlantedFault(
        "core/state/flaky_results.py",
        " and no_second_run.isdisjoint(_red_names(r))",
        "",
        FLAKES + "TestTheBenefit::test_the_red_of_what_flaked_three_times_counts_at_once",
    ),
    PlantedFault(
        "core/state/flaky_results.py",
        "sum(at > since for at in ats)",
        "len(ats)",
        FLAKES + "TestTheBenefit::test_flakes_of_last_month_take_nothing_away",
    ),
    PlantedFault(
        "core/state/flaky_results.py",
        "if now.date() <= until}",
        "if until}",
        FLAKES + "TestTheBenefit::test_main_may_keep_a_test_in_quarantine_until_a_day",
    ),
    PlantedFault(
        "core/state/flaky_results.py",
        ".keys() - kept)",
        ".keys())",
        FLAKES + "TestTheBenefit::test_main_may_keep_a_test_in_quarantine_until_a_day",
    ),
    PlantedFault(
        "core/decide/changes/conclude.py",
        "    if change is None or (change.head is not None and change.rejudged == change.head.sha):\n",
        "    if change is not None and change.head and change.rejudged == change.head.sha:\n",
        FLAKES + "TestTheBenefit::test_main_is_asked_again_all_the_same",
    ),
    PlantedFault(
        "core/decide/changes/conclude.py",
        "    if change is None or (change.head is not None and change.rejudged == change.head.sha):\n",
        "    if change is None:\n",
        FLAKES + "TestTheBenefit::test_an_agent_that_finds_no_fault_gives_it_back_once",
    ),
    PlantedFault(
        "core/state/flaky_results.py",
        "        if red.passed_alone:\n",
        "        if False:\n",
        FLAKES + "TestTheBenefit::test_a_test_that_passes_alone_is_named_and_counted",
    ),
    PlantedFault(
        "core/spec/quarantine.py",
        " or type(until) is not date",
        "",
        FLAKES + "TestTheBenefit::test_a_quarantine_without_a_day_is_refused_with_its_line",
    ),
    PlantedFault(
        "core/state/flaky_results.py",
        "    if baseline.is_known and baseline != NOTHING_FAILS:\n",
        "    if False:\n",
        IN_ORDER + "test_what_may_be_mains_own_failure_does_not_run_once_more",
    ),
    PlantedFault(
        "core/state/flaky_results.py",
        "if baseline.is_known and baseline",
        "if baseline",
        IN_ORDER + "test_on_a_main_that_is_still_being_judged_one_order_convicts",
    ),
    PlantedFault(
        "core/state/flaky_results.py",
        "policy.repeats(name) - seen.count(name))",
        "policy.repeats(name))",
        IN_ORDER + "test_a_line_that_was_red_in_another_order_has_one_run_less",
    ),
    PlantedFault(
        "core/state/flaky_results.py",
        "g.builtin is None and g.name in",
        "g.name in",
        IN_ORDER + "test_an_order_names_the_lines_that_run_once_more",
    ),
    PlantedFault(
        "core/state/flaky_results.py",
        "            at_once.setdefault(red.gate, red)\n",
        "            pass\n",
        IN_ORDER + "test_the_red_of_a_test_that_flakes_often_counts_at_once",
    ),
    PlantedFault(
        "core/decide/changes/settle_orders.py",
        "r.is_red and r.gate in asked",
        "r.is_red",
        IN_ORDER + "test_a_run_of_a_gate_that_was_not_asked_says_nothing",
    ),
    PlantedFault(
        "core/decide/changes/settle_orders.py",
        "r.is_red and r.gate in asked",
        "r.gate in asked",
        IN_ORDER + "test_a_run_of_a_gate_that_was_not_asked_says_nothing",
    ),
    PlantedFault(
        "core/decide/changes/conclude.py",
        "    doubts = (*(judged.doubts if judged else ()), *doubted)\n",
        "    doubts = judged.doubts if judged else ()\n",
        IN_ORDER + "test_red_twice_in_one_order_convicts",
    ),
    PlantedFault(
        "core/decide/changes/conclude.py",
        "                results=(*doubted, *blamed),\n",
        "                results=blamed,\n",
        IN_ORDER + "test_a_flake_is_told_also_if_another_gate_has_to_run_again",
    ),
    PlantedFault(
        "core/decide/changes/conclude_pull.py",
        "    doubts = (*candidate.doubts, *doubted)\n",
        "    doubts = candidate.doubts\n",
        PULLS + "test_it_is_red_when_its_gates_ran_twice_in_one_order",
    ),
    PlantedFault(
        "core/decide/changes/conclude_pull.py",
        "    results = counted_at_once(results, doubted, no_second_run)\n",
        "",
        PULLS + "test_a_test_that_flakes_often_takes_it_out_by_its_first_red",
    ),
    PlantedFault(
        "core/talk/flaky_text.py",
        "{json.dumps(name)}: ",
        "{name}: ",
        FLAKES
        + "TestTheBenefit::test_the_page_that_is_offered_keeps_the_test_in_quarantine_for_a_month",
    ),
]
