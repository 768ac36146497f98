"""A fault for every guard of how stories are read that are written in tables, lines, points and roles."""

from tests.testkit.planting import PlantedFault

SHAPE = "core/spec/test_shapes.py::test_readers_find_exactly_the_marked_requirements"
WISHES = "core/spec/wishes.py"
CRITERIA = "core/spec/formats/criteria.py"
REQ_ID = "core/spec/formats/req_id.py"

STORIES_FAULTS = [
    PlantedFault(WISHES, "        bold_stories,\n", "", SHAPE + "[bold-story-lines-with-prose]"),
    PlantedFault(WISHES, "        tabled_stories,\n", "", SHAPE + "[recits-en-tableau]"),
    PlantedFault(WISHES, "        open_wishes,\n", "", SHAPE + "[roles-in-headings-over-lists]"),
    PlantedFault(
        WISHES,
        'wish = block.text if _is_open(block.text) else ""',
        'wish = ""',
        SHAPE + "[a-line-over-its-wishes]",
    ),
    PlantedFault(
        WISHES,
        "lines[at : at + _LINES_OF_WISH]",
        "lines[at : at + 1]",
        SHAPE + "[wunsch-in-drei-punkten]",
    ),
    PlantedFault(
        WISHES,
        "name = named.get(lines[at][0])",
        "name = None",
        SHAPE + "[nomes-acima-de-cada-historia]",
    ),
    PlantedFault(
        WISHES, "            wishes = roles\n", "            pass\n", SHAPE + "[ruoli-senza-voglio]"
    ),
    PlantedFault(
        WISHES,
        "    if in_lines := criteria_in_lines(section.blocks) or",
        "    if in_lines :=",
        SHAPE + "[we-need-with-an-acceptance-test]",
    ),
    PlantedFault(
        CRITERIA,
        "            if not (goes_on and following and _number_of(following) == last + 1):\n",
        "            if not goes_on and following is None:\n",
        SHAPE + "[notes-techniques-apres-les-criteres]",
    ),
    PlantedFault(
        CRITERIA,
        "            if not (goes_on and following and _number_of(following) == last + 1):\n",
        "            if not goes_on or following:\n",
        SHAPE + "[notes-techniques-apres-les-criteres]",
    ),
    PlantedFault(
        "core/spec/formats/gherkin.py",
        "TokenMatcher(_language(source))",
        'TokenMatcher("en")',
        SHAPE + "[cenarios-sem-lingua]",
    ),
    PlantedFault(
        REQ_ID, "    found = without_parts(found)\n", "", SHAPE + "[ids-of-parts-with-letters]"
    ),
    PlantedFault(
        REQ_ID,
        "_ADDITIONAL.match(title) for title in definition.section.titles[1:]",
        "False for title in definition.section.titles[1:]",
        SHAPE + "[epics-with-further-ids]",
    ),
    PlantedFault(
        "core/spec/item_kinds.py",
        "    if _OF_QUALITY.match(identifier):\n",
        "    if not identifier:\n",
        SHAPE + "[qualities-by-the-middle-of-an-id]",
    ),
    PlantedFault(
        "core/spec/formats/prose.py",
        "    judged_parts,\n    whole_page",
        "    whole_page",
        SHAPE + "[mokuai-youdi-yanshou]",
    ),
    PlantedFault(
        "core/spec/scenario_steps.py",
        "if not _NAME_LINE.match(line)), 0)",
        "if line), 0)",
        SHAPE + "[histoire-en-pas-majuscules]",
    ),
    PlantedFault(
        "core/spec/stories.py",
        "((?:[A-Z][A-Z0-9]{0,9}-[A-Z]{0,2})?",
        "(",
        SHAPE + "[stories-with-letters-before-their-numbers]",
    ),
    PlantedFault(
        "core/spec/triage/open_text.py",
        "    if _WORK_TO_DO.match(plain):\n",
        "    if not plain:\n",
        "core/spec/test_open_text.py::test_a_note_that_states_the_work_is_a_question_and_does_not_block",
    ),
    PlantedFault(
        WISHES,
        'PART_NUMBER.sub("", section.title)\n        groups',
        "section.title\n        groups",
        "core/spec/test_recognised_requirements.py::test_the_chapter_number_is_not_part_of_the_id_of_a_wish",
    ),
    PlantedFault(
        "core/spec/formats/prose.py",
        "_beside_stories(drafts, listed_stories(source, sections)) if drafts else ()",
        "drafts",
        SHAPE + "[stories-below-numbered-topics]",
    ),
    PlantedFault(
        "core/spec/formats/prose.py",
        "    if any(story.line_start in read for story in stories):\n",
        "    if not stories:\n",
        SHAPE + "[p0-list]",
    ),
    PlantedFault(
        "core/spec/id_cells.py",
        'return "" if is_thing and not is_column_of_ids else found[1]',
        "return found[1]",
        SHAPE + "[machines-with-names-like-ids]",
    ),
    PlantedFault(
        "core/spec/formats/prose_items.py",
        " or names_a_machine(section):",
        ":",
        SHAPE + "[browsers-that-a-system-needs]",
    ),
    PlantedFault(
        "core/spec/formats/prose_lists.py",
        "for section in (*goals, *good, *shown))",
        "for section in (*goals, *shown))",
        SHAPE + "[qualities-called-requirements]",
    ),
    PlantedFault(
        "core/spec/formats/prose_lists.py",
        "    if not is_told:\n        return frozenset()\n",
        "",
        "core/spec/test_shapes.py::test_readers_find_exactly_the_marked_requirements[qualities-alone]",
    ),
]
