"""A fault for every guard of how features are read and planned one by one, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

MAKERS = "core/plan/test_created_things.py::"
SHAPE = "core/spec/test_shapes.py::test_readers_find_exactly_the_marked_requirements"
ROWS = "core/spec/test_rows.py::"

FEATURE_FAULTS = [
    PlantedFault(
        "core/spec/formats/prose.py",
        "    for whole in (features, plain):\n",
        "    for whole in ():\n",
        SHAPE + "[fields-below-a-label]",
    ),
    PlantedFault(
        "core/plan/makers.py",
        " if head.casefold() not in LOOSE)",
        ")",
        MAKERS + "test_generic_or_earlier_words_create_no_dependency",
    ),
    PlantedFault(
        "core/plan/sign_in.py",
        "    opens = doors[0] == 0 and len(members) > _FEW\n",
        "    opens = False\n",
        MAKERS + "test_all_changes_wait_for_a_sign_in_listed_first",
    ),
    PlantedFault(
        "core/spec/wishes.py",
        "        if not of_roles and (len(wishes) < least or len(wishes) < len(items)):\n",
        "        if wishes or items:\n",
        SHAPE + "[recits-dits-par-une-personne]",
    ),
    PlantedFault(
        "core/spec/wishes.py",
        "    return tuple(drafts) if len(drafts) > 1 else ()\n\n\ndef _told(",
        "    return ()\n\n\ndef _told(",
        SHAPE + "[stories-below-headings-of-their-own]",
    ),
    PlantedFault(
        "core/spec/scenario_steps.py",
        "    if named and opens_step(block.text[named.end() :]) is not None:\n",
        "    if named is block:\n",
        SHAPE + "[scenarios-with-ids-before-their-steps]",
    ),
    PlantedFault(
        "core/spec/formats/prose_chapters.py",
        "        if at + 1 == len(drafts) or drafts[at + 1].line_start > draft.line_end\n",
        "        if at + 1 <= len(drafts)\n",
        SHAPE + "[parts-of-a-part]",
    ),
    PlantedFault(
        "core/spec/formats/prose.py",
        "    return told if len(told) > 1 else ()\n",
        "    return ()\n",
        "core/spec/test_reader_combinations.py::test_only_functional_headings_are_read_beside_other_requirement_chapters",
    ),
    PlantedFault(
        "core/spec/outline.py",
        "    if len(tops) < _CHAPTERS_MIN and not is_said:\n",
        "    if tops:\n",
        SHAPE + "[chapters-as-first-headings]",
    ),
    PlantedFault(
        "core/spec/items.py",
        "is_done_word(cell) for n, cell in rest",
        "not cell for n, cell in rest",
        ROWS + "test_a_status_column_marks_done_requirements",
    ),
    PlantedFault(
        "core/spec/formats/req_id.py",
        "    return kind is HeadingKind.OTHER or (is_said and not says_only_requirements(title))\n",
        "    return kind is HeadingKind.OTHER and not is_said\n",
        ROWS + "test_a_heading_that_says_more_than_features_names_its_group",
    ),
    PlantedFault(
        "core/plan/makers.py",
        "            made.setdefault(thing, at)\n",
        "            made.clear()\n",
        MAKERS + "test_requirements_about_a_thing_wait_for_its_creation",
    ),
    PlantedFault(
        "core/plan/makers.py",
        "        words[-1 if what else 0]\n",
        "        words[-1]\n",
        MAKERS + "test_generic_or_earlier_words_create_no_dependency",
    ),
    PlantedFault(
        "core/plan/sign_in.py",
        "    return any(_SIGNED_IN.search(one) and not _NOT_SIGN_IN.search(one) for one in texts)\n",
        "    return any(_SIGNED_IN.search(one) for one in texts)\n",
        MAKERS + "test_requirements_for_visitors_do_not_wait_for_sign_in",
    ),
    PlantedFault(
        "core/plan/deterministic.py",
        "    free = [(ranks[at], at) for",
        "    free = [(ranks[at], -at) for",
        MAKERS + "test_without_dependencies_the_authors_order_is_kept",
    ),
    PlantedFault(
        "core/plan/affinity.py",
        "    while len(runs) > LOOSE_CHANGES_MAX:\n",
        "    while len(runs) > 99:\n",
        MAKERS + "test_a_list_of_features_is_a_change_each_and_of_many_neighbours_are_joined",
    ),
    PlantedFault(
        "core/spec/formats/req_id.py",
        '            is_name = is_name and not says_only_requirements(found[1] if found else "")\n',
        "",
        MAKERS + "test_headings_group_items_below_a_requirements_label",
    ),
    PlantedFault(
        "core/spec/formats/req_id.py",
        "    live = _promoted(_placed(live), sections)\n",
        "    live = _placed(live)\n",
        "core/spec/test_reader_combinations.py::test_headings_with_criteria_are_requirements_with_any_id_letters",
    ),
    PlantedFault(
        "core/spec/scenario_steps.py",
        "_told_apart(map(_without_label, blocks))",
        "_told_apart(blocks)",
        SHAPE + "[label-and-steps-in-one-paragraph]",
    ),
    PlantedFault(
        "core/spec/formats/prose_chapters.py",
        "    few = (asides and len(stated) == 1) or (is_aside and 3 * len(parts) >= 5 * len(homes))\n",
        "    few = False\n",
        SHAPE + "[one-must-in-a-numbered-part]",
    ),
    PlantedFault(
        "core/spec/formats/prose_titles.py",
        "    if says_requirements_of(title):\n        return True\n",
        "",
        SHAPE + "[requerimientos-de-una-cosa]",
    ),
    PlantedFault(
        "core/spec/columns.py",
        "    if described and name and described != name and len(name) <= _NAME_MAX:\n",
        "    if not described and not name:\n",
        ROWS + "test_a_short_column_before_a_description_is_the_name",
    ),
    PlantedFault(
        "core/spec/items.py",
        "    if len(texts) > 1 and criterion:\n",
        "    if not texts:\n",
        ROWS + "test_a_column_of_acceptance_is_the_criterion_of_its_row",
    ),
]
