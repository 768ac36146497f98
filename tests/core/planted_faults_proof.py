"""Faults in what proves requirements, and the stories that die of them."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_proof.py::"
LEVELS = STORIES + "TestLevels::"
SEEN = STORIES + "TestPublishedProof::"
SCENARIOS = STORIES + "TestScenarios::"
RISKY = SCENARIOS + "test_a_requirement_of_high_risk_needs_more"
RISKY_TOLD = SCENARIOS + "test_the_test_plan_lists_requirements_that_need_more"
TOLD = STORIES + "TestGateOrders::"

PROOF_FAULTS = [
    PlantedFault(
        "core/state/asked_requirements.py",
        "        if r.id in wanted\n",
        "        if r.id in wanted or wanted\n",
        TOLD + "test_requirements_of_other_changes_allow_no_test_changes",
    ),
    PlantedFault(
        "core/state/asked_requirements.py",
        "            return Asked.REMOVED\n",
        "            return Asked.KEPT\n",
        TOLD + "test_only_modified_or_removed_requirements_allow_test_changes",
    ),
    PlantedFault(
        "core/decide/main/dispatch_gates.py",
        "        is_of_person=True,\n",
        "",
        TOLD + "test_commits_by_people_are_judged_as_a_persons_work",
    ),
    PlantedFault(
        "core/state/proof.py",
        "replace(test, passed=has_passed(_mention(test), names))",
        "replace(test, passed=test.passed or has_passed(_mention(test), names))",
        LEVELS + "test_a_runner_cannot_say_itself_that_a_test_passed",
    ),
    PlantedFault(
        "core/state/proof.py",
        "[test for test in tests if test.asserts]",
        "list(tests)",
        LEVELS + "test_a_requirement_that_is_not_proven_is_red",
    ),
    PlantedFault(
        "core/state/proof.py",
        "text.startswith(test.version[:8])",
        "text.startswith(test.version[:0])",
        LEVELS + "test_a_requirement_that_is_not_proven_is_red",
    ),
    PlantedFault(
        "core/state/proof.py",
        "if known.passed is None and",
        "if known.passed == () and",
        LEVELS + "test_a_gate_without_a_test_report_proves_no_requirement",
    ),
    PlantedFault(
        "core/state/proof.py",
        "if not _is_unseen(one, known)",
        "if one",
        LEVELS + "test_a_cut_list_of_passed_tests_does_not_fail_a_change",
    ),
    PlantedFault(
        "core/state/proof.py",
        "    if is_stale:\n",
        "    if is_stale is None:\n",
        LEVELS + "test_a_text_that_changed_on_main_is_not_the_approved_one",
    ),
    PlantedFault(
        "core/state/proof.py",
        "if one.level.rank < known.wanted_of(one.requirement).rank",
        "if one.level.rank < ProofLevel.L2.rank",
        LEVELS + "test_the_policy_says_how_far_a_requirement_must_be_proven",
    ),
    PlantedFault(
        "core/state/proof.py",
        "if not is_test_path(m.path) and",
        "if not m.path and",
        LEVELS + "test_tests_in_an_unsupported_language_count_by_name",
    ),
    PlantedFault(
        "core/state/flaky_results.py",
        " and not r.proof",
        "",
        LEVELS + "test_a_proof_that_failed_with_a_red_test_is_repeated_with_it",
    ),
    PlantedFault(
        "core/spec/policy.py",
        'if entry is not None and entry.builtin == "spec_verify":',
        "if entry is None:",
        LEVELS + "test_a_proof_that_failed_with_a_red_test_is_repeated_with_it",
    ),
    PlantedFault(
        "core/journal/evolve_main.py",
        "        proof=proof,\n",
        "",
        SEEN + "test_the_ledger_keeps_the_digest_of_the_proof",
    ),
    PlantedFault(
        "core/talk/bootstrap.py",
        "if has_names or name not in",
        "if True or name not in",
        "core/test_talk_bodies.py::test_the_proposed_first_policy_is_valid",
    ),
    PlantedFault(
        "core/spec/test_plan.py",
        "if fnmatchcase(requirement.id, pattern):",
        "if not fnmatchcase(requirement.id, pattern):",
        RISKY,
    ),
    PlantedFault("core/spec/test_plan.py", "if said in _BY_PRIORITY:", "if False:", RISKY),
    PlantedFault(
        "core/spec/test_plan.py",
        "requirement.modality in _OPTIONAL",
        "False",
        RISKY_TOLD,
    ),
    PlantedFault(
        "core/state/proof.py",
        "known.plan.tests_per_scenario(requirement)",
        "known.plan.tests_per_scenario(None)",
        RISKY,
    ),
    PlantedFault(
        "core/talk/planned_tests.py",
        "if len(found) > 1 else",
        "if False else",
        RISKY_TOLD,
    ),
]
