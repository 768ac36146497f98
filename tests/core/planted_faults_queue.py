"""A fault for every guard of the queue: evidence, order, freezes."""

from tests.testkit.planting import PlantedFault

REUSE = "core/test_looks.py::TestReuse::"
EVIDENCE = "core/test_stories_of_evidence.py::"
FREEZES = "core/test_stories_of_freezes.py::"

QUEUE_FAULTS = [
    PlantedFault(
        "core/state/evidence.py",
        "            definition=_definition(policy, gate, judged.type),\n",
        '            definition="",\n',
        REUSE + "test_reused_results_depend_on_tree_and_diff",
    ),
    PlantedFault(
        "core/state/evidence.py",
        'return f"tree:{judged.tree}"',
        'return "tree:"',
        REUSE + "test_reused_results_depend_on_tree_and_diff",
    ),
    PlantedFault(
        "core/state/evidence.py",
        'return f"change:{judged.tree}:{judged.diff}:{judged.about}"',
        'return f"change:{judged.tree}:{judged.about}"',
        REUSE + "test_reused_results_depend_on_tree_and_diff",
    ),
    PlantedFault(
        "core/state/evidence.py",
        "        *(line.model_dump_json() for line in policy.setup),\n",
        "",
        EVIDENCE + "test_a_changed_setup_judges_the_tree_again",
    ),
    PlantedFault(
        "core/state/evidence.py",
        "if e is not None and e.result.ending is Ending.PASSED)",
        "if e is not None)",
        REUSE + "test_an_accepted_result_is_complete_and_not_reused",
    ),
    PlantedFault(
        "core/state/evidence.py",
        "for key in keys_of(policy, judged) if key.gate in ours)",
        "for key in keys_of(policy, judged))",
        "core/test_stories_of_awaited_checks.py::test_a_pass_of_another_commit_is_not_reused",
    ),
    PlantedFault(
        "core/state/evidence.py",
        "    return all(keys.get(gate) in state.evidence for gate in required)\n",
        "    return bool(keys)\n",
        REUSE + "test_an_accepted_result_is_complete_and_not_reused",
    ),
    PlantedFault(
        "core/journal/evolve_evidence.py",
        "        or change_after(state, change, event) is None\n        or moved(state, change, event) is None\n",
        "",
        EVIDENCE + "test_a_stale_report_is_not_evidence",
    ),
    PlantedFault(
        "core/journal/evolve_evidence.py",
        "if key is None or not result.is_accepted:",
        "if key is None:",
        REUSE + "test_failed_results_are_never_reused",
    ),
    PlantedFault(
        "core/journal/evolve_evidence.py",
        "if not e.key.is_about(*things)}",
        "if e}",
        EVIDENCE + "test_a_requested_re_run_discards_the_evidence",
    ),
    PlantedFault(
        "core/journal/evolve_evidence.py",
        "newest(evidence, EVIDENCE_KEPT)",
        "evidence",
        EVIDENCE + "test_only_the_newest_evidence_is_kept",
    ),
    PlantedFault(
        "core/journal/evolve_retired.py",
        "state.evidence.items() if e.order not in orders}",
        "state.evidence.items()}",
        "core/test_stories_of_retirement.py::TestTheState::"
        "test_the_state_does_not_grow_with_ended_runs",
    ),
    PlantedFault(
        "core/decide/main/account_commits.py",
        "() if adoption.is_first else held(",
        "held(",
        EVIDENCE + "test_a_requested_judgement_of_main_runs_all_gates",
    ),
    PlantedFault(
        "core/decide/changes/settle_orders.py",
        "order.definition_hash or order.asked_hash",
        "order.asked_hash",
        EVIDENCE + "test_only_missing_gates_run_on_main",
    ),
    PlantedFault(
        "core/state/queue_order.py",
        "    if FreezeCause.PERSON in state.freezes:\n",
        "    if False:\n",
        FREEZES + "test_a_freeze_by_a_person_prevents_landings",
    ),
    PlantedFault(
        "core/journal/evolve_main.py",
        "    kept = {cause: f for cause, f in state.freezes.items() if cause not in OF_MAIN}\n",
        "    kept: dict[FreezeCause, Freeze] = {}\n",
        FREEZES + "test_a_green_main_does_not_end_a_persons_freeze",
    ),
    PlantedFault(
        "core/journal/evolve_freezes.py",
        "    left = {cause: f for cause, f in state.freezes.items() if cause not in event.causes}\n",
        "    left: dict[FreezeCause, Freeze] = {}\n",
        FREEZES + "test_unfreeze_does_not_end_the_freeze_of_a_red_main",
    ),
    PlantedFault(
        "core/decide/people/freeze_queue.py",
        " and decision.now >= frozen.until:\n",
        ":\n",
        FREEZES + "test_a_freeze_ends_at_its_time",
    ),
    PlantedFault(
        "core/decide/people/freeze_queue.py",
        "until is None or until <= decision.now",
        "until is None",
        FREEZES + "test_an_invalid_or_past_time_is_refused",
    ),
    PlantedFault(
        "core/decide/decide.py",
        "        times += (f.until for f in there.freezes.values() if f.until is not None)\n",
        "",
        FREEZES + "test_a_freeze_ends_at_its_time",
    ),
    PlantedFault(
        "core/state/pauses.py",
        "    if state.orders_stopped is not None:\n        return True\n",
        "",
        FREEZES + "test_a_pause_orders_no_gates_and_lands_passed_changes",
    ),
    PlantedFault(
        "core/journal/evolve_freezes.py",
        "    return replace(state, orders_stopped=None) if event.ended_by else state\n",
        "    return state\n",
        FREEZES + "test_a_pause_orders_no_agent",
    ),
]
