"""A fault for every guard of a repository's own life that only shows between the programs."""

from tests.testkit.planting import PlantedFault

LIVES = "scenarios/test_repository_lives.py::"

LIFE_STORY_FAULTS = [
    PlantedFault(
        "shell/perform.py",
        "        if is_githubs and not _is_as_known(ports, state.facts):\n",
        "        if False:\n",
        LIVES + "test_work_handed_in_during_a_suspension_is_accepted",
    ),
    PlantedFault(
        "shell/reconcile.py",
        "            if isinstance(failure, UserError) and not is_doubted and _has_gone(ports, buffer):\n",
        "            if False:\n",
        LIVES + "test_a_comment_that_could_not_be_read_is_answered_later",
    ),
    PlantedFault(
        "shell/orders.py",
        "    if state.away is not None:\n",
        "    if False:\n",
        LIVES + "test_a_runner_of_a_suspended_installation_gets_no_lease",
    ),
    PlantedFault(
        "shell/reconcile.py",
        "        if was_away and buffer.state.away is None:\n",
        "        if False:\n",
        LIVES + "test_a_suspension_pauses_work_that_continues_afterwards",
    ),
    PlantedFault(
        "shell/sweep.py",
        "        doubt_changed(ports, listed)\n",
        "",
        LIVES + "test_the_sweep_notices_a_revoked_permission_without_activity",
    ),
    PlantedFault(
        "shell/perform_landing.py",
        '    if f"refs/heads/{pull.base_branch}" != facts.main_ref:\n',
        "    if False:\n",
        "scenarios/test_moving_main.py::test_a_pull_with_an_edited_base_does_not_land_on_main",
    ),
    PlantedFault(
        "adapters/github/reads.py",
        "        if found.archived:\n",
        "        if False:\n",
        LIVES + "test_an_archived_repository_is_not_touched_until_it_is_unarchived",
    ),
    PlantedFault(
        "adapters/github/reads.py",
        "        if not found.has_issues:\n",
        "        if False:\n",
        LIVES + "test_a_spec_waits_while_issues_are_switched_off",
    ),
    PlantedFault(
        "core/state/troubles.py",
        " or is_another or",
        " or",
        LIVES + "test_each_further_revoked_permission_is_logged_at_once",
    ),
    PlantedFault(
        "shell/sweep.py",
        "while beats.to_install and ports.clock.now() < until:",
        "while beats.to_install:",
        "scenarios/test_many_repositories.py::test_many_new_repositories_at_once_do_not_delay_the_sweep",
    ),
    PlantedFault(
        "shell/intake.py",
        "            failures.append(failure)\n",
        "            raise\n",
        "scenarios/test_many_repositories.py::"
        "test_a_repository_that_cannot_be_fetched_does_not_block_other_installations",
    ),
    PlantedFault(
        "shell/sweep.py",
        "            beats.not_before[one.repository] = trouble.until\n",
        "            raise\n",
        "scenarios/test_many_repositories.py::"
        "test_a_repository_that_cannot_be_fetched_does_not_block_other_installations",
    ),
]
