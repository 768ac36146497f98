"""Faults that let people read what an agent claims in place of what was found."""

from tests.testkit.planting import PlantedFault

LYING = (
    "scenarios/test_a_lying_agent.py::"
    "test_an_agent_that_ticks_all_and_claims_green_tests_lands_nothing"
)

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
