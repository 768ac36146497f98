"""A fault for every guard of smoke gates, which run on main after a landing."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_smoke.py::"
AFTER = STORIES + "TestAfterALanding::"
RED = STORIES + "TestRed::"
ENDS = STORIES + "TestEndOfTheFreeze::"
NOT_RUN = STORIES + "TestNotRun::"
INCIDENTS = "core/test_stories_of_incidents.py::"
DECIDE = "core/decide/main/smoke_main.py"

SMOKE_FAULTS = [
    PlantedFault(
        "core/state/smoke_due.py",
        "any(line.kind is LedgerKind.LANDED for",
        "any(True for",
        AFTER + "test_pushes_by_people_run_no_smoke_gates",
    ),
    PlantedFault(
        DECIDE,
        "is_being_asked(state) or not is_due(",
        "not is_due(",
        AFTER + "test_landings_do_not_wait_for_smoke_gates_and_the_newest_main_is_next",
    ),
    PlantedFault(
        "core/journal/evolve_smoke.py",
        "    after = without_orders(state, {o.id for o in known} - {*earlier})\n",
        "    after = state\n",
        AFTER + "test_the_state_keeps_only_the_newest_smoke_run",
    ),
    PlantedFault(
        "core/state/queue_order.py",
        "    if FreezeCause.SMOKE in state.freezes:\n",
        "    if False:\n",
        RED + "test_a_red_smoke_gate_freezes_the_queue_and_opens_an_issue",
    ),
    PlantedFault(
        "core/talk/smoke_text.py",
        "    if run is not None and run.approved_by:\n",
        "    if False:\n",
        RED + "test_the_incident_names_the_landed_change_and_its_approver",
    ),
    PlantedFault(
        "core/state/smoke_due.py",
        "        if passed is None and line.kind",
        "        if line.kind",
        RED + "test_all_landings_since_the_last_green_smoke_run_are_named",
    ),
    PlantedFault(
        DECIDE,
        "smoke.reds < min(",
        "smoke.reds < 0 * min(",
        RED + "test_red_smoke_gates_count_after_a_second_run",
    ),
    PlantedFault(
        DECIDE,
        "    elif not failed:\n",
        "    elif False:\n",
        NOT_RUN + "test_smoke_gates_that_did_not_run_are_reported_without_a_freeze",
    ),
    PlantedFault(
        DECIDE,
        "        decision.emit(QueueThawed(by=",
        "        (QueueThawed(by=",
        ENDS + "test_a_green_smoke_run_on_a_later_main_ends_the_freeze",
    ),
    PlantedFault(
        DECIDE,
        "causes=(FreezeCause.SMOKE,)",
        "causes=tuple(decision.state.freezes)",
        ENDS + "test_a_smoke_freeze_and_a_persons_freeze_end_independently",
    ),
    PlantedFault(
        "core/state/smoke_due.py",
        "or (FreezeCause.SMOKE in state.freezes and",
        "or (False and",
        ENDS + "test_a_green_smoke_run_on_a_later_main_ends_the_freeze",
    ),
    PlantedFault(
        DECIDE,
        "    if was_frozen:\n",
        "    if False:\n",
        ENDS + "test_repeated_red_smoke_runs_share_one_issue",
    ),
    PlantedFault(
        DECIDE,
        "is_lost and smoke.orders >= SMOKE_ORDERS_MAX",
        "is_lost and False",
        NOT_RUN + "test_a_smoke_order_lost_three_times_counts_as_not_run",
    ),
    PlantedFault(
        "core/spec/policy.py",
        "for g in (*self.gates, *self.of_smoke().gates) if",
        "for g in self.gates if",
        STORIES + "TestThePolicy::test_files_started_by_a_smoke_gate_are_steering_files",
    ),
    PlantedFault(
        "core/decide/decide.py",
        "            smoke_main.next_steps(decision)\n",
        "",
        INCIDENTS + "test_smoke_gates_of_both_branches_run_side_by_side",
    ),
    PlantedFault(
        "core/state/smoke_due.py",
        "return any(o.is_smoke and o.branch_of_queue == state.on_branch for o in out)",
        "return any(o.is_smoke for o in out)",
        INCIDENTS + "test_smoke_gates_of_both_branches_run_side_by_side",
    ),
    PlantedFault(
        "core/state/smoke_due.py",
        "smoke.outcome in {None, SmokeOutcome.REPEATED} or is_asked_again(state, now)",
        "smoke.outcome in {None, SmokeOutcome.REPEATED}",
        INCIDENTS + "TestSmoke::test_a_red_smoke_gate_is_repeated_with_growing_delays",
    ),
    PlantedFault(
        "core/state/smoke_due.py",
        "_FIRST_WAIT * (1 << min(waits, 10))",
        "_FIRST_WAIT",
        INCIDENTS + "TestSmoke::test_a_red_smoke_gate_is_repeated_with_growing_delays",
    ),
    PlantedFault(
        "core/state/smoke_due.py",
        "return smoke.outcome is SmokeOutcome.NOT_RUN or FreezeCause.SMOKE in state.freezes",
        "return FreezeCause.SMOKE in state.freezes",
        INCIDENTS + "TestSmoke::test_lost_smoke_gates_are_ordered_again",
    ),
    PlantedFault(
        "core/state/smoke_due.py",
        "return smoke.outcome is SmokeOutcome.NOT_RUN or FreezeCause.SMOKE in state.freezes",
        "return True",
        INCIDENTS + "TestSmoke::test_unfreezing_at_the_incident_issue_closes_it",
    ),
    PlantedFault(
        DECIDE,
        "and smoke.outcome is None",
        "",
        INCIDENTS + "TestSmoke::test_lost_smoke_gates_are_ordered_again",
    ),
    PlantedFault(
        DECIDE,
        "        if isinstance(decision.observed.policy, Policy):\n",
        "        if False:\n",
        INCIDENTS + "TestSmoke::test_a_freeze_ends_when_the_policy_has_no_smoke_gate",
    ),
    PlantedFault(
        DECIDE,
        "        if isinstance(decision.observed.policy, Policy):\n",
        "        if True:\n",
        INCIDENTS + "TestSmoke::test_a_freeze_ends_when_the_policy_has_no_smoke_gate",
    ),
    PlantedFault(
        DECIDE,
        "if was_frozen and state.freezes[FreezeCause.SMOKE].why == why:",
        "if False:",
        INCIDENTS + "TestSmoke::test_a_red_smoke_gate_is_repeated_with_growing_delays",
    ),
    PlantedFault(
        "core/decide/decide.py",
        "        times += [smoke_again_at] if smoke_again_at is not None else []\n",
        "",
        INCIDENTS + "test_the_server_wakes_when_smoke_gates_are_asked_again",
    ),
    PlantedFault(
        "core/decide/people/end_incidents.py",
        'return "" if FreezeCause.SMOKE in state.freezes else smoke_is_over(state)',
        "return smoke_is_over(state)",
        INCIDENTS + "TestSmoke::test_a_red_smoke_gate_is_repeated_with_growing_delays",
    ),
    PlantedFault(
        "core/decide/people/end_incidents.py",
        "if FreezeCause.ADOPTED in state.freezes or is_doubtful(state, state.main):",
        "if is_doubtful(state, state.main):",
        INCIDENTS
        + "TestAdopted::test_the_incident_issue_is_closed_when_the_commit_is_accounted_for",
    ),
    PlantedFault(
        "core/decide/people/end_incidents.py",
        "if FreezeCause.ADOPTED in state.freezes or is_doubtful(state, state.main):",
        "if FreezeCause.ADOPTED in state.freezes:",
        INCIDENTS
        + "TestAdopted::test_the_incident_issue_is_closed_when_the_commit_is_accounted_for",
    ),
    PlantedFault(
        "core/journal/evolve_incidents.py",
        "        published=without(state.published, told),\n",
        "",
        INCIDENTS
        + "TestAdopted::test_the_incident_issue_is_closed_when_the_commit_is_accounted_for",
    ),
    PlantedFault(
        "core/decide/people/queue_pull.py",
        "    if incident is not None:\n",
        "    if False:\n",
        INCIDENTS + "TestSmoke::test_unfreezing_at_the_incident_issue_closes_it",
    ),
    PlantedFault(
        "core/decide/changes/settle_orders.py",
        "elif order.is_open and (is_seen or entry.report is None):",
        "elif order.is_open:",
        INCIDENTS + "test_smoke_gates_of_a_branch_without_a_queue_by_now_freeze_no_other",
    ),
    PlantedFault(
        "core/decide/people/end_incidents.py",
        "        if incident.branch not in named:\n",
        "        if False:\n",
        INCIDENTS + "test_the_issue_of_a_branch_without_a_queue_by_now_is_closed",
    ),
    PlantedFault(
        "core/decide/people/end_incidents.py",
        "if isinstance(policy, Policy) else (incident.branch,)",
        "if isinstance(policy, Policy) else ()",
        INCIDENTS + "test_the_issue_of_a_branch_without_a_queue_by_now_is_closed",
    ),
    PlantedFault(
        "core/talk/freeze_text.py",
        "for cause, freeze in lifted.items()]",
        "for cause, freeze in list(lifted.items())[:1]]",
        "test_stories_of_adopted_commits.py::test_unfreeze_names_all_freezes_that_it_ends",
    ),
]
