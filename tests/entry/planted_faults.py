"""Faults in what commands say, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

COMMAND_FAULTS = [
    PlantedFault(
        "entry/commands/doctor_rules.py",
        "policy = read if isinstance(read, Policy) else no_policy()",
        "policy = no_policy()",
        "test_doctor_rules.py::"
        "test_no_runner_of_ones_own_is_missed_where_the_policy_names_machines_of_github",
    ),
]
