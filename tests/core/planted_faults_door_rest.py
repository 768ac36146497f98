"""A fault for every guard of who approves what they wrote."""

from tests.testkit.planting import PlantedFault

APPROVALS = "core/test_stories_of_approvals.py::TestAuthors::"
AUTHORS = "scenarios/test_authors_and_approvals.py::"
PUSHED = AUTHORS + "test_the_commit_author_is_not_taken_for_the_pusher"
MERGED = AUTHORS + "test_the_opener_of_a_pull_is_its_author_and_the_merger_may_approve"
TEXT = "core/talk/approval_text.py"

APPROVAL_FAULTS = [
    PlantedFault(
        TEXT,
        "    if policy.file.author_may_approve:\n",
        "    if True:\n",
        APPROVALS + "test_the_author_cannot_be_the_only_approver",
    ),
    PlantedFault(
        TEXT,
        "not all(person.casefold() in wrote",
        "not all(person in authors",
        APPROVALS + "test_the_author_cannot_be_the_only_approver",
    ),
    PlantedFault(
        TEXT,
        "if authors and not all(",
        "if authors and not any(",
        APPROVALS + "test_the_rule_for_authors_also_holds_for_edits_during_a_run",
    ),
    PlantedFault(
        TEXT,
        "    if len(given) > 1:\n",
        "    if len(given) > 0:\n",
        APPROVALS + "test_two_approvals_are_needed_if_the_author_is_unknown",
    ),
    PlantedFault(
        "shell/observe_authors.py",
        "        if after is None or versions.at(move.before) != after:",
        "        if after is None:",
        PUSHED,
    ),
    PlantedFault(
        "shell/observe_authors.py",
        " if move.is_merge else move.by",
        " if False else move.by",
        MERGED,
    ),
    PlantedFault(
        "shell/observe_authors.py",
        "        if after in approved:\n            break\n",
        "",
        MERGED,
    ),
]

DOORS = "security/test_repeated_failures.py::"
TURNS = DOORS + "test_a_long_task_gives_turns_to_other_repositories"
PULLS = "security/test_hostile_text.py::test_digests_of_many_pulls_are_made_over_several_looks"

TOKEN_FAULTS = [
    PlantedFault(
        "gates/secret_rules.py",
        "(*_theirs(), *_OURS)",
        "(*_theirs(), *_OURS[:1])",
        "action/test_leftovers_and_secrets.py::test_only_keys_that_a_provider_issues_are_secrets",
    ),
]

TURN_FAULTS = [
    PlantedFault(
        "shell/reconcile.py",
        "        if ports.clock.now() >= until and count + 1 < ROUNDS_MAX:",
        "        if False:",
        TURNS,
    ),
    PlantedFault(
        "shell/reconcile.py",
        "        ports.journal.set_wake_at(repository, ports.clock.now())\n    ports.journal.release",
        "        pass\n    ports.journal.release",
        TURNS,
    ),
    PlantedFault(
        "shell/reconcile.py",
        "            buffer.note(not_tried(buffer.state, found_open, ports.clock.now()))\n",
        "",
        TURNS,
    ),
    PlantedFault(
        "shell/reconcile.py",
        " or buffer.hints() or ports.clock.now() >= until:",
        " or buffer.hints():",
        DOORS + "test_endless_effects_release_the_worker",
    ),
    PlantedFault(
        "shell/turns.py",
        "        return self._rounds.pop(repository, 0)",
        "        return 0",
        DOORS + "test_endless_turns_pause_the_repository",
    ),
    PlantedFault(
        "shell/observe_pulls.py",
        "            if spent > _LOOK_SECONDS:",
        "            if False:",
        PULLS,
    ),
    PlantedFault(
        "shell/observe_pulls.py",
        "        self._ports.journal.put_hints(facts.id, tuple(later))\n",
        "",
        PULLS,
    ),
]
