"""A fault for every guard of issues that leave the state, and of what is forgotten with them."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_retired_issues.py::"
STATE = STORIES + "TestTheState::"
LATE = STORIES + "TestLateCommands::"
LABELS = STORIES + "TestLabelsOfOthers::"
LINE = STORIES + "TestRetiredRecord::"
RULE = "core/decide/people/retire_issues.py"
FOLD = "core/journal/evolve_retired_issues.py"
KEPT = "core/journal/retired_issues.py"

RETIRED_ISSUES_FAULTS = [
    PlantedFault(
        "core/decide/decide.py",
        "    retire_issues.next_steps(decision)\n",
        "",
        STATE + "test_the_newest_dialogues_stay_and_older_ones_leave",
    ),
    PlantedFault(
        RULE,
        "        gone = over[:-ENDED_ISSUES_KEPT]\n",
        "        gone = over\n",
        STATE + "test_the_newest_dialogues_stay_and_older_ones_leave",
    ),
    PlantedFault(
        RULE,
        "if issue not in busy)[:_AT_ONCE]",
        ")[:_AT_ONCE]",
        STATE + "test_a_dialogue_with_an_open_comment_effect_stays",
    ),
    PlantedFault(
        FOLD,
        "dialogue.phase is DialoguePhase.ENDED and dialogue.is_told",
        "dialogue.is_told",
        STATE + "test_a_dialogue_leaves_after_its_end_was_published",
    ),
    PlantedFault(
        FOLD,
        "dialogue.phase is DialoguePhase.ENDED and dialogue.is_told",
        "dialogue.phase is DialoguePhase.ENDED",
        STATE + "test_a_dialogue_leaves_after_its_end_was_published",
    ),
    PlantedFault(
        FOLD,
        "    if spec is None or spec.is_withdrawn:\n        return is_silent\n",
        "    if True:\n        return is_silent\n",
        STATE + "test_an_offered_spec_issue_stays",
    ),
    PlantedFault(
        FOLD,
        "    return is_silent and withdraw.key in state.refused\n",
        "    return False\n",
        STATE + "test_a_spec_issue_leaves_even_if_github_refuses_to_close_its_pull",
    ),
    PlantedFault(
        FOLD,
        "for k, d in state.published.items() if issue_of_key(k) not in gone}",
        "for k, d in state.published.items()}",
        STATE + "test_withdrawn_spec_issues_leave_the_state",
    ),
    PlantedFault(
        FOLD,
        "for k, why in state.refused.items() if issue_of_key(k) not in gone}",
        "for k, why in state.refused.items()}",
        STATE + "test_a_spec_issue_leaves_even_if_github_refuses_to_close_its_pull",
    ),
    PlantedFault(
        FOLD,
        "        labelling=dialogue.labelling if dialogue else 0,\n",
        "",
        LATE + "test_the_same_label_does_not_restart_a_retired_dialogue",
    ),
    PlantedFault(
        "core/journal/evolve_dialogue.py",
        "    known = dialogue_of(state, event.issue)\n    phase",
        "    known = state.dialogues.get(event.issue)\n    phase",
        LATE + "test_a_new_label_starts_the_next_dialogue_with_its_own_comment",
    ),
    PlantedFault(
        "core/decide/people/run_commands.py",
        "dialogue_of(decision.state, issue)",
        "decision.state.dialogues.get(issue)",
        LATE + "test_late_commands_on_a_retired_issue_are_answered_as_before",
    ),
    PlantedFault(
        "core/decide/specs/propose_issue_spec.py",
        "    before = spec_issue_of(decision.state, issue)\n",
        "    before = decision.state.spec_issues.get(issue)\n",
        LATE + "test_a_relabelled_spec_is_proposed_in_the_next_round_at_its_path",
    ),
    PlantedFault(
        "core/decide/specs/propose_issue_spec.py",
        "    promised |= decision.state.retired_issues.paths()\n",
        "",
        LATE + "test_the_path_of_a_spec_that_left_is_not_given_to_another",
    ),
    PlantedFault(
        "core/decide/people/advance_dialogue.py",
        "known = spec_issue_of(self._decision.state, dialogue.issue)",
        "known = self._draft.state.spec_issues.get(dialogue.issue)",
        LATE + "test_a_dialogue_about_a_spec_that_left_offers_the_next_round",
    ),
    PlantedFault(
        RULE,
        "    gone += _unlabelled(decision)\n",
        "",
        LABELS + "test_the_reply_about_a_label_is_forgotten_when_the_label_is_removed",
    ),
    PlantedFault(
        FOLD,
        "    return told - state.dialogues.keys() - state.spec_issues.keys()\n",
        "    return told\n",
        LABELS + "test_a_full_look_reads_issues_whose_label_may_be_removed",
    ),
    PlantedFault(
        "core/state/observed.py",
        "    asked = told_of_label(state) if is_full else set[IssueNumber]()\n",
        "    asked = set[IssueNumber]()\n",
        LABELS + "test_a_full_look_reads_issues_whose_label_may_be_removed",
    ),
    PlantedFault(
        KEPT,
        'lines.replace(f"\\n{known.line}", "\\n", 1) if known else lines',
        "lines",
        LINE + "test_a_retired_issue_has_one_record_and_the_newest_counts",
    ),
    PlantedFault(
        KEPT,
        "{json.dumps(self.path)}",
        '\\"{self.path}\\"',
        LINE + "test_a_retired_issue_has_one_record_and_the_newest_counts",
    ),
]
