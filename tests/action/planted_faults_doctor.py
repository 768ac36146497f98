"""Faults in what is told of a runner, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

DOCTOR = "test_doctor.py::"

DOCTOR_FAULTS = [
    PlantedFault(
        "harness/doctor.py",
        "    if free < DISK_BYTES_MIN:",
        "    if free < 0:",
        DOCTOR + "test_the_doctor_reports_a_disk_with_little_space",
    ),
    PlantedFault(
        "harness/doctor.py",
        "    if abs(off) > CLOCK_SECONDS_MAX:",
        "    if off > CLOCK_SECONDS_MAX:",
        DOCTOR + "test_the_doctor_reports_a_wrong_clock",
    ),
    PlantedFault(
        "harness/doctor.py",
        "    return refusal_of_server(asked.server, asked.environment)\n",
        '    return ""\n',
        DOCTOR + "test_a_server_address_that_orders_refuse_is_a_finding",
    ),
    PlantedFault(
        "action/__main__.py",
        "    missing = lacks()\n",
        "    missing = []\n",
        DOCTOR + "test_missing_python_packages_are_listed_with_the_install_command",
    ),
    PlantedFault(
        "bare_python.py",
        "    if sys.version_info < PYTHON_MIN:\n",
        "    if False:\n",
        DOCTOR + "test_an_old_python_is_reported_before_newer_syntax_is_imported",
    ),
    PlantedFault(
        "harness/doctor.py",
        "            folder.give_to(sandbox)\n",
        "",
        DOCTOR + "test_a_complete_runner_has_no_findings",
    ),
]
