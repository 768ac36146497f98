"""Faults that let people read what an agent claims in place of what was found."""

from tests.testkit.planting import PlantedFault

LYING = "scenarios/test_lying_agent.py::test_false_claims_of_an_agent_do_not_land"

LIE_FAULTS = [
    PlantedFault(
        "core/talk/attempts.py",
        'inert(red.error.rstrip("."))',
        "inert(red.error)",
        LYING,
    ),
    PlantedFault(
        "agents/rounds.py",
        "self.contracts.unmet() or self._refused() or self._red_gates()",
        "self.contracts.unmet() or self._refused()",
        LYING,
    ),
]
