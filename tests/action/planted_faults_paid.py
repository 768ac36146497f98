"""Faults on the runner's side of paid work, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

KEPT = "test_partial_work.py::"
TABLES = "test_leftovers_and_secrets.py::"
TOLD = "test_retry_prompts.py::"
LEFTOVERS = KEPT + "test_leftovers_are_excluded_and_reported"

PAID_FAULTS = [
    PlantedFault(
        "harness/agent_order.py",
        "                if context.halt.reason is not HaltReason.INTERRUPTED:\n",
        "                if context.halt.reason is not None:\n",
        KEPT + "test_a_cancelled_workflow_hands_back_its_work_so_far",
    ),
    PlantedFault(
        "halt.py",
        "{HaltReason.TOLD_TO_STOP, HaltReason.LEASE_RAN_OUT}",
        "set(HaltReason)",
        KEPT + "test_a_cancelled_workflow_hands_back_its_work_so_far",
    ),
    PlantedFault(
        "harness/agent_order.py",
        "                if context.halt.reason is not HaltReason.INTERRUPTED:\n",
        "                if context.halt.reason is None:\n",
        "test_lease.py::test_the_harness_stops_without_a_report_when_the_server_says_so",
    ),
    PlantedFault(
        "agents/builtin.py",
        "AgentOutcome(AgentEnding.FINISHED, sentence))",
        "AgentOutcome(AgentEnding.GAVE_UP, sentence))",
        KEPT + "test_work_is_kept_if_the_last_answer_is_not_exactly_done",
    ),
    PlantedFault(
        "harness/work.py",
        "git.ignore_files(base_sha)",
        "{}",
        LEFTOVERS,
    ),
    PlantedFault(
        "harness/work.py",
        " if not git.has_tracked(folder))",
        ")",
        LEFTOVERS,
    ),
    PlantedFault(
        "harness/leftovers.py",
        '"pyvenv.cfg", "CACHEDIR.TAG"',
        '"pyvenv.cfg"',
        LEFTOVERS,
    ),
    PlantedFault(
        "harness/leftovers.py",
        '    deep = "" if is_bound else "**/"\n',
        '    deep = ""\n',
        TABLES + "test_git_matches_ignore_patterns_relative_to_their_folders",
    ),
    PlantedFault(
        "secret_rules.py",
        "    yield line[: _PIECE + _OVERLAP]\n",
        "    yield line\n    return\n",
        TABLES + "test_a_long_line_is_scanned_in_linear_time",
    ),
    PlantedFault(
        "agents/prompt.py",
        "    has_work = order.start_sha != order.base_sha\n",
        "    has_work = True\n",
        TOLD + "test_the_retry_prompt_describes_the_tree_correctly",
    ),
    PlantedFault(
        "secret_rules.py",
        "        if secret.value not in known and secret.value not in earlier:\n",
        "        if True:\n",
        KEPT + "test_a_secret_from_before_the_run_is_not_blamed_on_the_agent",
    ),
]
