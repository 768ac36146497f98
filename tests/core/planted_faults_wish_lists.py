"""Faults in what is read of wishes in plain prose, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

SHAPE = "core/spec/test_shapes.py::test_readers_find_exactly_the_marked_requirements"
WISHES = "core/spec/formats/wish_lists.py"
NOTHING = "core/spec/triage/nothing_read.py"
READ = "core/spec/test_recognised_requirements.py::"

WISH_LIST_FAULTS = [
    PlantedFault(
        "core/spec/formats/prose.py",
        "    _told,\n    wish_lists,\n",
        "    _told,\n",
        SHAPE + "[wishes-below-what-i-want]",
    ),
    PlantedFault(
        WISHES,
        "is not None and not _FROM_OTHERS.search(wish)",
        "is not None",
        SHAPE + "[wishes-below-what-i-want]",
    ),
    PlantedFault(
        WISHES,
        "        is_wanted = leads.get(block.line_start, is_wanted)\n",
        "        is_wanted = is_wanted or leads.get(block.line_start, False)\n",
        SHAPE + "[wishes-below-what-i-want]",
    ),
    PlantedFault(
        WISHES,
        "        if not _is_beside(section)\n",
        "",
        SHAPE + "[liste-de-souhaits]",
    ),
    PlantedFault(
        WISHES,
        " or is_future(t)\n",
        "\n",
        SHAPE + "[wuensche-unter-ich-moechte]",
    ),
    PlantedFault(
        "core/spec/triage/words.py",
        "später(?:er ausbau)?|",
        "",
        SHAPE + "[wuensche-unter-ich-moechte]",
    ),
    PlantedFault(
        NOTHING,
        "        if section.level < 2:\n",
        "        if section.level < 2:\n            continue\n        if not section.level:\n",
        READ + "test_a_list_directly_below_the_title_is_proposed",
    ),
    PlantedFault(
        NOTHING,
        "    if named:\n",
        "    if not named:\n",
        READ + "test_the_reason_for_no_requirements_respects_existing_headings",
    ),
]
