"""A fault for every guard of issues that ask for work, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_dialogues.py::"
WRITTEN = "core/prompts/issue/test_written.py::"
COMMANDS = "core/test_commands.py::"

DIALOGUE_FAULTS = [
    PlantedFault(
        "core/decide/people/advance_dialogue.py",
        "    if not snapshot.role.covers(Role.WRITE):\n",
        "    if False:\n",
        STORIES + "TestBeginning::test_a_label_without_write_permission_starts_no_dialogue",
    ),
    PlantedFault(
        "core/decide/people/advance_dialogue.py",
        "        if _is_labelled_anew(decision, snapshot, known):\n            decision.emit(\n",
        "        if True:\n            decision.emit(\n",
        STORIES + "TestBeginning::test_a_withdrawn_request_ends_the_dialogue",
    ),
    PlantedFault(
        "core/values/issue_input.py",
        "        return self.round > ROUNDS_MAX\n",
        "        return self.round > ROUNDS_MAX + 1\n",
        STORIES + "TestRounds::test_after_three_rounds_the_model_must_write_the_spec",
    ),
    PlantedFault(
        "core/decide/people/advance_dialogue.py",
        "        if self._round > ROUNDS_MAX or (asked",
        "        if (asked",
        STORIES + "TestDrafts::test_if_the_model_fails_after_three_rounds_peoples_words_are_used",
    ),
    PlantedFault(
        "core/decide/people/advance_dialogue.py",
        " and known.edits < EDITS_MAX:",
        ":",
        STORIES + "TestEdits::test_only_the_first_edits_are_read_at_once",
    ),
    PlantedFault(
        "core/decide/people/advance_dialogue.py",
        'digest(" ".join(visible(f"{snapshot.title}\\n{snapshot.body}").split()), 12)',
        'digest(f"{snapshot.title}\\n{snapshot.body}", 12)',
        STORIES + "TestEdits::test_layout_and_hidden_text_do_not_count_as_an_edit",
    ),
    PlantedFault(
        "core/decide/people/advance_dialogue.py",
        "text.reasons and len(dialogue.rejections) < _RETURNS_MAX",
        "text.reasons",
        STORIES + "TestDrafts::test_an_incomplete_draft_is_returned_once_and_then_left_to_people",
    ),
    PlantedFault(
        "core/decide/people/advance_dialogue.py",
        "        elif not text.is_read_back:\n",
        "        elif False:\n",
        STORIES
        + "TestDrafts::test_an_invalid_draft_is_dropped_after_two_tries_and_people_are_asked",
    ),
    PlantedFault(
        "core/decide/people/answer_question.py",
        "    refused = (a.number for a in answers if a.number not in asked)\n",
        "    refused = (a.number for a in answers if False)\n",
        STORIES + "TestRounds::test_an_unknown_number_is_refused_with_the_valid_numbers",
    ),
    PlantedFault(
        "core/values/question.py",
        "            if q.number in self.answers and q.number not in fresh\n",
        "            if q.number not in fresh\n",
        STORIES + "TestEdits::test_a_changed_text_is_read_again_in_the_same_round_and_answers_stay",
    ),
    PlantedFault(
        "core/journal/transitions.py",
        "{**dict.fromkeys(_D, _D.PROPOSED), _D.ENDED: _D.ENDED}",
        "{_D.THINKING: _D.PROPOSED, _D.ASKING: _D.PROPOSED}",
        STORIES + "TestBeginning::test_a_proposal_in_progress_is_withdrawn_after_a_stop",
    ),
    PlantedFault(
        "core/prompts/spec_from_answers.py",
        '_OPENING.sub("", " ".join(visible(text).split()))',
        '_OPENING.sub("", " ".join(text.split()))',
        WRITTEN + "test_every_field_is_written_on_one_line",
    ),
    PlantedFault(
        "core/prompts/spec_from_answers.py",
        '_OPENING.sub("", " ".join(visible(text).split()))',
        '_OPENING.sub("", visible(text))',
        WRITTEN + "test_every_field_is_written_on_one_line",
    ),
    PlantedFault(
        "core/prompts/spec_from_answers.py",
        "    if found != wanted:\n",
        "    if False:\n",
        WRITTEN + "test_a_text_that_does_not_read_back_is_reported_and_not_used",
    ),
    PlantedFault(
        "core/prompts/issue_forms.py",
        "        if bool(self.questions) == (self.spec is not None):\n",
        "        if False:\n",
        WRITTEN + "test_an_answer_is_questions_or_a_spec_and_never_both_or_neither",
    ),
    PlantedFault(
        "core/decide/specs/propose_issue_spec.py",
        "        if _belongs_to_dialogue(decision, number):\n            continue\n",
        "",
        STORIES + "TestBeginning::test_a_dialogues_spec_is_not_handled_as_a_spec_issue",
    ),
    PlantedFault(
        "shell/prompt_texts.py",
        "    return now == (about.begun, about.round, about.digest, about.rejections)\n",
        "    return bool(now)\n",
        STORIES + "TestDrafts::test_a_reply_to_an_outdated_prompt_is_not_used",
    ),
    PlantedFault(
        "core/talk/commands.py",
        "        if number in asked and number > last and inside.start() > 0:\n",
        "        if number > last and inside.start() > 0:\n",
        COMMANDS + "test_answers_within_a_line_start_at_asked_numbers",
    ),
]
