"""Faults in what is read beside the lists of a page, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

SHAPE = "core/spec/test_shapes.py::test_readers_find_exactly_the_marked_requirements"
ASIDES = "core/spec/formats/asides.py"
BOLD_UNITS = "core/spec/formats/bold_units.py"
CHAPTER_RESTS = "core/spec/formats/chapter_rests.py"
DUTIES = "core/spec/formats/duties.py"
HTML_TABLES = "core/spec/html_tables.py"
OUTLINE = "core/spec/outline.py"
UNREAD_LISTS = "core/spec/triage/unread_lists.py"

REST_OF_PAGES_FAULTS = [
    PlantedFault(
        CHAPTER_RESTS,
        "    if any(draft.source_id for draft in drafts):\n        return drafts\n",
        "",
        SHAPE + "[anforderungen-mit-kuerzeln]",
    ),
    PlantedFault(
        CHAPTER_RESTS,
        "    if not drafts:\n        return units\n",
        "    if not drafts:\n        return drafts\n",
        SHAPE + "[bold-letters-count-what-is-built]",
    ),
    PlantedFault(
        CHAPTER_RESTS,
        "    drafts = beside_units(drafts, units, sections)\n",
        "",
        "core/spec/test_bold_requirements.py::test_bold_units_are_read_beside_lists_of_their_chapter",
    ),
    PlantedFault(
        CHAPTER_RESTS,
        "        if 2 * sum(whole) <= len(whole)\n",
        "",
        "core/spec/test_long_parts.py::test_many_parts_with_long_lists_are_wholes",
    ),
    PlantedFault(
        CHAPTER_RESTS,
        "        if section.line not in owned and _may_ask(section)\n",
        "        if section.line not in owned\n",
        SHAPE + "[anforderungen-mit-einem-kann]",
    ),
    PlantedFault(
        CHAPTER_RESTS,
        "        if not any(block.line_start in owned for block in section.blocks)\n",
        "",
        SHAPE + "[anforderungen-mit-einem-kann]",
    ),
    PlantedFault(
        CHAPTER_RESTS,
        "        and not is_aside(section)\n",
        "",
        SHAPE + "[numbered-table-of-functions]",
    ),
    PlantedFault(
        CHAPTER_RESTS,
        "        and not (lists_data(section) or lists_fields(section))\n",
        "",
        "core/spec/test_remaining_chapter_parts.py::test_a_part_without_requirements_is_not_read[Status]",
    ),
    PlantedFault(
        CHAPTER_RESTS,
        "        trail_kind(section.titles) in _ASKED\n        and not is",
        "        not is",
        SHAPE + "[anforderungen-mit-einem-kann]",
    ),
    PlantedFault(
        ASIDES,
        "        is_no_feature(section)\n        or is",
        "        is",
        SHAPE + "[numbered-table-of-functions]",
    ),
    PlantedFault(
        ASIDES,
        "        or is_technical(section)\n",
        "",
        "core/spec/test_duties.py::test_chapters_without_requirements_are_skipped[Technical requirements]",
    ),
    PlantedFault(
        ASIDES,
        "            INTRODUCES.match(title)\n            or TELLS",
        "            TELLS",
        "core/spec/test_duties.py::test_chapters_without_requirements_are_skipped[Objetivos]",
    ),
    PlantedFault(
        ASIDES,
        "            or TELLS_WHY.match(title)\n",
        "",
        "core/spec/test_duties.py::test_chapters_without_requirements_are_skipped[Problemas]",
    ),
    PlantedFault(
        ASIDES,
        "            or TESTING.match(title)\n",
        "",
        "core/spec/test_duties.py::test_chapters_without_requirements_are_skipped[Testing]",
    ),
    PlantedFault(
        ASIDES,
        "            or TELLS_STEPS.match(title)\n",
        "",
        SHAPE + "[parts-below-parts-of-features]",
    ),
    PlantedFault(
        ASIDES,
        "            or is_of_quality(title)\n",
        "",
        "core/spec/test_bold_requirements.py::test_bold_counts_in_other_chapters_are_not_requirements[Performance requirements]",
    ),
    PlantedFault(
        ASIDES, "            or is_future(title)\n", "", SHAPE + "[p0-in-a-table-and-p1-in-a-list]"
    ),
    PlantedFault(
        BOLD_UNITS,
        "(kind in _ASKED or is_solution) and not is_aside(section)",
        "kind in _ASKED or is_solution",
        "core/spec/test_bold_requirements.py::test_bold_counts_in_other_chapters_are_not_requirements[Future features]",
    ),
    PlantedFault(
        BOLD_UNITS,
        "(kind in _ASKED or is_solution) and",
        "kind in _ASKED and",
        SHAPE + "[bold-letters-count-what-is-built]",
    ),
    PlantedFault(
        BOLD_UNITS,
        "    if len(counted) < _LEAST:\n        return\n",
        "",
        "core/spec/test_bold_requirements.py::test_a_single_label_is_not_a_requirement",
    ),
    PlantedFault(
        BOLD_UNITS,
        '        if mark != expected and mark not in ("A", "a", "1"):\n            return\n',
        "",
        "core/spec/test_bold_requirements.py::test_labels_that_do_not_start_at_the_first_letter_are_not_requirements",
    ),
    PlantedFault(
        BOLD_UNITS,
        "        if (at := homes[unit.line_start]) not in read\n",
        "        if (at := homes[unit.line_start]) >= 0\n",
        "core/spec/test_bold_requirements.py::test_bold_units_are_read_beside_lists_of_their_chapter",
    ),
    PlantedFault(
        BOLD_UNITS,
        "        if sections[at].titles[:2] in chapters\n",
        "",
        "core/spec/test_bold_requirements.py::test_bold_units_are_read_beside_lists_of_their_chapter",
    ),
    PlantedFault(
        BOLD_UNITS,
        "    others = [d for d in drafts if d.line_start not in counting]\n",
        "    others = list(drafts)\n",
        "core/spec/test_bold_requirements.py::test_bold_units_are_read_beside_lists_of_their_chapter",
    ),
    PlantedFault(
        BOLD_UNITS,
        "seen[one.title] > 1 or ATTRIBUTE",
        "ATTRIBUTE",
        "core/spec/test_bold_requirements.py::test_repeated_labels_describe_their_heading",
    ),
    PlantedFault(
        BOLD_UNITS,
        " or ATTRIBUTE.fullmatch(one.title) for",
        " for",
        "core/spec/test_bold_requirements.py::test_repeated_labels_describe_their_heading",
    ),
    PlantedFault(
        DUTIES,
        "len(binding) < _LEAST or 2 *",
        "2 *",
        "core/spec/test_duties.py::test_two_sentences_alone_are_not_duties",
    ),
    PlantedFault(
        DUTIES,
        " or 2 * len(stated) < len(told):",
        ":",
        "core/spec/test_duties.py::test_duties_are_not_read_if_most_chapters_have_none",
    ),
    PlantedFault(
        DUTIES,
        "        if 4 * sum(map(_states, own)) >= 3 * len(own)\n",
        "",
        "core/spec/test_duties.py::test_duties_are_not_read_if_most_chapters_have_none",
    ),
    PlantedFault(
        DUTIES,
        " or is_aside(section):",
        ":",
        "core/spec/test_duties.py::test_chapters_without_requirements_are_skipped[Objetivos]",
    ),
    PlantedFault(
        DUTIES,
        "trail_kind(section.titles) not in _ASKED or ",
        "",
        SHAPE + "[chapters-of-what-is-not-wanted]",
    ),
    PlantedFault(
        DUTIES,
        '        if not block.text.rstrip(" *_").endswith((":", "："))\n',
        "",
        "core/spec/test_duties.py::test_introductory_lines_and_nested_items_are_not_duties",
    ),
    PlantedFault(
        DUTIES,
        "modality(block.text[:_NEAR])",
        "modality(block.text)",
        "core/spec/test_duties.py::test_a_modal_verb_late_in_a_sentence_is_not_a_duty",
    ),
    PlantedFault(
        DUTIES,
        "    return is_duty and not OUT_OF_SCOPE_WORDS.search(block.text)",
        "    return is_duty",
        "core/spec/test_duties.py::test_a_duty_stated_as_out_of_scope_is_skipped",
    ),
    PlantedFault(
        DUTIES,
        "        if block.kind is not BlockKind.ITEM or block.indent <= 1\n",
        "",
        "core/spec/test_duties.py::test_introductory_lines_and_nested_items_are_not_duties",
    ),
    PlantedFault(
        OUTLINE,
        "        if opens_table(source.visible[line - 1]):",
        "        if False:",
        SHAPE + "[requirements-in-an-html-table]",
    ),
    PlantedFault(
        UNREAD_LISTS,
        "is_no_feature(section) or is_technical(section):",
        "is_no_feature(section):",
        "core/spec/test_unread_lists.py::test_unread_lists_about_building_and_testing_are_not_reported",
    ),
    PlantedFault(
        UNREAD_LISTS,
        " or lists_fields(section):",
        ":",
        "core/spec/test_unread_lists.py::test_unread_fields_of_things_are_not_reported",
    ),
    PlantedFault(
        UNREAD_LISTS,
        " and not describes_data(b.header)",
        "",
        "core/spec/test_unread_lists.py::test_unread_fields_of_things_are_not_reported",
    ),
    PlantedFault(
        UNREAD_LISTS,
        "is_whole = not has_ids and is_page",
        "is_whole = is_page",
        "core/spec/test_unread_lists.py::test_unread_chapters_of_a_requirements_page_are_reported",
    ),
    PlantedFault(
        UNREAD_LISTS,
        "_MAY_BE_ASKED if is_whole else _ASKED",
        "_ASKED",
        "core/spec/test_unread_lists.py::test_unread_chapters_of_a_requirements_page_are_reported",
    ),
    PlantedFault(
        HTML_TABLES,
        '    is_inner = table.depth > 1 or (name == "table" and not is_end)',
        '    is_inner = name == "table" and not is_end',
        "core/spec/test_html_tables.py::test_a_table_in_a_cell_is_text_of_the_cell",
    ),
    PlantedFault(
        HTML_TABLES,
        'html.unescape(_ANY_TAG.sub(" ", " ".join(table.words)))',
        '_ANY_TAG.sub(" ", " ".join(table.words))',
        "core/spec/test_html_tables.py::test_marks_and_entities_in_a_cell_are_its_text",
    ),
    PlantedFault(
        HTML_TABLES,
        '_ANY_TAG.sub(" ", " ".join(table.words))',
        '" ".join(table.words)',
        "core/spec/test_html_tables.py::test_marks_and_entities_in_a_cell_are_its_text",
    ),
    PlantedFault(
        HTML_TABLES,
        "    if not table.rows and not table.header and all(",
        "    if all(",
        "core/spec/test_html_tables.py::test_a_second_row_of_heads_is_a_row",
    ),
    PlantedFault(
        HTML_TABLES,
        '.replace("|", "\\\\|")',
        "",
        "core/spec/test_html_tables.py::test_marks_and_entities_in_a_cell_are_its_text",
    ),
    PlantedFault(
        HTML_TABLES,
        "        if not table.depth:\n            return table.rows, line\n",
        "",
        "core/spec/test_html_tables.py::test_cells_over_several_lines_are_one_row",
    ),
]
