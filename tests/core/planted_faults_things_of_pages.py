"""Faults in what a page lists and does not ask for, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

SHAPE = "core/spec/test_shapes.py::test_readers_find_exactly_the_marked_requirements"
COUNTED_P = "core/spec/test_reader_combinations.py::"
GROUP_LINES = "core/spec/formats/group_lines.py"
ID_FILTERS = "core/spec/formats/id_filters.py"
PROSE = "core/spec/formats/prose.py"
PROSE_CHAPTERS = "core/spec/formats/prose_chapters.py"
PROSE_ITEMS = "core/spec/formats/prose_items.py"
PROSE_LISTS = "core/spec/formats/prose_lists.py"
PROSE_ROWS = "core/spec/formats/prose_rows.py"
PROSE_TITLES = "core/spec/formats/prose_titles.py"
PROSE_WORDS = "core/spec/formats/prose_words.py"
REQ_ID = "core/spec/formats/req_id.py"
HEADING_NUMBERS = "core/spec/heading_numbers.py"
ITEMS = "core/spec/items.py"
WORDS = "core/spec/triage/words.py"

THINGS_OF_PAGES_FAULTS = [
    PlantedFault(
        ID_FILTERS,
        "        if (d.section.blocks or d.id not in above)\n",
        "",
        SHAPE + "[groups-with-ids-and-nothing-else]",
    ),
    PlantedFault(
        GROUP_LINES,
        " and modality(said) is Modality.UNSTATED\n",
        "\n",
        "core/spec/test_groups_with_ids.py::test_a_sentence_or_a_must_is_not_a_group",
    ),
    PlantedFault(
        GROUP_LINES,
        '(is_short or said.endswith((":", "：")))',
        "is_short",
        "core/spec/test_groups_with_ids.py::test_a_line_that_introduces_its_parts_is_a_group",
    ),
    PlantedFault(
        GROUP_LINES,
        ' and not said.endswith((".", "。"))',
        "",
        "core/spec/test_groups_with_ids.py::test_a_sentence_or_a_must_is_not_a_group",
    ),
    PlantedFault(
        GROUP_LINES,
        "    if definition.position is None or is_row(definition):\n        return False\n",
        "",
        SHAPE + "[ids-of-screens-named-again]",
    ),
    PlantedFault(
        ID_FILTERS,
        "    if not first or not any(d.kind is ItemKind.FUNCTIONAL for d in heads):\n        return tuple(found)\n",
        "",
        "core/spec/test_groups_with_ids.py::test_unknown_id_letters_are_requirements_only_in_their_chapter",
    ),
    PlantedFault(
        ID_FILTERS,
        "if d.position is None and d.place in _ASKED]",
        "if d.position is None]",
        "core/spec/test_groups_with_ids.py::test_unknown_id_letters_are_requirements_only_in_their_chapter",
    ),
    PlantedFault(
        REQ_ID, "in_stories(in_features(defined))", "in_stories(defined)", SHAPE + "[e1-beside-f1]"
    ),
    PlantedFault(
        "core/spec/priorities.py",
        'said if "P0" in said else frozenset()',
        "frozenset()",
        SHAPE + "[p0-bushi-bianhao]",
    ),
    PlantedFault(
        "core/spec/priorities.py",
        'said if "P0" in said else frozenset()',
        "said",
        COUNTED_P + "test_p1_is_an_id_unless_the_page_has_a_p0_priority",
    ),
    PlantedFault(
        HEADING_NUMBERS,
        "    if is_anew or all(",
        "    if all(",
        SHAPE + "[bianhao-chongxin-kaishi]",
    ),
    PlantedFault(
        PROSE,
        "    drafts = with_rest(drafts, source, sections)\n",
        "",
        SHAPE + "[bold-letters-count-what-is-built]",
    ),
    PlantedFault(
        PROSE,
        "    return (stated if len(stated) > len(found) else found) or",
        "    return found or",
        SHAPE + "[frases-de-deber]",
    ),
    PlantedFault(
        PROSE,
        "is_part or (is_of_functions and ERRORS",
        "is_part or (ERRORS",
        SHAPE + "[eraa-shori-wa-hinshitsu]",
    ),
    PlantedFault(
        PROSE,
        "        and not any(NOT_A_FEATURE.search(t) or TELLS_STEPS.match(t) for t in section.titles[1:])\n",
        "        and not any(NOT_A_FEATURE.search(t) for t in section.titles[1:])\n",
        SHAPE + "[parts-below-parts-of-features]",
    ),
    PlantedFault(
        PROSE,
        "        and not any(NOT_A_FEATURE.search(t) or TELLS_STEPS.match(t) for t in section.titles[1:])\n",
        "        and not any(NOT_A_FEATURE.search(t) or TELLS_STEPS.match(t) for t in [section.title])\n",
        SHAPE + "[external-interfaces-beside-functions]",
    ),
    PlantedFault(
        PROSE,
        "        and is_normative(block)\n        and not any(NOT_A_FEATURE.search(title) for title in section.titles[1:])\n",
        "        and is_normative(block)\n",
        SHAPE + "[bianhao-chongxin-kaishi]",
    ),
    PlantedFault(
        PROSE_CHAPTERS,
        "            if is_told and (inner := _inner_parts(position, chosen, parents, faceted)):",
        "            inner: list[int] = []\n            if inner:",
        SHAPE + "[named-parts-of-numbered-parts]",
    ),
    PlantedFault(
        PROSE_CHAPTERS,
        "    if sections[position].blocks or sections[position].line in faceted:\n        return ()\n",
        "",
        SHAPE + "[chapters-as-first-headings]",
    ),
    PlantedFault(
        PROSE_CHAPTERS,
        "    if sections[position].blocks or sections",
        "    if sections",
        SHAPE + "[named-parts-of-numbered-parts]",
    ),
    PlantedFault(
        PROSE_CHAPTERS,
        "        and not is_aspect(sections[at].title)\n",
        "",
        SHAPE + "[funktionen-mit-einfachen-listen]",
    ),
    PlantedFault(
        PROSE_CHAPTERS,
        "        and not PART_NUMBER.match(sections[at].title)\n        for at in inner",
        "        for at in inner",
        SHAPE + "[arbeitspakete-und-testgeraete]",
    ),
    PlantedFault(
        PROSE_ITEMS,
        "            if is_field and not is_normative(block):\n                continue\n",
        "",
        SHAPE + "[campos-del-libro]",
    ),
    PlantedFault(
        PROSE_ITEMS,
        "            if is_field and not is_normative(block):",
        "            if is_field:",
        SHAPE + "[fields-below-a-label]",
    ),
    PlantedFault(
        PROSE_ITEMS,
        "inner[core[-1] if core else 0 :]",
        "inner",
        SHAPE + "[key-features-below-an-overview]",
    ),
    PlantedFault(
        PROSE_LISTS,
        "lists_fields(s) or is_no_feature(s)}",
        "lists_fields(s)}",
        "core/spec/test_remaining_chapter_parts.py::test_external_dependencies_are_not_requirements",
    ),
    PlantedFault(
        PROSE_ROWS,
        "column is None or describes_data(header) or",
        "column is None or",
        SHAPE + "[fields-below-a-label]",
    ),
    PlantedFault(
        PROSE_ROWS,
        "        any(_TYPE.match(cell) for cell in header) and not REQUIRED.search(header[0])",
        "        any(_TYPE.match(cell) for cell in header)",
        "core/spec/test_remaining_chapter_parts.py::test_rows_that_describe_data_are_not_requirements[| Feature | Type | Priority |-2]",
    ),
    PlantedFault(
        PROSE_ROWS,
        "        any(_TYPE.match(cell) for cell in header) and not REQUIRED.search(header[0])",
        "        False",
        "core/spec/test_remaining_chapter_parts.py::test_rows_that_describe_data_are_not_requirements[| Name | Type | Feature |-0]",
    ),
    PlantedFault(
        PROSE_ROWS,
        "    return FIELDS_LABEL.match(header[0]) is not None or (",
        "    return (",
        "core/spec/test_remaining_chapter_parts.py::test_rows_that_describe_data_are_not_requirements[| Field | Feature | Note |-0]",
    ),
    PlantedFault(
        PROSE_ROWS,
        "        if not any(sign.isdigit() for sign in header[1]):\n            return []\n",
        "",
        SHAPE + "[id-and-change-in-two-columns]",
    ),
    PlantedFault(
        PROSE_ROWS,
        "    if len(header) == 2 and _ID_OF_TABLE.match(header[0]) and len(lines) > 2:",
        "    if False:",
        SHAPE + "[use-cases-headed-by-their-numbers]",
    ),
    PlantedFault(
        PROSE_TITLES,
        "        and (FUNCTIONS.search(part) or not _OF_A_DOCUMENT.search(part))\n",
        "",
        SHAPE + "[p0-in-a-table-and-p1-in-a-list]",
    ),
    PlantedFault(
        PROSE_TITLES,
        "(FUNCTIONS.search(part) or not _OF_A_DOCUMENT.search(part))",
        "FUNCTIONS.search(part)",
        SHAPE + "[crm-anforderungen]",
    ),
    PlantedFault(
        WORDS,
        "(?:p[1-4]\\s?[:·–—(-]+\\s?)?(?:(?:planned",
        "(?:(?:planned",
        SHAPE + "[p0-in-a-table-and-p1-in-a-list]",
    ),
    PlantedFault(
        PROSE_CHAPTERS,
        "    if len(parts) < _MANY_PARTS or len(found) <= _LONG_LISTS * len(parts):\n        return found\n",
        "",
        SHAPE + "[chinese-constraints-below-other-requirements]",
    ),
    PlantedFault(
        PROSE_CHAPTERS,
        "    return parts if 2 * sum(d.line_start in inside for d in found) > len(found) else found",
        "    return parts",
        "core/spec/test_long_parts.py::test_lists_mostly_outside_the_parts_are_read_by_item",
    ),
    PlantedFault(
        PROSE_CHAPTERS,
        "len(parts) < _MANY_PARTS or len",
        "len",
        "core/spec/test_long_parts.py::test_a_few_parts_or_short_lists_are_read_by_the_item",
    ),
    PlantedFault(
        PROSE_CHAPTERS,
        " or len(found) <= _LONG_LISTS * len(parts):",
        ":",
        "core/spec/test_long_parts.py::test_a_few_parts_or_short_lists_are_read_by_the_item",
    ),
    PlantedFault(
        PROSE_ITEMS,
        "        if lists_data(section) or lists_fields(section) or is_no_feature(section):",
        "        if is_no_feature(section):",
        "core/spec/test_remaining_chapter_parts.py::test_a_part_without_requirements_is_not_read[Status]",
    ),
    PlantedFault(
        PROSE_ITEMS,
        "        if lists_data(section) or lists_fields(section) or is_no_feature(section):",
        "        if lists_data(section) or is_no_feature(section):",
        "core/spec/test_remaining_chapter_parts.py::test_fields_of_a_part_are_not_read",
    ),
    PlantedFault(
        PROSE_ITEMS,
        "        if any(TESTING.match(t) or TELLS_STEPS.match(t) for",
        "        if any(TESTING.match(t) for",
        "core/spec/test_remaining_chapter_parts.py::test_a_part_without_requirements_is_not_read[User flow]",
    ),
    PlantedFault(
        PROSE_WORDS,
        '    r"(?:实施|开发|实现|项目|迭代)(?:计划|排期)|',
        '    r"',
        SHAPE + "[bianhao-chongxin-kaishi]",
    ),
    PlantedFault(
        PROSE_WORDS,
        '    r"(?:team|staff(?:ing)?|personnel|resource|hiring|budget|funding|training) requirements|',
        '    r"',
        SHAPE + "[key-features-below-an-overview]",
    ),
    PlantedFault(
        WORDS,
        '    r"\\b(?:Debe|Deben|',
        '    r"\\b(?:',
        "core/spec/test_duties.py::test_introductory_lines_and_nested_items_are_not_duties",
    ),
    PlantedFault(
        WORDS, "comportamiento (?:esperado|requerido)|", "", SHAPE + "[componentes-obligatorios]"
    ),
    PlantedFault(
        PROSE_WORDS,
        "external interfaces?(?: requirements)?|",
        "",
        SHAPE + "[external-interfaces-beside-functions]",
    ),
    PlantedFault(
        REQ_ID,
        "    asked = (ItemKind.FUNCTIONAL, ItemKind.STORY)\n",
        "    asked = (ItemKind.FUNCTIONAL,)\n",
        SHAPE + "[istorii-i-nr]",
    ),
    PlantedFault(
        PROSE,
        "        if NOT_A_FEATURE.search(section.title) or TELLS_STEPS.match(section.title):\n            continue\n        label",
        "        if NOT_A_FEATURE.search(section.title):\n            continue\n        label",
        SHAPE + "[document-that-binds-everywhere]",
    ),
    PlantedFault(
        PROSE_WORDS,
        "about this (?:document|page|prd|spec)|",
        "",
        SHAPE + "[document-that-binds-everywhere]",
    ),
    PlantedFault(
        PROSE_WORDS,
        "open (?:product |design |technical )?questions|about",
        "open questions|about",
        SHAPE + "[document-that-binds-everywhere]",
    ),
    PlantedFault(
        PROSE_ITEMS,
        "is_future(words.strip()) or _LATER_THINGS.match(words.strip())",
        "is_future(words.strip())",
        SHAPE + "[later-formats]",
    ),
    PlantedFault(
        WORDS,
        "|(?: (?:und|et|y|e|и|i) \\w{3,20}))?\\W*$|",
        ")?\\W*$|",
        SHAPE + "[ogranicheniya-i-isklyucheniya]",
    ),
]
