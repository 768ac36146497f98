"""Faults in whose repositories are served, and the story that each must make fail."""

from tests.testkit.planting import PlantedFault

STORIES = "scenarios/test_served_owners.py::"
FORGE = "adapters/github/forge.py"
UNDER_WAY = STORIES + "test_work_of_an_owner_who_is_no_longer_served_waits"

OWNER_FAULTS = [
    PlantedFault(
        FORGE,
        "if found.facts is not None and not self.serves(found.facts.full_name):",
        "if False:",
        UNDER_WAY,
    ),
    PlantedFault(
        "shell/installation.py",
        "    if not ports.forge.serves(installation.full_name):\n",
        "    if False:\n",
        STORIES + "test_an_installation_by_an_unserved_owner_starts_no_work",
    ),
]
