"""Faults in telling that most of a page was left out, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

MOSTLY_UNREAD = "core/spec/triage/mostly_unread.py"
TRIAGE = "core/spec/triage/triage.py"
UNIT = "core/spec/test_mostly_unread.py::"
OTHER_CHAPTERS = UNIT + "test_chapters_without_requirements_do_not_count_as_unread"

MOSTLY_UNREAD_FAULTS = [
    PlantedFault(
        MOSTLY_UNREAD,
        "document.format not in FREE_FORMATS or not document.requirements",
        "not document.requirements",
        UNIT + "test_formats_with_a_grammar_are_not_checked_for_unread_text",
    ),
    PlantedFault(
        MOSTLY_UNREAD,
        "count + len(document.scenarios) + len(document.constraints)",
        "count + len(document.constraints)",
        UNIT + "test_criteria_and_constraints_count_as_read",
    ),
    PlantedFault(
        MOSTLY_UNREAD,
        "count + len(document.scenarios) + len(document.constraints)",
        "count + len(document.scenarios)",
        UNIT + "test_criteria_and_constraints_count_as_read",
    ),
    PlantedFault(
        MOSTLY_UNREAD,
        "    if total < max(_UNREAD_MIN, _TIMES_READ * read):\n        return\n",
        "",
        UNIT + "test_a_few_unread_lines_are_not_reported",
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
