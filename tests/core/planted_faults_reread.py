"""A fault for every guard of what a second reading of strangers' specs showed."""

from tests.testkit.planting import PlantedFault

SHAPE = "core/spec/test_shapes.py::test_readers_find_exactly_the_marked_requirements"
PROSE = "core/spec/formats/prose.py"
ITEMS = "core/spec/formats/prose_items.py"
PHRASES = "core/plan/phrases.py"
NAMING = "core/plan/test_naming.py::"
SIGNALS = "core/spec/triage/signals.py"
FINDS = "core/spec/test_triage_finds.py::test_vague_words_are_questioned_only_in_binding_text"
REQ_ID = "core/spec/formats/req_id.py"

REREAD_FAULTS = [
    PlantedFault(
        "core/spec/triage/words.py", "(?<![响回反适供相对效])应(?![用急付答届聘收])", "应", SHAPE
    ),
    PlantedFault(
        PROSE,
        "numbered_or_told(source, sections), source, sections)",
        "(), source, sections)",
        SHAPE,
    ),
    PlantedFault(
        "core/spec/formats/prose_lists.py",
        "        if block.line_start in features\n",
        "        if False\n",
        SHAPE,
    ),
    PlantedFault(
        PROSE,
        "    drafts = labelled_features(source, sections)\n",
        "    drafts = ()\n",
        SHAPE,
    ),
    PlantedFault(
        "core/spec/formats/prose_rows.py",
        "    return [s for s in sections if is_of_functions(s)] or sections\n",
        "    return sections\n",
        SHAPE,
    ),
    PlantedFault(ITEMS, "2 * sum(seen[label] > 1 for label, _ in own) >= len(own)", "False", SHAPE),
    PlantedFault(
        ITEMS, "        or any(ATTRIBUTE.fullmatch(label) for label, _ in own)\n", "", SHAPE
    ),
    PlantedFault(
        "core/spec/items.py",
        " or (is_label and not is_own):",
        " or is_label:",
        "core/spec/test_reader_combinations.py::test_the_criteria_below_a_paragraph_with_an_id_are_its_own",
    ),
    PlantedFault(
        REQ_ID, "    drafts = _with_criteria_inside(", "    _with_criteria_inside(", SHAPE
    ),
    PlantedFault(
        REQ_ID,
        "            is_name = is_name and following is not None and is_definition(following)\n",
        "",
        "core/plan/test_authored.py::test_a_label_inside_a_requirement_is_not_a_group",
    ),
    PlantedFault(
        PHRASES,
        "len(whole) < len(words) else _without_loose_tail(words)",
        "len(whole) < len(words) else words",
        NAMING + "test_a_name_ends_where_a_part_of_the_sentence_ends",
    ),
    PlantedFault(
        PHRASES,
        '    if text.rstrip().endswith(("…", "...")):\n',
        "    if False:\n",
        NAMING + "test_a_name_ends_where_a_part_of_the_sentence_ends",
    ),
    PlantedFault(
        PHRASES,
        "_ALLOWING, _SYSTEM_TO):",
        "_ALLOWING):",
        NAMING + "test_a_name_ends_where_a_part_of_the_sentence_ends",
    ),
    PlantedFault(
        "core/plan/naming.py",
        "            return lead\n",
        "            pass\n",
        NAMING + "test_requirements_with_a_shared_beginning_are_named_by_it",
    ),
    PlantedFault(
        "core/plan/romanised.py",
        '        text = _PARTICLES.sub(" ", text)\n',
        "        pass\n",
        NAMING + "test_kana_are_romanised_without_grammar_particles",
    ),
    PlantedFault(
        "core/plan/foundations.py",
        "initial) ){0,2}migrations?",
        r"initial|[\w-]+) ){0,2}migrations?",
        "core/plan/test_authored.py::test_only_a_migration_of_data_is_a_foundation",
    ),
    PlantedFault(
        SIGNALS,
        "_EXAMPLE.search(line) or _GOES_BY.match(line)",
        "_GOES_BY.match(line)",
        FINDS,
    ),
    PlantedFault(
        SIGNALS,
        "_EXAMPLE.search(line) or _GOES_BY.match(line)",
        "_EXAMPLE.search(line)",
        FINDS,
    ),
    PlantedFault(SIGNALS, '== "**" and _LABEL_END', '== "--" and _LABEL_END', FINDS),
    PlantedFault(SIGNALS, r"\*\*I (?:want|need)\b|", "", FINDS),
    PlantedFault(
        "core/spec/triage/words.py",
        "coverage (?:map|matrix|table)|",
        "",
        "core/spec/test_recognised_requirements.py::test_a_coverage_map_defines_no_requirement",
    ),
    PlantedFault(
        "core/spec/scenario_steps.py",
        "if (then and (given or when)) or (given and when):",
        "if then and (given or when):",
        "core/spec/test_recognised_requirements.py::test_a_scenario_without_an_outcome_is_kept_and_asked_about",
    ),
    PlantedFault(
        "core/spec/triage/triage.py",
        "for scenario in document.scenarios:",
        "for scenario in [s for r in document.requirements for s in r.scenarios]:",
        "core/spec/test_recognised_requirements.py::test_a_scenario_without_an_outcome_is_kept_and_asked_about",
    ),
]
