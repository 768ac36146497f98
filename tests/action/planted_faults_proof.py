"""Faults in what the harness measures of tests, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

MEASURE = "harness/measure.py"
RUNNERS = "harness/test_runners.py"
GO = "test_measure_languages.py::test_tests_in_go_are_measured_one_by_one"
NODE = "test_measure_languages.py::test_tests_of_node_are_measured_one_by_one_through_npm"
STORY = "test_measure.py::test_lines_that_tests_run_and_faults_they_detect_are_measured"
ALONE = "test_measure_languages.py::test_red_tests_of_other_runners_run_again_alone"

BASE = "harness/mains_tests.py"
COMPARED = "test_tests_of_main.py::test_tests_that_pass_on_main_but_not_with_the_change_are_named"

ASKED = "test_measure.py::test_only_the_requested_measurements_are_made"

PROOF_FAULTS = [
    PlantedFault(MEASURE, "order.measured.rank < ProofLevel.L3.rank or ", "", ASKED),
    PlantedFault(
        MEASURE,
        "if tests and (order.measured.rank >= ProofLevel.L4.rank or",
        "if tests and (True or",
        ASKED,
    ),
    PlantedFault(
        MEASURE,
        "        if does.get(proof.requirement) in _MEASURED\n        for",
        "        for",
        STORY,
    ),
    PlantedFault(
        MEASURE,
        "with_inline_tests(git, order, as_in(git, base, product)), {})",
        "Edits(), {})",
        STORY,
    ),
    PlantedFault(
        MEASURE, "run.probe(left, _edits(run, faults), {})", "run.probe(left, Edits(), {})", STORY
    ),
    PlantedFault(
        MEASURE, "return any(test.failed_by_assertion for", "return any(not test.passed for", STORY
    ),
    PlantedFault(
        RUNNERS,
        'return _OWN_PATH.sub(f"PYTHONPATH={shlex.quote(str(_PYTEST_PROBE))}:", line)',
        "return line",
        STORY,
    ),
    PlantedFault(MEASURE, "{}) if others else None)", "{}) if not others else None)", GO),
    PlantedFault(MEASURE, "waiting += _halves(faults)", "found.is_cut = True", GO),
    PlantedFault("gates/go_probe.py", "code == _FAILED and ", "", GO),
    PlantedFault(
        "gates/node_probe/__main__.py", '"asserted": asserted,', '"asserted": True,', NODE
    ),
    PlantedFault(
        "harness/reruns.py",
        "Asked(left, are_reported",
        "Asked(None, are_reported",
        "test_measure.py::test_red_tests_run_again_alone",
    ),
    PlantedFault(
        "harness/reruns.py",
        " and all(t.passed for t in ran[name])]",
        "]",
        "test_measure.py::test_red_tests_run_again_alone",
    ),
    PlantedFault("harness/reruns.py", "if has_run else None", "", ALONE),
    PlantedFault("gates/go_probe.py", "names += [one for", "_ = [one for", ALONE),
    PlantedFault(
        RUNNERS,
        'return reports_tests(definition) and bool(_PYTEST.search(definition.command or ""))',
        "return reports_tests(definition)",
        "test_measure.py::test_a_line_of_pytest_is_known_by_its_words",
    ),
    PlantedFault(
        BASE,
        "return [name for name in suspects if name in passed]",
        "return suspects",
        COMPARED,
    ),
    PlantedFault(BASE, "over = self._run(self._over())", "over = self._run(Edits())", COMPARED),
    PlantedFault(
        BASE,
        "for name in one.broken() if not free.covers(name))",
        "for name in one.broken())",
        COMPARED,
    ),
    PlantedFault(BASE, "[:lost] if lost > 0 else []", "[:0]", COMPARED),
    PlantedFault(
        BASE,
        "        if result.tests is None:\n",
        "        if False:\n",
        "test_tests_of_main.py::test_a_gate_that_names_no_test_cannot_be_compared",
    ),
    PlantedFault(
        "harness/measure.py",
        " or path.endswith(_TEST_DATA)",
        "",
        "action/test_measure.py::test_expected_output_files_belong_to_the_tests[src/snapshots/shop__total.snap-True]",
    ),
    PlantedFault(
        "harness/measure.py",
        '"__snapshots__", ',
        "",
        "cheats/test_code_that_works_only_in_tests.py::test_expected_output_files_cannot_be_changed_to_pass[Y-02]",
    ),
]
