"""Faults in what is told of a runner, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

DOCTOR = "test_doctor.py::"

DOCTOR_FAULTS = [
    PlantedFault(
        "harness/doctor.py",
        "    if abs(off) > CLOCK_SECONDS_MAX:",
        "    if off > CLOCK_SECONDS_MAX:",
        DOCTOR + "test_a_clock_that_is_off_is_seen",
    ),
    PlantedFault(
        "harness/doctor.py",
        "            folder.give_to(sandbox)\n",
        "",
        DOCTOR + "test_a_whole_runner_lacks_nothing",
    ),
]
