"""Faults in candidates that GitHub signs, and the story that each must make fail."""

from tests.testkit.planting import PlantedFault

STORIES = "scenarios/test_signed_commits.py::"
LANDS = STORIES + "test_a_change_lands_as_a_commit_that_github_signed"
LATE = STORIES + "test_a_late_signature_rule_rebuilds_the_candidate"
UNSIGNED = STORIES + "test_missing_signatures_are_reported_and_cost_no_attempt"
PULLS = STORIES + "test_a_persons_pull_lands_if_its_own_commits_are_signed"
CRASH = STORIES + "test_a_crash_during_signing_lands_one_signed_commit"
ALL = "scenarios/test_rules_for_all_branches.py::"
PROPOSED = ALL + "test_a_proposed_spec_is_a_commit_that_github_signed"
NAMED = ALL + "test_a_rule_against_new_branches_is_reported_before_any_cost"
FORCE = ALL + "test_a_rule_against_force_pushes_is_reported_and_does_not_block_work"
HUB = "localhub/test_signatures.py::"

SIGNATURE_FAULTS = [
    PlantedFault("shell/perform_git.py", "    if effect.is_signed:\n", "    if False:\n", LANDS),
    PlantedFault(
        "core/decide/queue/land.py",
        "        Lack.NO_SIGNATURE: needs_signatures(decision.state) and not candidate.is_signed,\n",
        "",
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
        "core/test_stories_of_rules.py::TestFindings::test_the_committer_of_a_signed_commit_is_github",
    ),
    PlantedFault(
        "shell/selftest.py",
        "        if self._asks_for_signatures:\n",
        "        if False:\n",
        "scenarios/test_selftest.py::test_missing_signatures_matter_only_if_a_rule_requires_them",
    ),
    PlantedFault(
        "localhub/merging.py",
        "is_app and not asked.is_custom and",
        "is_app and",
        HUB + "test_a_commit_with_an_explicit_author_is_not_signed",
    ),
    PlantedFault(
        "localhub/git_store.py",
        "is_ours = known.exists() and sha in",
        "is_ours = known.exists() or sha in",
        HUB + "test_a_signature_of_another_commit_is_invalid",
    ),
    PlantedFault(
        "shell/sign_commit.py",
        "            if not refused.refusal.asks_for_signatures:\n",
        "            if True:\n",
        PROPOSED,
    ),
    PlantedFault(
        "shell/sign_commit.py",
        "RefUpdate(ref=branch, old=there, new=signed), gone)",
        "RefUpdate(ref=branch, old=there, new=signed))",
        PROPOSED,
    ),
    PlantedFault(
        "shell/perform_git.py",
        "        put_on_branch(ports, facts, task.state, branch, made)\n",
        "        push_ours(ports, facts, branch, None, ports.git.commit(facts, made))\n",
        ALL + "test_the_first_pull_is_a_commit_that_github_signed",
    ),
    PlantedFault(
        "core/state/refusing_rules.py",
        "    refuses = rule.kind == RuleKind.CREATION or meets is False\n",
        "    refuses = meets is False\n",
        NAMED,
    ),
    PlantedFault(
        "core/values/rules.py",
        "rule.kind in {RuleKind.CREATION, RuleKind.BRANCH_NAME}",
        "rule.kind == RuleKind.BRANCH_NAME",
        NAMED,
    ),
    PlantedFault(
        "adapters/github/rule_reads.py",
        "(one.kind in ONLY_OUR_BRANCHES or one not in found)",
        "one not in found",
        FORCE,
    ),
    PlantedFault(
        "core/values/rules.py",
        "in (*self.rules, *self.own_branches)",
        "in self.rules",
        ALL + "test_commits_are_signed_if_only_our_branches_require_signatures",
    ),
]
