"""Faults in the demo and the tests that notice them."""

from tests.testkit.planting import PlantedFault

DEMO_FAULTS = [
    PlantedFault(
        file="bot/demo/processes.py",
        guard="_START_SECONDS = 300",
        fault="_START_SECONDS = 60",
        killer="test_processes.py::test_a_slow_start_is_reported_while_the_demo_waits",
    ),
]
