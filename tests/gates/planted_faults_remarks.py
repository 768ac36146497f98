"""A fault for every guard of what reports and logs say, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

REMARKS = "test_scanner_findings.py::"

REMARK_FAULTS = [
    PlantedFault(
        "remarks.py",
        "        if len(found) == REMARKS_MAX:\n            break\n",
        "",
        REMARKS + "test_a_remark_counts_once_and_their_number_is_limited",
    ),
    PlantedFault(
        "failure_locations.py",
        '        if folder and f"{folder}/{mention}" in self._paths:\n',
        '        if not folder and f"{folder}/{mention}" in self._paths:\n',
        REMARKS + "test_paths_are_relative_to_the_folder_of_the_gate",
    ),
    PlantedFault(
        "sarif.py",
        ' or result.get("baselineState") in _OLD',
        "",
        REMARKS + "test_suppressed_and_unchanged_findings_are_not_errors",
    ),
    PlantedFault(
        "sarif.py",
        's.get("status", "accepted") == "accepted"',
        "True",
        REMARKS + "test_suppressed_and_unchanged_findings_are_not_errors",
    ),
    PlantedFault(
        "sarif.py",
        "            if invocation.get",
        "            if False and invocation.get",
        REMARKS + "test_a_report_of_a_failed_scanner_is_refused",
    ),
    PlantedFault(
        "command_gate.py",
        "    if findings is not None and findings.errors:\n",
        "    if findings is not None and findings.errors < 0:\n",
        REMARKS + "test_an_error_in_sarif_fails_a_passed_gate",
    ),
    PlantedFault(
        "command_gate.py",
        "        if kind in declared and written is None:\n",
        '        if kind == "JUnit" and kind in declared and written is None:\n',
        REMARKS + "test_a_declared_report_of_a_scanner_must_be_there",
    ),
    PlantedFault(
        "result.py",
        '_LATER = {"sarif": None, "profiles": ()}',
        "_LATER: dict[str, object] = {}",
        REMARKS + "test_a_definition_without_later_fields_keeps_its_name",
    ),
]
