"""Faults in what a run hands on and hears, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

WATCHED = "test_watched_runs.py::"
LATE = WATCHED + "test_a_message_during_the_last_answer_reaches_the_model"

WATCH_FAULTS = [
    PlantedFault(
        "agents/cut_text.py",
        """    return text[:at] + "".join(re.findall(r"(?<!\\S)\\S*+\\s+", text[at:count]))""",
        "    return text[:count]",
        WATCHED + "test_cutting_a_text_leaves_no_part_of_a_secret",
    ),
    PlantedFault(
        "agents/cut_text.py",
        """    return "".join(re.findall(r"\\s+\\S*+", text[first:at])) + text[at:]""",
        "    return text[first:]",
        WATCHED + "test_cutting_a_text_leaves_no_part_of_a_secret",
    ),
    PlantedFault(
        "agents/builtin.py",
        "        if outcome is not None and outcome.ending is AgentEnding.FINISHED and self._hear():\n"
        "            return None\n",
        "",
        LATE,
    ),
    PlantedFault(
        "agents/builtin.py",
        "        self._hear()\n        answer = self._answer()\n",
        "        answer = self._answer()\n",
        WATCHED + "test_messages_reach_the_model_at_its_next_turn",
    ),
    PlantedFault(
        "agents/event_log.py",
        "            while self._characters > KEPT_CHARACTERS_MAX:",
        "            while len(self._lines) > 2_000:",
        WATCHED + "test_events_that_are_not_taken_do_not_fill_the_memory",
    ),
    PlantedFault(
        "agents/event_log.py",
        '"text": _shortened(text.strip())',
        '"text": text',
        WATCHED + "test_events_are_numbered_capped_and_taken_once",
    ),
    PlantedFault(
        "redaction.py",
        "        found.add(one.value)\n",
        "",
        WATCHED + "test_a_text_is_shown_without_secrets",
    ),
    PlantedFault(
        "harness/event_thread.py",
        "tuple(redacted(line, self._secrets) for line in lines)",
        "lines",
        WATCHED + "test_a_running_agent_is_reported_and_its_transcript_has_no_secrets",
    ),
]
