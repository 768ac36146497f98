"""Faults in what is known of a change that is built again, each with the test that notices it."""

from tests.testkit.planting import PlantedFault

STORY = "scenarios/test_reviews_of_rebuilt_changes.py::"
MOVED = "scenarios/test_builds_on_a_moved_main.py::"

FAULTS = [
    PlantedFault(
        "shell/perform_git.py",
        "    if not isinstance(made, Made) and is_main_elsewhere(",
        "    if False and is_main_elsewhere(",
        MOVED + "test_a_build_on_an_outdated_main_reports_no_conflict",
    ),
    PlantedFault(
        "shell/perform_queue.py",
        "        if is_main_elsewhere(ports, facts, effect.base):\n",
        "        if False:\n",
        MOVED + "test_a_persons_pull_keeps_its_place",
    ),
    PlantedFault(
        "shell/observe_queue.py",
        "approvals_of(ports, facts, pull, main, _built_of(state, number))",
        "approvals_of(ports, facts, pull, main)",
        STORY + "test_an_approval_stays_valid_after_the_rest_of_the_folder_landed",
    ),
    PlantedFault(
        "shell/perform_landing.py",
        "approvals_of(ports, facts, pull, effect.base, known.built)",
        "approvals_of(ports, facts, pull, effect.base)",
        STORY + "test_an_approval_stays_valid_after_the_rest_of_the_folder_landed",
    ),
    PlantedFault(
        "shell/perform_landing.py",
        "known.approvals_needed if effect.approvals_needed is None else effect.approvals_needed",
        "effect.approvals_needed",
        STORY + "test_a_landing_intended_by_an_older_release_respects_reviews",
    ),
]
