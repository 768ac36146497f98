"""A fault for every guard of people's pulls in the queue."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_queued_pulls.py::"
ORDERS = "core/test_stories_of_the_queues_order.py::"
LANDING = STORIES + "TestALanding::"
ASKS = STORIES + "TestQueueCommands::"
OUT = STORIES + "TestLeavingTheQueue::"
ORDER = ORDERS + "TestTheOrder::"
JOURNAL = ORDERS + "TestTheJournal::"

PULL_QUEUE_FAULTS = [
    PlantedFault(
        "core/decide/people/queue_pull.py",
        " and not _is_pushed(known, pull):",
        ":",
        OUT + "test_queueing_again_after_a_push_queues_the_new_head",
    ),
    PlantedFault(
        "core/decide/people/queue_pull.py",
        "    tell_end(decision, decision.state.queued_pulls[known.number])\n",
        "",
        OUT + "test_dequeue_and_queue_in_one_comment_ends_the_first_check",
    ),
    PlantedFault(
        "core/decide/people/tell_pulls.py",
        "    _publish(decision, pull, _note(decision))\n    if pull.state in _TOLD_AT_ONCE and pull.sentence:\n        _comment(decision, pull)\n",
        "    _publish(decision, pull, _note(decision))\n",
        OUT + "test_red_gates_are_reported_even_if_the_pull_is_queued_again_at_once",
    ),
    PlantedFault(
        "core/decide/queue/pulls.py",
        "    if not decision.policy.of_pulls().required_gates:\n",
        "    if False:\n",
        OUT + "test_a_pull_leaves_if_main_has_lost_its_gates",
    ),
    PlantedFault(
        "core/decide/queue/pulls.py",
        "    if not is_being_built and forget.subject",
        "    if forget.subject",
        OUT + "test_a_late_build_is_not_used_in_the_next_round",
    ),
    PlantedFault(
        "core/decide/queue/pulls.py",
        "    if _is_being_tidied(decision, pull):\n",
        "    if False:\n",
        OUT + "test_deleting_refs_of_one_round_keeps_those_of_the_next",
    ),
    PlantedFault(
        "core/journal/evolve_pull_queue.py",
        "candidates=known.candidates + 1 if",
        "candidates=known.candidates if",
        OUT + "test_a_refused_merge_is_tried_again_after_queueing",
    ),
    PlantedFault(
        "core/journal/evolve_pull_queue.py",
        "for key, why in state.refused.items() if _pull_of(key) not in gone}",
        "for key, why in state.refused.items()}",
        JOURNAL + "test_pulls_that_left_long_ago_are_forgotten",
    ),
    PlantedFault(
        "core/talk/queue_text.py",
        '"" if pull.sentence.startswith(_MERGED) else f" {_AGAIN}"',
        'f" {_AGAIN}"',
        OUT + "test_a_manual_merge_is_reported_without_a_hint_to_queue_again",
    ),
    PlantedFault(
        "core/talk/queue_text.py",
        "    why = blocked_by(state)\n",
        '    why = ""\n',
        ORDER + "test_the_reply_to_now_names_what_blocks_the_entry",
    ),
    PlantedFault(
        "core/spec/policy.py",
        "(entry.run or entry.builtin) and entry.builtin not in OF_CHANGES",
        "(entry.run or entry.builtin)",
        LANDING + "test_a_pull_does_not_run_gates_for_changes",
    ),
    PlantedFault(
        "core/decide/main/dispatch_gates.py",
        "        is_of_person=True,\n",
        "",
        LANDING + "test_a_pull_lands_as_the_merge_that_the_gates_passed",
    ),
    PlantedFault(
        "core/decide/queue/pulls.py",
        "    if candidate.steering.shadows:\n",
        "    if False:\n",
        LANDING + "test_a_file_that_shadows_a_runner_does_not_land",
    ),
    PlantedFault(
        "core/decide/main/account_commits.py",
        "is_landing = pull.state is QueuedPullState.LANDING",
        "is_landing = pull.state is QueuedPullState.QUEUED",
        LANDING + "test_a_landing_with_a_lost_answer_is_found_on_main",
    ),
    PlantedFault(
        "core/journal/evolve_main.py",
        "            allowed = _steered_by(state, queued)\n",
        "",
        LANDING + "test_the_ledger_names_the_approver_of_steering_files",
    ),
    PlantedFault(
        "core/journal/evolve_main.py",
        "    return replace(moved, is_main_known=True, main_seen_at=event.landed_at)\n",
        "    return replace(moved, is_main_known=True)\n",
        LANDING + "test_a_landed_spec_pull_is_planned_when_main_is_quiet",
    ),
    PlantedFault(
        "core/talk/commands.py",
        "        place=Place.QUEUED,\n        role=Role.MAINTAIN,\n",
        "        place=Place.QUEUED,\n        role=Role.WRITE,\n",
        ASKS + "test_each_command_needs_its_role",
    ),
    PlantedFault(
        "core/decide/people/queue_pull.py",
        "    if not why and pull.is_from_fork:\n",
        "    if False:\n",
        ASKS + "test_a_fork_is_refused_with_a_sentence",
    ),
    PlantedFault(
        "core/decide/people/queue_pull.py",
        "    if not why and not decision.policy.of_pulls().required_gates:\n",
        "    if False:\n",
        ASKS + "test_a_pull_is_not_queued_without_a_required_gate",
    ),
    PlantedFault(
        "core/decide/people/queue_pull.py",
        "    if asked.change is not None:\n",
        "    if False:\n",
        ASKS + "test_the_pull_of_a_change_cannot_be_queued",
    ),
    PlantedFault(
        "core/decide/people/queue_pull.py",
        "        if request.priority is not None:\n",
        "        if True:\n",
        ASKS + "test_queueing_twice_only_sets_the_priority",
    ),
    PlantedFault(
        "core/talk/queue_text.py",
        "    if head is not None and pull.head_sha != head:\n",
        "    if False:\n",
        OUT + "test_a_push_dequeues_a_pull",
    ),
    PlantedFault(
        "core/talk/queue_text.py",
        "    if head is not None and pull.head_sha != head:\n",
        "    if False:\n",
        OUT + "test_a_push_during_the_landing_does_not_land",
    ),
    PlantedFault(
        "core/talk/queue_text.py",
        "    if pull.base_branch != default_branch:\n",
        "    if False:\n",
        OUT + "test_a_pull_that_becomes_unfit_leaves_the_queue",
    ),
    PlantedFault(
        "core/talk/queue_text.py",
        "    if pull.is_draft:\n",
        "    if False:\n",
        OUT + "test_a_pull_that_becomes_unfit_leaves_the_queue",
    ),
    PlantedFault(
        "core/decide/changes/withdraw_pull.py",
        "    if order is not None and order.is_open:\n        revoke(decision, order)\n",
        "",
        OUT + "test_a_person_can_dequeue_a_pull",
    ),
    PlantedFault(
        "core/decide/changes/withdraw_pull.py",
        ", order=judged_by)",
        ")",
        OUT + "test_a_person_can_dequeue_a_pull",
    ),
    PlantedFault(
        "core/decide/changes/conclude_pull.py",
        "    if results and not is_of_main and ask_again(",
        "    if False and ask_again(",
        OUT + "test_a_pull_is_red_only_after_two_runs",
    ),
    PlantedFault(
        "core/state/queue_void.py",
        "        Phase.RED: _MOVED,\n",
        "        Phase.RED: _NOTHING,\n",
        OUT + "test_red_gates_on_an_outdated_main_do_not_remove_a_pull",
    ),
    PlantedFault(
        "core/decide/changes/conclude_pull.py",
        "    elif is_of_main or not baseline.is_known:\n",
        "    elif False:\n",
        OUT + "test_failures_of_main_do_not_remove_a_pull",
    ),
    PlantedFault(
        "core/decide/queue/pulls.py",
        "    if len(times) >= GATES_LOST_MAX:\n",
        "    if False:\n",
        OUT + "test_a_pull_whose_gates_are_always_lost_is_removed",
    ),
    PlantedFault(
        "core/state/queue_void.py",
        "        Phase.PLACED: _MOVED,\n        Phase.REPEATED: _MOVED,\n",
        "        Phase.PLACED: _NOTHING,\n        Phase.REPEATED: _MOVED,\n",
        OUT + "test_waiting_gates_are_not_run_on_an_outdated_main",
    ),
    PlantedFault(
        "core/decide/queue/pulls.py",
        "        Lack.OTHER_GATES: not _is_signed_off(decision, pull, candidate),\n",
        "",
        OUT + "test_changed_gates_on_main_judge_the_pull_again",
    ),
    PlantedFault(
        "core/state/queue_void.py",
        "    if base == state.main:\n",
        "    if True:\n",
        ORDER + "test_others_pass_a_held_entry_without_counting_as_overtaking",
    ),
    PlantedFault(
        "core/state/queue_order.py",
        "    if FreezeCause.PERSON in state.freezes:\n",
        "    if False:\n",
        ORDER + "test_a_pull_is_judged_but_does_not_land_during_a_freeze",
    ),
    PlantedFault(
        "core/decide/changes/settle_orders.py",
        "        return order.definition_hash not in {gates_hash(policy) for policy in asked}\n",
        "        return False\n",
        OUT + "test_a_report_of_other_gates_does_not_count",
    ),
    PlantedFault(
        "core/decide/main/pause_orders.py",
        "order.change is not None or order.pull is not None",
        "order.change is not None",
        OUT + "test_a_pull_with_a_failing_setup_does_not_pause_others",
    ),
    PlantedFault(
        "core/state/queue_order.py",
        "    if is_in_flight:\n",
        "    if False:\n",
        ORDER + "test_priority_does_not_overtake_an_entry_being_judged",
    ),
    PlantedFault(
        "core/state/queue_order.py",
        "    return (4, -entry.priority, 0 if is_pull else 1, entered)\n",
        "    return (4, 0, 0, entered)\n",
        ORDER + "test_priority_does_not_overtake_an_entry_being_judged",
    ),
    PlantedFault(
        "core/state/queue_order.py",
        "    if entry.is_next:\n",
        "    if False:\n",
        ORDER + "test_the_now_command_overtakes_an_entry_being_judged",
    ),
    PlantedFault(
        "core/state/queue_order.py",
        "    if entry.overtaken >= SERIAL.overtaken_max:\n",
        "    if False:\n",
        ORDER + "test_an_entry_overtaken_often_enough_goes_next",
    ),
    PlantedFault(
        "core/state/queue_order.py",
        "        return is_held(state, queued)\n    is_refused",
        "        return False\n    is_refused",
        ORDER + "test_others_pass_a_held_entry_without_counting_as_overtaking",
    ),
    PlantedFault(
        "core/state/queue_order.py",
        "(now is None or now < entry.land_after)",
        "False",
        ORDER + "test_a_refused_landing_is_retried_and_others_continue",
    ),
    PlantedFault(
        "core/journal/evolve_entry.py",
        "        if entry.hold is None\n",
        "",
        ORDER + "test_others_pass_a_held_entry_without_counting_as_overtaking",
    ),
    PlantedFault(
        "core/journal/evolve_pull_queue.py",
        "    numbers = state.left_pulls[:-LEFT_KEPT]\n",
        "    numbers = state.left_pulls[:0]\n",
        JOURNAL + "test_pulls_that_left_long_ago_are_forgotten",
    ),
    PlantedFault(
        "core/journal/candidate_transitions.py",
        "    return event.candidate != candidate.sha\n",
        "    return False\n",
        JOURNAL + "test_stale_events_do_not_change_a_queued_pull",
    ),
    PlantedFault(
        "core/state/under_way.py",
        "        or bool(queued_pulls(state, None))\n",
        "",
        JOURNAL + "test_a_queued_pull_is_under_way",
    ),
]
