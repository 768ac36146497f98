"""A fault for every guard of the fold, of decisions and of plans, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

JOURNAL = "core/journal/"
TABLES = JOURNAL + "transitions.py"
CHANGES = "core/test_stories_of_changes.py::"
ENDINGS = "core/test_stories_of_endings.py::"
MAIN = "core/test_stories_of_main.py::"
SPECS = "core/test_stories_of_specs.py::"
EVOLVE = "core/test_evolve.py::"
LOOKS = "core/test_looks.py::"
STORE = "adapters_store/"
SPEC_TESTS = "core/spec/"
PLANNING = "core/test_stories_of_planning.py::"

FOLD = [
    PlantedFault(
        JOURNAL + "evolve_main.py",
        "    if _is_on_line(state, event.sha):\n        return state\n",
        "",
        EVOLVE + "test_repeating_one_event_of_a_journal_does_not_move_the_state_back",
    ),
    PlantedFault(
        JOURNAL + "evolve_main.py",
        "if event.expected != state.main:",
        "if event.expected:",
        MAIN + "TestRewound",
    ),
    PlantedFault(
        JOURNAL + "evolve_main.py",
        "_with_adoption(_with_line(state, event), ",
        "_with_adoption(state, ",
        MAIN + "TestRewound::test_the_tip_of_a_rewound_main_is_in_the_ledger",
    ),
    PlantedFault(
        JOURNAL + "evolve_main.py",
        "    return _with_freeze(_with_adoption(replace(state, is_main_known=True), judged))\n",
        "    judged_ = _with_adoption(replace(state, is_main_known=True), judged)\n"
        "    red = {} if event.green else {FreezeCause.RED_MAIN: Freeze(why='red')}\n"
        "    return replace(judged_, freezes=red)\n",
        MAIN + "test_a_red_verdict_of_an_older_commit_does_not_freeze_the_queue",
    ),
    PlantedFault(
        JOURNAL + "evolve_main.py",
        "if r.ending is Ending.PASSED)",
        "if r.ending)",
        CHANGES + "test_a_gate_that_is_not_required_may_fail",
    ),
    PlantedFault(
        JOURNAL + "evolve_main.py",
        "or adoption.green is not None or adoption.order != event.order:\n        return state\n"
        "    if adoption.is_first",
        "or not event.green:\n        return state\n    if adoption.is_first",
        MAIN + "test_a_red_adopted_commit_freezes_the_queue_and_fails_no_change",
    ),
    PlantedFault(
        JOURNAL + "evolve_runs.py",
        "RUNS.after(state.spec_runs.get(event.spec_run), event)",
        "RUNS.after(None, event)",
        EVOLVE + "test_repeating_one_event_of_a_journal_does_not_move_the_state_back",
    ),
    PlantedFault(
        JOURNAL + "evolve_orders.py",
        "ORDERS.after(state.orders.get(event.order), event)",
        "ORDERS.after(None, event)",
        EVOLVE + "test_repeating_one_event_of_a_journal_does_not_move_the_state_back",
    ),
    PlantedFault(
        TABLES,
        "_on(ev.PlanMade, _in_place(_R.PROPOSED), known_revision)",
        "_on(ev.PlanMade, _in_place(*_R), known_revision)",
        EVOLVE + "TestSpecRuns::test_a_new_plan_does_not_change_an_approved_run",
    ),
    PlantedFault(
        TABLES,
        "_on(ev.PlanApproved, {_R.PROPOSED: _R.RUNNING}, another_revision)",
        "_on(ev.PlanApproved, {_R.PROPOSED: _R.RUNNING})",
        EVOLVE + "TestSpecRuns::test_an_approval_of_an_older_revision_is_ignored",
    ),
    PlantedFault(
        TABLES,
        "{_R.STOPPED: _R.RUNNING, _R.ENDED: _R.RUNNING}, not_approved)",
        "{_R.STOPPED: _R.RUNNING, _R.ENDED: _R.RUNNING})",
        ENDINGS + "TestStops::test_stop_and_retry_do_not_replace_an_approval",
    ),
    PlantedFault(
        TABLES,
        "_LOST = {_O.PLACED: _O.LOST, _O.LEASED: _O.LOST}",
        "_LOST = dict.fromkeys(_O, _O.LOST)",
        EVOLVE + "TestOrders::test_a_reported_order_is_not_lost_afterwards",
    ),
    PlantedFault(
        JOURNAL + "evolve_orders.py",
        "less(state.open_orders, ended.id)",
        "state.open_orders",
        "core/test_stories_of_buttons.py::"
        "TestReRun::test_re_run_of_a_failed_change_judges_its_existing_work",
    ),
    PlantedFault(
        JOURNAL + "evolve_people.py",
        "less(state.lost_orders, told)",
        "state.lost_orders",
        EVOLVE + "TestOrders::test_a_lost_order_is_watched_until_its_late_report_is_published",
    ),
    PlantedFault(
        JOURNAL + "evolve_change.py",
        "_without_pull(after, change.pull)",
        "after",
        EVOLVE + "test_after_all_landings_no_order_or_pull_is_open",
    ),
    PlantedFault(
        JOURNAL + "evolve_main.py",
        "return None if newest.kind is LedgerKind.LANDED else state.rests_on",
        "return state.rests_on",
        MAIN + "test_a_landing_after_a_commit_by_hand_builds_on_it",
    ),
    PlantedFault(
        JOURNAL + "evolve_effects.py",
        "    if event.key not in state.open_effects:\n        return state\n    delay =",
        "    delay =",
        EVOLVE + "TestEffects::test_a_delay_of_a_closed_effect_sets_no_wake_up",
    ),
    PlantedFault(
        JOURNAL + "evolve_effects.py",
        "    if event.key not in state.open_effects:\n        return state\n    closed =",
        "    closed =",
        EVOLVE + "TestEffects::test_a_refusal_of_a_done_effect_is_ignored",
    ),
    PlantedFault(
        JOURNAL + "evolve_people.py",
        "known.issue == event.number and not known.issue_closed",
        "not known.issue_closed",
        EVOLVE + "test_the_closing_of_a_dropped_issue_never_closes_the_tracking_issue",
    ),
    PlantedFault(
        JOURNAL + "evolve_people.py",
        "replace(change, is_sub_issue=True)",
        "replace(change, is_sub_issue=False)",
        CHANGES + "test_links_between_issues_are_made_once",
    ),
    PlantedFault(
        JOURNAL + "evolve_change.py",
        'if f":{change}:" not in key}',
        "if key}",
        ENDINGS + "TestRefusals::test_a_retry_by_a_person_repeats_a_refused_effect",
    ),
    PlantedFault(
        "core/journal/candidate_transitions.py",
        "    return event.order != candidate.order\n\n\ndef another_gate",
        "    return False\n\n\ndef another_gate",
        EVOLVE + "TestOrders::test_a_verdict_of_another_order_does_not_affect_the_candidate",
    ),
    PlantedFault(
        "core/journal/evolve_change.py",
        "        return with_change(state, number_used(change, event))\n",
        "        return state\n",
        ENDINGS + "test_a_candidate_built_after_a_stop_does_not_reuse_a_number",
    ),
    PlantedFault(
        JOURNAL + "evolve_work.py",
        "attempt=change.attempt - 1,",
        "attempt=change.attempt,",
        CHANGES + "TestLosses::test_a_lost_runner_is_replaced_within_the_same_attempt",
    ),
    PlantedFault(
        JOURNAL + "entry_transitions.py",
        "on(ev.ChangeStopped, dict.fromkeys(_BEFORE_LANDING, _P.WITHDRAWN))",
        "on(ev.ChangeStopped, dict.fromkeys(_P, _P.WITHDRAWN))",
        "core/test_lifecycle.py::test_an_entry_that_moves_main_ignores_other_events",
    ),
]

DECISIONS = [
    PlantedFault(
        "core/decide/changes/advance.py",
        "return len(with_agents(decision.state)) < decision.policy.file.max_parallel",
        "return len(with_agents(decision.state)) <= decision.policy.file.max_parallel",
        CHANGES + "test_the_number_of_agents_stays_within_the_policy",
    ),
    PlantedFault(
        "core/decide/changes/advance.py",
        "bool(waits_for(decision.state, change) or waits_for_steps(decision.state, change))",
        "bool(waits_for_steps(decision.state, change))",
        CHANGES + "test_a_change_starts_when_its_dependency_has_landed",
    ),
    PlantedFault(
        "core/decide/changes/advance.py",
        "    elif not _is_ready(decision, change) or _is_behind(decision, change):\n        return\n",
        "",
        ENDINGS + "TestStops::test_a_stopped_waiting_change_still_waits_after_a_retry",
    ),
    PlantedFault(
        "core/decide/changes/advance.py",
        "if change.tries >= decision.policy.file.attempts_max:",
        "if change.tries > decision.policy.file.attempts_max:",
        CHANGES + "test_a_change_fails_after_its_last_attempt",
    ),
    PlantedFault(
        "core/decide/changes/advance.py",
        "if change.orders_lost >= ORDERS_LOST_MAX:",
        "if change.orders_lost > ORDERS_LOST_MAX:",
        CHANGES + "TestLosses::test_a_change_fails_after_three_losses_in_a_row",
    ),
    PlantedFault(
        "core/decide/changes/advance.py",
        "if not policy.required_gates or not is_being_judged(",
        "if not is_being_judged(",
        MAIN + "TestNoGates::test_removing_gates_while_judging_prevents_the_landing",
    ),
    PlantedFault(
        "core/decide/changes/advance.py",
        "        if run.state is SpecRunState.STOPPED:\n            stop_remaining(decision, run)\n",
        "",
        ENDINGS + "TestStops::test_a_failed_landing_in_a_stopped_run_is_stopped",
    ),
    PlantedFault(
        "core/decide/changes/advance.py",
        "            _ensure_pull_open(decision, run, change)\n",
        "            return\n",
        ENDINGS + "TestStops::test_a_pull_that_is_closed_while_it_lands_stops_its_change",
    ),
    PlantedFault(
        "core/decide/queue/land.py",
        "    _give_up_refused(decision)\n    for act",
        "    for act",
        ENDINGS + "TestRefusals::test_a_refused_landing_is_retried_after_a_delay",
    ),
    PlantedFault(
        "core/decide/queue/land.py",
        "    if refused_until is not None and decision.now < refused_until:\n        return None\n",
        "",
        ENDINGS + "TestRefusals::test_a_refused_landing_is_retried_after_a_delay",
    ),
    PlantedFault(
        "core/decide/changes/end_without_landing.py",
        "    if refusal is None:\n        decision.intend(effect)\n",
        "    if refusal is None or refusal:\n        decision.intend(effect)\n",
        ENDINGS + "TestRefusals::test_a_refused_effect_fails_its_change_with_the_refusal",
    ),
    PlantedFault(
        "core/decide/changes/end_without_landing.py",
        "if pull.state is PullState.OPEN or",
        "if pull.state is not PullState.CLOSED or",
        ENDINGS + "TestStops::test_a_pull_that_a_person_closes_or_merges_stops_its_change",
    ),
    PlantedFault(
        "core/decide/changes/end_without_landing.py",
        "is_ours = candidate is not None and pull.head_sha == candidate.sha",
        "is_ours = candidate is not None",
        ENDINGS + "TestMerges::test_a_merge_of_another_commit_does_not_land_the_change",
    ),
    PlantedFault(
        "core/decide/changes/end_without_landing.py",
        "change.pull_closed or _is_on_its_way(decision, pull):",
        "change.pull_closed:",
        ENDINGS + "TestMerges::test_a_change_waits_for_a_merge_that_is_not_on_main_yet",
    ),
    PlantedFault(
        "core/state/observed.py",
        "(main_hinted or pull in pulls_hinted)",
        "(pull in pulls_hinted)",
        ENDINGS + "TestMerges::test_a_merge_of_the_candidate_counts_as_landed",
    ),
    PlantedFault(
        "core/state/observed.py",
        "        or bool(pulls)\n",
        "",
        ENDINGS + "TestMerges::test_a_merge_of_the_candidate_counts_as_landed",
    ),
    PlantedFault(
        "core/decide/changes/settle_orders.py",
        "if gates is not None and not believable(gates, order.commit, order.asked_hash):",
        "if gates is not None and not order.commit:",
        CHANGES + "TestLosses::test_a_report_about_another_commit_is_ignored",
    ),
    PlantedFault(
        "core/decide/changes/settle_orders.py",
        "    if _asked_otherwise(decision, order):\n",
        "    if not order.commit:\n",
        "core/test_stories_of_queued_pulls.py::"
        "TestLeavingTheQueue::test_a_report_of_other_gates_does_not_count",
    ),
    PlantedFault(
        "core/decide/changes/settle_orders.py",
        "        _fail_where_gates_never_come(decision, order, sentence)\n",
        "",
        CHANGES + "TestLosses::test_lost_gates_are_ordered_again_and_then_fail_the_change",
    ),
    PlantedFault(
        "core/decide/changes/conclude.py",
        "    if not is_doubtful(decision.state, base):\n        # The failure",
        "    if True:\n        # The failure",
        "core/test_stories_of_blame.py::TestInherited::test_an_inherited_failure_is_shown_separately_with_its_origin",
    ),
    PlantedFault(
        "core/decide/changes/settle_orders.py",
        "if order.state is OrderState.LOST:",
        "if order.state is OrderState.PLACED and not order.commit:",
        CHANGES + "TestLosses::test_the_report_of_a_lost_runner_is_kept_and_not_used",
    ),
    PlantedFault(
        "core/state/verdict.py",
        "    if not required:\n",
        "    if required is None:\n",
        LOOKS + "TestVerdict::test_a_verdict_without_required_gates_is_red",
    ),
    PlantedFault(
        "core/state/verdict.py",
        "not r.is_accepted)\n    if not required",
        "r.ending is Ending.FAILED)\n    if not required",
        CHANGES + "test_a_gate_that_did_not_run_has_not_passed",
    ),
    PlantedFault(
        "core/state/verdict.py",
        "worst_last = sorted(results, key=lambda r: not r.is_accepted)",
        "worst_last = results",
        LOOKS + "TestVerdict::test_a_verdict_is_computed_from_the_results",
    ),
    PlantedFault(
        "core/state/verdict.py",
        "replace(result, judges=gate.judges)",
        "replace(result)",
        LOOKS + "TestVerdict::test_the_scope_of_a_result_comes_from_the_policy_on_main",
    ),
    PlantedFault(
        "core/decide/queue/land.py",
        "    if main is None or decision.state.frozen is not None:\n",
        "    if main is None:\n",
        MAIN + "test_a_red_adopted_commit_freezes_the_queue_and_fails_no_change",
    ),
    PlantedFault(
        "core/decide/changes/void_outdated.py",
        "return is_void(kind, phase, lacks | moved)",
        "return is_void(kind, phase, lacks)",
        CHANGES + "TestQueue::test_a_pass_on_an_older_main_is_built_and_judged_again",
    ),
    PlantedFault(
        "core/decide/queue/land.py",
        "        Lack.OTHER_GATES: not _is_signed_off(decision, front, candidate),\n",
        "",
        "core/test_stories_of_main.py::TestNoGates::"
        "test_gates_added_while_queued_run_before_landing",
    ),
    PlantedFault(
        "core/decide/main/account_commits.py",
        "return bool(commit.paths) and paths_under(",
        "return paths_under(",
        MAIN + "test_paths_decide_whether_a_push_is_admitted_or_adopted",
    ),
    PlantedFault(
        "core/decide/main/account_commits.py",
        "        if seen and line.previous is None:\n            break\n",
        "",
        MAIN + "TestRewound::test_a_rewound_main_freezes_the_queue_and_is_judged",
    ),
    PlantedFault(
        "core/decide/main/account_commits.py",
        "and (adoption.orders >= ADOPTION_ORDERS_MAX)",
        "and (adoption.orders > 99)",
        MAIN + "test_a_commit_is_red_after_its_gates_were_lost_three_times",
    ),
    PlantedFault(
        "core/decide/specs/plan_new_spec.py",
        "    if run is not None and run.state is SpecRunState.RUNNING:\n        return refuse",
        "    if run is not None and not run.path:\n        return refuse",
        SPECS + "TestEdits::test_the_run_command_does_not_replan_an_open_run",
    ),
    PlantedFault(
        "core/decide/specs/plan_new_spec.py",
        "    if snapshot is None or not _is_main_quiet(decision):",
        "    if snapshot is None:",
        SPECS + "TestEdits::test_a_burst_of_pushes_is_planned_once",
    ),
    PlantedFault(
        "core/decide/specs/plan_new_spec.py",
        "    if not is_draft(reading.spec):\n",
        "    if reading.spec:\n",
        SPECS + "TestDrafts::test_a_draft_is_noted_and_not_planned",
    ),
    PlantedFault(
        "core/decide/people/publish.py",
        "change.landed is not None and is_said:",
        "change.landed is not None and not external_id:",
        CHANGES + "TestQueue::test_the_verdict_of_a_landed_change_does_not_change",
    ),
    PlantedFault(
        "core/state/waiting.py",
        "if change.state not in {ChangeState.WAITING, ChangeState.RETRYING}:",
        "if change.state is not ChangeState.WAITING:",
        ENDINGS + "TestStops::test_a_retried_change_is_held_back_by_a_later_failure",
    ),
]

PLANNED = [
    PlantedFault(
        "core/values/quoting.py",
        '_FRAME.sub(r"‹\\1quoted", visible(text))',
        "visible(text)",
        SPEC_TESTS + "test_quoting.py::test_a_quotation_cannot_be_ended_from_inside",
    ),
    PlantedFault(
        "core/values/quoting.py",
        "return without_unseen_characters(shown)",
        "return shown",
        SPEC_TESTS + "test_quoting.py::test_only_visible_text_is_quoted",
    ),
    PlantedFault(
        "core/values/price.py",
        "return None if tokens.total else 0.0",
        "return 0.0",
        SPEC_TESTS + "test_price.py::test_an_unknown_price_is_unknown_and_so_is_every_sum_with_it",
    ),
    PlantedFault(
        "core/spec/model_choice.py",
        "if model not in known:",
        "if not model:",
        SPEC_TESTS + "test_model_choice.py::test_an_unknown_model_is_refused_under_its_tier",
    ),
    PlantedFault(
        "core/spec/model_choice.py",
        "if setting.role not in set(ModelRole):",
        "if not setting.role:",
        SPEC_TESTS + "test_model_choice.py::test_an_unknown_role_is_refused_for_every_role",
    ),
    PlantedFault(
        "core/prompts/plan_law.py",
        "quote not in said",
        "not said",
        PLANNING + "test_evidence_that_is_not_in_the_spec_is_rejected",
    ),
    PlantedFault(
        "core/prompts/plan_law.py",
        "if only_files or _TEST_TITLE.match(change.title):",
        "if only_files:",
        PLANNING + "test_a_change_that_only_adds_tests_is_rejected",
    ),
    PlantedFault(
        "core/decide/specs/plan_by_model.py",
        "if {r.id: r.text_hash for r in live.requirements} != run.planning.requirements:",
        "if not run.planning.requirements:",
        PLANNING + "test_an_observation_from_before_the_planning_is_ignored",
    ),
    PlantedFault(
        "core/decide/specs/next_plan_prompt.py",
        ">= REJECTIONS_MAX",
        "> REJECTIONS_MAX",
        PLANNING + "test_an_invalid_plan_is_returned_twice_and_then_made_by_rules",
    ),
    PlantedFault(
        "adapters/store/prompt_store.py",
        "                        prompts.c.reply.is_(None),\n                        sa.or_",
        "                        sa.or_",
        STORE + "test_prompt_store.py",
    ),
    PlantedFault(
        "adapters/store/prompt_store.py",
        "                .where(_is(attempt), prompts.c.reply.is_(None))\n",
        "                .where(_is(attempt))\n",
        STORE + "test_prompt_store.py",
    ),
]

PLANTED_FAULTS = [*FOLD, *DECISIONS, *PLANNED]
