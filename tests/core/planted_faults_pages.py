"""A fault for every guard of how pages without a grammar are told from what stands beside them."""

from tests.testkit.planting import PlantedFault

SHAPE = "core/spec/test_shapes.py::test_readers_find_exactly_the_marked_requirements"
NAMES = "core/plan/test_page_names.py::"
PROSE = "core/spec/formats/prose.py"
TITLES = "core/spec/formats/prose_titles.py"
ROWS = "core/spec/formats/prose_rows.py"
REQ_ID = "core/spec/formats/req_id.py"
CRITERIA = "core/spec/formats/criteria.py"
ITEMS = "core/spec/formats/prose_items.py"

PAGE_FAULTS = [
    PlantedFault(
        PROSE,
        "    return _beside_stories(others, functions) if functions else others or found\n",
        "    return _beside_stories(others, functions) if functions and others else others or found\n",
        SHAPE + "[functions-beside-techniques]",
    ),
    PlantedFault(
        "core/spec/formats/prose_lists.py",
        "section.line != facts and ",
        "",
        SHAPE + "[title-of-a-page-without-a-chapter-of-requirements]",
    ),
    PlantedFault(
        PROSE,
        "    return () if is_by_title else tuple(drafts)\n",
        "    return tuple(drafts)\n",
        SHAPE + "[title-of-a-page-without-a-chapter-of-requirements]",
    ),
    PlantedFault(
        PROSE,
        "    is_said = len(found) > 1 and _ASIDES * len(found) >= len(items)\n",
        "    is_said = len(found) > 1\n",
        SHAPE + "[few-musts-among-many]",
    ),
    PlantedFault(
        "core/spec/formats/prose_chapters.py",
        "            is_told = bool(statement) and not _DIAGRAM.fullmatch(statement)\n",
        "            is_told = bool(statement)\n",
        SHAPE + "[picture-beside-parts]",
    ),
    PlantedFault(
        TITLES,
        "(FUNCTIONS.search(part) or not _OF_A_DOCUMENT.search(part))",
        "not part",
        SHAPE + "[name-and-functional-requirements]",
    ),
    PlantedFault(
        TITLES,
        "not any(is_of_quality(title) for title in section.titles[1:2]))\n",
        "True)\n",
        SHAPE + "[name-and-functional-requirements]",
    ),
    PlantedFault(
        ROWS,
        "for said in (REQUIRED, FUNCTIONS)",
        "for said in (REQUIRED,)",
        SHAPE + "[numbered-table-of-functions]",
    ),
    PlantedFault(
        ROWS,
        " or is_left_out(whole, header):\n",
        ":\n",
        SHAPE + "[numbered-table-of-functions]",
    ),
    PlantedFault(
        REQ_ID,
        "    if (is_of_tests or is_of_others) and not is_known_kind(definition.id):\n",
        "    if (is_of_tests or is_of_others) and not definition.id:\n",
        SHAPE + "[arbeitspakete-und-testgeraete]",
    ),
    PlantedFault(
        REQ_ID,
        "    found = without_rules_inside(without_codes(",
        "    found = tuple(without_codes(",
        SHAPE + "[reglas-que-cumple-cada-requisito]",
    ),
    PlantedFault(
        REQ_ID,
        "    drafts, stories = attached(drafts, stories_of(source, sections, drafts), source.visible)\n",
        "    stories = ()\n",
        SHAPE + "[scenarios-at-the-end]",
    ),
    PlantedFault(
        REQ_ID,
        "        scenarios = scenarios or fenced_criteria(source, definition.line_start, end)\n",
        "",
        SHAPE + "[ears-in-fences]",
    ),
    PlantedFault(
        "core/spec/items.py",
        " or _parse_two(section.title)",
        "",
        SHAPE + "[reglas-que-cumple-cada-requisito]",
    ),
    PlantedFault(
        "core/spec/scenario_steps.py",
        "block.kind is BlockKind.ROW and not _has(group, StepKind.THEN)",
        "block.kind is BlockKind.ROW and not group",
        "core/spec/test_ears.py::test_a_table_below_a_step_does_not_end_the_scenario",
    ),
    PlantedFault(
        "core/spec/wishes.py",
        "    if _CALLED_A_STORY.match(section.title) and not text.strip():\n",
        "    if not section.title:\n",
        SHAPE + "[stories-in-fences]",
    ),
    PlantedFault(
        "core/spec/formats/prose_items.py",
        "        for title in section.titles\n    )\n",
        "        for title in section.titles[:0]\n    )\n",
        SHAPE + "[heading-that-binds]",
    ),
    PlantedFault(
        "core/spec/outline.py",
        "heads = atx or _numbered_lines(source)\n",
        "heads = atx\n",
        NAMES + "test_lines_with_numbers_of_chapters_are_the_groups_of_a_page_without_marks",
    ),
    PlantedFault(
        "core/plan/phrases.py",
        'linked = _REFERENCES_END.sub("", _ESCAPED.sub(r"\\1", linked))',
        'linked = _ESCAPED.sub(r"\\1", linked)',
        NAMES + "test_references_are_removed_from_a_heading_name",
    ),
    PlantedFault(
        "core/plan/phrases.py",
        '    before = said[: said.rfind("{")].split() if said.count("{") > said.count("}") else []\n',
        "    before: list[str] = []\n",
        NAMES + "test_a_shortened_name_ends_at_a_complete_part",
    ),
    PlantedFault(
        "core/plan/leads.py",
        "            if all(bare[n] in sought or said[n].casefold() in LOOSE for n in span):\n",
        "            if all(bare[n] in sought for n in span):\n",
        NAMES + "test_shared_words_keep_the_function_words_between_them",
    ),
    PlantedFault(
        "core/plan/slugs.py",
        "    if IDEOGRAPH.search(text) and _KANA.search(text):\n",
        "    if not text:\n",
        NAMES + "test_half_a_japanese_name_is_not_spelled",
    ),
    PlantedFault(
        "core/plan/size.py",
        '_AFTER_LABEL = (":", "：", "—", "–", "\\n")',
        '_AFTER_LABEL = (":", "：", "—", "–")',
        NAMES + "test_a_row_with_a_description_is_a_feature",
    ),
    PlantedFault(
        "core/plan/sign_in.py",
        "(opens and not all(_PUBLIC.search(phrase(one)) for one in own))",
        "opens",
        "core/plan/test_created_things.py::test_public_pages_do_not_wait_for_sign_in",
    ),
    PlantedFault(
        REQ_ID,
        "    if KIND_OF_ITEM.match(title):\n",
        "    if not title:\n",
        NAMES + "test_a_heading_of_an_item_kind_is_not_a_group",
    ),
    PlantedFault(
        TITLES,
        "    if boxes := _boxes(source, sections):\n",
        "    if boxes := ():\n",
        SHAPE + "[boxes-of-functions-en]",
    ),
    PlantedFault(
        "core/spec/formats/prose_items.py",
        "                is_judged = is_criteria_label(label) or _NOTES_LABEL.match(label) is not None\n",
        "                is_judged = _NOTES_LABEL.match(label) is not None\n",
        SHAPE + "[kriterien-einer-liste]",
    ),
    PlantedFault(
        "core/spec/formats/prose_items.py",
        " or _NOTES_LABEL.match(label) is not None\n",
        "\n",
        SHAPE + "[criterios-de-una-lista]",
    ),
    PlantedFault(
        "core/spec/formats/prose_items.py",
        "is_told = section.line in told or _begins_with_a_sentence(section)",
        "is_told = section.line in told",
        SHAPE + "[parts-told-in-sentences]",
    ),
    PlantedFault(
        PROSE,
        "    drafts = whole_parts(drafts, functions if len(functions) > 2 else ())\n",
        "    pass\n",
        SHAPE + "[parts-told-in-sentences]",
    ),
    PlantedFault(
        "core/spec/stories.py",
        "    if label and first < len(starts) and starts[first] < label.line_start:\n",
        "    if label and len(starts) < 0:\n",
        SHAPE + "[criterios-de-una-lista]",
    ),
    PlantedFault(
        "core/plan/put_off.py",
        "    if requirement.priority == LATER:\n",
        "    if not requirement.title:\n",
        "core/spec/test_requirement_counts.py::test_a_requirement_deferred_by_its_priority_is_not_planned",
    ),
    PlantedFault(
        "core/spec/items.py",
        " or _parse_alone(section.title)",
        "",
        NAMES + "test_a_heading_that_is_only_an_id_is_not_a_title",
    ),
    PlantedFault(
        "core/plan/vocabulary.py",
        "    return says_requirements_of(heading) and fold(heading) in titles\n",
        "    return not titles\n",
        NAMES + "test_the_title_of_a_page_is_not_a_group",
    ),
    PlantedFault(
        "core/plan/phrases.py",
        '    if verb.endswith("s") and not verb.endswith(("ss", "us", "is", "as")):\n',
        "    if not verb:\n",
        NAMES + "test_a_verb_with_its_ending_gets_no_second_one",
    ),
    PlantedFault(
        "core/spec/formats/id_filters.py",
        "        or (d.id not in outer and not _is_above_its_own(d))\n",
        "        or d.id not in outer\n",
        SHAPE + "[groups-with-ids-above-their-rows]",
    ),
    PlantedFault(
        "core/spec/id_cells.py",
        "(?:[.-]\\d{1,4}){0,3}[a-zA-Z]?",
        "(?:[.-]\\d{1,4}){0,3}[a-z]?",
        SHAPE + "[ids-with-a-capital-letter-behind]",
    ),
    PlantedFault(
        REQ_ID,
        '            is_name = is_name and not ATTRIBUTE.fullmatch(found[1].strip(" :：") if found else "")\n',
        "",
        NAMES + "test_a_description_label_is_not_a_group",
    ),
    PlantedFault(
        "core/plan/put_off.py",
        "_DEFERRED.search(requirement.statement) or ",
        "",
        "core/spec/test_requirement_counts.py::test_a_requirement_deferred_by_its_text_is_not_planned",
    ),
    PlantedFault(
        TITLES,
        "        if (said := sentences(section)) and not is_whole:\n",
        "        if said := sentences(section)[:0]:\n",
        SHAPE + "[predlozheniya-v-spiskakh]",
    ),
    PlantedFault(
        PROSE,
        "        if is_text and end <= section.body_end and (told := sentences(section)):\n",
        "        if is_text and (told := sentences(section)[:0]):\n",
        SHAPE + "[sentences-below-each-heading]",
    ),
    PlantedFault(
        "core/spec/formats/prose_items.py",
        " or _NO_WORK.match(block.text)\n",
        "\n",
        SHAPE + "[packages-are-no-requirements]",
    ),
    PlantedFault(
        CRITERIA,
        "critérios? de aceit(?:a[çc]ão|e)",
        "critérios de aceita[çc]ão",
        SHAPE + "[criterios-de-aceite]",
    ),
    PlantedFault(
        "core/plan/vocabulary.py",
        " or KIND_OF_ITEM.match(bare):\n",
        ":\n",
        NAMES + "test_a_heading_that_only_says_stories_is_not_a_group",
    ),
    PlantedFault(
        "core/spec/triage/contradictions.py",
        " or _SHOWN.search(sentence) is not None\n",
        "\n",
        "core/spec/test_triage_finds.py::test_numbers_of_examples_do_not_contradict",
    ),
    PlantedFault(
        CRITERIA,
        "    told = () if len(whole) > 1 and all(whole) else grouped(after)\n",
        "    told = grouped(after)\n",
        "core/spec/test_ears.py::test_criteria_that_start_with_given_are_separate_scenarios",
    ),
    PlantedFault(
        "core/spec/scenario_steps.py",
        "    return found if len(found) == 2 else []\n",
        "    return found[:0]\n",
        "core/spec/test_ears.py::test_a_scenario_may_be_one_sentence",
    ),
    PlantedFault(
        "core/spec/outline.py",
        "        return _below_no_title(sections)\n",
        "        return sections\n",
        SHAPE + "[chapters-without-a-title]",
    ),
    PlantedFault(
        ITEMS,
        "(_says_functions, _says_requirements, _says_scope)",
        "(_says_functions, _says_scope)",
        SHAPE + "[requerimientos-en-partes]",
    ),
    PlantedFault(
        ITEMS,
        "        if len(found) > 1:\n            return found\n    return ()\n",
        "        if len(found) > 9:\n            return found\n    return found\n",
        SHAPE + "[chapters-without-a-title]",
    ),
    PlantedFault(
        ITEMS,
        "or _NO_WORK.match(block.text)",
        "",
        SHAPE + "[peitao-wendang-zai-qian]",
    ),
    PlantedFault(
        TITLES,
        "    return is_one and sum(",
        "    return not is_one and sum(",
        SHAPE + "[numbers-that-run-on]",
    ),
    PlantedFault(
        TITLES,
        "outer_items(asked if is_named else chapters)",
        "outer_items(chapters)",
        SHAPE + "[hissu-kinou-to-keii]",
    ),
    PlantedFault(
        "core/spec/formats/endpoints.py",
        " and others <= len({draft.domain for draft in found})",
        "",
        SHAPE + "[endpoints-among-other-lists]",
    ),
    PlantedFault(
        "core/spec/formats/endpoints.py",
        "if is_rules else told",
        "if not section.level else told",
        SHAPE + "[endpoints-in-lists-with-rules]",
    ),
    PlantedFault(
        PROSE,
        "if own and not _is_aside(own, sections)), ())\n",
        "if own), ())\n",
        SHAPE + "[one-must-in-a-design]",
    ),
    PlantedFault(
        PROSE,
        "    found = _whole_features(found, source, sections)\n",
        "",
        SHAPE + "[funktsii-iz-kotoryh-nekotorye-obyazany]",
    ),
    PlantedFault(
        REQ_ID,
        'in {"R", "C"}',
        "in set()",
        SHAPE + "[restricciones-del-sistema]",
    ),
]
