"""A fault for every guard of what fails again and again, and of what happens before approval."""

from tests.testkit.planting import PlantedFault

APPROVALS = "core/test_stories_of_approvals.py::"
DOORS = "security/test_repeated_failures.py::"

DOORS_FAULTS = [
    PlantedFault(
        "shell/reconcile.py",
        '    raise RuntimeError(f"After',
        '    return True\n    raise RuntimeError(f"After',
        DOORS + "test_endless_decisions_pause_the_repository",
    ),
    PlantedFault(
        "shell/intake.py",
        "    if is_given_up(trouble):\n",
        "    if False:\n",
        DOORS + "test_a_delivery_that_cannot_be_read_is_given_up",
    ),
    PlantedFault(
        "adapters/store/inbox.py",
        "        ~_WAITS,\n",
        "",
        DOORS + "test_a_delivery_that_cannot_be_read_is_given_up",
    ),
    PlantedFault(
        "shell/intake.py",
        "    ports.troubles.over((TroubleKind.DELIVERY,), done)\n",
        "",
        DOORS + "test_a_delivery_that_fails_once_is_retried_without_a_report",
    ),
    PlantedFault(
        "shell/reconcile.py",
        '        rest(ports, repository, TroubleKind.ENDED, f"{type(failure).__name__}: {failure}")\n',
        "",
        DOORS + "test_a_job_that_does_not_end_leaves_a_growing_pause",
    ),
    PlantedFault(
        "shell/reconcile.py",
        "    if lease.was_left and rest(",
        "    if False and rest(",
        DOORS + "test_a_process_that_dies_each_time_leaves_a_growing_pause",
    ),
    PlantedFault(
        "core/state/troubles.py",
        " or known.progress != new.progress or is_another or",
        " or is_another or",
        DOORS + "test_work_that_makes_progress_does_not_wait",
    ),
    PlantedFault(
        "core/state/troubles.py",
        "patience.factor ** min(tries - 1, 20)",
        "1",
        DOORS + "test_an_unreadable_repository_is_reported_and_retried_rarely",
    ),
    PlantedFault(
        "shell/redelivery.py",
        "newest is not None and newest.is_unsigned",
        "False",
        DOORS + "test_a_wrong_signature_is_reported_after_an_hour",
    ),
    PlantedFault(
        "shell/reconcile.py",
        "        clear_work_troubles(ports, repository)\n",
        "        pass\n",
        DOORS + "test_successful_work_clears_its_trouble",
    ),
    PlantedFault(
        "shell/reconcile.py",
        "            note_access(ports, facts, buffer.state.away)\n",
        "            pass\n",
        DOORS + "test_the_doctor_reports_a_suspended_installation",
    ),
    PlantedFault(
        "core/decide/people/publish.py",
        "    if run.state is SpecRunState.PROPOSED:\n        # Until",
        "    if False:\n        # Until",
        APPROVALS + "test_changes_get_their_issues_when_the_plan_is_approved",
    ),
    PlantedFault(
        "core/decide/people/approve_plan.py",
        "    if is_too_many(plan, decision.policy) and ALL not in words:",
        "    if False:",
        APPROVALS + "TestManyChanges::test_approving_many_changes_requires_their_number",
    ),
    PlantedFault(
        "core/decide/people/approve_plan.py",
        "    given = tuple(dict.fromkeys((*before, asked.author)))",
        "    given = (*before, asked.author)",
        APPROVALS + "TestSeveralApprovers::test_two_approvals_by_one_person_count_once",
    ),
    PlantedFault(
        "core/journal/evolve_runs.py",
        "dict.fromkeys((*run.approvals.get(event.revision, ()), event.approved_by))",
        "dict.fromkeys((*(a for some in run.approvals.values() for a in some), event.approved_by))",
        APPROVALS + "TestSeveralApprovers::test_a_new_revision_needs_new_approvals",
    ),
    PlantedFault(
        "core/decide/people/run_commands.py",
        "is_stranger and asked_too_much(decision.state, decision.policy, comment) > 1",
        "False",
        APPROVALS + "TestStrangers::test_unanswered_commands_do_not_grow_the_journal",
    ),
    PlantedFault(
        "core/decide/people/run_commands.py",
        "is_stranger=_was_stranger(decision, comment)",
        "is_stranger=False",
        APPROVALS + "TestStrangers::test_unanswered_commands_do_not_grow_the_journal",
    ),
    PlantedFault(
        "core/decide/people/run_commands.py",
        "is_stranger(found.role))\n        _answer_if_read(decision, id_)\n",
        "is_stranger(found.role))\n",
        APPROVALS + "TestStrangers::test_commands_that_come_together_are_counted_one_by_one",
    ),
    PlantedFault(
        "core/decide/people/run_commands.py",
        "    if above > 1:\n",
        "    if False:\n",
        APPROVALS + "TestStrangers::test_commands_that_come_together_but_are_found_later",
    ),
    PlantedFault(
        "core/state/strangers_budget.py",
        "    return max(of_one, len(recent) - ALL_TIMES * most + 1, 0)",
        "    return max(of_one, 0)",
        APPROVALS + "TestStrangers::test_many_readers_share_one_command_budget",
    ),
    PlantedFault(
        "core/journal/evolve_people.py",
        "one[1] <= since, state",
        "False, state",
        "core/test_stories_of_approvals.py::TestStrangers::test_commands_older_than_an_hour_do_not_count",
    ),
]
