"""Faults in starting a program again, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

HERE = "action/test_restarts.py::"
FILE = "agents/command.py"
RULES = HERE + "test_rules_decide_whether_a_conversation_is_resumed"

PLANTED_FAULTS = [
    PlantedFault(
        FILE,
        "and self._open_calls <= 0",
        "and True",
        HERE + "test_messages_of_people_reach_a_program_between_two_turns",
    ),
    PlantedFault(
        FILE,
        "        if is_finished and listener.session and self.transcript.events.has_told:",
        "        if not outcome:",
        HERE + "test_an_ended_program_is_resumed_with_messages_that_came_meanwhile",
    ),
    PlantedFault(
        FILE,
        "            self.is_lost = is_unused and outcome.ending is AgentEnding.CRASHED\n",
        "",
        HERE + "test_a_lost_conversation_is_restarted_once",
    ),
    PlantedFault(
        FILE,
        '        self.task = f"{self.task}\\n\\n{words}"\n',
        "",
        HERE + "test_a_new_conversation_includes_earlier_messages_of_people",
    ),
    PlantedFault(
        "agents/restart.py", "last.tokens > CONTEXT_TOKENS_MAX", "last.tokens > 10**9", RULES
    ),
    PlantedFault(
        "agents/restart.py", "last.age_seconds > AGE_SECONDS_MAX", "last.age_seconds > 10**9", RULES
    ),
]
