"""Faults in what is told of a runner, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

DOCTOR = "test_doctor.py::"

DOCTOR_FAULTS = [
    PlantedFault(
        "harness/doctor.py",
        "    if free < DISK_BYTES_MIN:",
        "    if free < 0:",
        DOCTOR + "test_a_disk_with_little_room_is_named",
    ),
    PlantedFault(
        "harness/doctor.py",
        "    if abs(off) > CLOCK_SECONDS_MAX:",
        "    if off > CLOCK_SECONDS_MAX:",
        DOCTOR + "test_a_clock_that_is_off_is_seen",
    ),
    PlantedFault(
        "harness/doctor.py",
        "    return refusal_of_server(asked.server, asked.environment)\n",
        '    return ""\n',
        DOCTOR + "test_a_server_that_orders_would_refuse_is_not_called_fine",
    ),
    PlantedFault(
        "action/__main__.py",
        "    missing = lacks()\n",
        "    missing = []\n",
        DOCTOR + "test_a_python_without_the_packages_says_which_and_how_they_come",
    ),
    PlantedFault(
        "bare_python.py",
        "    if sys.version_info < PYTHON_MIN:\n",
        "    if False:\n",
        DOCTOR + "test_an_old_python_is_told_before_anything_that_it_cannot_read",
    ),
    PlantedFault(
        "harness/doctor.py",
        "            folder.give_to(sandbox)\n",
        "",
        DOCTOR + "test_a_whole_runner_lacks_nothing",
    ),
]
