"""A fault for every guard of what an author makes one piece, and of the order that they give."""

from tests.testkit.planting import PlantedFault

REFERENCED = "core/plan/referenced_steps.py"
AUTHORED = "core/plan/authored.py"
PLAN = "core/plan/deterministic.py"
PARTS = "core/plan/parts.py"
NAMING = "core/plan/naming.py"
PIECES = "core/plan/test_authors_pieces.py::"
EPICS = "core/plan/test_authored.py::"

AUTHORS_PIECES_FAULTS = [
    PlantedFault(
        REFERENCED,
        "if 2 * sum_ >= of.total()",
        "if sum_ == of.total()",
        PIECES + "test_a_layer_is_not_a_group_but_requirements_it_starts_come_first",
    ),
    PlantedFault(
        "core/spec/formats/tasks.py",
        "_WHOLE_RANGE.sub(whole, said)",
        "said",
        PIECES + "test_a_range_of_whole_requirements_is_spelled_out",
    ),
    PlantedFault(
        AUTHORED,
        "default=max(places.values(), default=0) + 1",
        "default=len(places)",
        PIECES + "test_requirements_that_no_step_names_come_last",
    ),
    PlantedFault(
        AUTHORED,
        " or r.line_start < first",
        "",
        PIECES + "test_requirements_before_the_first_story_are_grouped_with_stories",
    ),
    PlantedFault(
        AUTHORED,
        "    home = _named_in(asked, told, [r for r, _ in listed])\n",
        "    home = {}\n",
        EPICS + "test_a_requirement_is_grouped_with_the_only_story_that_names_it",
    ),
    PlantedFault(
        "core/spec/stories.py",
        "    if 2 * len(own) < len(drafts) and not is_mapped:\n",
        "    if is_mapped:\n",
        EPICS + "test_a_story_without_requirements_is_planned",
    ),
    PlantedFault(
        PLAN,
        ", *check_needs(spec))",
        ",)",
        PIECES + "test_an_epic_of_tests_comes_last",
    ),
    PlantedFault(
        PLAN,
        "        if self._story[user] and self._story[on] and self._needs_of_stories:\n",
        "        if False:\n",
        PIECES + "test_a_stated_dependency_between_stories_is_read_after_a_foundation",
    ),
    PlantedFault(
        PARTS,
        "    if are_sentences or most == _ANY_WEIGHT:\n",
        "    if False:\n",
        PIECES + "test_a_group_of_a_few_more_sentences_is_one_change",
    ),
    PlantedFault(
        PARTS,
        "    grounds = frozenset[int]() if is_told else _foundations(ground, contracts)\n",
        "    grounds = _foundations(ground, contracts)\n",
        PIECES + "test_a_foundation_keeps_its_place_in_the_task_list",
    ),
    PlantedFault(
        "core/plan/foundations.py",
        "    if _TABLE.search(said):\n",
        "    if False:\n",
        PIECES + "test_a_database_table_comes_before_requirements_about_its_rows",
    ),
    PlantedFault(
        NAMING,
        "names = without_shared_lead(self._names(part))",
        "names = self._names(part)",
        PIECES + "test_a_prefix_shared_by_a_group_is_not_repeated_in_titles",
    ),
    PlantedFault(
        NAMING,
        "if is_delta and len(self._parts) == 1",
        "if False",
        PIECES + "test_a_change_of_one_capability_is_called_after_its_folder",
    ),
]
