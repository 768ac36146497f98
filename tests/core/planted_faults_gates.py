"""A fault for every guard of the set of gates: their order, and what a red one stops."""

from tests.testkit.planting import PlantedFault

ORDER = "core/test_stories_of_gate_order.py::"
MODES = "core/test_stories_of_gate_modes.py::"

GATE_FAULTS = [
    PlantedFault(
        "core/state/blame.py",
        " or result.stopped_by",
        "",
        ORDER + "TestStop::test_only_the_red_gate_is_inherited",
    ),
    PlantedFault(
        "core/state/flaky_results.py",
        "red = [r for r in results if r.gate in required and r.is_red]",
        "red = [r for r in results if r.gate in required and not r.is_accepted]",
        ORDER + "TestStop::test_stopped_gates_are_not_red_when_a_flake_runs_again",
    ),
    PlantedFault(
        "core/state/flaky_results.py",
        "    if any(r.stopped_by in waived ",
        "    if False and any(r.stopped_by in waived ",
        ORDER + "TestStop::test_an_accepted_failure_does_not_stop_other_gates",
    ),
    PlantedFault(
        "core/journal/evolve_candidate.py",
        "if r.ending is not Ending.PASSED and not r.stopped_by)",
        "if r.ending is not Ending.PASSED)",
        ORDER + "TestStop::test_only_the_red_gate_is_sent_to_the_agent_and_counted",
    ),
    PlantedFault(
        "core/decide/people/show_gates.py",
        "(result.ending is not Ending.PASSED and not result.stopped_by)",
        "result.ending is not Ending.PASSED",
        ORDER + "TestStop::test_only_the_red_gate_is_sent_to_the_agent_and_counted",
    ),
    PlantedFault(
        "core/state/gate_order.py",
        " or waived_now(state, policy, now)",
        "",
        ORDER + "TestStop::test_an_accepted_failure_does_not_stop_other_gates",
    ),
    PlantedFault(
        "core/state/gate_order.py",
        "baseline.is_known and not baseline.tests and not baseline.gates",
        "baseline.is_known",
        ORDER + "TestStop::test_a_gate_that_fails_on_main_does_not_stop_others",
    ),
    PlantedFault(
        "core/state/gate_order.py",
        "rank = seconds.get(gate.name, rank)",
        "rank = seconds.get(gate.name, 0.0)",
        ORDER + "TestOrder::test_a_gate_without_a_measured_time_keeps_its_place",
    ),
    PlantedFault(
        "core/spec/policy.py",
        "gate.run is None or not is_folder(gate.cwd)",
        "gate.run is None",
        ORDER + "TestLines::test_a_gate_folder_must_be_inside_the_repository",
    ),
    PlantedFault(
        "core/spec/policy.py",
        "is not GateMode.OFF",
        "is not None",
        MODES + "TestModes::test_a_gate_that_is_off_does_not_run",
    ),
    PlantedFault(
        "core/decide/changes/conclude.py",
        "    policy = decision.policy_for(change)\n",
        "    policy = decision.policy\n",
        MODES + "TestModes::test_a_red_warning_gate_is_reported_and_the_change_lands",
    ),
    PlantedFault(
        "core/decide/queue/land.py",
        "    policy = decision.policy_for(change)\n",
        "    policy = decision.policy\n",
        MODES + "TestModes::test_a_gate_that_is_off_does_not_run",
    ),
    PlantedFault(
        "core/decide/changes/settle_orders.py",
        "gates_hash(decision.policy_for(change))",
        "gates_hash(decision.policy)",
        MODES + "TestModes::test_a_gate_that_is_off_does_not_run",
    ),
    PlantedFault(
        "core/state/blame.py",
        "            if c.landed == main\n",
        "            if c.landed == main and not main\n",
        MODES + "TestModes::test_a_red_warning_gate_on_main_is_inherited_by_the_next_change",
    ),
    PlantedFault(
        "core/state/results_of_main.py",
        " or candidate.steering != Steering()",
        "",
        MODES + "TestPaths::test_all_gates_run_for_a_candidate_with_steering_files",
    ),
    PlantedFault(
        "core/spec/policy.py",
        '(key := "when" if gate.when else "services" if gate.services else "")',
        '(key := "services" if gate.services else "")',
        MODES + "TestPaths::test_only_command_gates_can_have_paths",
    ),
    PlantedFault(
        "core/spec/policy.py",
        "    if is_raised:\n        return GateMode.REQUIRED\n",
        "    if is_raised:\n        return GateMode.WARN\n",
        "core/state/test_verdict_truth.py::test_touched_paths_only_add_required_gates",
    ),
    PlantedFault(
        "core/spec/policy.py",
        "mode_of(entry, type_, is_raised=name in raised)) is not GateMode.OFF",
        "mode_of(entry, type_, is_raised=name in raised)) is not GateMode.OFF and (name in raised or not raised)",
        "core/state/test_verdict_truth.py::test_touched_paths_only_add_required_gates",
    ),
    PlantedFault(
        "core/decide/decision.py",
        "candidate.raised if candidate else ()",
        "()",
        MODES + "TestRequiredByPaths::test_a_change_that_touches_its_paths_needs_the_gate",
    ),
    PlantedFault(
        "core/journal/evolve_candidate.py",
        "        raised=event.raised,\n",
        "",
        MODES + "TestRequiredByPaths::test_a_change_that_touches_its_paths_needs_the_gate",
    ),
]
