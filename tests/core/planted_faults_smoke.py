"""A fault for every guard of smoke gates, which run on main after a landing."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_smoke.py::"
AFTER = STORIES + "TestAfterALanding::"
RED = STORIES + "TestRed::"
ENDS = STORIES + "TestHowItEnds::"
NOT_RUN = STORIES + "TestNotRun::"
DECIDE = "core/decide/main/smoke_main.py"

SMOKE_FAULTS = [
    PlantedFault(
        "core/state/smoke_due.py",
        "any(line.kind is LedgerKind.LANDED for",
        "any(True for",
        AFTER + "test_what_people_push_is_judged_by_the_gates_alone",
    ),
    PlantedFault(
        DECIDE,
        "if is_being_asked(state) or not",
        "if not",
        AFTER + "test_no_landing_waits_for_them_and_the_newest_main_is_asked_next",
    ),
    PlantedFault(
        "core/journal/evolve_smoke.py",
        "if id_ not in old}",
        "}",
        AFTER + "test_the_state_keeps_nothing_of_those_before",
    ),
    PlantedFault(
        "core/state/queue_order.py",
        "    if FreezeCause.SMOKE in state.freezes:\n",
        "    if False:\n",
        RED + "test_red_freezes_the_queue_and_an_issue_names_the_landing",
    ),
    PlantedFault(
        "core/talk/smoke_text.py",
        "    if run is not None and run.approved_by:\n",
        "    if False:\n",
        RED + "test_a_change_that_landed_is_named_with_who_approved_it",
    ),
    PlantedFault(
        "core/state/smoke_due.py",
        "        if passed is None and line.kind",
        "        if line.kind",
        RED + "test_all_that_landed_since_they_were_green_is_named",
    ),
    PlantedFault(
        DECIDE,
        "smoke.reds < min(",
        "smoke.reds < 0 * min(",
        RED + "test_red_counts_when_they_have_run_once_more",
    ),
    PlantedFault(
        DECIDE,
        "    elif not failed:\n",
        "    elif False:\n",
        NOT_RUN + "test_what_did_not_run_is_told_and_freezes_nothing",
    ),
    PlantedFault(
        DECIDE,
        "        decision.emit(QueueThawed(by=",
        "        (QueueThawed(by=",
        ENDS + "test_green_on_a_later_main_lifts_it",
    ),
    PlantedFault(
        DECIDE,
        "causes=(FreezeCause.SMOKE,)",
        "causes=tuple(decision.state.freezes)",
        ENDS + "test_a_green_main_does_not_lift_it_nor_does_it_lift_what_a_person_froze",
    ),
    PlantedFault(
        "core/state/smoke_due.py",
        "or (FreezeCause.SMOKE in state.freezes and",
        "or (False and",
        ENDS + "test_green_on_a_later_main_lifts_it",
    ),
    PlantedFault(
        DECIDE,
        "    if was_frozen:\n",
        "    if False:\n",
        ENDS + "test_it_has_one_issue_however_often_main_is_red_meanwhile",
    ),
    PlantedFault(
        DECIDE,
        "is_lost and smoke.orders >= SMOKE_ORDERS_MAX",
        "is_lost and False",
        NOT_RUN + "test_an_order_that_is_lost_three_times_has_not_run",
    ),
    PlantedFault(
        "core/spec/policy.py",
        "for g in (*self.gates, *self.of_smoke().gates) if",
        "for g in self.gates if",
        STORIES + "TestThePolicy::test_an_agent_may_not_edit_what_a_smoke_gate_starts",
    ),
]
