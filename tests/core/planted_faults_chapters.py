"""A fault for every guard of what the chapters of a page say, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

CHAPTERS = "core/plan/test_chapters_of_pages.py::"
SHAPE = "core/spec/test_shapes.py::test_readers_find_exactly_the_marked_requirements"
BY_CHAPTER = "core/spec/formats/groups_by_chapter.py"

CHAPTER_FAULTS = [
    PlantedFault(
        "core/spec/triage/words.py",
        "halfwidth(title[:_HEADING_MAX])",
        "halfwidth(title)",
        "core/spec/test_words_of_chapters.py::"
        "test_only_the_first_characters_of_a_heading_decide_its_kind",
    ),
    PlantedFault(
        "core/spec/triage/words.py",
        r'    r"\b(?:deverá|deverão|deberán?|devra|devront|dovrà|dovranno|devono|müssen|muszą|moet|moeten|skall|täytyy|on oltava)\b"',
        '    r"(?!)"',
        CHAPTERS
        + "test_one_sentence_rules_are_joined_into_changes[Requisitos-Regras de neg\\xf3cio-O n\\xfamero {} dever\\xe1 ser \\xfanico.]",
    ),
    PlantedFault(
        "core/plan/foundations.py",
        "    return is_foundation_name(name) and not (is_label and not says_only_requirements(group))\n",
        "    return is_foundation_name(name)\n",
        CHAPTERS + "test_a_setting_of_one_feature_is_not_a_foundation[Konfiguration]",
    ),
    PlantedFault(
        BY_CHAPTER,
        "        if titles[plain] > 1 or _ASPECT.fullmatch(plain):\n",
        "        if titles[plain] > 1:\n            return draft.domain\n        if titles[plain] > 9:\n",
        CHAPTERS + "test_a_heading_of_an_aspect_is_named_with_its_chapter[Regeln-Serien-Messen]",
    ),
    PlantedFault(
        BY_CHAPTER,
        "        if members[section.line] == 1 and is_line and section.trail in chapters:\n",
        "        if not members:\n",
        CHAPTERS + "test_a_single_line_below_a_heading_joins_its_chapter",
    ),
    PlantedFault(
        "core/plan/phrases.py",
        '    return _WHOLE_BRACKETS.sub(lambda found: found[1].strip(), plain.strip(" -–—:：*_"))',
        '    return plain.strip(" -–—:：*_")',
        CHAPTERS + "test_a_name_in_brackets_is_the_name",
    ),
    PlantedFault(
        "core/spec/formats/prd.py",
        "    drafts, left = with_unmapped(drafts, found, source, sections, is_mapped=bool(epics))\n",
        "    left = found\n",
        "core/spec/test_shapes.py::test_readers_find_exactly_the_marked_requirements"
        "[stories-of-epics-that-no-map-assigns]",
    ),
    PlantedFault(
        "core/plan/authored.py",
        "    home |= _stories_of(of_any, told)\n",
        "",
        "core/plan/test_story_units.py::test_a_requirement_of_a_page_joins_the_story_that_implements_it",
    ),
    PlantedFault(
        "core/spec/stories.py",
        "        return rows or (_of_the_whole(section) if is_whole else ())\n",
        "        return rows\n",
        "core/spec/test_shapes.py::test_readers_find_exactly_the_marked_requirements"
        "[criteria-with-ids-of-the-whole-page]",
    ),
    PlantedFault(
        "core/spec/formats/phases.py",
        "    if len({n for n in told if n}) < 2:\n",
        "    if told:\n",
        CHAPTERS + "test_changes_come_in_the_order_of_the_authors_phases[headings]",
    ),
    PlantedFault(
        "core/spec/triage/nothing_read.py",
        "        or _NOT_ASKED.search(title)\n",
        "",
        "core/spec/test_recognised_requirements.py::"
        "test_a_possible_requirement_list_is_proposed_with_the_fix[Interaction-Build order-Requirements]",
    ),
    PlantedFault(
        "core/spec/triage/nothing_read.py",
        "    if any(TEST_PLAN.match(section.title) for section in sections if section.level == 1):\n",
        "    if not sections:\n",
        "core/spec/test_recognised_requirements.py::test_the_lists_of_a_plan_of_tests_are_not_proposed",
    ),
    PlantedFault(
        "core/plan/foundations.py",
        '    r"(?!(?:add|create|edit|delete|manage|register|new|an?|the|first|each|every|view|select) )'
        '[\\w-]+ client(?: (?:library|module|wrapper))?|"\n',
        '    r"(?:[\\w-]+ )?client|"\n',
        CHAPTERS + "test_adding_a_client_record_is_not_a_foundation[Add client]",
    ),
    PlantedFault(
        "core/plan/parts.py",
        "        least = affinity.LINE_WEIGHT if _are_short(ground, members) else affinity.FEATURE_WEIGHT\n",
        "        least = affinity.FEATURE_WEIGHT\n",
        CHAPTERS + "test_short_lines_of_a_long_list_are_joined_into_changes[Must have]",
    ),
    PlantedFault(
        "core/plan/vocabulary.py",
        '    bare = _IN_BRACKETS.sub("", heading).strip() or heading\n',
        "    bare = heading\n",
        CHAPTERS
        + "test_a_heading_that_only_says_features_is_not_a_group[MVP Features (first release)]",
    ),
    PlantedFault(
        "core/spec/formats/prose.py",
        "        or called_features(source, sections)\n",
        "",
        "core/spec/test_shapes.py::test_readers_find_exactly_the_marked_requirements"
        "[features-called-so-with-numbers]",
    ),
    PlantedFault(
        "core/spec/formats/prose.py",
        "    if not is_apart or len(parts) <= len(stories):\n",
        "    if parts:\n",
        "core/spec/test_shapes.py::test_readers_find_exactly_the_marked_requirements"
        "[gushi-he-gongneng-xuqiu]",
    ),
    PlantedFault(
        "core/spec/formats/prose.py",
        "    if any(s.level == 1 and TEST_PLAN.search(s.title) for s in sections):\n",
        "    if not sections:\n",
        SHAPE + "[test-plan-of-a-spec]",
    ),
    PlantedFault(
        "core/spec/items.py",
        '    said = found.group("rest")[after.start("sep") :]\n',
        '    said = after.group("sep") + words\n',
        SHAPE + "[ids-before-a-number-of-things]",
    ),
    PlantedFault(
        "core/spec/stories.py",
        "    if is_judged and _are_whole(section) and (whole := _of_the_whole(section)):\n",
        "    if starts and (whole := ()):\n",
        SHAPE + "[whole-examples-without-a-when]",
    ),
    PlantedFault(
        "core/spec/formats/prose.py",
        "_ASIDES = 3\n",
        "_ASIDES = 8\n",
        SHAPE + "[musts-of-a-design]",
    ),
    PlantedFault(
        "core/spec/formats/prose.py",
        "                is_done=rows_are_done(s for s in sections if section.line <= s.line <= end),\n",
        "",
        "core/spec/test_recognised_requirements.py::test_a_feature_whose_rows_are_all_done_is_done[Status-Done]",
    ),
]
