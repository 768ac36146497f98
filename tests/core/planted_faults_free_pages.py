"""A fault for every guard of how free pages are read and planned, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

SHAPE = "core/spec/test_shapes.py::test_readers_find_exactly_the_marked_requirements"
UNITS = "core/plan/test_story_units.py::"
WISHES = "core/spec/wishes.py"
PROSE = "core/spec/formats/prose.py"
ITEMS = "core/spec/formats/prose_items.py"
MAKERS = "core/plan/makers.py"

FREE_PAGE_FAULTS = [
    PlantedFault(
        "core/spec/triage/words.py",
        "nicht[ -]?(?:ziele|anforderungen)\\b|",
        "",
        SHAPE + "[was-die-waage-nicht-ist]",
    ),
    PlantedFault(
        "core/spec/formats/req_id.py",
        "        return replace(self, requirements=(), criteria=()) if only else self\n",
        "        return self\n",
        SHAPE + "[historias-con-criterios-numerados]",
    ),
    PlantedFault(
        WISHES,
        "    if STORY.search(section.title) or (",
        "    if (",
        SHAPE + "[wishes-as-headings]",
    ),
    PlantedFault(
        WISHES,
        "    return text if len(labels) == 1 or _wishes_in(text) == 1 else None\n",
        "    return None\n",
        SHAPE + "[one-wish-below-each-heading]",
    ),
    PlantedFault(
        WISHES,
        "        of_roles = is_able and len(able) == len(items)\n",
        "        of_roles = False\n",
        "core/spec/test_reader_combinations.py::test_lists_of_abilities_of_roles_are_requirements",
    ),
    PlantedFault(
        "core/spec/items.py",
        "            if definition and is_moscow(section.title):\n",
        "            if definition is None:\n",
        SHAPE + "[moscow-in-tables]",
    ),
    PlantedFault(
        "core/spec/formats/prose_chapters.py",
        '    above = next((t for t in reversed(outer) if not PART.match(t)), "")\n',
        '    above = ""\n',
        SHAPE + "[parts-of-numbered-groups]",
    ),
    PlantedFault(
        "core/spec/formats/prose_lists.py",
        "        if section.line not in parts or not PART.match(section.title)\n",
        "",
        SHAPE + "[labels-of-each-feature]",
    ),
    PlantedFault(
        "core/spec/formats/prose_titles.py",
        "    if 2 * len([s for s in chapters if OF_A_MACHINE.search(s.title)]) > len(chapters):\n",
        "    if not chapters:\n",
        SHAPE + "[what-a-machine-needs]",
    ),
    PlantedFault(
        PROSE,
        "    plain_functions,\n    named_parts,\n    parted",
        "    named_parts,\n    parted",
        SHAPE + "[plain-features]",
    ),
    PlantedFault(
        PROSE,
        "    return _with_functions(whole, source, sections)\n",
        "    return whole\n",
        SHAPE + "[funktsii-i-trebovaniya-k-interfeisu]",
    ),
    PlantedFault(
        ITEMS,
        "    return IN_SCOPE.match(title) is not None\n",
        "    return False\n",
        SHAPE + "[scope-of-the-first-release]",
    ),
    PlantedFault(
        ITEMS,
        "        if is_part and (is_told or (is_said and not items)):\n",
        "        if is_part and is_told:\n",
        SHAPE + "[features-in-paragraphs]",
    ),
    PlantedFault(
        ITEMS,
        "_label_above(section, block) or ",
        "",
        UNITS + "test_bold_lines_above_lists_are_groups",
    ),
    PlantedFault(
        "core/spec/formats/criteria.py",
        " or is_criteria_label(lines[-1])",
        "",
        SHAPE + "[features-with-descriptions-and-criteria]",
    ),
    PlantedFault(
        "core/spec/scenario_steps.py",
        "            elif group and block.kind is BlockKind.ITEM and _is_listed(group):\n",
        "            elif group and not block.text:\n",
        "core/spec/test_ears.py::test_a_list_below_a_step_belongs_to_it",
    ),
    PlantedFault(
        "core/plan/authored.py",
        "    long = [story for story in told if story.line_end - story.line_start >= _STORY_LINES]\n",
        "    long = told[:0]\n",
        UNITS + "test_a_story_of_a_page_is_a_change_of_its_own",
    ),
    PlantedFault(
        "core/plan/authored_order.py",
        "        if found and requirement.path not in told:\n",
        "        if found:\n",
        UNITS + "test_stories_with_stated_dependencies_wait_only_for_those",
    ),
    PlantedFault(
        "core/plan/parts.py",
        "        and not _STORY.match(ground.domain[on])\n",
        "",
        UNITS + "test_stories_that_others_need_are_not_contracts",
    ),
    PlantedFault(
        "core/plan/parts.py",
        "    if is_whole and fits and",
        "    if fits and",
        UNITS + "test_parts_beside_groups_are_not_joined",
    ),
    PlantedFault(
        "core/plan/size.py",
        '        return is_named and said[len(name) :].lstrip(" *_")[:1] in _AFTER_LABEL\n',
        "        return False\n",
        UNITS + "test_a_labelled_binding_sentence_is_a_feature",
    ),
    PlantedFault(
        "core/plan/naming.py",
        "_without_group(first_name, group)",
        "first_name",
        UNITS + "test_a_piece_does_not_say_its_group_twice",
    ),
    PlantedFault(
        MAKERS,
        '    return f"{names}\\n{role}"\n',
        "    return names if role else names\n",
        UNITS + "test_the_role_in_a_wish_may_depend_on_an_earlier_change",
    ),
    PlantedFault(
        MAKERS,
        '        return f"{names}\\n{requirement.statement}\\n{criteria}"\n',
        "        return names\n",
        UNITS + "test_a_view_waits_for_the_change_that_creates_its_things",
    ),
    PlantedFault(
        "core/plan/sign_in.py",
        "members[doors[1 if registers and len(doors) > 1 else 0]][0]",
        "members[doors[0]][0]",
        UNITS + "test_the_later_of_registration_and_sign_in_is_the_dependency",
    ),
    PlantedFault(
        MAKERS,
        "if maker > at and not shows and not elsewhere:",
        "if maker > at and not elsewhere:",
        UNITS + "test_a_view_waits_for_a_later_change_that_creates_its_things",
    ),
]
