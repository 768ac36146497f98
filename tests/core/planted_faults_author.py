"""A fault for every guard of how a plan speaks as its author does."""

from tests.testkit.planting import PlantedFault

NAMING = "core/plan/naming.py"
PHRASES = "core/plan/phrases.py"
NAMES = "core/plan/test_naming.py::"
TITLE = NAMES + "test_a_name_is_a_title_without_the_obligation"
READ = "core/spec/test_recognised_requirements.py::"
AUTHORED = "core/plan/test_authored.py::"
FINDS = "core/spec/test_triage_finds.py::"
COUNTED = "core/spec/test_requirement_counts.py::"
PROSE = "core/spec/formats/prose.py"
QUALITIES = "core/spec/formats/qualities.py"
MARKS = "core/spec/done_marks.py"

AUTHOR_FAULTS = [
    PlantedFault(
        PHRASES, '_MARKS.sub("", _SIGNS.sub("", linked))', '_MARKS.sub("", linked)', TITLE
    ),
    PlantedFault(PHRASES, 'if "[" in text else text\n', "if False else text\n", TITLE),
    PlantedFault(PHRASES, "    plain = _done(plain)\n", "", TITLE),
    PlantedFault(PHRASES, r"to\s+(?!be\b)(?=\w)", r"to\s+(?=\w)", TITLE),
    PlantedFault(
        PHRASES,
        '    if found is None or _CLAUSE_WORDS.search(found["who"]):\n        return plain\n    who,',
        "    if found is None:\n        return plain\n    who,",
        TITLE,
    ),
    PlantedFault(
        PHRASES,
        '    if end < len(plain) <= most and " " not in plain[:end] and not is_dense(plain):\n',
        "    if False:\n",
        TITLE,
    ),
    PlantedFault(
        NAMING,
        'f"{title} ({first})" if total[same] > 1 else title',
        "title",
        NAMES + "test_changes_with_equal_titles_get_ids",
    ),
    PlantedFault(
        NAMING,
        "        if len(shown) > _LIST_MAX:\n",
        "        if False:\n",
        NAMES + "test_few_names_are_listed_and_many_end_with_an_ellipsis",
    ),
    PlantedFault(
        NAMING,
        "or _says_nothing(part.domain, self._spec):\n",
        "or False:\n",
        NAMES + "test_a_heading_that_says_more_than_requirements_names_the_group",
    ),
    PlantedFault(
        NAMING,
        '            about = ""\n',
        "            pass\n",
        NAMES + "test_a_group_in_latin_letters_names_the_branch",
    ),
    PlantedFault(
        NAMING,
        '            named = ""\n',
        "            pass\n",
        NAMES + "test_a_latin_word_in_a_chinese_sentence_is_not_used_as_a_slug",
    ),
    PlantedFault(
        "core/spec/formats/rfc2119.py",
        "if not _CONDITION.match(t)",
        "if t",
        READ + "test_the_number_of_a_condition_is_not_a_chapter",
    ),
    PlantedFault(
        "core/spec/formats/kiro.py",
        'first_words(_STORY_LABEL.sub("", statement))',
        "first_words(statement)",
        READ + "test_a_requirement_without_a_title_is_named_after_its_story",
    ),
    PlantedFault(
        PROSE,
        "    whole_page,\n    _listed_or_parts,\n",
        "    listed,\n",
        COUNTED + "test_a_page_called_requirements_has_them_in_every_chapter",
    ),
    PlantedFault(
        "core/spec/formats/prose_titles.py",
        "            INTRODUCES.search(t) or TELLS_WHY.match(t) or",
        "            TELLS_WHY.match(t) or",
        COUNTED + "test_a_page_called_requirements_has_them_in_every_chapter",
    ),
    PlantedFault(
        "core/spec/formats/prose_titles.py",
        "        says_only_requirements(s.title) and heading_kind(s.title) is HeadingKind.REQUIREMENTS\n",
        "        False\n",
        COUNTED + "test_a_page_called_requirements_with_a_chapter_of_them_has_no_others",
    ),
    PlantedFault(
        PROSE,
        "_further_lists(source, sections, (*items, *rows)) if items or rows else ()",
        "()",
        COUNTED + "test_lists_below_numbered_parts_of_a_chapter_are_read",
    ),
    PlantedFault(
        PROSE,
        "table_rows(binding if items else sections)",
        "table_rows(sections)",
        COUNTED + "test_a_table_of_features_beside_a_list_of_requirements_is_a_summary",
    ),
    PlantedFault(
        QUALITIES,
        "    return is_chapter or trail_kind",
        "    return trail_kind",
        "core/spec/test_judged_pages.py::test_a_chapter_of_security_and_access_binds_every_change",
    ),
    PlantedFault(
        QUALITIES,
        "    if is_definition(block) or ",
        "    if ",
        COUNTED + "test_rows_of_qualities_bind_every_change_and_ids_do_so_once",
    ),
    PlantedFault(
        "core/spec/read.py",
        "(?<!/checklists)",
        "",
        COUNTED + "test_a_checklist_about_the_spec_is_not_part_of_it",
    ),
    PlantedFault(
        MARKS,
        "signed if len(signed) > 1 else set()",
        "signed",
        COUNTED + "test_a_single_done_mark_may_be_product_text",
    ),
    PlantedFault(
        MARKS,
        "(?!\\s*(?:by|in|when|if|%))",
        "",
        COUNTED + "test_other_marks_and_words_do_not_mean_done",
    ),
    PlantedFault(
        "core/plan/put_off.py",
        "    done |= {r.id: _DONE for r in requirements if r.id not in done and _is_done(r)}\n",
        "",
        COUNTED + "test_a_requirement_marked_as_done_is_not_planned",
    ),
    PlantedFault(
        "core/spec/read.py",
        "*unseen, *done)",
        "*unseen)",
        COUNTED + "test_a_requirement_marked_as_done_is_not_planned",
    ),
    PlantedFault(
        "core/spec/triage/triage.py",
        "    if bare and _has_acceptance_chapter(source):\n        return\n",
        "",
        FINDS + "test_a_chapter_of_acceptance_says_how_all_of_it_is_seen",
    ),
    PlantedFault(
        "core/spec/triage/triage.py",
        "for requirement in (r for r in document.requirements if not r.is_done):",
        "for requirement in document.requirements:",
        FINDS + "test_done_requirements_raise_no_questions",
    ),
    PlantedFault(
        "core/spec/triage/triage.py",
        "Operation.RENAMED) and not r.is_done",
        "Operation.RENAMED)",
        FINDS + "test_done_requirements_raise_no_questions",
    ),
    PlantedFault(
        "core/spec/triage/terms.py",
        "not _SAYS_WHAT.search(name) and ",
        "",
        FINDS + "test_a_self_explanatory_actor_needs_no_glossary_entry",
    ),
    PlantedFault(
        "core/spec/triage/terms.py",
        '*:`\\"(（：]',
        '*:`\\"(]',
        FINDS + "test_a_self_explanatory_actor_needs_no_glossary_entry",
    ),
    PlantedFault(
        "core/plan/authored.py",
        "_grouped(_by_stories_of_epics(d))",
        "_grouped(d)",
        AUTHORED + "test_requirements_are_grouped_with_the_stories_of_their_epic",
    ),
    PlantedFault(
        "core/plan/authored_order.py",
        "        *_by_stories(spec),\n",
        "",
        AUTHORED + "test_requirements_are_grouped_with_the_stories_of_their_epic",
    ),
    PlantedFault(
        "core/spec/formats/prd.py",
        "s if s in stories else s.replace(scenarios=())",
        "s",
        AUTHORED + "test_a_story_whose_scenarios_were_assigned_has_none_left",
    ),
    PlantedFault(
        "core/plan/deterministic.py",
        "circle = strongly_connected(tuple(missing), missing)[0]",
        "circle = tuple(missing)",
        "core/plan/test_any_spec.py::test_a_requirement_that_waits_for_a_cycle_comes_after_it",
    ),
    PlantedFault(
        "core/plan/deterministic.py",
        "        *interface_needs(spec),\n",
        "",
        AUTHORED + "test_the_provider_of_an_endpoint_comes_before_its_caller",
    ),
    PlantedFault(
        "core/plan/interfaces.py",
        "    return at >= 0 and not _CALLS",
        "    return at >= 0 or not _CALLS",
        AUTHORED + "test_the_provider_of_an_endpoint_comes_before_its_caller",
    ),
    PlantedFault(
        "core/plan/interfaces.py",
        "len(offered_by) != 1 or not 1 <",
        "not offered_by or not 1 <",
        AUTHORED + "test_two_providers_of_one_endpoint_do_not_wait",
    ),
]
