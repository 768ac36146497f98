"""A fault for every guard that keeps a flaky gate from convicting sound work."""

from tests.testkit.planting import PlantedFault

FLAKES = "core/test_stories_of_flakes.py::"
IN_ORDER = FLAKES + "TestRepeatsInTheSameOrder::"
PULLS = "core/test_stories_of_queued_pulls.py::TestLeavingTheQueue::"

FLAKE_FAULTS = [
    PlantedFault(
        "core/state/flaky_results.py",
        "    return bool(red) and all(",
        "    return False and all(",
        FLAKES + "TestSecondRuns::test_a_flaky_gate_lands_and_is_reported",
    ),
    PlantedFault(
        "core/state/flaky_results.py",
        "seen.count(r.gate) < policy.repeats(r.gate)",
        "seen.count(r.gate) < 1",
        FLAKES + "TestSecondRuns::test_the_policy_sets_the_number_of_repetitions",
    ),
    PlantedFault(
        "core/spec/policy.py",
        "return 0 if entry is None or entry.builtin is not None else entry.repeat",
        "return 0 if entry is None else entry.repeat",
        FLAKES + "TestSecondRuns::test_a_builtin_gate_does_not_run_again",
    ),
    PlantedFault(
        "core/journal/evolve_change_candidate.py",
        "event: ev.GatesDoubted) -> ChangeFacts:\n    return _judged(change, event)\n",
        "event: ev.GatesDoubted) -> ChangeFacts:\n    return change\n",
        FLAKES + "TestSecondRuns::test_only_red_gates_run_again_and_no_attempt_is_counted",
    ),
    PlantedFault(
        "core/journal/evolve_main.py",
        "    return _with_adoption(state, replace(adoption, order=None, doubts=(*adoption.doubts, *red)))\n",
        "    return _with_adoption(state, replace(adoption, order=None))\n",
        FLAKES + "TestSecondRuns::test_a_red_main_runs_again_before_the_queue_is_frozen",
    ),
    PlantedFault(
        "core/journal/evolve_main.py",
        "if (kept := _after(ats, since))",
        "if (kept := ats)",
        FLAKES + "TestRememberedFlakes::test_flakes_older_than_a_month_are_forgotten",
    ),
    PlantedFault(
        "core/journal/evolve_work.py",
        "    if event.ending == AgentEnding.NOTHING_CHANGED and _was_red(change):\n",
        "    if False:\n",
        FLAKES + "TestUnchangedWork::test_unchanged_work_after_a_red_gate_is_judged_again",
    ),
    PlantedFault(
        "core/decide/changes/advance.py",
        "    if change.head is not None and change.rejudged == change.head.sha:\n",
        "    if False:\n",
        FLAKES
        + "TestUnchangedWork::test_a_gate_that_is_red_again_fails_the_change_with_its_sentence",
    ),
    PlantedFault(
        "core/journal/evolve_change.py",
        "change.head_is_whole and not event.is_new_text and not event.with_agent",
        "change.head_is_fresh and not event.is_new_text",
        FLAKES + "TestRetry::test_a_retry_judges_existing_work",
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
        FLAKES + "TestRetry::test_a_retry_never_judges_unfinished_work",
    ),
    PlantedFault(
        "core/state/flaky_results.py",
        "OFTEN = 3\n",
        "OFTEN = 4\n",
        FLAKES + "TestRememberedFlakes::test_the_third_flake_of_a_test_is_named_to_people",
    ),
    PlantedFault(
        "core/state/lost_gates.py",
        " if order.state is OrderState.LOST else []",
        " if order.state is OrderState.LOST else lost",
        FLAKES
        + "TestSecondRuns::test_losses_before_the_first_red_do_not_count_against_the_repetition",
    ),
    PlantedFault(
        "core/state/flaky_results.py",
        " and no_second_run.isdisjoint(_red_names(r))",
        "",
        FLAKES + "TestOftenFlaky::test_a_red_test_with_three_flakes_counts_at_once",
    ),
    PlantedFault(
        "core/state/flaky_results.py",
        "sum(at > since for at in ats)",
        "len(ats)",
        FLAKES + "TestOftenFlaky::test_flakes_older_than_a_month_do_not_remove_the_second_run",
    ),
    PlantedFault(
        "core/state/flaky_results.py",
        "if now.date() <= until}",
        "if until}",
        FLAKES + "TestOftenFlaky::test_main_can_quarantine_a_test_until_a_date",
    ),
    PlantedFault(
        "core/state/flaky_results.py",
        ".keys() - kept)",
        ".keys())",
        FLAKES + "TestOftenFlaky::test_main_can_quarantine_a_test_until_a_date",
    ),
    PlantedFault(
        "core/decide/changes/conclude.py",
        "    if change is None or (change.head is not None and change.rejudged == change.head.sha):\n",
        "    if change is not None and change.head and change.rejudged == change.head.sha:\n",
        FLAKES + "TestOftenFlaky::test_main_runs_again_even_for_an_often_flaky_test",
    ),
    PlantedFault(
        "core/decide/changes/conclude.py",
        "    if change is None or (change.head is not None and change.rejudged == change.head.sha):\n",
        "    if change is None:\n",
        FLAKES + "TestOftenFlaky::test_an_agent_that_finds_no_fault_restores_one_second_run",
    ),
    PlantedFault(
        "core/state/flaky_results.py",
        "        if red.passed_alone:\n",
        "        if False:\n",
        FLAKES + "TestOftenFlaky::test_a_test_that_passes_alone_is_recorded_as_a_flake",
    ),
    PlantedFault(
        "core/spec/quarantine.py",
        " or type(until) is not date",
        "",
        FLAKES + "TestOftenFlaky::test_a_quarantine_without_a_date_is_refused_with_its_line",
    ),
    PlantedFault(
        "core/state/flaky_results.py",
        "    if baseline.is_known and baseline != NOTHING_FAILS:\n",
        "    if False:\n",
        IN_ORDER + "test_a_failure_that_main_may_have_does_not_run_again",
    ),
    PlantedFault(
        "core/state/flaky_results.py",
        "if baseline.is_known and baseline",
        "if baseline",
        IN_ORDER + "test_one_order_is_enough_to_fail_a_candidate_while_main_is_judged",
    ),
    PlantedFault(
        "core/state/flaky_results.py",
        "policy.repeats(name) - seen.count(name))",
        "policy.repeats(name))",
        IN_ORDER + "test_a_gate_that_was_red_in_another_order_has_one_run_less",
    ),
    PlantedFault(
        "core/state/flaky_results.py",
        "g.builtin is None and g.name in",
        "g.name in",
        IN_ORDER + "test_an_order_names_the_gates_that_may_run_again",
    ),
    PlantedFault(
        "core/state/flaky_results.py",
        "            at_once.setdefault(red.gate, red)\n",
        "            pass\n",
        IN_ORDER + "test_a_red_result_of_an_often_flaky_test_counts_at_once",
    ),
    PlantedFault(
        "core/decide/changes/settle_orders.py",
        "r.is_red and r.gate in asked",
        "r.is_red",
        IN_ORDER + "test_a_repeated_run_of_a_gate_outside_the_order_is_ignored",
    ),
    PlantedFault(
        "core/decide/changes/settle_orders.py",
        "r.is_red and r.gate in asked",
        "r.gate in asked",
        IN_ORDER + "test_a_repeated_run_of_a_gate_outside_the_order_is_ignored",
    ),
    PlantedFault(
        "core/decide/changes/conclude.py",
        "    doubts = (*(judged.doubts if judged else ()), *doubted)\n",
        "    doubts = judged.doubts if judged else ()\n",
        IN_ORDER + "test_a_gate_that_is_red_twice_in_one_order_fails_the_candidate",
    ),
    PlantedFault(
        "core/decide/changes/conclude.py",
        "                results=(*doubted, *blamed),\n",
        "                results=blamed,\n",
        IN_ORDER + "test_a_flake_is_reported_even_if_another_gate_runs_again",
    ),
    PlantedFault(
        "core/decide/changes/conclude_pull.py",
        "    doubts = (*candidate.doubts, *doubted)\n",
        "    doubts = candidate.doubts\n",
        PULLS + "test_a_pull_is_red_after_two_runs_in_one_order",
    ),
    PlantedFault(
        "core/decide/changes/conclude_pull.py",
        "    results = counted_at_once(results, doubted, no_second_run)\n",
        "",
        PULLS + "test_an_often_flaky_test_removes_the_pull_at_its_first_red_run",
    ),
    PlantedFault(
        "core/talk/flaky_text.py",
        "{json.dumps(name)}: ",
        "{name}: ",
        FLAKES + "TestOftenFlaky::test_the_proposed_file_quarantines_the_test_for_a_month",
    ),
]
