"""Faults in candidates that GitHub signs, and the story that each must make fail."""

from tests.testkit.planting import PlantedFault

STORIES = "scenarios/test_signed_commits.py::"
LANDS = STORIES + "test_a_change_lands_as_a_commit_that_github_signed"
LATE = STORIES + "test_a_rule_that_comes_late_has_the_candidate_made_again"
UNSIGNED = STORIES + "test_where_github_does_not_sign_people_are_told_and_no_attempt_is_lost"
PULLS = STORIES + "test_a_persons_pull_lands_if_its_own_commits_are_signed"
CRASH = STORIES + "test_a_crash_while_it_is_signed_lands_one_signed_commit"
HUB = "localhub/test_signatures.py::"

SIGNATURE_FAULTS = [
    PlantedFault("shell/perform_git.py", "    if effect.is_signed:\n", "    if False:\n", LANDS),
    PlantedFault(
        "core/decide/queue/land.py",
        "    if is_stale or lacks_signature or not",
        "    if is_stale or not",
        LATE,
    ),
    PlantedFault(
        "shell/sign_commit.py", "    if not made.is_verified:\n", "    if False:\n", UNSIGNED
    ),
    PlantedFault(
        "shell/sign_commit.py",
        "    if there is not None and there != ours and _is_signed(ports, facts, there, recipe):\n",
        "    if False:\n",
        CRASH,
    ),
    PlantedFault(
        "shell/perform_queue.py",
        "        if effect.is_signed:\n",
        "        if False:\n",
        PULLS,
    ),
    PlantedFault(
        "shell/perform_queue.py",
        "    if effect.is_signed and (unsigned",
        "    if False and (unsigned",
        PULLS,
    ),
    PlantedFault(
        "core/state/observed.py",
        "    verbs = {Verb.APPROVE, Verb.QUEUE}\n",
        "    verbs = {Verb.APPROVE}\n",
        PULLS,
    ),
    PlantedFault(
        "core/state/refusing_rules.py",
        "SIGNING_ADDRESS if is_signed else facts.our_address",
        "facts.our_address",
        "core/test_stories_of_rules.py::TestFindings::test_who_commits_what_github_signs_is_github",
    ),
    PlantedFault(
        "shell/selftest.py",
        "        if self._asks_for_signatures:\n",
        "        if False:\n",
        "scenarios/test_selftest.py::"
        "test_where_github_does_not_sign_it_matters_if_a_rule_asks_for_it",
    ),
    PlantedFault(
        "localhub/merging.py",
        "is_app and not asked.is_custom and",
        "is_app and",
        HUB + "test_a_commit_that_names_somebody_is_not_signed",
    ),
    PlantedFault(
        "localhub/git_store.py",
        "is_ours = known.exists() and sha in",
        "is_ours = known.exists() or sha in",
        HUB + "test_a_signature_of_another_commit_is_of_no_known_key",
    ),
]
