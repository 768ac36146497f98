"""Faults in what proves requirements, and the stories that die of them."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_proof.py::"
LEVELS = STORIES + "TestLevels::"
SEEN = STORIES + "TestWherePeopleSeeIt::"
SCENARIOS = STORIES + "TestScenarios::"
RISKY = SCENARIOS + "test_a_requirement_of_high_risk_needs_more"
RISKY_TOLD = SCENARIOS + "test_the_agent_is_told_which_requirements_need_more"
TOLD = STORIES + "TestWhatGatesAreTold::"

PROOF_FAULTS = [
    PlantedFault(
        "core/state/asked_requirements.py",
        "        if r.id in wanted\n",
        "        if r.id in wanted or wanted\n",
        TOLD + "test_other_changes_requirements_free_nothing",
    ),
    PlantedFault(
        "core/state/asked_requirements.py",
        "            return Asked.REMOVED\n",
        "            return Asked.KEPT\n",
        TOLD + "test_only_what_a_delta_modifies_or_removes_frees_tests",
    ),
    PlantedFault(
        "core/decide/main/dispatch_gates.py",
        "        is_of_person=True,\n",
        "",
        TOLD + "test_what_people_put_on_main_is_judged_as_a_persons_work",
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
        LEVELS + "test_a_gate_that_names_no_tests_proves_nothing",
    ),
    PlantedFault(
        "core/state/proof.py",
        "if not _is_unseen(one, known)",
        "if one",
        LEVELS + "test_too_many_passed_tests_convict_nobody",
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
        LEVELS + "test_a_language_that_no_runner_reads_counts_by_what_its_tests_name",
    ),
    PlantedFault(
        "core/state/flaky_results.py",
        " and not r.proof",
        "",
        LEVELS + "test_what_is_red_because_a_test_is_red_is_asked_again_with_it",
    ),
    PlantedFault(
        "core/spec/policy.py",
        'if entry is not None and entry.builtin == "spec_verify":',
        "if entry is None:",
        LEVELS + "test_what_is_red_because_a_test_is_red_is_asked_again_with_it",
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
