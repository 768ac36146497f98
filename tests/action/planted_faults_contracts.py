"""A fault for every guard of rules over commands, and of programs that do nothing."""

from tests.testkit.planting import PlantedFault

RULES = "test_contracts.py::"
QUIET = "test_adapters.py::"
WORKS = QUIET + "test_a_program_that_works_slowly_is_not_idle"

CONTRACT_FAULTS = [
    PlantedFault(
        "agents/contracts.py",
        'command = _BEFORE.sub("", " ".join(piece.split()))',
        'command = " ".join(piece.split())',
        RULES + "test_a_line_is_read_command_by_command",
    ),
    PlantedFault(
        "agents/contracts.py",
        "said, self._broken = list(dict.fromkeys(self._broken)), []",
        "said = list(dict.fromkeys(self._broken))",
        RULES + "test_a_program_that_broke_a_rule_is_reminded_once",
    ),
    PlantedFault(
        "agents/contracts.py",
        '    return command if isinstance(command, str) else ""\n',
        "    return given\n",
        RULES + "test_input_of_a_tool_without_a_command_is_not_a_command",
    ),
    PlantedFault(
        "agents/command.py",
        'outcome, more = _quiet(place, self.is_nudged), "" if self.is_nudged else NUDGE',
        'outcome, more = _quiet(place, self.is_nudged), ""',
        QUIET + "test_a_program_that_was_stuck_only_once_finishes",
    ),
    PlantedFault(
        "agents/idle_watch.py",
        " or self._budget.has_open_requests",
        "",
        QUIET + "test_a_program_that_waits_for_the_model_is_not_idle",
    ),
    PlantedFault(
        "agents/idle_watch.py",
        "using - used > _BUSY_SHARE * every",
        "False",
        WORKS,
    ),
    PlantedFault(
        "agents/command.py",
        "                self._contracts.saw(given)\n",
        "",
        QUIET + "test_a_program_that_broke_a_rule_is_sent_back_with_it",
    ),
    PlantedFault(
        "agents/tools.py",
        "        if refused := self.rounds.contracts.refuse(asked.command):\n",
        '        if refused := "":\n',
        "test_tools.py::test_a_denied_command_is_not_run",
    ),
]
