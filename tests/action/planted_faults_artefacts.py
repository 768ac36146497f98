"""Faults in a change's own files, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

STORIES = "action/test_artefacts.py::TestStories::"
LANDS = "scenarios/test_openspec_folders.py::"

PLANTED_FAULTS = [
    PlantedFault(
        "harness/work.py",
        "(path.path in own and path.is_plain_file)",
        "(path.path in own)",
        STORIES + "test_other_files_of_the_change_folder_are_protected",
    ),
    PlantedFault(
        "harness/work.py",
        "all(path.path in own for path in git.staged())",
        "not git.staged()",
        STORIES + "test_ticked_boxes_alone_do_not_count_as_work",
    ),
    PlantedFault(
        "harness/artefacts.py",
        'with_ticks(artefacts.tasks, there.get(artefacts.tasks_path, ""))',
        "artefacts.tasks",
        STORIES + "test_the_next_attempt_sees_the_ticks_of_the_previous_one",
    ),
    PlantedFault(
        "harness/fingerprint.py",
        "        self._ticked = self._count_ticked()\n\n    def _count",
        "\n    def _count",
        "action/test_fingerprint.py::test_ticked_tasks_are_part_of_the_fingerprint",
    ),
    PlantedFault(
        "adapters/git/inspection.py",
        "one.mode == _PLAIN and one.display_path in artefacts",
        "one.display_path in artefacts",
        "adapters/test_git_bundles.py::test_own_files_on_a_protected_path_must_be_plain_files",
    ),
    PlantedFault(
        "shell/archiving.py",
        "if p not in order.artefacts})",
        "if p})",
        LANDS + "test_tasks_and_design_of_each_change_land_in_the_archive",
    ),
    PlantedFault(
        "shell/archiving.py",
        "artefacts | (folder if order.finishes else {})",
        "folder if order.finishes else {}",
        LANDS + "test_tasks_and_design_of_each_change_land_in_the_archive",
    ),
    PlantedFault(
        "adapters/git/pushed_work.py",
        "{rules.artefacts[path]: texts[path] for path in shown}",
        "{}",
        LANDS + "test_an_agent_continues_the_tasks_of_a_branch_that_a_person_pushed",
    ),
    PlantedFault(
        "adapters/git/pushed_work.py",
        "path not in shown and all(",
        "all(",
        LANDS + "test_files_pushed_by_a_person_land_together_with_tasks_and_design",
    ),
    PlantedFault(
        "adapters/git/pushed_work.py",
        'now.get(path, "").startswith(_PLAIN)',
        "path in now",
        "adapters/test_git_pushed_work.py::test_a_link_in_the_place_of_a_changes_tasks_is_refused",
    ),
]
