"""A fault for every guard of coverage by tests, and of the reasons that people read."""

from tests.testkit.planting import PlantedFault

COVERAGE = "core/test_stories_of_coverage_by_tests.py::"
HONEST = COVERAGE + "TestCoveredRun::"
UNSEEN = COVERAGE + "TestUnseenTests::"
REASONS = "core/test_stories_of_reasons.py::"
WHY = REASONS + "TestWhy::"
WAITING = "core/test_stories_of_waiting_reasons.py::"
PAUSED = WAITING + "TestPaused::"
NOT_JUDGED = WAITING + "TestUnjudgedWork::"
IN_HAND = WAITING + "TestTakenOverWork::"
ATTEMPTS = REASONS + "TestAttempts::"

REASON_FAULTS = [
    PlantedFault(
        "core/decide/changes/settle_orders.py",
        "        passed_tests=_naming_a_requirement(decision, order, result.passed_tests),\n",
        "        passed_tests=(),\n",
        HONEST + "test_every_requirement_is_covered_by_a_test_that_passed_on_main",
    ),
    PlantedFault(
        "core/decide/changes/settle_orders.py",
        "        passed_tests=_naming_a_requirement(decision, order, result.passed_tests),\n",
        "        passed_tests=result.passed_tests,\n",
        HONEST + "test_a_judgement_keeps_the_tests_that_name_a_requirement_and_no_other",
    ),
    PlantedFault(
        "core/decide/changes/settle_orders.py",
        "        if tests is None or spec is None:\n            return passed\n",
        "        if tests is None or spec is None:\n            return ()\n",
        UNSEEN + "test_without_the_tests_of_the_commit_all_names_are_kept",
    ),
    PlantedFault(
        "core/state/coverage.py",
        "islice(mine, _TESTS_KEPT)",
        "mine",
        HONEST + "test_at_most_three_tests_of_a_requirement_are_kept",
    ),
    PlantedFault(
        "core/state/coverage.py",
        "r.tests is None or r.tests.passed < _NAMES_REPORTED",
        "len(r.passed_tests) < _NAMES_REPORTED",
        UNSEEN + "test_no_agent_is_ordered_for_tests_that_a_cut_report_may_omit",
    ),
    PlantedFault(
        "core/decide/specs/replan_uncovered.py",
        "is_being_judged = under is not None and under.green is None",
        "is_being_judged = False",
        UNSEEN + "test_a_run_ends_only_when_a_persons_push_was_judged",
    ),
    PlantedFault(
        "core/spec/policy.py",
        "return CoveredWhen.PASSED if reports else CoveredWhen.LANDED",
        "return CoveredWhen.LANDED",
        COVERAGE + "test_a_passed_test_is_required_if_a_required_gate_reports_junit",
    ),
    PlantedFault(
        "core/spec/policy.py",
        "any(g.required and g.junit is not None for g in self.gates)",
        "any(g.junit is not None for g in self.gates)",
        COVERAGE + "test_a_passed_test_is_required_if_a_required_gate_reports_junit",
    ),
    PlantedFault(
        "core/state/reason.py",
        "    if order.state is OrderState.LEASED:\n",
        "    if False:\n",
        WHY + "test_why_names_the_working_agent",
    ),
    PlantedFault(
        "core/state/reason.py",
        "    if policy is not None and len(busy) >= policy.file.max_parallel:\n",
        "    if False:\n",
        WHY + "test_why_names_the_changes_that_use_the_slots",
    ),
    PlantedFault(
        "core/state/reason.py",
        "    if delay is not None:\n",
        "    if False:\n",
        WHY + "test_why_names_a_github_limit_and_its_end",
    ),
    PlantedFault(
        "core/state/reason.py",
        "    if is_main_unfit(state):\n",
        "    if False:\n",
        WHY + "test_why_names_the_red_main",
    ),
    PlantedFault(
        "core/state/reason.py",
        "    if ahead:\n",
        "    if False:\n",
        WHY + "test_why_names_the_entry_ahead",
    ),
    PlantedFault(
        "core/state/reason.py",
        "    if refused_until is not None:\n",
        "    if False:\n",
        WHY + "test_why_names_the_entry_ahead",
    ),
    PlantedFault(
        "core/state/reason.py",
        "    if change.retry is not None and change.retry.reason is RetryReason.CONFLICT:\n",
        "    if False:\n",
        WHY + "test_why_names_the_files_of_a_waiting_conflict",
    ),
    PlantedFault(
        "core/state/reason.py",
        "    if waits := waits_for(state, change):\n",
        "    if waits := ():\n",
        WHY + "test_why_names_the_dependency_and_its_state",
    ),
    PlantedFault(
        "core/journal/evolve_change_candidate.py",
        "if run.order == order else run\n",
        "if True else run\n",
        ATTEMPTS + "test_an_attempt_shows_the_gate_and_the_failed_tests",
    ),
    PlantedFault(
        "core/journal/evolve_change_candidate.py",
        "error_line(result.log_tail) or result.sentence",
        "result.sentence",
        ATTEMPTS + "test_a_gate_without_named_tests_is_explained_by_its_error_line",
    ),
    PlantedFault(
        "core/talk/attempts.py",
        'run.outcome not in {"lost", "deferred"}',
        "True",
        ATTEMPTS + "test_a_lost_order_is_not_numbered_as_an_attempt",
    ),
    PlantedFault(
        "core/talk/plans.py",
        '    kept = cut("\\n".join(lines), _FOLDED_CHARACTERS_MAX)\n',
        '    kept = "\\n".join(lines)\n',
        REASONS + "TestThePlanInTheIssue::test_a_long_plan_keeps_its_closing_details_tag",
    ),
    PlantedFault(
        "core/decide/people/publish.py",
        '    subject, told = f"report {run.id}", f"report {run.id} {run.issue_rounds}"\n',
        '    subject = told = f"report {run.id} {run.issue_rounds}"\n',
        REASONS + "TestTheReport::test_a_run_that_was_reopened_has_one_report_which_is_edited",
    ),
    PlantedFault(
        "core/state/reason.py",
        "    if paused is not None:\n",
        "    if False:\n",
        PAUSED + "test_the_reason_names_an_unavailable_model_and_the_retry_time",
    ),
    PlantedFault(
        "core/state/reason.py",
        "        or _paused(state, Cause.GATES_PAUSED, of_gates(state, policy))\n",
        "",
        PAUSED + "test_the_reason_names_gates_that_cannot_run",
    ),
    PlantedFault(
        "core/state/reason.py",
        "changes=(tries,) if tries is not None else (),",
        "changes=(),",
        PAUSED + "test_the_reason_names_the_probing_change",
    ),
    PlantedFault(
        "core/state/pauses.py",
        "        needs = needs_of_agent(policy, agent_settings(policy, models, size))\n",
        "        needs = set(state.pauses)\n",
        PAUSED + "test_a_pause_of_another_model_does_not_block_the_change",
    ),
    PlantedFault(
        "core/state/pauses.py",
        "if p.cause is not Cause.GATE_MISSING)",
        "if True)",
        PAUSED + "test_a_pause_of_gates_does_not_block_agents",
    ),
    PlantedFault(
        "core/state/reason.py",
        "            return Reason(cause=Cause.IN_HAND, sentence=change.sentence)\n",
        "            return _to_start(state, change, policy, models)\n",
        IN_HAND + "test_the_reason_names_the_person_and_the_next_step",
    ),
    PlantedFault(
        "core/talk/attempts.py",
        "    if change.head is not None and change.head.order is None:\n",
        "    if False:\n",
        IN_HAND + "test_a_red_gate_of_an_agent_is_not_shown_for_a_persons_work",
    ),
    PlantedFault(
        "core/state/reason.py",
        "    if isinstance(effect, OpenIssue):\n",
        "    if False:\n",
        WAITING + "TestDelayedIssue::test_the_reason_names_a_delayed_issue",
    ),
    PlantedFault(
        "core/talk/issues.py",
        " and change.state is not ChangeState.HELD",
        "",
        IN_HAND + "test_the_issue_of_a_taken_over_change_mentions_no_attempt",
    ),
    PlantedFault(
        "core/talk/attempts.py",
        "is_last = change.is_ended and run == change.agent_runs[-1]",
        "is_last = False",
        NOT_JUDGED + "test_the_reason_names_a_stale_delta",
    ),
    PlantedFault(
        "core/talk/attempts.py",
        "    if is_replaced and change.order != run.order:\n",
        "    if False:\n",
        NOT_JUDGED + "test_the_reason_names_a_push_by_a_person",
    ),
    PlantedFault(
        "core/talk/reason_text.py",
        "            if change.failure is FailureReason.STEERED:\n",
        "            if False:\n",
        NOT_JUDGED + "test_the_reason_names_steering_files",
    ),
    PlantedFault(
        "core/talk/reason_text.py",
        "    if candidate is None or not is_doubtful(told.state, candidate.base):\n",
        "    if True:\n",
        WAITING + "TestMainJudgedInParallel::test_a_judged_change_waits_for_the_gates_of_main",
    ),
    PlantedFault(
        "core/talk/now_text.py",
        '    if said := ", ".join(missing):\n',
        '    if said := "":\n',
        WAITING + "TestTheFirstLine::test_the_first_line_names_the_start_of_an_outage",
    ),
    PlantedFault(
        "core/talk/now_text.py",
        "    if state.orders_stopped is not None:\n",
        "    if False:\n",
        WAITING + "TestTheFirstLine::test_the_first_line_names_a_pause_or_freeze_by_a_person",
    ),
    PlantedFault(
        "core/talk/reason_text.py",
        "    if candidate is None or not candidate.doubts or not is_being_judged(told.state, told.change):\n",
        "    if True:\n",
        WAITING + "TestRepeatedGates::test_the_reason_names_a_repeated_red_gate",
    ),
    PlantedFault(
        "core/talk/reason_text.py",
        "    if candidate is None or not candidate.doubts or not is_being_judged(told.state, told.change):\n",
        "    if candidate is None or not candidate.doubts:\n",
        WAITING + "TestRepeatedGates::test_the_reason_names_a_repeated_red_gate",
    ),
    PlantedFault(
        "entry/commands/explain.py",
        "paused(state) if not change.is_ended else ()",
        "()",
        "test_command_line_explain.py::test_a_setup_error_is_explained_with_its_fix",
    ),
]
