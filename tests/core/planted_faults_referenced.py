"""A fault for every guard of how lists of tasks that name requirements, and stories, shape a plan."""

from tests.testkit.planting import PlantedFault

REFERENCED = "core/plan/referenced_steps.py"
AUTHORED = "core/plan/authored.py"
PHRASES = "core/plan/phrases.py"
NAMING = "core/plan/naming.py"
ITEMS = "core/spec/formats/prose_items.py"
STEPS = "core/plan/test_referenced_steps.py::"
PLACED = STEPS + "test_a_change_is_placed_where_half_of_its_tasks_are_done"
LAYERS = STEPS + "test_a_list_of_layers_keeps_the_order_of_the_page"
STORIES = "core/plan/test_authored.py::"
NAMES = "core/plan/test_naming.py::"
COUNTED = "core/spec/test_requirement_counts.py::"
SRS = COUNTED + "test_numbered_parts_of_functions_are_read_and_qualities_and_tests_are_not"
GONE = COUNTED + "test_a_row_whose_title_says_removed_is_deferred"
MODULES = COUNTED + "test_functions_belong_to_the_module_above_and_rows_below_one_are_its_own"
PARTED = COUNTED + "test_a_chapter_of_features_with_lists_below_each_is_read"

REFERENCED_FAULTS = [
    PlantedFault(
        REFERENCED,
        " and not is_skipped(t.text)]",
        "]",
        PLACED,
    ),
    PlantedFault(
        REFERENCED,
        "if one.id not in named and before.id in found and after.id in found:",
        "if one.id not in named and before.id in found:",
        STEPS + "test_several_requirements_without_a_step_come_last",
    ),
    PlantedFault(
        "core/spec/formats/tasks.py",
        "_RANGE.sub(spelled, _WHOLE_RANGE.sub(whole, said))",
        "_WHOLE_RANGE.sub(whole, said)",
        PLACED,
    ),
    PlantedFault(
        AUTHORED,
        " or says_only_requirements(heading)",
        "",
        STORIES + "test_a_bold_line_that_only_says_requirements_is_not_a_group",
    ),
    PlantedFault(
        AUTHORED,
        "priority=r.priority or of.get(r.domain)",
        "priority=r.priority",
        STORIES + "test_a_group_has_the_priority_of_its_story",
    ),
    PlantedFault(
        NAMING,
        "return alone and not says_only_foundation(part.domain)",
        "return False",
        STORIES + "test_a_foundation_group_keeps_the_authors_name",
    ),
    PlantedFault(
        NAMING,
        "alone and not says_only_foundation(part.domain)",
        "alone",
        STORIES + "test_epics_and_stories_keep_their_order_and_wait_for_the_foundation",
    ),
    PlantedFault(
        "core/plan/size.py",
        "len(_ITEM.findall(requirement.statement)) // _ITEMS_A_POINT",
        "0",
        STORIES + "test_list_items_below_a_feature_count_as_work",
    ),
    PlantedFault(
        PHRASES,
        '_impersonal(_wished(_ABLE.sub("", plain, count=1))) if form is _WANTED else plain',
        "plain",
        NAMES + "test_a_wish_is_named_by_its_result",
    ),
    PlantedFault(
        NAMING,
        "self._title(part, kind, listed=True)",
        "title",
        NAMES + "test_parts_with_a_shared_beginning_are_distinguished_by_their_names",
    ),
    PlantedFault(
        NAMING,
        "return word.lower() + name[len(word) :] if is_plain else name",
        "return name",
        NAMES + "test_a_second_name_in_a_title_starts_in_lower_case",
    ),
    PlantedFault(
        NAMING,
        "if about and self._is_whole(part):",
        "if False:",
        NAMES + "test_a_long_group_name_is_left_out_of_a_single_requirements_slug",
    ),
    PlantedFault(
        ITEMS,
        "] or _bold_starts(section)",
        "]",
        "core/spec/test_shapes.py::test_readers_find_exactly_the_marked_requirements[chuga-gineung]",
    ),
    PlantedFault(ITEMS, "if any(TESTING.match(title)", "if any(False", SRS),
    PlantedFault(
        "core/spec/triage/words.py",
        "if is_asked and HeadingKind.NONFUNCTIONAL in kinds else kind",
        "if False else kind",
        SRS,
    ),
    PlantedFault(
        "core/spec/triage/words.py",
        " and not _OF_FUNCTIONS.search(title)",
        "",
        COUNTED + "test_functional_requirements_below_both_kinds_are_functions",
    ),
    PlantedFault(
        ITEMS,
        " or _telling_title(section),\n",
        " or section.title,\n",
        COUNTED + "test_a_core_features_heading_takes_the_name_above_it",
    ),
    PlantedFault(
        "core/spec/triage/open_text.py", 'r"^[^\\w#]{0,8}(?:TODO', 'r"^\\W{0,8}(?:TODO', PARTED
    ),
    PlantedFault(
        "entry/commands/plan.py",
        "    if not one.format:\n",
        "    if False:\n",
        "../test_command_line.py::test_a_folder_without_a_spec_is_reported",
    ),
    PlantedFault(
        REFERENCED,
        " | _named(requirements, steps, is_test)\n",
        "\n",
        STEPS + "test_an_early_test_step_does_not_place_the_work",
    ),
    PlantedFault(
        "core/spec/triage/signals.py",
        " or _TOLD_HOW.match(line)",
        "",
        "core/spec/test_triage.py::test_ordinary_words_raise_no_finding",
    ),
    PlantedFault(
        "core/plan/put_off.py",
        "    if any(OUT_OF_SCOPE_WORDS.search(said) for said in _BRACKETS.findall(requirement.title)):\n",
        "    if False:\n",
        GONE,
    ),
    PlantedFault(
        "core/plan/put_off.py", r"|^(?=[\W_]*?[\[(（【])[\W_]*+(?:{_GONE_WORDS})", "", GONE
    ),
    PlantedFault(
        "core/spec/done_marks.py",
        " or _WORD_AFTER.search(text.rstrip())",
        "",
        COUNTED + "test_a_word_behind_a_dash_says_that_work_is_done",
    ),
    PlantedFault(
        "core/spec/formats/id_filters.py",
        " and d.section.line not in heads)",
        ")",
        MODULES,
    ),
    PlantedFault(
        "core/spec/formats/req_id.py",
        "    if named and named[-1] in inner:",
        "    if named and named[-1] == titles[-1]:",
        MODULES,
    ),
    PlantedFault(
        "core/spec/formats/prose_titles.py",
        "        is_page_of_requirements(titles[0])\n        or (REQUIRED",
        "        says_only_requirements(titles[0])\n        or (REQUIRED",
        COUNTED + "test_a_page_called_requirements_of_a_thing_has_them_in_every_chapter",
    ),
    PlantedFault(
        NAMING,
        "if member.id not in self._alike:",
        "if True:",
        NAMES + "test_words_after_a_dash_distinguish_equal_names",
    ),
    PlantedFault(
        "core/plan/authored_order.py",
        "is_group and draft.type",
        "draft.type",
        LAYERS,
    ),
    PlantedFault(
        "core/plan/deterministic.py",
        "        *piece_needs(spec, drafts),\n",
        "",
        STORIES + "test_the_second_piece_of_a_group_comes_after_the_first",
    ),
]
