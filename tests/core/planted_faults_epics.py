"""A fault for every guard of how epics, their stories, and lists with letters are read."""

from tests.testkit.planting import PlantedFault

SHAPE = "core/spec/test_shapes.py::test_readers_find_exactly_the_marked_requirements"
STORIES = "core/spec/stories.py"
ITEMS = "core/spec/formats/id_filters.py"

EPICS_FAULTS = [
    PlantedFault(STORIES, r"|S(?=\d+\.\d))", ")", SHAPE),
    PlantedFault(
        STORIES,
        "criteria_below_label(section, label, section.body_end)\n    in_story",
        "criteria_after(section, label, section.body_end)\n    in_story",
        SHAPE,
    ),
    PlantedFault(
        "core/spec/wishes.py", "        stories_in_lists,\n        bold", "        bold", SHAPE
    ),
    PlantedFault(
        "core/spec/formats/req_id.py",
        "in_requirements(in_stories(in_features(defined)))",
        "in_stories(in_features(defined))",
        SHAPE,
    ),
    PlantedFault(ITEMS, "(?<!\\d)0", "", SHAPE),
    PlantedFault(
        "core/spec/formats/prose_titles.py",
        " or _named_by_file(source, sections)",
        "",
        SHAPE,
    ),
    PlantedFault(
        "core/spec/formats/prose_titles.py",
        "if not blocks or any(block.kind is not BlockKind.ITEM for block in blocks):",
        "if not blocks:",
        SHAPE,
    ),
    PlantedFault(
        "core/spec/formats/req_id.py", "(is_of_tests or is_of_others)", "is_of_tests", SHAPE
    ),
    PlantedFault(
        "core/spec/formats/prose_lists.py",
        "                or section.line in alike\n",
        "",
        SHAPE,
    ),
    PlantedFault(
        "core/spec/done_marks.py",
        r"(?:[\\s*_]*[(（]?",
        r"(?:\\s*[(（]?",
        "core/spec/test_recognised_requirements.py::test_a_bold_word_after_a_sign_says_that_it_is_done",
    ),
    PlantedFault(
        "core/spec/wishes.py",
        "for part in parts for wish",
        "for part in [' '.join(parts)] for wish",
        "core/spec/test_reader_combinations.py::test_the_purpose_of_a_wish_starts_no_second_wish",
    ),
    PlantedFault(
        "core/spec/wishes.py",
        "section.trail[1:] if label else section.titles[1:]",
        "section.titles[1:]",
        "core/spec/test_reader_combinations.py::test_a_wish_with_criteria_is_a_requirement_under_any_heading",
    ),
]
