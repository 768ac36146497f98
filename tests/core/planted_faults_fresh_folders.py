"""Faults in plans of folders that nobody had seen, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

FOLDERS = "core/plan/test_plans_of_fresh_folders.py::"
STEPS = "core/plan/referenced_steps.py"
NAMES = "core/spec/story_names.py"
NAMING = "core/plan/naming.py"
ORDER = "core/spec/formats/story_order.py"
STORY = "(?:用户|用戶|使用者)(?:故事|情境|场景|場景)"
OLD_STORY = "(?:用户|使用者)故事"
ALONE = FOLDERS + "test_stories_in_traditional_chinese_without_requirements_are_requirements"
LISTED = FOLDERS + "test_situations_that_are_listed_are_criteria"
TRADITIONAL = FOLDERS + "test_stories_in_traditional_chinese_group_requirements"
NEEDED = FOLDERS + "test_stated_dependencies_between_stories_are_read"
RUSSIAN = FOLDERS + "test_a_russian_name_states_the_action_and_ends_with_a_whole_word"

FRESH_FOLDER_FAULTS = [
    PlantedFault(
        STEPS,
        "    if 2 * spread > len(done):\n",
        "    if False:\n",
        FOLDERS + "test_layers_do_not_reverse_the_order_of_the_page",
    ),
    PlantedFault(
        STEPS,
        "if r.id in done and r.id not in apart]",
        "if r.id in done]",
        FOLDERS + "test_a_requirement_with_its_own_step_keeps_its_place_among_layers",
    ),
    PlantedFault(
        NAMES,
        STORY,
        OLD_STORY,
        FOLDERS + "test_a_story_in_traditional_chinese_waits_for_the_one_that_it_names",
    ),
    PlantedFault(NAMES, STORY, OLD_STORY, ALONE),
    PlantedFault(
        "core/spec/stories.py",
        "(?:priority|priorité|prioridad|优先级|優先級|優先度|優先順[序位])[^)",
        "(?:priority|priorité|prioridad|优先级)[^)",
        ALONE,
    ),
    PlantedFault("core/spec/triage/words.py", "功能(?:性|面)?|", "功能|", TRADITIONAL),
    PlantedFault(
        "core/spec/triage/words.py", "驗收(?:標準|條件|情境|場景)|", "驗收(?:標準|條件)|", LISTED
    ),
    PlantedFault(
        "core/spec/formats/criteria.py", "驗收(?:標準|條件|情境|場景)", "驗收(?:標準|條件)", LISTED
    ),
    PlantedFault(
        "core/spec/step_words.py",
        '"情境", ',
        "",
        FOLDERS + "test_a_situation_opens_a_scenario",
    ),
    PlantedFault(
        "core/plan/whole_title.py",
        "功能規格書?|",
        "",
        FOLDERS + "test_a_page_in_chinese_is_called_without_the_kind_of_page",
    ),
    PlantedFault(
        NAMING,
        "readable(_folder(part.domain))",
        "readable(part.domain)",
        FOLDERS + "test_a_story_that_cannot_be_spelled_is_called_by_its_number",
    ),
    PlantedFault(
        "core/plan/slugs.py",
        "    if translated := _TRANSLATED.search(said):\n",
        "    if translated := None:\n",
        FOLDERS + "test_the_translation_behind_a_name_is_its_slug",
    ),
    PlantedFault(
        "core/plan/slugs.py",
        "https get post",
        "https post",
        FOLDERS + "test_the_translation_behind_a_name_is_its_slug",
    ),
    PlantedFault(
        NAMING,
        '        if set(about.split("-")) <= set(group.split("-")):\n',
        "        if False:\n",
        FOLDERS + "test_a_slug_does_not_repeat_the_name_of_its_group",
    ),
    PlantedFault(
        NAMING,
        "            if is_numbered:\n",
        "            if False:\n",
        FOLDERS + "test_all_pieces_of_a_group_are_numbered_or_none",
    ),
    PlantedFault(
        NAMING,
        "{_without_group(common, group)}",
        "{common}",
        "core/plan/test_story_units.py::test_a_piece_does_not_say_its_group_twice",
    ),
    PlantedFault(ORDER, "{_WHAT}(?P<on>", "(?P<on>", NEEDED),
    PlantedFault(ORDER, "once|integrates with|extends|", "once|extends|", NEEDED),
    PlantedFault(ORDER, "once|integrates with|extends|", "integrates with|extends|", NEEDED),
    PlantedFault(ORDER, "parallel(?! (?:after|once) )", "parallel", NEEDED),
    PlantedFault(
        ORDER,
        "|blockers?|",
        "|",
        FOLDERS + "test_a_blocker_column_states_dependencies",
    ),
    PlantedFault(
        "core/plan/deterministic.py",
        "        stands = stands or urgency.get(change.slug, first) > first\n",
        "",
        FOLDERS + "test_a_needed_story_of_low_priority_comes_after_urgent_ones",
    ),
    PlantedFault(
        "core/plan/authored.py",
        "return bool(title) and not is_criteria and not is_test(title)",
        "return bool(title) and not is_test(title)",
        FOLDERS + "test_a_chapter_of_criteria_is_not_a_story[Acceptance Criteria]",
    ),
    PlantedFault(
        "core/plan/parts.py",
        "is_one_feature and (is_many or is_one_change):",
        "is_one_feature and is_many:",
        FOLDERS + "test_requirements_of_one_capability_share_changes",
    ),
    PlantedFault(
        "core/plan/phrases.py",
        "{STORY_NAME}|task|epic|",
        "{STORY_NAME}|epic|",
        "core/plan/test_naming.py::test_the_number_of_a_task_is_removed_from_a_name",
    ),
    PlantedFault(
        "core/plan/phrases.py",
        "(?:позволять|разрешать)",
        "(?:позволять)",
        RUSSIAN,
    ),
    PlantedFault(
        "core/plan/loose_ends.py",
        "из за по для при",
        "из за по при",
        RUSSIAN,
    ),
    PlantedFault(
        "core/plan/authored.py",
        "of[at][_BESIDE_MAX:] + of[at + 1]",
        "of[at + 1]",
        "core/plan/test_authors_pieces.py::test_requirements_beyond_the_size_of_a_story_move_to_the_next",
    ),
    PlantedFault(
        "core/spec/formats/folder_pages.py",
        "found = _in_scope(source, sections) or plain_functions(source, sections)",
        "found = plain_functions(source, sections)",
        FOLDERS + "test_a_feature_page_without_ids_is_read_by_its_scope",
    ),
    PlantedFault(
        "core/spec/formats/folder_pages.py",
        "for of in scope or criteria)",
        "for of in scope)",
        FOLDERS + "test_a_page_of_only_criteria_is_read_by_its_criteria",
    ),
    PlantedFault(
        "core/spec/formats/folder_pages.py",
        'replace(item_draft(source, *of), domain="")',
        "item_draft(source, *of)",
        FOLDERS + "test_the_scope_of_one_feature_is_one_change_that_has_its_name",
    ),
    PlantedFault(
        "core/spec/triage/words.py",
        "acceptance(?: \\([^()]{1,30}\\))?\\W*$",
        "acceptances$",
        FOLDERS + "test_a_feature_page_without_ids_is_read_by_its_scope",
    ),
    PlantedFault(
        "core/plan/whole_title.py",
        'return None if titles else ""',
        "return None",
        FOLDERS + "test_the_scope_of_one_feature_is_one_change_that_has_its_name",
    ),
    PlantedFault(
        "core/spec/formats/folder_pages.py",
        "    if any(opens_step(block.text) for _, block in criteria):\n",
        "    if False:\n",
        "core/spec/test_shapes.py::test_readers_find_exactly_the_marked_requirements[whole-examples-of-nothing-else]",
    ),
    PlantedFault(
        NAMING,
        "of > 1 and part.domain in self._numbered:\n            # All",
        "of > 1 and len(shown) > _LIST_MAX:\n            # All",
        FOLDERS + "test_all_pieces_of_a_page_are_numbered_if_one_name_is_too_long",
    ),
    PlantedFault(
        NAMING,
        "{shown if is_short else names[0]}",
        "{names[0]}",
        FOLDERS + "test_all_pieces_of_a_page_are_numbered_if_one_name_is_too_long",
    ),
    PlantedFault(
        NAMING,
        '    if is_dense(said):\n        return ", "\n',
        "",
        FOLDERS + "test_names_are_joined_in_their_own_script",
    ),
    PlantedFault(
        NAMING,
        'return _AND["ru"] if 2 * len(_CYRILLIC.findall(said)) > len(said) else and_',
        "return and_",
        FOLDERS + "test_names_are_joined_in_their_own_script",
    ),
    PlantedFault(
        NAMING,
        "named = common or readable(self._phrase(members[0]))",
        'named = common or next((s for m in members if (s := readable(self._phrase(m)))), "")',
        FOLDERS + "test_a_change_of_several_does_not_use_the_slug_of_a_later_requirement",
    ),
    PlantedFault(
        NAMING,
        "_pieces(order or self._parts)",
        "_pieces(self._parts)",
        FOLDERS + "test_pieces_have_their_numbers_in_the_order_of_the_plan",
    ),
    PlantedFault(
        "core/plan/authored.py",
        "for pattern, word in (*_DOORS, *_DEEDS):",
        "for pattern, word in _DOORS:",
        FOLDERS + "test_a_verb_and_its_noun_match_when_stories_are_compared",
    ),
    PlantedFault(
        "core/plan/authored.py",
        "|add(?=_)",
        "",
        FOLDERS + "test_a_verb_and_its_noun_match_when_stories_are_compared",
    ),
]
