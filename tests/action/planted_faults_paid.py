"""Faults on the runner's side of paid work, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

KEPT = "test_work_is_kept.py::"
TABLES = "test_leftovers_and_secrets.py::"
TOLD = "test_told_truly.py::"
LEFTOVERS = KEPT + "test_leftovers_are_left_out_and_told"

PAID_FAULTS = [
    PlantedFault(
        "harness/agent_order.py",
        "                if context.halt.reason is not HaltReason.INTERRUPTED:\n",
        "                if context.halt.reason is not None:\n",
        KEPT + "test_a_cancelled_workflow_hands_back_what_there_is",
    ),
    PlantedFault(
        "halt.py",
        "{HaltReason.TOLD_TO_STOP, HaltReason.LEASE_RAN_OUT}",
        "set(HaltReason)",
        KEPT + "test_a_cancelled_workflow_hands_back_what_there_is",
    ),
    PlantedFault(
        "harness/agent_order.py",
        "                if context.halt.reason is not HaltReason.INTERRUPTED:\n",
        "                if context.halt.reason is None:\n",
        "test_lease.py::test_the_harness_stops_at_once_and_reports_nothing_when_told",
    ),
    PlantedFault(
        "agents/builtin.py",
        "AgentOutcome(AgentEnding.FINISHED, sentence))",
        "AgentOutcome(AgentEnding.GAVE_UP, sentence))",
        KEPT + "test_work_does_not_die_of_a_word",
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
        TABLES + "test_git_reads_the_patterns_as_they_stand_in_their_folders",
    ),
    PlantedFault(
        "secret_rules.py",
        "    yield line[: _PIECE + _OVERLAP]\n",
        "    yield line\n    return\n",
        TABLES + "test_a_long_line_takes_the_time_of_its_length_and_not_of_its_square",
    ),
    PlantedFault(
        "agents/prompt.py",
        "    has_work = order.start_sha != order.base_sha\n",
        "    has_work = True\n",
        TOLD + "test_the_tree_is_described_as_it_is",
    ),
    PlantedFault(
        "secret_rules.py",
        "        if secret.value not in known and secret.value not in earlier:\n",
        "        if True:\n",
        KEPT + "test_a_secret_that_was_there_before_is_not_the_agents",
    ),
]
