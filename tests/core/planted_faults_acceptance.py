"""A fault for each guard of what a person is asked about a candidate."""

from tests.testkit.planting import PlantedFault

WORD = "core/decide/changes/await_acceptance.py"
CHECKS = "core/decide/changes/await_checks.py"
STORY = "core/test_stories_of_acceptance.py::"
ASKING = STORY + "TestOpenAcceptance::"
ANSWERS = STORY + "TestAnswers::"

ACCEPTANCE_FAULTS = [
    PlantedFault(
        CHECKS,
        "    if not is_red and any(said[name] is None for name in asked):\n        return\n",
        "",
        ASKING + "test_a_candidate_does_not_land_before_a_person_accepts_it",
    ),
    PlantedFault(
        CHECKS,
        "acceptance_gates if gate.required}",
        "acceptance_gates}",
        ASKING + "test_a_warning_does_not_wait_for_an_answer",
    ),
    PlantedFault(
        CHECKS,
        "    required += [result for result in people if result.gate in asked]\n",
        "",
        ANSWERS + "test_a_rejected_candidate_is_returned_before_other_answers_arrive",
    ),
    PlantedFault(
        WORD,
        "    if not role.covers(gate.role):\n",
        "    if False:\n",
        ANSWERS + "test_an_answer_with_a_weaker_role_is_refused_once",
    ),
    PlantedFault(
        WORD,
        "is_asked = awaited is not None and awaited.candidate == pressed.sha",
        "is_asked = awaited is not None",
        ANSWERS + "test_an_answer_for_another_commit_or_gate_is_ignored",
    ),
    PlantedFault(
        WORD,
        'if pressed.external_id.endswith(f":{one.name}")',
        "if one.name",
        ANSWERS + "test_an_answer_for_another_commit_or_gate_is_ignored",
    ),
    PlantedFault(
        WORD,
        "    if all(one.gate != gate.name for one in awaited.answers):\n",
        "    if True:\n",
        ANSWERS + "test_the_first_answer_counts",
    ),
    PlantedFault(
        WORD,
        "    return known.result if known is not None else None\n",
        "    return None\n",
        ANSWERS + "test_an_acceptance_stays_valid_for_the_same_diff_on_a_newer_main",
    ),
    PlantedFault(
        "core/state/capacity.py",
        " or waits_for_people(state, change))",
        ")",
        ANSWERS + "test_a_change_that_waits_for_a_person_does_not_hold_up_others",
    ),
    PlantedFault(
        "core/decide/people/show_gates.py",
        "if (result := said[gate.name]) is None",
        "if (result := said[gate.name]) is None or result",
        ANSWERS + "test_an_answer_is_shown_while_another_is_awaited",
    ),
    PlantedFault(
        "core/state/queue_order.py",
        "elif not waits_for_people(state, state.changes[ChangeId(name)]):",
        "else:",
        ANSWERS + "test_a_queue_entry_that_waits_for_acceptance_does_not_block_others",
    ),
    PlantedFault(
        "core/spec/policy.py",
        "return (*self.external_gates, *self.review_gates, *self.acceptance_gates)",
        "return self.external_gates",
        ANSWERS + "test_a_rejected_candidate_is_returned_to_an_agent",
    ),
    PlantedFault(
        "core/talk/report.py",
        "        *accepted_deviations(state, (g.name for g in policy.acceptance_gates), changes),\n",
        "",
        ANSWERS + "test_its_deviations_stay_listed_in_the_report",
    ),
]
