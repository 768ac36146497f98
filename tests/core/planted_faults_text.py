"""A fault for every guard of hostile texts, and the test that dies."""

from tests.testkit.planting import PlantedFault

LINEAR = "core/spec/test_linear_time.py::"
NASTY = LINEAR + "test_a_nasty_text_is_read_and_planned_in_linear_time[specs/x.md-It shall be. ]"
TESTS = LINEAR + "test_readers_of_comments_and_tests_take_linear_time[names in tests]"
HOSTILE = "security/test_hostile_text.py::"
UPGRADED = HOSTILE + "test_a_command_is_answered_while_a_run_waits_for_its_spec_after_an_upgrade"
WORDS = "security/test_untrusted_text.py::"
COMMANDS = "core/test_commands.py::test_only_the_authors_own_lines_count"

TEXT_FAULTS = [
    # Each line once, however many requirements it holds.
    PlantedFault(
        "core/spec/line_owners.py",
        "            owner[line] = position\n",
        "            owner[line] = position + 1\n",
        LINEAR + "test_the_first_of_overlapping_ranges_owns_a_line",
    ),
    PlantedFault(
        "core/spec/triage/triage.py",
        "    for line in sorted(_required_lines(document)):\n",
        "    for line in (\n"
        "        n for r in document.requirements for n in range(r.line_start, r.line_end + 1)\n"
        "    ):\n",
        NASTY,
    ),
    PlantedFault(
        "core/spec/references.py",
        "(?>{_ID.pattern})",
        "(?:{_ID.pattern})",
        LINEAR + "test_an_id_of_many_parts_is_not_divided_in_every_way",
    ),
    PlantedFault(
        "core/spec/references.py",
        "_REFERENCES_MAX = 20_000",
        "_REFERENCES_MAX = 10**9",
        LINEAR + "test_a_range_with_too_many_dependencies_is_reported",
    ),
    PlantedFault(
        "core/spec/identity/register.py",
        "        return self.spent >= _LETTERS_BY_LETTERS_MAX or len(self.likenesses) >= _PAIRS_MAX\n",
        "        return False\n",
        LINEAR + "test_an_edit_of_everything_is_matched_in_linear_time",
    ),
    PlantedFault(
        "core/spec/triage/mentions.py",
        "        if start < unclosed.get(mark, 0):\n",
        "        if False:\n",
        TESTS,
    ),
    PlantedFault(
        "core/spec/archive/names.py",
        "islice(self._alike.get(folded(name), ()), _ALIKE_MAX)",
        "(n for a in self._alike.values() for n in a if folded(n) == folded(name))",
        LINEAR + "test_a_delta_is_folded_in_linear_time[added]",
    ),
    PlantedFault(
        "core/spec/archive/names.py",
        "if self._compared > _COMPARED_MAX or",
        "if",
        LINEAR + "test_a_delta_is_folded_in_linear_time[modified, and not there]",
    ),
    PlantedFault(
        "core/spec/archive/delta_text.py",
        "(?<![ \\t])[ \\t]++#++[ \\t]*+$",
        "[ \\t]+#+[ \\t]*$",
        LINEAR + "test_a_delta_is_folded_in_linear_time[a name of blanks]",
    ),
    PlantedFault(
        "core/spec/archive/claims.py",
        "for n, made in made_by.items() if normal(claim) in made)",
        "for n, made in others.items() if normal(claim) in set(map(normal, made)))",
        LINEAR + "test_claims_of_many_pulls_are_compared_in_linear_time",
    ),
    PlantedFault(
        "core/spec/yaml_bounds.py",
        "            if comes_key[-1] and not isinstance(event, ScalarEvent):\n",
        "            if False:\n",
        HOSTILE + "test_yaml_costs_little_and_is_refused_with_a_sentence[keys that are mappings]",
    ),
    PlantedFault(
        "core/spec/yaml_bounds.py",
        "            if len(comes_key) > _DEPTH_MAX:\n",
        "            if False:\n",
        HOSTILE + "test_yaml_costs_little_and_is_refused_with_a_sentence[open lists]",
    ),
    PlantedFault(
        "core/spec/markers.py",
        "^[^\\S\\n]*+",
        "^\\s*",
        HOSTILE + "test_yaml_costs_little_and_is_refused_with_a_sentence[blank lines]",
    ),
    PlantedFault(
        "core/spec/yaml_bounds.py",
        "    AttributeError,\n",
        "",
        HOSTILE + "test_a_policy_with_a_self_referencing_merge_key_is_refused",
    ),
    # Ceilings.
    PlantedFault(
        "core/spec/ceilings.py",
        "    if size <= caps.file_bytes:\n",
        "    if True:\n",
        HOSTILE + "test_a_huge_spec_of_one_sentence_is_refused_quickly",
    ),
    PlantedFault(
        "core/spec/ceilings.py",
        "    if count <= caps.requirements:\n",
        "    if True:\n",
        HOSTILE + "test_a_stranger_may_not_ask_for_a_thousand_requirements",
    ),
    PlantedFault(
        "shell/observe_pulls.py",
        "            if pull.is_from_fork\n",
        "            if True\n",
        HOSTILE + "test_limits_come_from_the_policy_and_do_not_apply_to_writers",
    ),
    PlantedFault(
        "shell/observe_pulls.py",
        "        if tries > _TRIES_MAX:\n",
        "        if False:\n",
        HOSTILE + "test_parsing_that_kills_its_process_is_given_up",
    ),
    PlantedFault(
        "core/spec/ceilings.py",
        "    if count <= REQUIREMENTS_MAX:\n",
        "    if True:\n",
        HOSTILE + "test_a_command_is_answered_while_a_spec_on_main_waits_to_be_read",
    ),
    PlantedFault(
        "shell/spec_texts.py",
        "        if found is None:\n            wanted",
        "        if found is None:\n"
        "            return self._made(facts, path, version, self._ports.git.files(facts, commit, (path,)))\n"
        "            wanted",
        HOSTILE + "test_a_command_is_answered_while_a_spec_on_main_waits_to_be_read",
    ),
    PlantedFault(
        "shell/spec_texts.py",
        "            text = SpecText(spec=too_costly(path, why))\n",
        "            return SpecText(spec=too_costly(path, why))\n",
        HOSTILE + "test_a_spec_on_main_that_takes_too_long_is_refused_once",
    ),
    PlantedFault(
        "adapters/store/readings.py",
        "            if connection.execute(is_first).scalar() is not None:\n",
        "            if connection.execute(is_first).rowcount == 1:\n",
        "adapters_store/test_readings.py::test_one_process_at_a_time_parses_a_text",
    ),
    PlantedFault(
        "shell/spec_texts.py",
        "        if tries > _TRIES_MAX:\n",
        "        if False:\n",
        HOSTILE + "test_parsing_of_main_that_kills_its_process_is_given_up",
    ),
    PlantedFault(
        "shell/spec_texts.py",
        "    plan_findings(path, known, plan(known))\n",
        "",
        HOSTILE + "test_a_spec_on_main_whose_plan_takes_too_long_is_refused",
    ),
    PlantedFault(
        "core/decide/people/run_commands.py",
        "    if heard is not None and read is not None and not read.is_waiting:\n",
        "    if heard is not None and read is not None:\n",
        HOSTILE + "test_a_run_command_waits_until_the_spec_is_parsed",
    ),
    PlantedFault(
        "shell/test_files.py",
        "                if process_time() > until:\n                    break\n            if process_time() > until:\n",
        "                if False:\n                    break\n            if False:\n",
        HOSTILE + "test_many_tests_on_main_are_parsed_over_several_looks",
    ),
    PlantedFault(
        "core/decide/changes/settle_orders.py",
        "        if order is None or entry.is_waiting:\n",
        "        if order is None:\n",
        "core/test_stories_of_proof.py::TestLevels::test_a_report_waits_until_the_tests_that_it_names_are_read",
    ),
    PlantedFault(
        "core/decide/decide.py",
        "        return decision.events\n    note_rewound",
        "    note_rewound",
        UPGRADED,
    ),
    PlantedFault(
        "core/state/observed.py",
        "        return not self.is_unread or (hint",
        "        return True or (hint",
        UPGRADED,
    ),
    PlantedFault(
        "shell/observe.py",
        "    edits = any(command.verb is Verb.PLAN for command in found.commands)\n",
        "    edits = False\n",
        UPGRADED,
    ),
    # Words of others.
    PlantedFault(
        "core/talk/text.py",
        "!(?=\\[)|",
        "",
        WORDS + "test_images_links_and_references_are_inactive",
    ),
    PlantedFault(
        "core/talk/text.py",
        "])|#(?=\\d)|",
        "])|",
        WORDS + "test_images_links_and_references_are_inactive",
    ),
    PlantedFault(
        "core/talk/text.py",
        '.replace("<", "&lt;")\n    return "\\n".join',
        '\n    return "\\n".join',
        WORDS + "test_images_links_and_references_are_inactive",
    ),
    PlantedFault(
        "core/talk/text.py",
        'flat = " ".join(without_unseen(text).split())',
        'flat = " ".join(text.split())',
        WORDS + "test_a_title_contains_no_direction_changes",
    ),
    PlantedFault(
        "core/talk/text.py",
        "_SKIPS.sub(_split_or_parted, _CLOSING.sub(_split, flat))",
        "_CLOSING.sub(_split, flat)",
        WORDS + "test_text_of_a_spec_never_skips_checks_or_closes_issues",
    ),
    PlantedFault(
        "core/talk/commit.py",
        "signature(a) for a in",
        '" ".join(a.split()) for a in',
        WORDS + "test_no_name_of_a_person_skips_checks[[skip ci]]",
    ),
    PlantedFault(
        "core/talk/text.py",
        'safe = without_unseen(text).replace("<!--"',
        'safe = text.replace("<!--"',
        WORDS + "test_a_log_contains_no_direction_changes",
    ),
    PlantedFault(
        "core/talk/checks.py",
        "            del parts[-1:]\n",
        "            parts.append(part)\n",
        WORDS + "test_an_annotation_path_lies_inside_the_tree",
    ),
    PlantedFault(
        "adapters/git/inspection.py",
        'return part.partition(":")[0].rstrip(". ") or part',
        "return part",
        WORDS + "test_a_name_counts_as_the_path_that_a_file_system_folds_it_to",
    ),
    PlantedFault(
        "adapters/git/inspection.py",
        'seen = _IGNORED.sub("", unicodedata.normalize("NFC", text)).casefold()',
        'seen = unicodedata.normalize("NFC", text).casefold()',
        WORDS + "test_a_name_counts_as_the_path_that_a_file_system_folds_it_to",
    ),
    PlantedFault(
        "core/talk/commands.py",
        "if name.lower() != _NAME or not line.is_typed:",
        "if name.lower() != _NAME:",
        COMMANDS,
    ),
    PlantedFault(
        "core/talk/commands.py",
        "is_typed = len(said) == end - first and _is_typed(typed[first + at])",
        "is_typed = _is_typed(typed[min(first + at, len(typed) - 1)])",
        COMMANDS,
    ),
]
