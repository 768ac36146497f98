"""A fault for every guard of what is read of specs and asked about them."""

from tests.testkit.planting import PlantedFault

OPEN = "core/spec/triage/open_text.py"
OPEN_TEXT = "core/spec/test_open_text.py::"
NOT_OPEN = OPEN_TEXT + "test_the_products_own_words_do_not_block"
EARS = "core/spec/test_ears.py::"
STEPS = "core/spec/scenario_steps.py"
CONTRADICTIONS = "core/spec/triage/contradictions.py"
TWO_SUBJECTS = OPEN_TEXT + "test_two_subjects_or_two_limits_do_not_contradict"

PROSE = "core/spec/formats/prose.py"
SHAPE = "core/spec/test_shapes.py::test_readers_find_exactly_the_marked_requirements"
READ = "core/spec/test_recognised_requirements.py::"

SPEC_READING_FAULTS = [
    PlantedFault(OPEN, "    plain = blanked(text)\n", "    plain = text\n", NOT_OPEN),
    PlantedFault(
        OPEN,
        "    if _SAID_BEFORE.search(before) or _SAID_AFTER.match(after):\n        return True\n",
        "    if _SAID_AFTER.match(after):\n        return True\n",
        NOT_OPEN,
    ),
    PlantedFault(
        OPEN,
        "    if _SAID_BEFORE.search(before) or _SAID_AFTER.match(after):\n        return True\n",
        "    if _SAID_BEFORE.search(before):\n        return True\n",
        NOT_OPEN,
    ),
    PlantedFault(
        OPEN,
        "    return bool(_LISTED.search(before) or _LISTING.match(after))\n",
        "    return False\n",
        NOT_OPEN,
    ),
    PlantedFault(
        OPEN,
        "    if _SETTLED.match(inner) or _SETTLED_AFTER.match(after) or _is_struck(plain, match):\n        return False\n",
        "",
        NOT_OPEN,
    ),
    PlantedFault(
        OPEN,
        "    is_named = _NAMED_BEFORE.search(before) or _SAID_AFTER.match(after)\n",
        "    is_named = None\n",
        NOT_OPEN,
    ),
    PlantedFault(
        OPEN,
        "                severity = Severity.ASK if _may_be_a_name(plain, match) else Severity.BLOCK\n",
        "                severity = Severity.BLOCK\n",
        OPEN_TEXT + "test_a_word_that_may_be_a_state_is_a_question_and_does_not_block",
    ),
    PlantedFault(
        OPEN,
        "            return not any(_open_words(blanked(answer)))\n",
        "            return True\n",
        OPEN_TEXT + "test_an_answered_question_in_the_text_is_not_asked",
    ),
    PlantedFault(
        "core/spec/triage/triage.py",
        "        if not text.strip() or line in answered:\n",
        "        if not text.strip():\n",
        OPEN_TEXT + "test_an_answered_question_in_the_text_is_not_asked",
    ),
    PlantedFault(
        "core/spec/triage/gathered.py",
        "    if finding.severity is Severity.BLOCK:\n        return position\n",
        "",
        OPEN_TEXT + "test_blocks_are_never_joined",
    ),
    PlantedFault(
        "core/spec/triage/gathered.py",
        "[max(QUESTIONS_MAX - blocks, 0) :]",
        "[QUESTIONS_MAX:]",
        OPEN_TEXT + "test_at_most_ten_questions_are_asked_and_the_rest_is_counted",
    ),
    PlantedFault(
        "core/spec/triage/gathered.py",
        "    left_out = sorted(asked, key=_cost)[",
        "    left_out = asked[",
        OPEN_TEXT + "test_the_most_expensive_questions_are_asked_first",
    ),
    PlantedFault(
        CONTRADICTIONS,
        " or not small <= large:",
        ":",
        TWO_SUBJECTS,
    ),
    PlantedFault(
        CONTRADICTIONS,
        "        and not (first.bound and second.bound and first.bound != second.bound)\n",
        "",
        TWO_SUBJECTS,
    ),
    PlantedFault(
        CONTRADICTIONS,
        "    if first.is_conditional is not second.is_conditional:\n        return False\n",
        "",
        TWO_SUBJECTS,
    ),
    PlantedFault(
        "core/talk/decisions_text.py",
        "            for identifier in named:\n",
        "            for identifier in named[:1]:\n",
        "core/test_spec_talk.py::TestQuestions::test_an_answer_about_several_places_is_added_to_each",
    ),
    PlantedFault(
        "core/spec/triage/spec_questions.py",
        "                text_hash=hash_of(p.text_hash for p in places)\n",
        "                text_hash=owner.text_hash\n",
        "core/test_spec_talk.py::TestQuestions::"
        "test_an_answer_about_several_places_expires_with_each_of_their_texts",
    ),
    PlantedFault(
        STEPS,
        "    marks = [*([opening] if opening else []), *bold_steps(plain)]\n",
        "    marks = [*([opening] if opening else []), *bold_steps(plain.replace(_CODE, ))]\n",
        EARS + "test_a_then_step_that_is_only_code_keeps_its_text",
    ),
    PlantedFault(
        STEPS,
        "        given, when = ((before,), ()) if _STATE.match(before) else ((), (before,))\n",
        "        when = (before,)\n",
        EARS + "test_a_state_is_given",
    ),
    PlantedFault(
        STEPS,
        "        _EARS_AFTER_CONDITION.search(plain) or _EARS.search(plain)",
        "        _EARS.search(plain)",
        EARS + "test_the_response_begins_with_its_actor",
    ),
    PlantedFault(
        STEPS,
        " or _EARS_AT_THE_END.search(plain)",
        "",
        EARS + "test_the_response_begins_with_its_actor",
    ),
    PlantedFault(
        PROSE,
        "    return tuple(sorted((*items, *rows, *parts), key",
        "    return tuple(sorted((*items, *parts), key",
        SHAPE,
    ),
    PlantedFault(
        PROSE,
        "found = told_in_paragraphs(sections) or _binding(source, sections)\n",
        "found = told_in_paragraphs(sections)\n",
        SHAPE,
    ),
    PlantedFault(
        "core/spec/formats/prd.py",
        "    drafts = drafts_in(source, sections, items)\n",
        "    drafts = ()\n",
        READ + "test_a_prd_with_numbered_chapters_is_not_read_as_another_format",
    ),
    PlantedFault(
        "core/spec/formats/kiro.py",
        "    return heading_kind(outer) is HeadingKind.REQUIREMENTS and not is_known\n",
        "    return heading_kind(outer) is HeadingKind.REQUIREMENTS\n",
        READ + "test_chapters_of_a_kiro_document_are_not_requirements",
    ),
    PlantedFault(
        "core/spec/formats/kiro.py",
        "    return named or _heads_like(_NUMBERED, sections, _is_in_chapter)\n",
        "    return [*_heads_like(_NUMBERED, sections, _is_in_chapter), *named]\n",
        READ + "test_chapters_beside_named_requirements_are_not_requirements",
    ),
    PlantedFault(
        "core/spec/items.py",
        "        elif _tells_more(definition, first):\n",
        "        elif definition.sub and _tells_more(definition, first):\n",
        SHAPE,
    ),
    PlantedFault(
        "core/spec/items.py",
        "            if item is None and outer is HeadingKind.REQUIREMENTS:\n",
        "            if item is None and outer is HeadingKind.CRITERIA:\n",
        "core/spec/test_ids_and_references.py::test_a_heading_of_requirements_may_have_an_id_without_digits",
    ),
    PlantedFault(
        "core/spec/items.py",
        "    if opening and words.count(opening[1]) % 2:\n",
        "    if opening and not words:\n",
        READ + "test_the_mark_after_an_id_belongs_to_the_text",
    ),
    PlantedFault(
        "core/spec/formats/req_id.py",
        "without_codes(without_group_lines(without_groups(found)))",
        "without_group_lines(without_groups(found))",
        SHAPE,
    ),
    PlantedFault(
        "core/spec/drafts.py",
        '    return _CLARIFICATION.sub("", draft.title).strip() or draft.title\n',
        "    return draft.title\n",
        READ + "test_brackets_of_clarification_do_not_stay_in_a_title",
    ),
    PlantedFault(
        "core/spec/triage/nothing_read.py",
        '    if code == "no_requirements":\n',
        '    if code == "empty":\n',
        READ + "test_prose_lines_are_proposed_but_not_read_as_requirements",
    ),
    PlantedFault(
        "core/spec/triage/nothing_read.py",
        '        return "only_tasks", Severity.INFO if is_placed else Severity.ASK, question\n',
        '        return "only_tasks", Severity.INFO, question\n',
        READ + "test_a_page_of_tick_boxes_says_that_it_was_read_as_tasks",
    ),
    PlantedFault(
        "core/spec/triage/triage.py",
        "if count >= _FAMILY_MIN}",
        "if count}",
        "core/spec/test_triage.py::test_ids_of_another_document_raise_no_question",
    ),
    PlantedFault(
        "core/spec/triage/triage.py",
        "for i in _ids_in(text) if (line, i) not in first_lines]",
        "for i in _ids_in(text)]",
        "core/spec/test_triage.py::test_a_requirement_may_say_of_something_else_that_it_is_out_of_scope",
    ),
]
