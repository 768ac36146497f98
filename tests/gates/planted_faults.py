"""A fault for every guard of the gates, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

TREE = "test_tree.py::"
JUNIT = "test_junit.py::"
SCOPE = "test_scope_check.py::"
JUDGE = "test_judge.py::"
LINE = "test_command_line.py::"

START = "test_imports_at_start.py::"
RESULT = "test_result.py::"

PLANTED_FAULTS = [
    PlantedFault(
        "result.py",
        "import json\n",
        "import json\nimport pydantic as _\n",
        START + "test_the_judge_starts_without_imports_of_single_gates",
    ),
    PlantedFault(
        "result.py",
        '"extra": "forbid", ',
        "",
        RESULT + "test_an_invalid_definition_is_refused_by_every_reader",
    ),
    PlantedFault(
        "definition_file.py",
        "        if name not in known:\n",
        "        if not name:\n",
        RESULT + "test_an_invalid_definition_is_refused_by_every_reader",
    ),
    PlantedFault(
        "definition_file.py",
        "    if type(raw) is not hint:\n",
        "    if not isinstance(hint, type):\n",
        RESULT + "test_an_invalid_definition_is_refused_by_every_reader",
    ),
    PlantedFault(
        "plumbing.py",
        '"GIT_DIR": str(self.git_dir)',
        '"GIT_DIR": str(self.checkout / ".git")',
        TREE + "test_configuration_and_hooks_of_the_checkout_are_not_run",
    ),
    PlantedFault(
        "plumbing.py",
        "return _run_git(self._environment(), self.git_dir, arguments, stdin)",
        "return _run_git(self._environment() | "
        '{"GIT_WORK_TREE": str(self.checkout)}, self.checkout, arguments, stdin)',
        TREE + "test_gitattributes_of_the_candidate_hide_no_lines",
    ),
    PlantedFault(
        "plumbing.py",
        "shutil.rmtree(folder, ignore_errors=True)",
        "pass",
        LINE + "test_a_good_candidate_passes",
    ),
    PlantedFault(
        "tree.py",
        '"--no-renames"',
        '"--find-renames"',
        TREE + "test_a_rename_is_a_deletion_and_an_addition",
    ),
    PlantedFault(
        "tree.py",
        "if not _SHA.fullmatch(base_sha):",
        "if not base_sha:",
        TREE + "test_a_base_must_be_a_full_sha_in_the_checkout",
    ),
    PlantedFault(
        "judge.py",
        "return bool(required) and required <= passed",
        "return required <= passed",
        JUDGE + "test_all_required_gates_must_pass",
    ),
    PlantedFault(
        "judge.py",
        "if builtin.judges is not definition.judges:",
        "if builtin.judges is None:",
        JUDGE + "test_a_contradictory_definition_could_not_run",
    ),
    PlantedFault(
        "execute.py",
        '"--norc", "-e", "-o", "pipefail"',
        '"--norc"',
        JUDGE + "test_a_line_after_a_failing_one_does_not_hide_the_failure",
    ),
    PlantedFault(
        "wording.py",
        '_ESCAPE_SEQUENCES.sub("", text)',
        "text",
        JUDGE + "test_terminal_sequences_and_broken_text_are_made_plain",
    ),
    PlantedFault(
        "command_gate.py",
        "if not evidence.executed:",
        "if evidence.executed < 0:",
        JUDGE + "test_a_command_has_five_possible_endings",
    ),
    PlantedFault(
        "command_gate.py",
        "if evidence.not_passed:",
        "if evidence.not_passed < 0:",
        JUDGE + "test_an_undeclared_report_is_read",
    ),
    PlantedFault(
        "command_gate.py",
        "        if kind in declared and written is None:\n",
        "        if kind not in declared and written is None:\n",
        JUDGE + "test_a_report_committed_by_the_candidate_proves_nothing",
    ),
    PlantedFault(
        "command_gate.py",
        "if code in _CRASHES:",
        "if code is None:",
        JUDGE + "test_a_command_has_five_possible_endings",
    ),
    PlantedFault(
        "junit_files.py",
        "if before.get(path) != _stamp(path)",
        "if path",
        JUDGE + "test_a_report_committed_by_the_candidate_proves_nothing",
    ),
    PlantedFault(
        "junit_files.py",
        " and path.resolve().is_relative_to(self.checkout)",
        "",
        JUNIT + "TestFiles::test_links_and_pipes_are_not_followed",
    ),
    PlantedFault(
        "junit_files.py",
        "| os.O_NOFOLLOW ",
        "",
        JUNIT + "TestFiles::test_a_report_may_not_be_a_link",
    ),
    PlantedFault(
        "junit.py",
        "from defusedxml.ElementTree import fromstring",
        "from xml.etree.ElementTree import fromstring",
        JUNIT + "test_unreadable_reports_are_refused",
    ),
    PlantedFault(
        "junit.py",
        "    if depth > _DEPTH_MAX:\n",
        "    if depth < 0:\n",
        JUNIT + "test_unreadable_reports_are_refused",
    ),
    PlantedFault(
        "junit.py",
        "max(found[outcome], _claimed(root, attribute))",
        "found[outcome]",
        JUNIT + "test_failures_counted_but_not_listed_are_believed",
    ),
    PlantedFault(
        "junit.py",
        " or marked & _NOT_RUN",
        "",
        JUNIT + "test_nested_suites_namespaces_and_skipped_tests_are_read",
    ),
    PlantedFault(
        "junit.py",
        "if name not in not_passed]",
        "if name]",
        JUNIT + "test_a_test_that_also_failed_has_not_passed",
    ),
    PlantedFault(
        "failure_locations.py",
        "if mention in self._paths:",
        "if mention:",
        JUNIT + "test_the_location_comes_from_the_test_case",
    ),
    PlantedFault(
        "scope_check.py",
        "(stands_for_a_folder and _matches(",
        "(False and _matches(",
        SCOPE + "test_work_outside_its_scope_fails_with_the_paths",
    ),
    PlantedFault(
        "scope_check.py",
        "if _touches(protected, file.path, file) or",
        "if",
        SCOPE + "test_an_exception_in_another_case_frees_no_path",
    ),
    PlantedFault(
        "scope_check.py",
        "    if not worked_on:\n",
        "    if not diff.files:\n",
        SCOPE + "test_a_diff_of_archive_paths_only_counts_as_empty",
    ),
    PlantedFault(
        "scope_check.py",
        "    for file in diff.files:\n",
        "    for file in worked_on:\n",
        SCOPE + "test_archive_paths_are_still_judged_by_every_other_rule",
    ),
    PlantedFault(
        "scope_check.py",
        "GitIgnoreSpec.from_lines(anchored(settings.archive_paths))",
        "GitIgnoreSpec.from_lines(settings.archive_paths)",
        SCOPE + "test_archive_paths_may_be_written",
    ),
    PlantedFault(
        "scope_check.py",
        'if ".." in parts[climbs:]:',
        'if ".." in parts[:0]:',
        SCOPE + "test_work_outside_its_scope_fails_with_the_paths",
    ),
    PlantedFault(
        "scope_check.py",
        "if climbs > len(PurePosixPath(file.path).parent.parts):",
        "if climbs > 99:",
        SCOPE + "test_work_outside_its_scope_fails_with_the_paths",
    ),
    PlantedFault(
        "scope_check.py",
        "        case EntryKind.GITLINK:\n",
        "        case EntryKind.GITLINK if not file.path:\n",
        SCOPE + "test_a_submodule_is_refused",
    ),
    PlantedFault(
        "gates/__main__.py",
        "        out.unlink(missing_ok=True)\n",
        "        pass\n",
        LINE + "test_an_unreadable_definition_produces_no_report",
    ),
]
