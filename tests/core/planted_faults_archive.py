"""A fault for every guard of the archive and of the readers of specs, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

LETTERS = "core/spec/test_openspec_letters.py::"
FINDS = "core/spec/test_triage_finds.py::"
DELTA = "core/spec/test_delta.py::"
COMMAND = "entry/test_archive_command.py::"

SPEC_FAULTS = [
    PlantedFault(
        "core/spec/archive/ecma.py",
        "    return re.compile(translated, flags | re.ASCII)",
        "    return re.compile(pattern, flags)",
        LETTERS + "test_a_header_is_read_with_the_blanks_that_openspec_knows",
    ),
    PlantedFault(
        "core/spec/archive/delta_text.py",
        "_without_comments(whole).split",
        "whole.split",
        LETTERS + "test_the_purpose_of_a_delta_is_read_beside_its_comments",
    ),
    PlantedFault(
        "core/spec/markers.py",
        "    return Marker.DECLARED if is_known else Marker.UNREADABLE",
        "    return Marker.DECLARED",
        LETTERS + "test_a_marker_counts_only_in_complete_metadata",
    ),
    PlantedFault(
        "core/spec/archive/main_rules.py",
        "if begin < n < end:",
        "if begin < n:",
        LETTERS + "test_a_second_list_of_requirements_is_outside",
    ),
    PlantedFault(
        "core/spec/archive/delta.py",
        "() if owned is None else tuple(b.name for b in d.added)",
        "()",
        DELTA + "test_the_result_does_not_depend_on_the_order_of_landings[added]",
    ),
    PlantedFault(
        "core/spec/archive/delta_merge.py",
        "(*ahead.get(name, ()), name, ",
        "(name, *ahead.get(name, ()), ",
        DELTA + "test_the_result_does_not_depend_on_the_order_of_landings[added]",
    ),
    PlantedFault(
        "core/spec/archive/delta_merge.py",
        "            ahead[name], waiting, last = waiting, [], name\n",
        "            ahead[name], waiting = waiting, []\n",
        DELTA + "test_an_addition_is_placed_beside_others_of_its_delta",
    ),
    PlantedFault(
        "core/spec/archive/delta.py",
        "            if lost:\n",
        "            if False:\n",
        DELTA + "test_a_capability_is_retired_only_on_request_and_without_loss",
    ),
    PlantedFault(
        "entry/commands/spec_archive.py",
        "        for place, raw in before.items():\n            _write(place, raw)\n",
        "",
        COMMAND + "test_a_write_that_fails_leaves_every_file_as_it_was",
    ),
    PlantedFault(
        "entry/commands/spec_archive.py",
        "lock.touch(exist_ok=False)",
        "lock.touch()",
        COMMAND + "test_a_second_archive_is_refused_while_one_runs",
    ),
    PlantedFault(
        "entry/commands/spec_archive.py",
        "        _refuse_outside_links(place)\n",
        "        pass\n",
        COMMAND + "test_a_symlink_out_of_the_project_is_neither_read_nor_written",
    ),
    PlantedFault(
        "core/spec/triage/signals.py",
        "        if _is_reason(sentence, binds):\n            continue\n",
        "",
        FINDS + "test_vague_words_are_questioned_only_in_binding_text",
    ),
    PlantedFault(
        "core/spec/triage/contradictions.py",
        "len(found) > _QUANTITIES_MAX",
        "len(found) > 99",
        FINDS + "test_numbers_of_two_things_do_not_contradict",
    ),
    PlantedFault(
        "core/spec/triage/contradictions.py",
        "        if other is not None:\n            yield _finding(",
        "        if False:\n            yield _finding(",
        FINDS + "test_two_numbers_for_one_thing_contradict",
    ),
    PlantedFault(
        "core/spec/triage/terms.py",
        "number not in counts or",
        "",
        FINDS + "test_criteria_are_questioned_and_reasons_are_not",
    ),
    PlantedFault(
        "core/spec/formats/req_id.py",
        "without_group_lines(without_groups(found))",
        "without_group_lines(found)",
        "core/spec/test_shapes.py::test_readers_find_exactly_the_marked_requirements",
    ),
    PlantedFault(
        "core/spec/formats/prose.py",
        "        return ()\n    return tuple(\n        item_draft(source, section, block)\n"
        "        for section, block in outer_items(sections)\n        if section.level and",
        "        pass\n    return tuple(\n        item_draft(source, section, block)\n"
        "        for section, block in outer_items(sections)\n        if section.level and",
        "core/spec/test_shapes.py::test_readers_find_exactly_the_marked_requirements",
    ),
]
