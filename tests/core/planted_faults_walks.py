"""A fault for every guard that keeps a fold from walking the state, and for what is kept for that."""

from tests.testkit.planting import PlantedFault

WALKS = "core/journal/test_folds_walk_nothing.py::"
FLAT = WALKS + "test_the_cost_of_a_fold_is_independent_of_the_size_of_the_state"
FORGOTTEN = "core/test_forgotten_state.py::"
TICKS = "core/test_quiet_ticks.py::"
RETIRED = "core/test_stories_of_retired_issues.py::TestWhatIsForgotten::"

WALK_FAULTS = [
    PlantedFault(
        "core/journal/state.py",
        "    return replace(state, spec_runs={**state.spec_runs, run.id: run})\n",
        "    others = {id_: r for id_, r in state.spec_runs.items() if id_ != run.id}\n"
        "    return replace(state, spec_runs={**others, run.id: run})\n",
        FLAT + "[PlanApproved]",
    ),
    PlantedFault(
        "core/journal/evolve_orders.py",
        "less(state.open_orders, ended.id)",
        "tuple(o.id for o in state.orders.values() if o.is_open and o.id != ended.id)",
        FLAT + "[WorkHandedIn]",
    ),
    PlantedFault(
        "core/journal/evolve_main.py",
        "    return sha in state.on_line\n",
        "    return any(line.sha == sha for line in state.ledger)\n",
        FLAT + "[CommitAdmitted]",
    ),
    PlantedFault(
        "core/journal/state.py",
        "    return replace(state, dialogues={**state.dialogues, dialogue.issue: dialogue})\n",
        "    return replace(state, dialogues={**dict(state.dialogues), dialogue.issue: dialogue})\n",
        FLAT + "[WorkReworded]",
    ),
    PlantedFault(
        "core/journal/evolve_effects.py",
        "without(state.delays, key)",
        "{k: d for k, d in state.delays.items() if k != key}",
        FLAT + "[EffectDone]",
    ),
    PlantedFault(
        "core/journal/evolve_entry.py",
        "for id_, number in state.in_line.items() if number < entered]",
        "for id_ in state.entries if (state.entries[id_].entered or entered) < entered]",
        FLAT + "[Landed]",
    ),
    PlantedFault(
        "core/journal/evolve_forgotten.py",
        "[s for s in state.series.get(name, ()) if s in state.published]",
        "[s for s in state.published if s.startswith(name)]",
        FLAT + "[CandidateBuilt]",
    ),
    PlantedFault(
        "core/journal/evolve_people.py",
        "    if event.comment in state.answered or",
        "    if event.comment in set(state.answered) or",
        FLAT + "[CommandHeard]",
    ),
    PlantedFault(
        "core/journal/evolve_main.py",
        "    if len(state.ledger) < 2 * LINES_KEPT:\n",
        "    if len(state.ledger) < LINES_KEPT:\n",
        WALKS + "test_lines_of_the_ledger_are_removed_in_batches",
    ),
    PlantedFault(
        "core/journal/evolve_pull_queue.py",
        "    if len(state.left_pulls) < LEFT_KEPT + LEFT_AT_ONCE:\n",
        "    if len(state.left_pulls) <= LEFT_KEPT:\n",
        WALKS + "test_pulls_that_left_the_queue_are_removed_in_batches",
    ),
    PlantedFault(
        "core/journal/evolve_entry.py",
        "in_line if entry.entered is None else {**in_line, entry.id: entry.entered}",
        "in_line",
        "core/test_stories_of_the_queues_order.py::TestTheOrder::"
        "test_an_entry_overtaken_often_enough_goes_next",
    ),
    PlantedFault(
        "core/journal/evolve_retired.py",
        "        series=without(state.series, *map(series_of_change, gone)),\n",
        "",
        "core/test_stories_of_retirement.py::TestTheState::"
        "test_the_state_does_not_grow_with_ended_runs",
    ),
    PlantedFault(
        "core/journal/evolve_forgotten.py",
        '_OF_COMMIT = ("check:smoke:", "check:onboarding:")\n',
        '_OF_COMMIT = ("check:smoke:",)\n',
        FORGOTTEN + "TestSeries::test_only_the_onboarding_check_of_the_newest_commit_is_remembered",
    ),
    PlantedFault(
        "core/journal/evolve_forgotten.py",
        "less(left, subject), less(open_checks, subject)",
        "left, less(open_checks, subject)",
        FORGOTTEN + "TestSeries::test_a_series_is_as_short_as_its_published_effects",
    ),
    PlantedFault(
        "core/journal/evolve_specs.py",
        "        found[place : place + is_known] = [entry]\n",
        "        found[place:place] = [entry]\n",
        "core/journal/test_cost_of_a_fold.py::test_the_register_is_sorted_by_id",
    ),
    PlantedFault(
        "core/journal/evolve_specs.py",
        '        place = bisect_left(found, entry.rid, key=attrgetter("rid"))\n',
        "        place = len(found)\n",
        "core/journal/test_cost_of_a_fold.py::test_the_register_is_sorted_by_id",
    ),
    PlantedFault(
        "core/journal/evolve_people.py",
        "        if newer == _NEWER_PASSED:\n",
        "        if newer:\n",
        FORGOTTEN + "TestComments::test_an_old_one_behind_newer_ones_is_forgotten_with_its_time",
    ),
    PlantedFault(
        "core/journal/evolve_people.py",
        "        if newer == _NEWER_PASSED:\n",
        "        if False:\n",
        FLAT + "[CommentsRead]",
    ),
    PlantedFault(
        "core/journal/evolve_smoke.py",
        "    return (*smoke.earlier, smoke.order) if smoke",
        "    return (smoke.order,) if smoke",
        "core/test_stories_of_smoke.py::TestAfterALanding::"
        "test_an_unfinished_order_is_removed_with_a_later_one",
    ),
    PlantedFault(
        "core/journal/evolve_smoke.py",
        "if o.is_open or o.id in probes)",
        "if o.id in probes)",
        "core/test_stories_of_smoke.py::TestAfterALanding::"
        "test_an_unfinished_order_is_removed_with_a_later_one",
    ),
    PlantedFault(
        "core/journal/evolve_forgotten.py",
        '_OF_COMMIT = ("check:smoke:", "check:onboarding:")\n',
        '_OF_COMMIT = ("check:onboarding:",)\n',
        "core/test_stories_of_smoke.py::TestAfterALanding::"
        "test_the_state_keeps_only_the_newest_smoke_run",
    ),
    PlantedFault(
        "core/journal/evolve_questions.py",
        "    if more < _DECISIONS_AT_ONCE:\n",
        "    if more:\n",
        FORGOTTEN + "TestDecisions::test_the_newest_decisions_are_remembered",
    ),
    PlantedFault(
        "core/journal/evolve_questions.py",
        "{**without(state.decisions, topic), topic: answer}",
        "{**state.decisions, topic: answer}",
        FORGOTTEN + "TestDecisions::test_a_repeated_decision_counts_as_new",
    ),
    PlantedFault(
        "core/journal/evolve_questions.py",
        "islice(decisions, more) if t not in asked)",
        "islice(decisions, more))",
        FORGOTTEN + "TestDecisions::test_a_decision_that_is_asked_at_another_place_is_kept",
    ),
    PlantedFault(
        "core/journal/retired_issues.py",
        "        return 0 < labelling <= self.forgotten_up_to\n",
        "        return labelling <= self.forgotten_up_to\n",
        RETIRED + "test_an_issue_that_no_person_labelled_is_never_old",
    ),
    PlantedFault(
        "core/journal/retired_issues.py",
        "max(forgotten, _read(oldest).labelling)",
        "_read(oldest).labelling",
        RETIRED + "test_the_newest_label_of_issues_without_a_line_is_remembered",
    ),
    PlantedFault(
        "core/journal/retired_issues.py",
        "        if one.spec is not None:\n",
        "        if one.spec is not None and False:\n",
        RETIRED + "test_an_issue_that_led_to_a_spec_keeps_its_line",
    ),
    PlantedFault(
        "core/journal/retired_issues.py",
        "_without(self.bare, one.issue)",
        "self.bare",
        RETIRED + "test_a_line_moves_when_its_issue_leads_to_a_spec",
    ),
    PlantedFault(
        "core/decide/people/advance_dialogue.py",
        "    return not decision.state.retired_issues.is_old(snapshot.labelling)\n",
        "    return True\n",
        RETIRED + "test_the_oldest_issue_loses_its_line_and_its_label_starts_no_work",
    ),
    PlantedFault(
        "core/decide/people/advance_dialogue.py",
        "        elif _is_labelled_anew(decision, snapshot, known):\n            said",
        "        elif known is None or known.labelling != snapshot.labelling:\n            said",
        RETIRED + "test_a_person_without_permission_gets_one_reply_for_each_new_label",
    ),
    PlantedFault(
        "core/decide/people/onboard.py",
        '    was_offered = OFFERED in published or "offer:gates" in published\n',
        '    was_offered = {OFFERED, "offer:gates"} & set(published)\n',
        TICKS + "test_a_tick_walks_no_growing_collection",
    ),
    PlantedFault(
        "core/decide/people/replaced_checks.py",
        "for subject in state.open_checks)",
        "for subject in state.published)",
        TICKS + "test_a_tick_walks_no_growing_collection",
    ),
    PlantedFault(
        "core/decide/main/follow_rules.py",
        '    return f"check:{_subject(state)}" in state.series\n',
        '    return any([s.startswith(f"check:{_subject(state)}") for s in state.published])\n',
        TICKS + "test_a_tick_walks_no_growing_collection",
    ),
    PlantedFault(
        "core/decide/main/tell_pauses.py",
        'state.series.get(f"check:{_SUBJECT}", ())',
        "(s for s in state.published if s.startswith(_SUBJECT))",
        TICKS + "test_a_tick_walks_no_growing_collection",
    ),
    PlantedFault(
        "core/state/off_main.py",
        "landed is None or landed in state.on_line",
        "landed is None",
        TICKS + "test_a_landing_on_main_is_looked_up_without_a_search",
    ),
]
