"""A fault for each guard that only tests with localhub show: adapters, effects, its rules.

Each row takes one guard out of a copy of the program; `tests/test_planted_faults.py` checks that the named
test fails, which talks to localhub over HTTP and git.
"""

from tests.testkit.planting import PlantedFault

ADAPTERS = "adapters/"
STORIES = "scenarios/"
HUB = "localhub/"

GITHUB = [
    # The GUID, by which a delivery that comes again is known.
    PlantedFault(
        "adapters/store/inbox.py",
        "insert(deliveries).on_conflict_do_nothing().returning(deliveries.c.id)",
        "insert(deliveries).returning(deliveries.c.id)",
        STORIES + "test_webhooks.py::test_the_same_delivery_twice_is_stored_once",
    ),
    # The compare-and-swap on main, by GraphQL and by a leased push, which other refs have too.
    PlantedFault(
        "adapters/github/writes.py",
        '"beforeOid": base, ',
        "",
        ADAPTERS + "test_github_graphql.py::"
        "test_main_moves_only_from_the_base_and_the_node_id_is_read_once",
    ),
    PlantedFault(
        "adapters/git/remote.py",
        "f\"--force-with-lease={update.ref}:{update.old or ''}\"",
        '"--force"',
        ADAPTERS + "test_git_remote.py::test_a_push_with_a_stale_lease_moves_no_ref",
    ),
    # Look before a create is done again.
    PlantedFault(
        "shell/perform.py",
        "look_first = effect.key in found_open or (delay is not None and delay.tries > 0)",
        "look_first = False",
        STORIES + "test_limits.py::"
        "test_a_create_without_a_response_is_found_and_not_repeated[lose_answer]",
    ),
    # What is intended is written before it is performed, and what came of it soon after.
    PlantedFault(
        "shell/reconcile.py",
        "            # What is intended is written before it is performed (law 3).\n"
        "            buffer.append()\n",
        "            pass\n",
        STORIES + "test_few_commits.py::test_a_change_needs_few_database_commits_in_order",
    ),
    PlantedFault(
        "shell/journal_buffer.py",
        "is_old or len(self._events) >= _EVENTS_MAX",
        "is_old or self._events",
        STORIES + "test_few_commits.py::test_a_change_needs_few_database_commits_in_order",
    ),
    # The pin to our App's id, in the question and in the answer.
    PlantedFault(
        "adapters/github/reads.py",
        """{"app_id": repository.app_id, "filter": "all"}
        try:
            found = [
                PublishedCheckRun(id=run.id, conclusion=run.conclusion)
                for page in self.get_pages(repository, f"/commits/{sha}/check-runs", query)
                for run in read(CheckRunsPage, page).check_runs
                if run.external_id == external_id and run.app and run.app.id == repository.app_id
""",
        """{"filter": "all"}
        try:
            found = [
                PublishedCheckRun(id=run.id, conclusion=run.conclusion)
                for page in self.get_pages(repository, f"/commits/{sha}/check-runs", query)
                for run in read(CheckRunsPage, page).check_runs
                if run.external_id == external_id
""",
        STORIES + "test_foreign_apps.py::test_a_foreign_check_run_with_our_name_and_id_is_ignored",
    ),
    # A long wait is written down and waited for, and nothing is asked meanwhile.
    PlantedFault(
        "shell/perform.py",
        "            ports.journal.pause(budget_of(state.facts), now + failure.after)\n",
        "            pass\n",
        STORIES + "test_limits.py::"
        "test_no_request_is_sent_before_the_limit_ends_and_then_work_continues[300-300]",
    ),
    # What a person may do is looked up when the command is carried out.
    PlantedFault(
        "shell/observe.py",
        "forge.role(facts, comment.author) if commands",
        "Role.ADMIN if commands",
        STORIES + "test_commands.py::"
        "test_a_person_without_a_role_is_refused_and_no_work_starts[approve]",
    ),
]

LOCALHUB = [
    PlantedFault(
        "localhub/secondary_limits.py",
        "            if longest > 0:\n",
        "            if longest > HOUR_SECONDS:\n",
        HUB + "test_secondary_limits.py::test_at_most_eighty_items_a_minute_may_be_created",
    ),
    PlantedFault(
        "localhub/app.py",
        "        if g.is_limited:\n            hub.limits.refund(g.actor)\n",
        "",
        HUB + "test_apps.py::test_an_unchanged_answer_is_304_and_costs_nothing",
    ),
    PlantedFault(
        "localhub/fault_file.py",
        "    _check_place(fault, refusal)\n",
        "",
        HUB + "test_fault_plan.py::test_a_fault_that_could_never_match_is_refused_with_its_line",
    ),
    PlantedFault(
        "localhub/refs.py",
        "            self._ask_hook(repository, actor, move, via)\n            if not repository.git.move_refs",
        "            if not repository.git.move_refs",
        HUB + "test_fault_plan.py::test_a_ruleset_applies_to_a_planted_rewind_too",
    ),
]

MEETS_PEOPLE = (
    STORIES + "test_landings_during_actions_of_people.py::"
    "test_last_moment_changes_by_a_person_abort_the_landing"
)
LANDED_TWICE = STORIES + "test_people_queue_pulls.py::test_a_repeated_landing_lands_once"
# Main moved, and the process died before it was written down.
CRASHES = [
    PlantedFault(
        "shell/move_main.py",
        "if history and history[0].sha == candidate:",
        "if False:",
        LANDED_TWICE + "[True]",
    ),
    PlantedFault(
        "shell/perform_queue.py",
        "    if elsewhere is not None and elsewhere.is_done:\n",
        "    if False:\n",
        LANDED_TWICE + "[False]",
    ),
    PlantedFault(
        "shell/perform_queue.py",
        "why_out(pull, facts.default_branch, effect.head)",
        "why_out(pull, facts.default_branch, None)",
        MEETS_PEOPLE,
    ),
    PlantedFault(
        "shell/perform_queue.py",
        "why_out(pull, facts.default_branch, effect.head)",
        'why_out(pull, pull.base_branch if pull else "", effect.head)',
        MEETS_PEOPLE,
    ),
]

PLANTED_FAULTS = [*GITHUB, *LOCALHUB, *CRASHES]
