"""Faults in what an agent is told while it still runs, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

HERE = "action/test_quick_gates.py::"

PLANTED_FAULTS = [
    PlantedFault(
        "agents/rounds.py",
        "self.contracts.unmet() or self._refused() or",
        "self.contracts.unmet() or",
        HERE + "test_the_running_agent_learns_of_refused_files_and_can_restore_them",
    ),
    PlantedFault(
        "harness/work.py",
        "    git.read_index(order.start_sha)\n",
        "",
        HERE + "test_a_file_that_was_refused_may_be_ignored_instead",
    ),
    PlantedFault(
        "agents/command.py",
        "finished if is_crashed and finished is not None else outcome",
        "outcome",
        "security/test_agent_attacks.py::test_accepted_files_are_handed_back_without_the_refused_ones",
    ),
    PlantedFault(
        "agents/repeats.py",
        "if turn == self._last else 1",
        "if turn else 1",
        "action/test_long_runs.py::test_every_third_identical_call_adds_a_notice",
    ),
    PlantedFault(
        "harness/folder.py",
        '            JUNIT_VARIABLE: str(self.tmp / "headgate-junit.xml"),\n',
        "",
        HERE + "test_a_line_that_writes_a_report_or_reads_the_base_is_green_in_the_agents_tree",
    ),
]
