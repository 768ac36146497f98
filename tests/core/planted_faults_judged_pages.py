"""A fault for every guard of how pages that a blind reader counted are read, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

SHAPE = "core/spec/test_shapes.py::test_readers_find_exactly_the_marked_requirements"
UNIT = "core/spec/test_judged_pages.py::"
CELLS = "core/spec/id_cells.py"
LISTS = "core/spec/formats/prose_lists.py"
BELOW = "core/spec/formats/items_below_labels.py"
FOLDERS = "core/spec/formats/folder_pages.py"
TITLES = "core/spec/formats/prose_titles.py"
NOTHING = "core/spec/triage/nothing_read.py"
WISHES = "core/spec/wishes.py"
STORIES = "core/spec/stories.py"
GROUPS = "core/spec/formats/group_lines.py"

JUDGED_PAGE_FAULTS = [
    PlantedFault(
        CELLS,
        "    if found and not is_column_of_ids and _says_when(block, at):\n",
        "    if found and not is_column_of_ids and False:\n",
        SHAPE + "[sprints-in-the-first-column]",
    ),
    PlantedFault(
        CELLS,
        "for said in (PRIORITY, STATUS, _WHEN))",
        "for said in (STATUS, _WHEN))",
        UNIT + "test_a_column_of_priorities_holds_no_ids",
    ),
    PlantedFault(
        CELLS,
        "    return identifier in _WORDS_WITH_DIGITS\n",
        "    return False\n",
        UNIT + "test_qualities_bind_with_any_letters_and_with_a_word_that_looks_like_an_id",
    ),
    PlantedFault(
        "core/spec/formats/qualities.py",
        "bool(c) and not is_sign(c) for c",
        "bool(c) for c",
        UNIT + "test_qualities_bind_with_any_letters_and_with_a_word_that_looks_like_an_id",
    ),
    PlantedFault(
        "core/spec/formats/req_id.py",
        "    if definition.kind is ItemKind.OTHER:\n",
        "    if False:\n",
        UNIT + "test_qualities_bind_with_any_letters_and_with_a_word_that_looks_like_an_id",
    ),
    PlantedFault(
        "core/spec/formats/req_id.py",
        "return not is_of_work(definition.id)",
        "return True",
        UNIT + "test_every_line_except_tasks_is_a_constraint_in_a_qualities_chapter[RISK-0]",
    ),
    PlantedFault(
        "core/spec/formats/prose_rows.py",
        "is_left_out(whole, header)",
        "is_left_out(rest, header)",
        SHAPE + "[moscow-before-the-function]",
    ),
    PlantedFault(
        "core/spec/formats/prose_rows.py",
        "row_priority(whole, header)",
        "row_priority(rest, header)",
        UNIT + "test_a_priority_before_the_name_is_read",
    ),
    PlantedFault(
        LISTS,
        "any(JOURNEYS.match(title) for title in s.titles[1:])",
        "False",
        SHAPE + "[ce-que-montrent-les-parcours]",
    ),
    PlantedFault(
        "core/spec/formats/prose_words.py",
        "(?:user )?journeys?|operating",
        "operating",
        SHAPE + "[summaries-beside-functional-requirements]",
    ),
    PlantedFault(
        BELOW,
        "    if len(found) < _LABELS_MIN:\n",
        "    if not found:\n",
        UNIT + "test_a_requirements_label_among_others_is_not_a_chapter",
    ),
    PlantedFault(
        BELOW,
        "        if label.extent_end > label.line_end\n        and ",
        "        if ",
        UNIT + "test_a_requirements_label_among_others_is_not_a_chapter",
    ),
    PlantedFault(
        BELOW,
        "if block.indent == outer)",
        "if block)",
        SHAPE + "[modules-with-a-label-above-their-duties]",
    ),
    PlantedFault(
        STORIES,
        "            or _of_lists_beside(part, listed)\n",
        "",
        SHAPE + "[gefordertes-verhalten]",
    ),
    PlantedFault(
        STORIES,
        "not is_judged or section.trail not in listed",
        "not is_judged",
        SHAPE + "[required-behavior-with-criteria-beside]",
    ),
    PlantedFault(
        "core/spec/triage/words.py",
        "gefordertes verhalten|",
        "",
        SHAPE + "[gefordertes-verhalten]",
    ),
    PlantedFault(
        "core/spec/triage/words.py",
        "|\\brequired (?:\\w+ ){0,2}(?:behaviou?rs?|capabilit(?:y|ies)|functions?)\\b",
        "",
        SHAPE + "[required-behavior-with-criteria-beside]",
    ),
    PlantedFault(
        GROUPS,
        "        if following is None or not _names_only(one, following)\n",
        "",
        SHAPE + "[bold-ids-that-only-group]",
    ),
    PlantedFault(
        GROUPS,
        " and not any(map(_says, one.section.blocks[at + 1 : end]))",
        "",
        SHAPE + "[bold-ids-that-only-group]",
    ),
    PlantedFault(
        WISHES,
        "len(labels) == 1 or _wishes_in",
        "_wishes_in",
        SHAPE + "[historia-como-etiqueta]",
    ),
    PlantedFault(
        WISHES,
        "    if label and (below_it := criteria_below_label(section, label, section.body_end)):\n",
        "    below_it = criteria_below_label(section, label, section.body_end) if label else ()\n    if label:\n",
        SHAPE + "[user-story-als-kennzeichen]",
    ),
    PlantedFault(
        "core/spec/formats/criteria.py",
        "kriterien (?:zur|der|für die) (?:fertigstellung|erfüllung|abnahme)|",
        "",
        SHAPE + "[user-story-als-kennzeichen]",
    ),
    PlantedFault(
        "core/spec/drafts.py",
        'unicodedata.normalize("NFKD", text.',
        'unicodedata.normalize("NFKD", text.replace("ß", "ss").',
        "core/spec/test_roots.py::test_a_spec_has_the_key_that_it_had_in_earlier_releases",
    ),
    PlantedFault(
        "core/spec/triage/words.py",
        "(?:fonksiyonel|işlevsel) olmayan|",
        "",
        SHAPE + "[gereksinimler-ve-nitelikler]",
    ),
    PlantedFault(
        "core/spec/triage/words.py",
        "gelecek(?:te|teki)?\\b|",
        "",
        UNIT + "test_headings_of_future_work_are_known_in_more_languages",
    ),
    PlantedFault(
        "core/spec/formats/prose_words.py",
        "fonksiyon|işlev|özellik|funksjon",
        "funksjon",
        UNIT + "test_functional_and_other_requirements_are_known_in_many_languages",
    ),
    PlantedFault(
        "core/spec/read.py",
        "(kiro.read, spec_kit.read, prose.read_rules, folder_pages.read)",
        "(kiro.read, spec_kit.read, prose.read_rules)",
        SHAPE + "[kiro-boxes-below-phases]",
    ),
    PlantedFault(
        "core/spec/read.py",
        "(spec_kit.read, prose.read_rules, folder_pages.read),",
        "(spec_kit.read, prose.read_rules),",
        SHAPE + "[spec-kit-with-a-scope]",
    ),
    PlantedFault(
        FOLDERS,
        "        if is_beside or trail_kind(section.titles) not in _ASKED:\n",
        "        if trail_kind(section.titles) not in _ASKED:\n",
        SHAPE + "[kiro-boxes-below-phases]",
    ),
    PlantedFault(
        FOLDERS,
        "        if is_beside or trail_kind(section.titles) not in _ASKED:\n",
        "        if is_beside:\n",
        SHAPE + "[kiro-boxes-below-phases]",
    ),
    PlantedFault(
        FOLDERS,
        "        if all(BOX.match(block.text) for block in items):\n",
        "        if items:\n",
        SHAPE + "[kiro-boxes-below-phases]",
    ),
    PlantedFault(
        FOLDERS,
        "if len(found) >= _BOXES_MIN else ()",
        "",
        UNIT + "test_two_checkboxes_of_a_folder_are_not_requirements",
    ),
    PlantedFault(
        "core/spec/triage/words.py",
        "(?:gap|coverage) (?:report|analysis)",
        "coverage (?:report|analysis)",
        UNIT + "test_a_chapter_of_gaps_has_no_requirements",
    ),
    PlantedFault(
        "core/spec/items.py",
        "was|were|has|have|",
        "was|were|have|",
        SHAPE + "[report-of-gaps-by-ids]",
    ),
    PlantedFault(
        LISTS,
        "if _lists_formulas(s) or any(",
        "if any(",
        SHAPE + "[formules-et-exemple-de-calcul]",
    ),
    PlantedFault(
        LISTS,
        "return len(found) > 1 and 2 * len(found) >= len(items)",
        "return len(found) > 1",
        UNIT + "test_a_few_formulas_do_not_exclude_the_rules_around_them",
    ),
    PlantedFault(
        STORIES,
        "if any(b.kind is BlockKind.PARAGRAPH and _TEST_DATA.match(b.text) for b in section.blocks):",
        "if False:",
        SHAPE + "[formules-et-exemple-de-calcul]",
    ),
    PlantedFault(
        "core/spec/formats/prose_words.py",
        "access|privacy|accès|confidentialité",
        "confidentialité",
        UNIT + "test_a_chapter_of_security_and_access_binds_every_change",
    ),
    PlantedFault(
        TITLES,
        "                or _BESIDE_FUNCTIONS.match(t)\n",
        "",
        SHAPE + "[gineung-myeongse-ui-munseo-jeongbo]",
    ),
    PlantedFault(
        TITLES,
        " and parted[section.titles] > 1 and _only_introduces(section)",
        " and False",
        SHAPE + "[chapters-with-a-line-above-their-parts]",
    ),
    PlantedFault(
        TITLES,
        " and parted[section.titles] > 1 and ",
        " and ",
        SHAPE + "[chapters-with-a-line-above-their-parts]",
    ),
    PlantedFault(
        TITLES,
        "said.startswith(name) and _IS.match(said, len(name)) is not None",
        "said.startswith(name)",
        SHAPE + "[chapters-with-a-line-above-their-parts]",
    ),
    PlantedFault(
        TITLES,
        "is_named and not rest and ",
        "is_named and ",
        SHAPE + "[chapters-with-a-line-above-their-parts]",
    ),
    PlantedFault(
        TITLES,
        "                or is_future(t)\n",
        "",
        SHAPE + "[gineung-myeongse-ui-munseo-jeongbo]",
    ),
    PlantedFault(
        NOTHING,
        " | dict(_tables(sections))",
        "",
        UNIT + "test_unread_tables_of_a_page_are_reported_once",
    ),
    PlantedFault(
        NOTHING,
        "if section.level > 1 and may_be_asked(section)",
        "if section.level > 1",
        UNIT + "test_unread_tables_of_a_page_are_reported_once",
    ),
    PlantedFault(
        NOTHING,
        "    if count < _ITEMS_MIN:\n",
        "    if not count:\n",
        UNIT + "test_small_tables_and_tables_of_other_pages_are_not_reported[Requirements of A-1]",
    ),
    PlantedFault(
        NOTHING,
        "    if not any(s.level == 1 and heading_kind(s.title) in _SAID for s in sections):\n",
        "    if not sections:\n",
        UNIT
        + "test_small_tables_and_tables_of_other_pages_are_not_reported[Where components went-9]",
    ),
]
