"""A fault for each guard of what is measured, and of results that are seen while others still run."""

from tests.testkit.planting import PlantedFault

SHOW = "core/decide/people/show_gates.py"
RUNNING = "core/test_stories_of_live_gates.py::TestRunningGates::"
END = "core/test_stories_of_live_gates.py::TestFinalResults::"
BEYOND = "core/test_stories_of_proof.py::TestMeasuredProof::"

SIGHT_FAULTS = [
    PlantedFault(
        "core/spec/policy.py",
        "return max(self.level, next(asked, ProofLevel.NONE), key=lambda level: level.rank)",
        "return next(asked, ProofLevel.NONE)",
        BEYOND + "test_a_runner_measures_up_to_the_level_of_the_policy",
    ),
    PlantedFault(
        "core/decide/changes/advance.py",
        "        measured=policy.measured,\n",
        "",
        BEYOND + "test_a_runner_measures_up_to_the_level_of_the_policy",
    ),
    PlantedFault(
        SHOW,
        "    if not any(one.is_running or one.ending for one in stand):\n",
        "    if False:\n",
        RUNNING + "test_no_check_run_is_shown_before_a_gate_has_started",
    ),
    PlantedFault(
        SHOW,
        " and one.gate in policy.required_gates",
        "",
        RUNNING + "test_an_optional_gate_has_no_check_run_of_its_own",
    ),
    PlantedFault(
        SHOW,
        "if is_red or is_shown or",
        "if one.ending or is_shown or",
        RUNNING + "test_a_quickly_passed_gate_has_no_check_run",
    ),
    PlantedFault(
        SHOW,
        "for one in entry.doing.status.gates if one.gate in judges]",
        "for one in entry.doing.status.gates]\n    judges |= {one.gate: Judges.TREE for one in stand}",
        RUNNING + "test_a_gate_that_the_policy_does_not_have_is_not_shown",
    ),
    PlantedFault(
        SHOW,
        "            or _is_known(decision, id_)\n        )\n    }\n",
        "        )\n    }\n",
        END + "test_only_the_final_report_decides",
    ),
    PlantedFault(
        SHOW,
        "if is_red or is_shown or _is_known(decision, id_):",
        "if is_red or is_shown:",
        RUNNING + "test_a_started_gate_is_shown_when_it_has_passed",
    ),
    PlantedFault(
        "core/decide/people/publish.py",
        "        said |= given_up_gates(decision, change, external_id)\n",
        "",
        END + "test_a_started_gate_without_a_verdict_is_cancelled",
    ),
    PlantedFault(
        "harness/event_thread.py",
        "urgent.wait(self._seconds)",
        "self._over.wait(self._seconds)",
        "action/test_parallel_gates.py::test_a_red_gate_is_reported_while_others_run",
    ),
    PlantedFault(
        "harness/gate_order.py",
        "if not result.proof and not result.stopped_by:",
        "if not result.stopped_by:",
        "action/test_parallel_gates.py::test_the_runner_does_not_report_results_that_the_server_decides",
    ),
    PlantedFault(
        "shell/orders.py",
        "        one.replace(sentence=redacted(one.sentence), log_tail=redacted(one.log_tail))\n",
        "        one\n",
        "scenarios/test_live_gate_results.py",
    ),
    PlantedFault(
        "shell/orders.py",
        "    if is_news:\n",
        "    if False:\n",
        "scenarios/test_live_gate_results.py",
    ),
    PlantedFault(
        "shell/perform_github.py",
        "known is None or not known.takes(effect.text)",
        "known is None",
        "scenarios/test_live_gate_results.py",
    ),
    PlantedFault(
        "bot/localhub/checks.py",
        "if is_open and edit.conclusion is not None:",
        "if edit.conclusion is not None:",
        "localhub/test_checks.py::test_a_completed_check_run_keeps_its_conclusion",
    ),
    PlantedFault(
        "core/decide/people/publish.py",
        "        _tell_proof(decision, change, candidate)\n",
        "",
        "core/test_stories_of_proof.py::TestPublishedProof::"
        "test_the_table_on_the_pull_shows_the_newest_verdict",
    ),
]
