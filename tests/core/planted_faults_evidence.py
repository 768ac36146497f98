"""A fault for each guard of what tests prove beyond passing, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

PROOF = "core/state/proof.py"
BEYOND = "core/test_stories_of_proof.py::TestMeasuredProof::"
UNASKED = BEYOND + "test_measurements_set_the_level_and_fail_nothing_by_default"

SCENARIOS = "core/test_stories_of_proof.py::TestScenarios::"
LOST = "core/test_stories_of_lost_tests.py::"
LANDS = LOST + "test_a_lost_test_that_a_person_allows_lands_with_a_ledger_entry"

EVIDENCE_FAULTS = [
    PlantedFault(
        PROOF,
        "running = [test for test in passed if test.runs_added]",
        "running = list(passed)",
        UNASKED,
    ),
    PlantedFault(
        PROOF,
        "if any(test.fails_without for test in running):",
        "if any(test.fails_without is not False for test in running):",
        UNASKED,
    ),
    PlantedFault(
        PROOF,
        "        passed, is_asked=known",
        "        tests, is_asked=known",
        BEYOND + "test_a_failing_test_proves_nothing_by_failing_on_main",
    ),
    PlantedFault(
        PROOF,
        "ProofLevel.L2 if requirement in self.kept else ProofLevel.L4",
        "ProofLevel.L4",
        BEYOND + "test_an_unchanged_requirement_needs_no_failing_test",
    ),
    PlantedFault(
        "core/state/waivers.py",
        " or not may_lose.keys() >= set(lost):",
        ":",
        LOST + "test_another_lost_test_needs_another_permission",
    ),
    PlantedFault(
        "core/state/waivers.py",
        "if result.gate not in set(gates) or",
        "if",
        LOST + "test_a_permission_for_lost_tests_covers_no_other_gate",
    ),
    PlantedFault(
        "core/decide/people/allow_steering.py",
        "red = [r for r in results if r.gate in guards and not",
        "red = [r for r in results if not",
        LOST + "test_a_gate_that_does_not_guard_tests_cannot_be_allowed",
    ),
    PlantedFault(
        "core/decide/changes/conclude.py",
        "is_all = all(r.gate in guards and r.failed_tests for r in red)",
        "is_all = any(r.gate in guards and r.failed_tests for r in red)",
        LOST + "test_a_permission_for_lost_tests_covers_no_other_gate",
    ),
    PlantedFault("core/journal/evolve_main.py", " if t not in lost)", ")", LANDS),
    PlantedFault(
        "core/journal/evolve_change_candidate.py",
        "{event.digest: event.allowed_by} if event.files else {}",
        "{event.digest: event.allowed_by}",
        LOST + "test_steering_files_need_a_separate_permission",
    ),
    PlantedFault(
        PROOF,
        "if sum(scenario in test.scenarios for test in counted) < planned",
        "if not any(scenario in test.scenarios for test in counted)",
        SCENARIOS + "test_a_scenario_with_too_few_tests_is_red_and_named",
    ),
    PlantedFault(
        PROOF,
        "if test.asserts and (test.passed or not is_whole)]",
        "if test.asserts]",
        SCENARIOS + "test_a_scenario_with_enough_passed_tests_is_green",
    ),
    PlantedFault(
        PROOF,
        "if test.asserts and (test.passed or not is_whole)]",
        "if test.asserts and test.passed]",
        SCENARIOS + "test_unnamed_tests_of_a_cut_report_do_not_fail_a_scenario",
    ),
    PlantedFault(
        "core/state/evidence.py",
        "    if not judged.diff or not _must_see_tests_run(",
        "    if True or not _must_see_tests_run(",
        LOST + "test_gates_that_run_tests_are_repeated_with_the_guard_of_tests",
    ),
    PlantedFault(
        "core/state/evidence.py",
        'or (is_measured and "spec_verify" in asked)',
        'or "spec_verify" in asked',
        LOST + "test_gates_that_run_tests_are_repeated_with_the_guard_of_tests",
    ),
]
