"""A fault for every guard of repositories that are not as a first day expects them."""

from tests.testkit.planting import PlantedFault

_ODD = "test_unusual_new_repositories.py::"
_NO_LEASE = "test_runner_selection.py::test_a_job_of_another_workflow_gets_no_lease"

ODD_FAULTS = [
    PlantedFault(
        "adapters/github/classify.py",
        " and self.message != _NO_SUCH_APP",
        "",
        "test_owner_mistakes.py::test_a_wrong_app_id_stops_no_work",
    ),
    PlantedFault(
        "adapters/github/classify.py",
        "    if message == _NO_SUCH_APP:\n",
        "    if False:\n",
        "test_owner_mistakes.py::"
        "test_a_mistake_is_named_with_its_fix_in_all_places_that_the_page_names",
    ),
    PlantedFault(
        "localhub/actions/run_creation.py",
        "if facts.is_fork and facts.id not in self.woken:",
        "if False:",
        _ODD + "test_orders_in_a_new_fork_wait_until_its_workflows_are_enabled",
    ),
    PlantedFault(
        "core/talk/workflow_file.py",
        'if state == "disabled_fork":',
        "if False:",
        _ODD + "test_orders_in_a_new_fork_wait_until_its_workflows_are_enabled",
    ),
    PlantedFault(
        "entry/commands/doctor_rules.py",
        'path in _FILES and state != "active"]',
        "False]",
        _ODD + "test_the_doctor_names_a_disabled_workflow",
    ),
    PlantedFault(
        "shell/installation.py",
        '        meet(ports, TroubleKind.EMPTY, str(facts.id), "", facts.full_name)\n',
        "",
        _ODD + "test_an_empty_repository_is_reported_and_starts_with_its_first_commit",
    ),
    PlantedFault(
        "shell/installation.py",
        "    ports.troubles.over((TroubleKind.EMPTY,), (str(facts.id),))\n",
        "",
        _ODD + "test_an_empty_repository_is_reported_and_starts_with_its_first_commit",
    ),
    PlantedFault(
        "shell/intake.py",
        "    if not is_push or repository is None or installation is None:\n",
        "    if True:\n",
        _ODD + "test_an_empty_repository_is_reported_and_starts_with_its_first_commit",
    ),
    PlantedFault(
        "core/talk/trouble_text.py",
        "what[0] if name and what.startswith(name) else what[0].upper()",
        "what[0].upper()",
        _ODD + "test_an_empty_repository_is_reported_and_starts_with_its_first_commit",
    ),
    PlantedFault(
        "shell/troubles.py",
        "why_and_fix(away), facts.full_name)",
        '"", facts.full_name)',
        _ODD + "test_the_first_pull_waits_while_the_repository_is_archived",
    ),
    PlantedFault(
        "shell/selftest.py",
        "            raise _DidNotHold(refused.sentence, text.NOT_STARTED) from refused\n",
        "            raise\n",
        _ODD + "test_a_self_test_says_that_actions_are_switched_off",
    ),
    PlantedFault(
        "core/decide/changes/settle_orders.py",
        "    if lost and not _put_off_what_got_no_lease(decision, order, entry):\n",
        "    if lost:\n",
        _NO_LEASE,
    ),
    PlantedFault(
        "action/harness/session.py",
        '        workflow.fail(f"The server did not give the order to this job: {grant.sentence}")\n',
        '        workflow.say(f"The server did not give the order to this job: {grant.sentence}")\n',
        "action/test_lease.py::"
        "test_a_refused_lease_logs_the_servers_sentence_and_has_its_own_exit_code[403]",
    ),
    PlantedFault(
        "core/talk/pause_text.py",
        "    is_named = pause.cause is Cause.NO_WORKFLOW or NO_LEASE in pause.sentence\n",
        "    is_named = False\n",
        "scenarios/test_owner_mistakes.py::"
        "test_a_mistake_is_named_with_its_fix_in_all_places_that_the_page_names[job_elsewhere]",
    ),
    PlantedFault(
        "localhub/actions/service.py",
        "        if self._starter.is_off(facts):\n",
        "        if False:\n",
        _ODD + "test_actions_that_are_switched_off_are_named_with_the_setting",
    ),
]
