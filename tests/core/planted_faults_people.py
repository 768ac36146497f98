"""A fault for every guard that keeps what people wrote: in a delta folder, on a change's branch."""

from tests.testkit.planting import PlantedFault

FOLDERS = "core/test_stories_of_folders.py::"

PEOPLE_FAULTS = [
    PlantedFault(
        "core/decide/changes/candidate_content.py",
        " or run.amendment is not None or",
        " or",
        FOLDERS + "test_a_folder_stays_while_an_edit_of_it_waits_for_approval",
    ),
    PlantedFault(
        "core/decide/queue/land.py",
        "    if finishes and decision.state.main_seen_at is not None:\n",
        "    if False:\n",
        FOLDERS + "test_a_candidate_that_would_move_the_folder_waits_until_a_push_was_read",
    ),
    PlantedFault(
        "core/decide/queue/land.py",
        " or front.candidate.folder_version != finishes\n",
        "\n",
        FOLDERS + "test_an_edit_that_asks_for_nothing_new_is_archived_as_it_is_now",
    ),
    PlantedFault(
        "core/spec/archive/folding.py",
        "    if gone:\n",
        "    if False:\n",
        FOLDERS + "test_an_operation_that_is_not_in_the_folder_is_a_refusal",
    ),
]
