"""A fault for every guard of candidates as things of their own."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_candidates.py::"
LIFE = STORIES + "TestLifecycle::"
STALE = STORIES + "TestStaleEvents::"
LANDING = STORIES + "TestLanding::"
PULL = STORIES + "TestAPersonsPull::"
ENTRIES = "core/test_stories_of_entries.py::"
CONVICTION = "core/test_stories_of_red_candidates.py::"
MOVES = "core/journal/candidate_transitions.py"
GROUND = "core/journal/ground.py"
CONTENT = "core/talk/candidate_content.py"
REBUILT = "adapters/test_rebuilt_candidates.py::"
FOLD = "core/journal/evolve_candidate.py"

CANDIDATE_FAULTS = [
    PlantedFault(
        "core/journal/evolve_change.py",
        "if change is None or candidate is None or after is None:",
        "if change is None or after is None:",
        STALE + "test_a_verdict_of_another_commit_moves_neither_the_candidate_nor_the_change",
    ),
    PlantedFault(
        MOVES,
        "on(ev.CandidatePassed, {_C.JUDGING: _C.JUDGED}, another_order, another_commit)",
        "on(ev.CandidatePassed, {_C.JUDGING: _C.JUDGED}, another_commit)",
        STALE + "test_a_verdict_of_an_older_order_moves_neither",
    ),
    PlantedFault(
        MOVES,
        "    return event.number != candidate.number\n",
        "    return False\n",
        STALE + "test_a_build_with_another_number_is_ignored",
    ),
    PlantedFault(
        MOVES,
        "on(ev.ChangeStopped, _VOIDED)",
        "on(ev.ChangeStopped, {})",
        LIFE + "test_stopping_a_change_voids_its_candidate",
    ),
    PlantedFault(
        "core/journal/evolve_change.py",
        "    return with_carried(_without_pull(after, change.pull), carried)\n",
        "    own = after.spec_runs[change.spec_run].requirements\n    carried = replace(carried, covers={**carried.covers, **own})\n    return with_carried(_without_pull(after, change.pull), carried)\n",
        LANDING + "test_main_gets_exactly_the_content_of_the_candidate",
    ),
    PlantedFault(
        GROUND,
        "filed={**ground.filed, **carried.files}",
        "filed=ground.filed",
        LANDING + "test_a_landing_records_the_register_of_its_candidate",
    ),
    PlantedFault(
        GROUND,
        "landed={*ground.landed, *carried.lands}",
        "landed=ground.landed",
        REBUILT + "test_the_folder_is_moved_by_the_last_candidate_that_remains",
    ),
    PlantedFault(
        CONTENT,
        "all(c.id in ground.landed or",
        "all(c.landed is not None or",
        REBUILT + "test_the_folder_is_moved_by_the_last_candidate_that_remains",
    ),
    PlantedFault(
        CONTENT,
        "is_filed = ground.filed.get(run.key)",
        "is_filed = state.register_filed.get(run.key)",
        REBUILT + "test_the_register_is_added_by_the_first_remaining_candidate",
    ),
    PlantedFault(
        "shell/make_candidate.py",
        "(recipe.base,) if recipe.shape is Shape.LINEAR else (recipe.base, step.head)",
        "(recipe.base,)",
        REBUILT + "test_a_persons_pull_is_a_merge_of_both",
    ),
    PlantedFault(
        FOLD,
        "    others = without_candidates(state, known.candidate)\n",
        "    others = state\n",
        LIFE + "test_a_new_candidate_replaces_the_old_and_numbers_are_not_reused",
    ),
    PlantedFault(
        FOLD,
        "without_candidates(replace(state, candidates_made=id_), known.asked)",
        "replace(state, candidates_made=id_)",
        LIFE + "test_a_conflicting_candidate_is_kept_until_another_is_requested",
    ),
    PlantedFault(
        FOLD,
        "CandidateId(state.candidates_made + 1)",
        "CandidateId(len(state.candidates) + 1)",
        PULL + "test_a_pull_queued_again_gets_a_candidate_with_a_new_number",
    ),
    PlantedFault(
        "core/journal/evolve_pull_queue.py",
        "    said = with_candidate(state, judged(candidate, event)) if candidate else state\n",
        "    said = state\n",
        PULL + "test_a_red_candidate_of_a_pull_keeps_its_gate_results",
    ),
    PlantedFault(
        "core/journal/evolve_retired.py",
        "without_entries(state, *(change.entry for change in gone.values())),",
        "state,",
        STORIES + "test_a_retired_run_leaves_no_candidate",
    ),
    PlantedFault(
        "core/journal/entry_transitions.py",
        "{**in_place(*_OUT), _P.QUEUED: _P.WAITING, _P.EVICTED: _P.WAITING}",
        "{**in_place(*_OUT), _P.QUEUED: _P.QUEUED, _P.EVICTED: _P.WAITING}",
        ENTRIES + "test_an_entry_keeps_its_place_while_a_file_is_regenerated",
    ),
    PlantedFault(
        "core/journal/entry_transitions.py",
        "on(ev.HeadImported, {_P.WAITING: _P.QUEUED}, never_entered)",
        "on(ev.HeadImported, {})",
        ENTRIES + "test_an_entry_keeps_its_place_while_a_file_is_regenerated",
    ),
    PlantedFault(
        "core/journal/evolve_entry.py",
        "            | ev.HeadTakenOver()\n",
        "",
        ENTRIES + "test_a_push_by_a_person_loses_the_queue_place",
    ),
    PlantedFault(
        "core/journal/evolve_entry.py",
        "        moved = replace(moved, entered=None)\n",
        "        pass\n",
        ENTRIES + "test_an_entry_that_left_enters_at_a_new_place",
    ),
    PlantedFault(
        "core/journal/evolve_entry.py",
        "return state if said == entry else with_entry(state, said)",
        "return with_entry(state, said)",
        ENTRIES + "test_releasing_an_unknown_entry_creates_none",
    ),
    PlantedFault(
        "core/state/queue_void.py",
        "        Phase.RED: _PUSHED,\n",
        "        Phase.RED: _NOTHING,\n",
        CONVICTION + "test_a_red_change_is_judged_again_on_the_current_main",
    ),
    PlantedFault(
        "core/state/queue_void.py",
        "        Phase.RED: _PUSHED,\n",
        "        Phase.RED: _MOVED,\n",
        CONVICTION + "test_later_landings_do_not_cause_another_judgement",
    ),
    PlantedFault(
        "core/decide/changes/conclude.py",
        "        _void(decision, order, change, told)\n",
        "        _void(decision, order, change, ())\n",
        CONVICTION + "test_results_for_the_same_diff_are_reused_on_the_current_main",
    ),
]
