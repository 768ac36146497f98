"""A fault for each guard of what a change declares that it touches."""

from tests.testkit.planting import PlantedFault

GATE = "gates/beyond.py"
SCOPE = "gates/scope_check.py"
STATE = "core/state/declared_scope.py"
TESTS = "gates/test_declared_scope.py::"
STORIES = "core/test_stories_of_declared_files.py::"

DECLARED_FAULTS = [
    PlantedFault(
        GATE,
        "    if not (declared.files or declared.modules):\n        return ()\n",
        "",
        TESTS + "test_without_a_declaration_every_file_is_in_scope",
    ),
    PlantedFault(
        GATE,
        "    if written:\n        return tuple(found)\n",
        "    return tuple(found)\n",
        TESTS + "test_generated_files_are_in_scope_with_their_source",
    ),
    PlantedFault(
        GATE,
        "        if same is not None:\n",
        "        if False:\n",
        TESTS + "test_paths_are_case_sensitive",
    ),
    PlantedFault(
        GATE,
        "(file.before is None and str(path.parent) in self._beside)",
        "str(path.parent) in self._beside",
        TESTS + "test_undeclared_files_are_outside_the_scope",
    ),
    PlantedFault(
        GATE,
        'path.suffix != ".rs" and ',
        "",
        TESTS + "test_undeclared_files_are_outside_the_scope",
    ),
    PlantedFault(
        GATE,
        "            if (parent := PurePosixPath(path).parent) != PurePosixPath()\n",
        "            if (parent := PurePosixPath(path).parent)\n",
        TESTS + "test_undeclared_files_are_outside_the_scope",
    ),
    PlantedFault(
        GATE,
        "        if file.after is not None:\n",
        "        if True:\n",
        TESTS + "test_a_file_may_be_renamed_to_another_case",
    ),
    PlantedFault(
        SCOPE,
        " or _touches(in_any_case, folded(file.path), file)",
        "",
        TESTS + "test_a_protected_path_is_protected_in_any_case",
    ),
    PlantedFault(
        SCOPE,
        "    if settings.declared.is_binding:\n",
        "    if False:\n",
        TESTS + "test_undeclared_files_are_red_if_the_policy_says_so",
    ),
    PlantedFault(
        SCOPE,
        "beyond(settings.declared, worked_on)",
        "beyond(settings.declared, diff.files)",
        TESTS + "test_files_written_by_the_archive_need_no_declaration",
    ),
    PlantedFault(
        STATE,
        "if mode is GateMode.OFF or not (planned.files or modules):",
        "if mode is GateMode.OFF:",
        STORIES + "test_a_plan_without_files_and_modules_declares_no_scope",
    ),
    PlantedFault(
        STATE,
        "if scope.is_binding else ()",
        "",
        STORIES + "test_an_agent_order_contains_binding_declarations",
    ),
    PlantedFault(
        "core/state/evidence.py",
        "*candidate.archive_paths, *scope)",
        "*candidate.archive_paths)",
        STORIES + "test_a_result_is_reused_only_for_the_same_declaration",
    ),
]
