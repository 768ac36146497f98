"""A fault for every guard of pages of functions, of criteria below headings, and of numbered headings."""

from tests.testkit.planting import PlantedFault

SHAPE = "core/spec/test_shapes.py::test_what_a_reader_marks_is_what_is_read"

PAGES_OF_FUNCTIONS_FAULTS = [
    PlantedFault(
        "core/spec/formats/prose_titles.py",
        "    listed = {row.line_start: row for row in rows_of_functions(sections)}\n",
        "    listed = {row.line_start: row for row in rows_of_functions([])}\n",
        SHAPE + "[kinou-ichiran-no-hyou]",
    ),
    PlantedFault(
        "core/spec/formats/prose_chapters.py",
        "                scenarios = criteria_of(chosen, position, end)\n",
        "                scenarios = criteria_of(chosen, position, section.line)\n",
        SHAPE + "[criteres-sous-chaque-titre]",
    ),
    PlantedFault(
        "core/spec/stories.py",
        "    return HeadingKind.CRITERIA in kinds[:2] and not any(\n",
        "    return HeadingKind.CRITERIA in kinds[-1:] and not any(\n",
        SHAPE + "[criteres-par-chapitre]",
    ),
    PlantedFault(
        "core/spec/stories.py",
        "    if is_whole and (named := _criterion_of_heading(section)):\n        return (named,)\n",
        "",
        SHAPE + "[abnahmekriterien-mit-kuerzeln]",
    ),
    PlantedFault(
        "core/spec/outline.py",
        "    if is_plain or sum(map(bool, depths)) < _NUMBERED_MIN:\n",
        "    if is_plain or depths:\n",
        SHAPE + "[numbers-say-the-levels]",
    ),
]
