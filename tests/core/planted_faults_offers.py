"""Faults in how far an offered change is, each with the test that notices it."""

from tests.testkit.planting import PlantedFault

OFFERS = "core/test_stories_of_offers.py::"
LANDS = OFFERS + "test_other_events_do_not_change_a_landing_in_progress"

FAULTS = [
    PlantedFault(
        "core/journal/evolve_work.py",
        "        built=(),\n",
        "",
        OFFERS + "test_new_work_after_a_red_gate_has_not_passed",
    ),
    PlantedFault(
        "core/journal/evolve_entry.py",
        "if ENTRIES.knows(event) and ENTRIES.after(",
        "if False and ENTRIES.after(",
        LANDS + "[stopped]",
    ),
    *(
        PlantedFault(
            "core/journal/entry_transitions.py",
            f"        on(ev.{event}, in_place(*_BEFORE_LANDING)),\n",
            "",
            LANDS + f"[{said}]",
        )
        for event, said in (
            ("CandidateVoided", "voided"),
            ("GatesAskedAgain", "asked again"),
        )
    ),
    PlantedFault(
        "core/journal/entry_transitions.py",
        "on(ev.ChangeHeld, in_place(*_BEFORE_LANDING))",
        "on(ev.ChangeHeld, in_place(*_P))",
        LANDS + "[held]",
    ),
    PlantedFault(
        "core/journal/entry_transitions.py",
        "{**in_place(*_OUT), _P.QUEUED: _P.WAITING, _P.EVICTED: _P.WAITING}",
        "{**in_place(*_OUT, _P.LANDING), _P.QUEUED: _P.WAITING, _P.EVICTED: _P.WAITING}",
        LANDS + "[an agent]",
    ),
    PlantedFault(
        "core/journal/candidate_transitions.py",
        "on(ev.LandIntended, in_place(_C.JUDGED), another_commit)",
        "on(ev.LandIntended, in_place(*_C), another_commit)",
        OFFERS + "test_a_landing_starts_only_for_a_passed_candidate",
    ),
    PlantedFault(
        "core/journal/candidate_transitions.py",
        "        on(ev.HeadImported, _VOIDED),\n",
        "",
        OFFERS + "test_new_work_after_a_red_gate_has_not_passed",
    ),
    PlantedFault(
        "core/journal/evolve_change.py",
        "return _folded(with_candidate(state, asked), event, fold) if asked else state",
        "return _folded(with_candidate(state, asked) if asked else state, event, fold)",
        OFFERS + "test_a_late_conflict_of_an_older_candidate_is_ignored[CandidateConflicted]",
    ),
    PlantedFault(
        "core/journal/evolve_change.py",
        "if change is None or (asked is None and change.state is ChangeState.OFFERED):",
        "if change is None:",
        OFFERS + "test_a_late_conflict_of_an_older_candidate_is_ignored[ArchiveRefused]",
    ),
]
