"""A fault for every guard of candidates as things of their own."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_candidates.py::"
LIFE = STORIES + "TestALife::"
STALE = STORIES + "TestWhatIsStale::"
LANDING = STORIES + "TestLanding::"
PULL = STORIES + "TestAPersonsPull::"
ENTRIES = "core/test_stories_of_entries.py::"
CONVICTION = "core/test_stories_of_conviction.py::"
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
        STALE + "test_what_was_built_as_another_number_is_not_what_was_asked_for",
    ),
    PlantedFault(
        MOVES,
        "on(ev.ChangeStopped, _VOIDED)",
        "on(ev.ChangeStopped, {})",
        LIFE + "test_whoever_stops_its_change_voids_it",
    ),
    PlantedFault(
        "core/journal/evolve_change.py",
        "        covered=dict(ground.covered),\n",
        "        covered={**ground.covered, **after.spec_runs[change.spec_run].requirements},\n",
        LANDING + "test_main_gets_exactly_what_the_candidate_carried",
    ),
    PlantedFault(
        GROUND,
        "filed={**ground.filed, **carried.files}",
        "filed=ground.filed",
        LANDING + "test_it_files_the_register_that_it_carried",
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
        LIFE + "test_the_next_one_takes_its_place_and_no_number_is_given_again",
    ),
    PlantedFault(
        FOLD,
        "without_candidates(replace(state, candidates_made=id_), known.asked)",
        "replace(state, candidates_made=id_)",
        LIFE + "test_what_does_not_merge_is_kept_until_another_is_asked_for",
    ),
    PlantedFault(
        FOLD,
        "CandidateId(state.candidates_made + 1)",
        "CandidateId(len(state.candidates) + 1)",
        PULL + "test_one_that_enters_again_has_a_candidate_of_another_number",
    ),
    PlantedFault(
        "core/journal/evolve_pull_queue.py",
        "    said = with_candidate(state, judged(candidate, event)) if candidate else state\n",
        "    said = state\n",
        PULL + "test_a_red_one_keeps_what_its_gates_said",
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
        ENTRIES + "test_it_keeps_its_place_while_a_command_makes_a_file_anew",
    ),
    PlantedFault(
        "core/journal/entry_transitions.py",
        "on(ev.HeadImported, {_P.WAITING: _P.QUEUED}, never_entered)",
        "on(ev.HeadImported, {})",
        ENTRIES + "test_it_keeps_its_place_while_a_command_makes_a_file_anew",
    ),
    PlantedFault(
        "core/journal/evolve_entry.py",
        "            | ev.HeadTakenOver()\n",
        "",
        ENTRIES + "test_a_persons_push_loses_the_place",
    ),
    PlantedFault(
        "core/journal/evolve_entry.py",
        "        moved = replace(moved, entered=None)\n",
        "        pass\n",
        ENTRIES + "test_who_left_has_no_place_and_enters_anew",
    ),
    PlantedFault(
        "core/journal/evolve_entry.py",
        "return state if said == entry else with_entry(state, said)",
        "return with_entry(state, said)",
        ENTRIES + "test_a_release_of_what_nobody_spoke_of_makes_no_entry",
    ),
    PlantedFault(
        "core/state/queue_void.py",
        "        Phase.RED: _PUSHED,\n",
        "        Phase.RED: _NOTHING,\n",
        CONVICTION + "test_it_is_judged_again_on_main_as_it_is_now",
    ),
    PlantedFault(
        "core/state/queue_void.py",
        "        Phase.RED: _PUSHED,\n",
        "        Phase.RED: _MOVED,\n",
        CONVICTION + "test_what_landed_since_is_no_reason_to_judge_it_again",
    ),
    PlantedFault(
        "core/decide/changes/conclude.py",
        "        _void(decision, order, change, told)\n",
        "        _void(decision, order, change, ())\n",
        CONVICTION + "test_what_passed_there_holds_for_the_same_diff",
    ),
]
