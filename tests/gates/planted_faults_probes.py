"""A fault for every guard of the probes in runners of tests, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

PROBES = "test_probes.py::"
V8 = PROBES + "test_v8_says_which_lines_of_functions_ran"
ISTANBUL = PROBES + "test_istanbul_says_which_lines_of_functions_ran"
NAMED = (
    "core/state/test_coverage.py::test_a_passed_test_is_known_by_the_name_that_its_runner_reports"
)
COVERAGE = "node_probe/coverage.py"
NODE = "node_probe/__main__.py"

PROBE_FAULTS = [
    PlantedFault(COVERAGE, " or url in mapped:", ":", V8),
    PlantedFault(COVERAGE, 'text.encode("utf-16-le", "surrogatepass")) // 2', "text)", V8),
    PlantedFault(
        COVERAGE,
        "return innermost[1] if is_inside and innermost",
        "return innermost[1] if innermost",
        V8,
    ),
    PlantedFault(COVERAGE, "size < innermost[0]", "size > innermost[0]", V8),
    PlantedFault(COVERAGE, "first < number <= last or", "first <= number <= last or", ISTANBUL),
    PlantedFault(COVERAGE, "if min(there)[1] else", "if max(there)[1] else", ISTANBUL),
    PlantedFault(
        NODE,
        'if "--test" in options:',
        'if "--test" in arguments:',
        PROBES + "test_a_runner_is_known_by_how_node_is_called",
    ),
    PlantedFault(
        NODE,
        "            and len(titles) == len(self._titles)\n",
        "",
        PROBES + "test_a_test_is_found_by_all_its_titles",
    ),
    PlantedFault(
        "go_probe.py",
        '.strip() in ("{", ""):',
        ".strip() in ():",
        PROBES + "test_a_block_of_go_has_the_lines_with_statements",
    ),
    PlantedFault(
        "go_probe.py",
        'endswith(f"/{function}")',
        "endswith(function)",
        PROBES + "test_a_test_of_go_is_found_by_the_name_in_its_report",
    ),
    PlantedFault(
        NODE,
        'f"(^| ){_literal(title)}$"',
        'f"(^| ){title}$"',
        PROBES + "test_a_test_is_found_by_the_name_in_its_report",
    ),
    PlantedFault(
        "junit.py",
        "locations.without_checkout(prefix + name)",
        "prefix + name",
        "test_junit.py::test_a_tests_name_is_the_same_in_each_checkout",
    ),
    PlantedFault(
        "profiles/rust.py",
        '"cargo test"',
        '"cargo test --no-run"',
        "scenarios/test_projects_of_each_kind.py::test_the_proposed_policy_judges_a_project_by_its_own_tools[rust]",
    ),
    PlantedFault(
        "mutants.py",
        '{".py": _PYTHON, ".go": _GO, ".rs": _RUST}.get(suffix, _JAVASCRIPT)',
        '{".py": _PYTHON, ".rs": _RUST}.get(suffix, _JAVASCRIPT)',
        PROBES + "test_a_fault_is_made_in_the_language_of_its_file",
    ),
    PlantedFault(
        "bot/core/state/coverage.py",
        'return not folder or re.search(rf"(?:^|/){re.escape(folder)}\\.", name) is not None',
        "return True",
        NAMED,
    ),
    PlantedFault(
        "bot/core/state/coverage.py",
        "return not _JAVASCRIPT_FILE.search(name)",
        "return False",
        NAMED,
    ),
]
