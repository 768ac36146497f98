"""A fault for every guard of reading in time, of spec runs kept true, and the test that dies."""

from tests.testkit.planting import PlantedFault

SOUGHT = "core/spec/test_sought.py::"
SHAPES = "core/spec/test_shapes.py::test_what_a_reader_marks_is_what_is_read["
AFFINITY = "core/plan/test_affinity.py::"

READING_FAULTS = [
    PlantedFault(
        "core/spec/sought.py",
        'return text.replace("İ", "i").casefold().replace("ı", "i")',
        "return text.lower()",
        SOUGHT + "test_letters_that_patterns_take_for_one_another_are_one_root",
    ),
    PlantedFault(
        "core/spec/words.py",
        '"scop", "périmètre"',
        '"scope", "périmètre"',
        SOUGHT + "test_nothing_that_the_pattern_matches_is_lost",
    ),
    PlantedFault(
        "core/plan/affinity.py",
        "min(_RESOURCE_BEARERS_MAX, len(groups) // 2)",
        "len(groups) // 2",
        AFFINITY + "test_thousands_of_requirements_that_name_one_file_are_planned_in_a_moment",
    ),
    PlantedFault(
        "core/plan/affinity.py",
        "        for other in others:\n            self._enter(other)\n",
        "        for other in ():\n            self._enter(other)\n",
        AFFINITY + "test_each_part_grows_by_the_group_most_bound_to_it",
    ),
    PlantedFault(
        "core/spec/formats/req_id.py",
        "        if elsewhere\n",
        "        if not d.id\n",
        SHAPES + "german-lastenheft]",
    ),
    PlantedFault(
        "core/spec/formats/prose.py",
        "        if not any(_is_normative(block) for block in section.blocks):\n            continue\n",
        "",
        SHAPES + "headings-that-only-tell]",
    ),
    PlantedFault(
        "core/spec/formats/spec_kit.py",
        "    return drafts if binding else ()\n",
        "    return () if binding else drafts\n",
        SHAPES + "spec-kit-no-ids-in-functional]",
    ),
]
