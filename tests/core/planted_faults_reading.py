"""A fault for every guard of reading in time, of spec runs kept true, and the test that dies."""

from tests.testkit.planting import PlantedFault

SOUGHT = "core/spec/test_pattern_prefilter.py::"
SHAPES = "core/spec/test_shapes.py::test_readers_find_exactly_the_marked_requirements["
AFFINITY = "core/plan/test_affinity.py::"
IDS = "core/test_stories_of_proposed_ids.py::"

READING_FAULTS = [
    PlantedFault(
        "core/spec/formats/openspec_delta.py",
        "            drafts += _removed_bullets(source, domain, start, end)\n",
        "            pass\n",
        "core/spec/test_two_readers.py::test_the_tolerant_reader_finds_the_operations_of_a_delta",
    ),
    PlantedFault(
        "shell/recent.py",
        "if len(self._entries) > self._entries_max:",
        "if False:",
        "shell/test_recent.py::test_a_cache_does_not_grow_beyond_its_bound",
    ),
    PlantedFault(
        "shell/recent.py",
        "        self._entries.move_to_end(key)\n        return self._entries[key]\n",
        "        return self._entries[key]\n",
        "shell/test_recent.py::test_the_entry_not_used_for_longest_is_dropped",
    ),
    PlantedFault(
        "core/spec/step_words.py",
        'if word == "*" or word.casefold() in _LABELS:',
        'if word == "*":',
        "core/spec/test_step_words.py::test_labels_and_ordinary_sentences_open_no_step",
    ),
    PlantedFault(
        "core/spec/triage/prefiltered.py",
        'return text.replace("İ", "i").casefold().replace("ı", "i")',
        "return text.lower()",
        SOUGHT + "test_letters_that_patterns_take_for_one_another_are_one_root",
    ),
    PlantedFault(
        "core/spec/triage/words.py",
        '"scop", "périmètre"',
        '"scope", "périmètre"',
        SOUGHT + "test_a_word_for_out_of_scope_is_found_in_each_language",
    ),
    PlantedFault(
        "core/plan/affinity.py",
        "min(_RESOURCE_BEARERS_MAX, len(groups) // 2)",
        "len(groups) // 2",
        AFFINITY + "test_thousands_of_requirements_about_one_file_are_planned_quickly",
    ),
    PlantedFault(
        "core/spec/formats/req_id.py",
        "        if elsewhere and ",
        "        if not d.id and ",
        SHAPES + "families-of-qualities]",
    ),
    PlantedFault(
        "core/spec/formats/prose.py",
        "        if label is None and not any(is_normative(block) for block in section.blocks):\n            continue\n",
        "",
        SHAPES + "headings-that-only-tell]",
    ),
    PlantedFault(
        "core/spec/formats/spec_kit.py",
        "    return drafts if 2 * len(binding) > len(drafts) else ()\n",
        "    return () if binding else drafts\n",
        SHAPES + "spec-kit-no-ids-in-functional]",
    ),
    PlantedFault(
        "core/decide/specs/register_ids.py",
        "    return _keys(decision, gone)\n\n\ndef _keys(",
        "    return ()\n\n\ndef _keys(",
        IDS + "test_a_file_that_the_pull_moves_keeps_its_ids",
    ),
    PlantedFault(
        "core/decide/specs/register_ids.py",
        "    return registered(known, spec, version, moved_from, apart), renamed\n",
        "    return registered(before, spec, version, moved_from, apart), renamed\n",
        IDS + "test_a_rename_in_a_delta_keeps_the_id_and_is_shown",
    ),
    PlantedFault(
        "core/plan/digest.py",
        "    live = uncovered(main.covered, main.registered, _included(main))\n",
        "    live = uncovered(main.covered, one.merged or main.registered)\n",
        IDS + "test_a_landed_requirement_is_not_planned_again_under_a_new_id",
    ),
    PlantedFault(
        "core/plan/digest.py",
        "        ids=main.ids if registers else IdChanges(known=main.ids.known),\n",
        "        ids=main.ids,\n",
        IDS + "test_a_text_that_registers_no_requirement_shows_no_ids",
    ),
    PlantedFault(
        "core/plan/digest.py",
        "not blocks and (main.is_under_way or bool(live.requirements))",
        "not blocks",
        IDS + "test_an_edit_without_work_keeps_the_ids_of_landed_requirements",
    ),
    PlantedFault(
        "core/plan/digest.py",
        "(main.is_under_way or bool(live.requirements))",
        "bool(live.requirements)",
        IDS + "test_an_edit_during_a_run_shows_the_removed_ids",
    ),
    PlantedFault(
        "core/spec/identity/id_changes.py",
        "            if r.id in minted - told\n",
        "            if r.id in minted\n",
        IDS + "test_an_uncertain_match_shows_both_titles_before_and_after_the_merge",
    ),
    PlantedFault(
        "core/spec/identity/id_changes.py",
        "    if not known and not of_spec(before, text.key):\n        return IdChanges()\n",
        "",
        IDS + "test_a_spec_unknown_to_the_register_shows_no_ids",
    ),
    PlantedFault(
        "core/journal/evolve_specs.py",
        "        decided=state.decided + 1,\n        register_now=",
        "        register_now=",
        IDS + "test_every_pull_is_read_again_after_a_registration",
    ),
    PlantedFault(
        "core/talk/requirement_ids.py",
        "*lines[:_LINES_MAX]",
        "*lines",
        IDS + "test_lists_of_ids_are_cut",
    ),
]
