"""A fault for every guard of coverage by tests, and of the reasons that people read."""

from tests.testkit.planting import PlantedFault

COVERAGE = "core/test_stories_of_coverage_by_tests.py::"
HONEST = COVERAGE + "TestAnHonestRun::"
UNSEEN = COVERAGE + "TestWhatIsNotSeen::"

REASON_FAULTS = [
    PlantedFault(
        "core/decide/changes/settle_orders.py",
        "        passed_tests=_naming_a_requirement(decision, order, result.passed_tests),\n",
        "        passed_tests=(),\n",
        HONEST + "test_every_requirement_is_covered_by_a_test_that_passed_on_main",
    ),
    PlantedFault(
        "core/decide/changes/settle_orders.py",
        "        passed_tests=_naming_a_requirement(decision, order, result.passed_tests),\n",
        "        passed_tests=result.passed_tests,\n",
        HONEST + "test_a_judgement_keeps_the_tests_that_name_a_requirement_and_no_other",
    ),
    PlantedFault(
        "core/decide/changes/settle_orders.py",
        "        if tests is None or spec is None:\n            return passed\n",
        "        if tests is None or spec is None:\n            return ()\n",
        UNSEEN + "test_without_the_tests_of_the_commit_all_names_are_kept",
    ),
    PlantedFault(
        "core/state/coverage.py",
        "islice(mine, _TESTS_KEPT)",
        "mine",
        HONEST + "test_of_many_tests_of_one_requirement_three_are_kept",
    ),
    PlantedFault(
        "core/state/coverage.py",
        "r.tests is None or r.tests.passed < _NAMES_REPORTED",
        "len(r.passed_tests) < _NAMES_REPORTED",
        UNSEEN + "test_where_more_passed_than_a_report_names_nobody_is_paid_to_guess",
    ),
    PlantedFault(
        "core/decide/specs/replan_uncovered.py",
        "is_being_judged = under is not None and under.green is None",
        "is_being_judged = False",
        UNSEEN + "test_a_run_ends_only_when_a_persons_push_was_judged",
    ),
    PlantedFault(
        "core/spec/policy.py",
        "return CoveredWhen.PASSED if reports else CoveredWhen.LANDED",
        "return CoveredWhen.LANDED",
        COVERAGE + "test_a_passed_test_is_asked_for_where_a_required_gate_reports_junit",
    ),
    PlantedFault(
        "core/spec/policy.py",
        "any(g.required and g.junit is not None for g in self.gates)",
        "any(g.junit is not None for g in self.gates)",
        COVERAGE + "test_a_passed_test_is_asked_for_where_a_required_gate_reports_junit",
    ),
]
