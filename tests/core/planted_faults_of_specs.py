"""A fault for every guard of specs under discussion, and the test that dies of it."""

from tests.core.planted_faults import SPECS
from tests.testkit.planting import PlantedFault

TALK = "core/test_spec_talk.py::"
EDITS = SPECS + "TestEdits::"
ISSUES = "core/test_spec_issues.py::"

DISCUSSION_FAULTS = [
    PlantedFault(
        "core/decide/specs/propose_issue_spec.py",
        "    if not snapshot.role.covers(Role.WRITE):\n",
        "    if not snapshot.labelled_by:\n",
        ISSUES + "test_a_spec_label_without_write_permission_proposes_nothing",
    ),
    PlantedFault(
        "core/decide/specs/propose_issue_spec.py",
        "    if is_proposed or main is None or facts is None or is_being_proposed(decision, snapshot.number):\n        return\n",
        "    if main is None or is_being_proposed(decision, snapshot.number):\n        return\n",
        ISSUES + "test_a_spec_issue_is_proposed_once_for_each_text",
    ),
    PlantedFault(
        "core/spec/issue_text.py",
        "seen = without_unseen_characters(text)",
        "seen = text",
        ISSUES + "test_hidden_text_of_an_issue_is_removed_and_counted",
    ),
    PlantedFault(
        "core/spec/issue_text.py",
        "        if fence or (opened and not inside):\n",
        "        if opened and not inside:\n",
        ISSUES + "test_hidden_text_of_an_issue_is_removed_and_counted",
    ),
    PlantedFault(
        "core/spec/triage/spec_questions.py",
        "if decision is None or decision.text_hash != question.text_hash:",
        "if decision is None:",
        TALK + "TestQuestions::test_an_answer_expires_with_the_text",
    ),
    PlantedFault(
        "core/spec/triage/spec_questions.py",
        "    last = before.last\n",
        "    last = max(numbers.values(), default=0)\n",
        TALK + "TestQuestions::test_a_number_is_not_given_twice",
    ),
    PlantedFault(
        "core/spec/triage/spec_questions.py",
        "(question.severity is Severity.BLOCK or is_strict)",
        "is_strict",
        TALK + "TestQuestions::test_unanswered_questions_block_a_plan_as_the_policy_says",
    ),
    PlantedFault(
        "core/decide/people/approve_plan.py",
        "    if holding:\n",
        "    if holding and not run.plan:\n",
        TALK + "TestQuestions::test_only_writers_can_answer_and_approval_needs_the_answer",
    ),
    PlantedFault(
        "core/decide/people/run_commands.py",
        "    if not role.covers(needed):\n",
        "    if not role.covers(needed) and command.verb is not Verb.ANSWER:\n",
        TALK + "TestQuestions::test_only_writers_can_answer_and_approval_needs_the_answer",
    ),
    PlantedFault(
        "core/spec/triage/guardrails.py",
        "    return new if old.source_id == new.source_id else None\n",
        "    return new\n",
        TALK + "TestLosses::test_a_similar_requirement_does_not_replace_a_deleted_one",
    ),
    PlantedFault(
        "core/spec/triage/guardrails.py",
        "        if normal(old.title) in excused:\n            continue\n",
        "",
        TALK + "TestLosses::test_removals_in_a_delta_are_not_losses",
    ),
    PlantedFault(
        "core/spec/triage/guardrails.py",
        "    known = registered(Register(), _outside_deltas(before), ",
        "    known = registered(Register(), before, ",
        TALK + "TestLosses::test_removals_in_a_delta_are_not_losses",
    ),
    PlantedFault(
        "core/decide/specs/check_spec_pull.py",
        "if facts is None or _is_being_published(decision, snapshot.number):",
        "if facts is None:",
        TALK + "TestPulls::test_no_older_digest_overtakes_a_newer_one",
    ),
    PlantedFault(
        "core/state/observed.py",
        "if has_main_moved or state.is_outdated(d)}",
        "if has_main_moved}",
        TALK + "TestPulls::test_an_answer_updates_the_check_and_is_dropped_with_the_pull",
    ),
    PlantedFault(
        "core/decide/decision.py",
        "if self.observed.spec_versions.get(run.id) != run.version:",
        "if False:",
        EDITS + "test_no_order_uses_the_old_text_after_an_approved_edit",
    ),
    PlantedFault(
        "core/journal/evolve_change.py",
        "change.head_is_whole and not event.is_new_text and not",
        "change.head_is_whole and not",
        EDITS + "test_an_approved_edit_orders_the_change_again_with_the_new_text",
    ),
    PlantedFault(
        "core/decide/specs/end_spec_run.py",
        "if is_at_rest and run.proposed_edit is None and replan",
        "if is_at_rest and replan",
        EDITS + "test_an_edit_during_a_run_waits_for_approval_and_other_work_continues",
    ),
    PlantedFault(
        "core/decide/specs/spec_edit.py",
        "if change.landed is None and moved & set(change.planned.requirements)",
        "if change.landed is None",
        EDITS + "test_an_edit_during_a_run_waits_for_approval_and_other_work_continues",
    ),
    PlantedFault(
        "core/decide/specs/spec_edit.py",
        "        _resume(decision, _paused(run))\n",
        "",
        EDITS + "test_a_changed_requirement_stops_only_its_change_until_the_edit_is_reverted",
    ),
]
