"""Faults in what people see of what a run has come to, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

TEXT = "core/talk/activity_text.py"
WHY = "core/test_stories_of_messages_to_agents.py::test_why_shows_the_changed_files_and_red_gates_of_a_run"

PLANTED_FAULTS = [
    PlantedFault(TEXT, "    parts += _came_to(status.fingerprint)\n", "", WHY),
    PlantedFault(TEXT, "fingerprint.red[:_RED_MAX]", "fingerprint.red", WHY),
]
