"""Faults in what a stranger meets in the first ten minutes."""

from tests.testkit.planting import PlantedFault

FAULTS = [
    PlantedFault(
        "core/talk/mermaid.py",
        "    Shown.WAITING.value: _NOT_BEGUN,\n",
        "",
        "core/talk/test_mermaid.py::"
        "test_a_change_that_has_not_begun_does_not_look_like_one_under_way",
    ),
    PlantedFault(
        "entry/local_journal.py",
        "    if not _has_tables(engine) and (trouble := store_trouble(settings)):\n",
        "    if trouble := None:\n",
        "test_command_line.py::test_a_folder_that_cannot_be_used_is_told_in_a_sentence",
    ),
    PlantedFault(
        "entry/commands/doctor.py",
        '    chosen = [row for row in values if row["origin"] != "default"]\n',
        "    chosen = values\n",
        "test_command_line.py::test_the_doctor_prints_the_settings_that_somebody_chose",
    ),
    PlantedFault(
        "entry/commands/coverage.py",
        "    if not found.rows:\n",
        "    if found.rows is None:\n",
        "test_command_line.py::test_where_there_is_nothing_a_command_says_so",
    ),
]
