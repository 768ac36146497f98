"""Faults in telling that most of a page was left out, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

MOSTLY_UNREAD = "core/spec/triage/mostly_unread.py"
TRIAGE = "core/spec/triage/triage.py"
UNIT = "core/spec/test_mostly_unread.py::"
OTHER_CHAPTERS = UNIT + "test_chapters_that_tell_of_something_else_do_not_count"

MOSTLY_UNREAD_FAULTS = [
    PlantedFault(
        MOSTLY_UNREAD,
        "document.format not in FREE_FORMATS or not document.requirements",
        "not document.requirements",
        UNIT + "test_a_format_with_a_grammar_says_itself_what_it_asks_for",
    ),
    PlantedFault(
        MOSTLY_UNREAD,
        "count + len(document.scenarios) + len(document.constraints)",
        "count + len(document.constraints)",
        UNIT + "test_criteria_and_what_binds_every_change_are_read_too",
    ),
    PlantedFault(
        MOSTLY_UNREAD,
        "count + len(document.scenarios) + len(document.constraints)",
        "count + len(document.scenarios)",
        UNIT + "test_criteria_and_what_binds_every_change_are_read_too",
    ),
    PlantedFault(
        MOSTLY_UNREAD,
        "    if total < max(_UNREAD_MIN, _TIMES_READ * read):\n        return\n",
        "",
        UNIT + "test_a_few_lines_beside_what_is_read_are_not_told",
    ),
    PlantedFault(
        MOSTLY_UNREAD,
        "if n >= _OF_CHAPTER_MIN]",
        "]",
        UNIT + "test_a_sentence_below_each_heading_does_not_count",
    ),
    PlantedFault(
        MOSTLY_UNREAD,
        " and not (b.kind is BlockKind.ROW and describes_data(b.header))",
        "",
        UNIT + "test_fields_of_things_do_not_count",
    ),
    PlantedFault(
        MOSTLY_UNREAD,
        "    if not may_be_asked(section):\n        return False\n",
        "",
        OTHER_CHAPTERS + "[2. Goals]",
    ),
    PlantedFault(
        MOSTLY_UNREAD,
        "TELLS_WHY.match(t) or ",
        "",
        OTHER_CHAPTERS + "[2. Problem statement]",
    ),
    PlantedFault(
        MOSTLY_UNREAD,
        " or TELLS_STEPS.match(t)",
        "",
        OTHER_CHAPTERS + "[2. User flow]",
    ),
    PlantedFault(
        TRIAGE,
        "tuple(mostly_unread(document, source)) or unread_lists(document, source)",
        "(*mostly_unread(document, source), *unread_lists(document, source))",
        UNIT + "test_chapters_that_are_named_take_the_place_of_the_finding_for_each_list",
    ),
]
