"""A fault for every guard that keeps what is nobody's attempt from being counted, or from stopping all."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_pauses.py::"
SET_UPS = "core/test_stories_of_set_up_errors.py::"
OUTAGES = STORIES + "TestOutages::"
SET_UP = SET_UPS + "TestSetUpErrors::"
COMMITS = SET_UPS + "TestBrokenByACommit::"

PAUSE_FAULTS = [
    PlantedFault(
        "core/journal/evolve_work.py",
        "deferred = replace(change, orders_lost=0, agent_runs=runs, attempt=change.attempt - 1)",
        "deferred = replace(change, orders_lost=0, agent_runs=runs)",
        OUTAGES + "test_an_outage_counts_no_attempt_and_the_change_lands_after_it",
    ),
    PlantedFault(
        "core/decide/main/pause_orders.py",
        "min(SHORTEST * doubled, LONGEST)",
        "min(SHORTEST, LONGEST)",
        OUTAGES + "test_the_pause_grows_from_half_a_minute_to_half_an_hour",
    ),
    PlantedFault(
        "core/decide/main/pause_orders.py",
        "retry_after_seconds >= SHORTEST.total_seconds():",
        "retry_after_seconds >= 1e9:",
        OUTAGES + "test_the_retry_time_of_the_server_counts",
    ),
    PlantedFault(
        "core/decide/main/pause_orders.py",
        " and retry_after_seconds >= SHORTEST.total_seconds():",
        ":",
        OUTAGES + "test_a_short_or_past_retry_time_is_ignored",
    ),
    PlantedFault(
        "core/decide/main/pause_orders.py",
        "min(retry_after_seconds, _SERVER_SECONDS_MAX)",
        "min(retry_after_seconds, 1e9)",
        OUTAGES + "test_an_absurd_retry_time_is_limited",
    ),
    PlantedFault(
        "core/state/pauses.py",
        "return any(not is_due(state, p, now) or is_being_probed(state, p, now) for p in met)",
        "return any(not is_due(state, p, now) for p in met)",
        OUTAGES + "test_other_changes_wait_and_one_order_probes_first",
    ),
    PlantedFault(
        "core/journal/pause_state.py",
        "return placed_at > self.last",
        "return True",
        OUTAGES + "test_an_order_that_was_under_way_does_not_lengthen_the_pause",
    ),
    PlantedFault(
        "core/journal/evolve_pauses.py",
        "    on(ev.AgentLost, _lost),\n",
        "    on(ev.AgentLost, _reported),\n",
        OUTAGES + "test_a_lost_probe_is_replaced_by_another",
    ),
    PlantedFault(
        "core/state/pauses.py",
        "return probe.leased_at is None or now < probe.leased_at + PROBE_RUNS",
        "return True",
        OUTAGES + "test_a_probe_that_works_for_minutes_releases_the_others",
    ),
    PlantedFault(
        "core/state/pauses.py",
        "is_moved = pause.cause not in OF_THE_MODEL and pause.main != state.main",
        "is_moved = pause.main != state.main",
        OUTAGES + "test_a_push_to_main_does_not_end_an_outage_pause",
    ),
    PlantedFault(
        "core/decide/changes/wait_for_answers.py",
        '        if run.outcome != "deferred":\n            yield run\n',
        "        yield run\n",
        OUTAGES + "test_tokens_of_an_interrupted_run_are_shown_and_not_charged",
    ),
    PlantedFault(
        "core/decide/decide.py",
        "    times += (at for at in pause_orders.deadlines(state) if at > now)\n",
        "",
        OUTAGES + "test_a_wake_up_is_set_for_the_next_order",
    ),
    PlantedFault(
        "core/decide/main/pause_orders.py",
        "    if gone:\n",
        "    if False:\n",
        SET_UP + "test_another_command_in_the_policy_ends_the_pause",
    ),
    PlantedFault(
        "core/state/pauses.py",
        "is_moved = pause.cause not in OF_THE_MODEL and pause.main != state.main",
        "is_moved = False",
        SET_UP + "test_a_push_to_main_lets_one_order_try",
    ),
    PlantedFault(
        "core/journal/evolve_pauses.py",
        "lambda cause: cause.is_before(event.cause)",
        "lambda cause: False",
        SET_UP + "test_a_probe_that_gets_further_ends_the_earlier_pause",
    ),
    PlantedFault(
        "core/journal/evolve_pauses.py",
        "lambda cause: cause.is_before(event.cause)",
        "lambda cause: True",
        SET_UP + "test_a_probe_that_fails_earlier_keeps_the_pause",
    ),
    PlantedFault(
        "core/decide/changes/settle_orders.py",
        "    if refused is None and not is_late:\n",
        "    if not is_late:\n",
        SET_UP + "test_a_missing_agent_workflow_pauses_the_work",
    ),
    PlantedFault(
        "core/journal/evolve_pauses.py",
        "    on(ev.OrderLeased, _leased),\n",
        "",
        SET_UP + "test_a_missing_runner_pauses_the_work",
    ),
    PlantedFault(
        "core/decide/main/pause_orders.py",
        "    if any(o.put_to_main for o in state.orders.values() if o.commit == order.commit):\n"
        "        return False\n",
        "",
        COMMITS + "test_a_missing_gate_command_is_checked_on_main_once",
    ),
    PlantedFault(
        "core/decide/main/pause_orders.py",
        "    if met.cause not in OF_A_TREE or is_known or _is_of_main(state, order):\n",
        "    if True:\n",
        COMMITS + "test_a_setup_failure_that_main_does_not_have_is_blamed_on_the_work",
    ),
    PlantedFault(
        "core/decide/main/pause_orders.py",
        "    if met.cause not in OF_A_TREE or is_known or _is_of_main(state, order):\n",
        "    if met.cause not in OF_A_TREE or _is_of_main(state, order):\n",
        COMMITS + "test_a_setup_failure_that_main_also_has_is_not_blamed_on_the_work",
    ),
    PlantedFault(
        "core/decide/main/pause_orders.py",
        "    if state.main is None or is_doubtful(state, state.main):\n        return True\n",
        "",
        COMMITS + "test_a_setup_failure_is_not_blamed_before_main_is_judged",
    ),
    PlantedFault(
        "core/decide/main/pause_orders.py",
        "if r.gate in required and r.is_red]",
        "if r.is_red]",
        COMMITS + "test_a_missing_optional_gate_command_does_not_block",
    ),
    PlantedFault(
        "core/decide/main/pause_orders.py",
        "    if not missing or missing != red:\n",
        "    if not missing:\n",
        COMMITS + "test_a_missing_gate_command_does_not_excuse_a_failed_gate",
    ),
    PlantedFault(
        "core/journal/evolve_main.py",
        "replace(adoption, orders=max(0, adoption.orders - 1))",
        "adoption",
        COMMITS + "test_setup_failures_do_not_count_as_lost_gates_of_main",
    ),
    PlantedFault(
        "core/journal/evolve_pauses.py",
        "    on(ev.MainAsked, _put_to_main),\n",
        "",
        COMMITS + "test_a_probe_with_broken_work_does_not_block_others",
    ),
    PlantedFault(
        "core/state/outlook.py",
        " and change.gate_runs > 0",
        "",
        STORIES + "TestReplans::test_a_crashed_attempt_is_not_planned_again",
    ),
]
