"""A fault for every guard of pages of functions, of criteria below headings, and of numbered headings."""

from tests.testkit.planting import PlantedFault

SHAPE = "core/spec/test_shapes.py::test_readers_find_exactly_the_marked_requirements"

PAGES_OF_FUNCTIONS_FAULTS = [
    PlantedFault(
        "core/spec/formats/prose_titles.py",
        "    listed = {row.line_start: row for row in rows_of_functions(sections)}\n",
        "    listed = {row.line_start: row for row in rows_of_functions([])}\n",
        SHAPE + "[kinou-ichiran-no-hyou]",
    ),
    PlantedFault(
        "core/spec/formats/prose_chapters.py",
        "                scenarios = criteria_of(chosen, position, end)\n",
        "                scenarios = criteria_of(chosen, position, section.line)\n",
        SHAPE + "[parts-with-a-criterion-in-a-line]",
    ),
    PlantedFault(
        "core/spec/stories.py",
        "    return HeadingKind.CRITERIA in kinds[:2] and not any(\n",
        "    return HeadingKind.CRITERIA in kinds[-1:] and not any(\n",
        SHAPE + "[criteres-par-chapitre]",
    ),
    PlantedFault(
        "core/spec/stories.py",
        "    if is_whole and (named := _criterion_of_heading(section)):\n        return (named,)\n",
        "",
        SHAPE + "[abnahmekriterien-mit-kuerzeln]",
    ),
    PlantedFault(
        "core/spec/heading_numbers.py",
        "    if sum(map(bool, depths)) < _NUMBERED_MIN or max(levels, default=0) < 2:\n",
        "    if depths:\n",
        SHAPE + "[numbers-say-the-levels]",
    ),
    PlantedFault(
        "core/spec/formats/criteria.py",
        "        or criteria_in_lines(section.between(0, end))\n",
        "",
        SHAPE + "[parts-with-a-criterion-in-a-line]",
    ),
    PlantedFault(
        "core/spec/formats/req_id.py",
        "    criteria = criteria or criteria_in_lines(nested)\n",
        "",
        SHAPE + "[un-criterio-en-su-linea]",
    ),
    PlantedFault(
        "core/spec/formats/req_id.py",
        " or told or criteria_in_lines(section.between(0, end))\n",
        " or told\n",
        SHAPE + "[hangmok-ui-suyong-gijun]",
    ),
    PlantedFault(
        "core/spec/formats/id_filters.py",
        " or d.line_start in lettered\n",
        "\n",
        SHAPE + "[hangmok-ui-suyong-gijun]",
    ),
    PlantedFault(
        "core/spec/stories.py",
        " or _fenced(source, part)\n",
        "\n",
        SHAPE + "[criteres-dans-un-bloc-gherkin]",
    ),
    PlantedFault(
        "core/spec/stories.py",
        "    if not is_beside and any(",
        "    if any(",
        SHAPE + "[steps-with-ids-in-fences]",
    ),
    PlantedFault(
        "core/spec/formats/req_id.py",
        "        scenarios = scenarios or fenced_steps(source, definition.line_start, end)\n",
        "",
        SHAPE + "[steps-with-ids-in-fences]",
    ),
    PlantedFault(
        "core/spec/id_cells.py",
        '    is_of_family = letters is not None and letters[1].partition("-")[0] in families\n',
        "    is_of_family = letters is not None and not families\n",
        SHAPE + "[ids-of-letters-in-a-column-of-ids]",
    ),
    PlantedFault(
        "core/spec/id_cells.py",
        "    if dotted := _DOTTED_CELL.match(cell):\n",
        "    if families and (dotted := _DOTTED_CELL.match(cell)):\n",
        SHAPE + "[codici-con-il-punto]",
    ),
    PlantedFault(
        "core/spec/formats/prose_titles.py",
        "        if is_list and not rows:\n",
        "        if not is_list and not rows:\n",
        SHAPE + "[ichiran-no-kajougaki]",
    ),
    PlantedFault(
        "core/spec/outline.py",
        "heads or _bold_lines(source))",
        "heads)",
        SHAPE + "[titres-en-gras]",
    ),
    PlantedFault(
        "core/spec/outline.py",
        "last.kind is BlockKind.ITEM and _ID_LINE.match(text)\n",
        "False\n",
        SHAPE + "[kigou-no-gyou]",
    ),
    PlantedFault(
        "core/spec/formats/prose.py",
        "told_in_paragraphs(sections) or _binding(",
        "_binding(",
        SHAPE + "[anforderungen-in-absaetzen]",
    ),
    PlantedFault(
        "core/spec/formats/prose.py",
        "        or tables_of_one(sections)\n",
        "",
        SHAPE + "[use-case-tables]",
    ),
    PlantedFault(
        "core/spec/formats/prose_rows.py",
        "for at in range(0, len(row) - 1, 2) if row[at]",
        "for at in range(0, len(row) - 1, 4) if row[at]",
        "core/spec/test_requirement_counts.py::test_a_table_of_pairs_is_named_by_its_name",
    ),
    PlantedFault(
        "core/spec/formats/id_families.py",
        "        return {ItemKind.STORY, ItemKind.RULE}\n",
        "        return {ItemKind.RULE}\n",
        SHAPE + "[historias-y-reglas]",
    ),
    PlantedFault(
        "core/spec/items.py",
        " or _CODE_NAME.fullmatch(words)):\n",
        "):\n",
        SHAPE + "[names-of-tools-behind-ids]",
    ),
    PlantedFault(
        "core/spec/formats/prose.py",
        "TEST_PLAN.search(s.title)",
        "TEST_PLAN.match(s.title)",
        SHAPE + "[yanzheng-baogao]",
    ),
    PlantedFault(
        "core/spec/triage/open_text.py",
        "    if _POINTER.match(plain) and ",
        "    if ",
        "core/spec/test_open_text.py::test_an_open_value_in_brackets_blocks",
    ),
    PlantedFault(
        "core/spec/formats/prose_chapters.py",
        "    for pattern in (EPIC, ONE_FUNCTION):\n",
        "    for pattern in (ONE_FUNCTION,):\n",
        SHAPE + "[epics-with-tasks-alone]",
    ),
    PlantedFault(
        "core/spec/formats/prose_chapters.py",
        "            if says_only_requirements(title) or any(\n",
        "            if not says_only_requirements(title) or any(\n",
        SHAPE + "[jiacu-de-gongneng]",
    ),
    PlantedFault(
        "core/spec/formats/prose.py",
        "    parted_of_file,\n    endpoints",
        "    endpoints",
        SHAPE + "[maddeler-ve-aciklamalari]",
    ),
    PlantedFault(
        "core/spec/triage/open_text.py",
        "    if not before.strip() and _FOLDED.match(plain, match.start()):\n",
        "    if not match.group():\n",
        "core/spec/test_open_text.py::test_a_box_that_a_site_folds_is_not_open",
    ),
    PlantedFault(
        "core/spec/outline.py",
        "    if len(tops) < _CHAPTERS_MIN and not is_said:\n",
        "    if len(tops) < _CHAPTERS_MIN:\n",
        SHAPE + "[zhangjie-dou-shi-yiji]",
    ),
    PlantedFault(
        "core/spec/id_cells.py",
        "(at and _says_something(block))",
        "(not at and _says_something(block))",
        SHAPE + "[ids-of-screens-named-again]",
    ),
]
