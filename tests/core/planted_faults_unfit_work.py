"""Faults in how work that does not fit main is asked about anew, each with the test that notices it."""

from tests.testkit.planting import PlantedFault

ADVANCE = "core/decide/changes/advance.py"
STORY = "core/test_stories_of_unfit_work.py::"
PULLS = STORY + "TestPulls::"

FAULTS = [
    PlantedFault(
        ADVANCE,
        "(is_clean or change.start_base == change.unfit_on)",
        "is_clean",
        STORY + "TestConflicts::test_work_that_merges_with_the_repaired_main_needs_no_agent",
    ),
    PlantedFault(
        ADVANCE,
        "change.unfit_on in {None, state.main} or not",
        "change.unfit_on is None or not",
        STORY + "TestRefusedArchives::test_a_refused_archive_on_a_green_main_fails_the_change",
    ),
    PlantedFault(
        ADVANCE,
        "    if not is_doubtful(state, main):\n        # Agents",
        "    if True:\n        # Agents",
        STORY + "TestRefusedArchives::test_an_unjudged_main_fails_no_change",
    ),
    PlantedFault(
        ADVANCE,
        "    if change.unfit_on not in {None, main}:\n        return False\n",
        "",
        STORY + "TestRefusedArchives::test_a_waiting_change_starts_on_a_main_that_it_fits",
    ),
    PlantedFault(
        "core/state/reason.py",
        "    if change.unfit_on == state.main and state.main is not None",
        "    if False and state.main is not None",
        STORY + "TestRefusedArchives::test_an_unjudged_main_fails_no_change",
    ),
    PlantedFault(
        "core/journal/evolve_change_candidate.py",
        "conflicts=change.conflicts - was_conflict,",
        "conflicts=change.conflicts,",
        STORY + "TestConflicts::test_work_that_merges_with_the_repaired_main_needs_no_agent",
    ),
    PlantedFault(
        "core/journal/evolve_change_candidate.py",
        "change.conflicts + (not is_again)",
        "change.conflicts + 1",
        "core/test_stories_of_unfit_work.py::TestConflicts::test_a_conflict_counts_once_although_main_moves_repeatedly",
    ),
    PlantedFault(
        "core/journal/evolve_change_candidate.py",
        "start_attempt=0 if is_again else change.start_attempt,",
        "start_attempt=change.start_attempt,",
        "core/test_stories_of_unfit_work.py::TestConflicts::test_a_conflict_counts_once_although_main_moves_repeatedly",
    ),
    PlantedFault(
        "core/decide/queue/pulls.py",
        "not does_not_fit(decision.state, pull) or is_doubtful(decision.state, unfit.base)",
        "not does_not_fit(decision.state, pull)",
        PULLS + "test_a_conflicting_pull_leaves_once_an_unjudged_main_has_passed",
    ),
    PlantedFault(
        "core/decide/queue/pulls.py",
        "not does_not_fit(decision.state, pull) or is_doubtful(decision.state, unfit.base)",
        "is_doubtful(decision.state, unfit.base)",
        PULLS + "test_a_conflict_with_an_older_main_does_not_remove_a_pull",
    ),
    PlantedFault(
        "core/state/queue_order.py",
        " or does_not_fit(state, queued)\n",
        "\n",
        PULLS + "test_a_conflicting_pull_leaves_once_an_unjudged_main_has_passed",
    ),
    PlantedFault(
        "core/journal/pull_transitions.py",
        "on(ev.PullUnfit, in_place(_P.WAITING), used_number_of_pull)",
        "on(ev.PullUnfit, in_place(_P.WAITING))",
        PULLS + "test_a_late_build_does_not_affect_the_next_round",
    ),
]
