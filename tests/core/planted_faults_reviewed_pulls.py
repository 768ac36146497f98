"""A fault for every guard of reviews of people's pulls in the queue."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_reviewed_pulls.py::"
APPROVALS = STORIES + "TestApprovals::"
AGAINST = STORIES + "TestRequestedChanges::"
REAL = "scenarios/test_reviews_of_queued_pulls.py::"

OWNERS = STORIES + "TestCodeOwners::"
THREADS = STORIES + "TestOpenThreads::"
RESOLVED = "scenarios/test_threads_must_be_resolved.py::"

REVIEWED_PULLS_FAULTS = [
    PlantedFault(
        "core/journal/reviewed.py",
        "bool(self.against or self.unresolved or self.owners_lacking)",
        "bool(self.against or self.owners_lacking)",
        THREADS + "test_a_pull_waits_for_open_threads_and_names_their_places",
    ),
    PlantedFault(
        "core/decide/changes/note_reviews.py",
        "        seen = seen.replace(unresolved=())\n",
        "        pass\n",
        THREADS + "test_a_removed_thread_rule_does_not_block_a_pull",
    ),
    PlantedFault(
        "core/state/approvals.py",
        "if rule.needs_resolution and (do_count or not rule.bypass.is_free)",
        "if rule.needs_resolution and not rule.bypass.is_free",
        THREADS + "test_a_bypassable_thread_rule_is_ignored_only_without_reviews_in_the_policy",
    ),
    PlantedFault(
        "core/decide/queue/pulls.py",
        "        needs_resolution=needs_resolution(decision.policy, decision.state.rules),\n",
        "",
        THREADS + "test_the_landing_effect_checks_threads_again",
    ),
    PlantedFault(
        "core/decide/queue/pulls.py",
        "        needs_owners=needs_owners(decision.policy),\n",
        "",
        OWNERS + "test_the_landing_effect_checks_code_owners_again",
    ),
    PlantedFault(
        "core/state/unasked_pulls.py",
        "    if approvals.owners:\n",
        "    if False:\n",
        OWNERS + "test_a_pull_without_code_owner_approval_does_not_enter_by_itself",
    ),
    PlantedFault(
        "core/decide/changes/note_reviews.py",
        "        seen = seen.replace(owners=())\n",
        "        pass\n",
        OWNERS + "test_a_pull_waits_for_code_owners_until_the_policy_changes",
    ),
    PlantedFault(
        "core/spec/code_owners.py",
        "if paths is None or len",
        "if len",
        "core/spec/test_code_owners.py::test_unknown_paths_need_every_owner",
    ),
    PlantedFault(
        "shell/observe_queue.py",
        "    with contextlib.suppress(UserError):\n        if not git.has(facts, pull.head_sha):\n",
        "    if True:\n        if not git.has(facts, pull.head_sha):\n",
        "scenarios/test_code_owners_approve.py::"
        "test_a_head_with_an_unrelated_history_does_not_block_other_pulls",
    ),
    PlantedFault(
        "shell/observe_queue.py",
        "            found[number] = with_owners(ports, facts, pull, main, found[number])\n",
        "            pass\n",
        "scenarios/test_code_owners_approve.py::test_a_pull_waits_for_the_code_owner_of_its_files",
    ),
    PlantedFault(
        "shell/perform_queue.py",
        "    if effect.needs_owners:\n",
        "    if False:\n",
        "scenarios/test_code_owners_approve.py::"
        "test_files_without_owners_need_no_approval_and_the_landing_checks_owners_again",
    ),
    PlantedFault(
        "core/spec/code_owners.py",
        "    if paths is None or len(lines) * len(named) > _MATCHES_MAX:\n",
        "    if False:\n",
        "core/spec/test_code_owners.py::test_too_many_paths_and_lines_need_every_owner",
    ),
    PlantedFault(
        "core/spec/code_owners.py",
        "in reversed(taken)",
        "in taken",
        "core/spec/test_code_owners.py::test_one_owner_must_approve_each_path",
    ),
    PlantedFault(
        "core/spec/code_owners.py",
        "        return not (self.is_flat and ",
        "        return not (False and ",
        "core/spec/test_code_owners.py::test_code_owner_file_patterns_match_as_on_github",
    ),
    PlantedFault(
        "core/spec/code_owners.py",
        "        except ValueError:\n",
        "        except KeyError:\n",
        "core/spec/test_code_owners.py::test_a_line_without_a_valid_pattern_is_ignored",
    ),
    PlantedFault(
        "core/spec/code_owners.py",
        '(r"(?<!\\\\)\\s+")',
        '(r"\\s+")',
        "core/spec/test_code_owners.py::test_code_owner_file_patterns_match_as_on_github",
    ),
    PlantedFault(
        "core/state/observed.py",
        "pulls |= turned | {pull for _, pull in comments}",
        "pass",
        THREADS + "test_threads_are_read_only_if_a_rule_requires_it",
    ),
    PlantedFault(
        "core/decide/queue/land.py",
        "landing.replace(needs_resolution=is_asked)",
        "landing",
        "core/test_stories_of_reviewed_changes.py::"
        "test_open_threads_block_a_change_if_a_rule_requires_resolution",
    ),
    PlantedFault(
        "shell/observe_queue.py",
        "                found[number] = with_threads(ports, facts, number, found[number])\n",
        "                pass\n",
        RESOLVED + "test_a_thread_opened_in_the_queue_is_noticed",
    ),
    PlantedFault(
        "shell/perform_queue.py",
        "    if effect.needs_resolution:\n",
        "    if False:\n",
        RESOLVED + "test_the_landing_checks_threads_again",
    ),
    PlantedFault(
        "shell/perform_landing.py",
        "    if effect.needs_resolution:\n",
        "    if False:\n",
        RESOLVED + "test_the_landing_of_a_change_checks_threads_again",
    ),
    PlantedFault(
        "localhub/merge_rules.py",
        "    if is_asked and any(root.resolved_by is None for root in roots):\n",
        "    if False:\n",
        "localhub/test_pulls.py::test_an_open_thread_blocks_a_merge_if_a_rule_requires_resolution",
    ),
    PlantedFault(
        "adapters/github/rule_shapes.py",
        "            needs_resolution=with_.required_review_thread_resolution,\n",
        "",
        "adapters/test_github_rules.py::test_the_rule_that_threads_must_be_resolved_is_read",
    ),
    PlantedFault(
        "adapters/github/rule_shapes.py",
        "        if self.required_conversation_resolution.enabled:\n",
        "        if False:\n",
        "adapters/test_github_rules.py::test_a_classic_protection_becomes_rules",
    ),
    PlantedFault(
        "core/state/queue_order.py",
        "is_kept = queued.waits_for_reviews or",
        "is_kept =",
        APPROVALS + "test_a_pull_is_not_judged_before_it_is_approved",
    ),
    PlantedFault(
        "core/journal/reviewed.py",
        "bool(self.against or self.unresolved or self.owners_lacking)",
        "bool(self.unresolved or self.owners_lacking)",
        AGAINST + "test_a_pull_waits_while_changes_are_requested",
    ),
    PlantedFault(
        "core/talk/review_waits.py",
        "if lacking and reviews.outdated:",
        "if False:",
        APPROVALS + "test_an_outdated_approver_is_named",
    ),
    PlantedFault(
        "core/state/webhook.py",
        "is_news = is_opinion and action in _REVIEW_ACTIONS",
        "is_news = action in _REVIEW_ACTIONS",
        "core/test_webhook.py::test_a_delivery_is_read_as_hints",
    ),
    PlantedFault(
        "core/state/observed.py",
        "_numbers(hints, HintKind.PULL, HintKind.REVIEWED)",
        "_numbers(hints, HintKind.PULL)",
        AGAINST + "test_reviews_are_read_only_for_queued_pulls",
    ),
    PlantedFault(
        "core/state/approvals.py",
        "for rule in rules_of_pulls)\n",
        "for rule in rules_of_pulls if not rule.bypass.is_free)\n",
        APPROVALS + "test_branch_rules_set_the_number_of_approvals_even_if_bypassable",
    ),
    PlantedFault(
        "core/decide/queue/pulls.py",
        "if needs_code_owners(decision.policy, decision.state.rules):",
        "if False:",
        APPROVALS + "test_a_new_code_owner_rule_removes_a_queued_pull",
    ),
    PlantedFault(
        "core/decide/people/queue_pull.py",
        "if not why and needs_code_owners(decision.policy, decision.state.rules):",
        "if False:",
        APPROVALS + "test_a_pull_is_refused_if_code_owner_reviews_cannot_be_checked",
    ),
    PlantedFault(
        "core/values/pull_review.py",
        "            newest.pop(review.by, None)\n            newest[review.by] = review\n",
        "            newest.setdefault(review.by, review)\n",
        STORIES + "test_the_newest_opinion_of_a_person_counts",
    ),
    PlantedFault(
        "shell/observe_queue.py",
        "if ports.forge.role(facts, one.by).covers(Role.WRITE)",
        "if ports.forge.role(facts, one.by).covers(Role.READ)",
        REAL + "test_only_writers_can_approve_and_new_work_needs_another_approval",
    ),
    PlantedFault(
        "shell/observe_queue.py",
        "    return are_merged and before == after\n",
        "    return are_merged\n",
        REAL + "test_only_writers_can_approve_and_new_work_needs_another_approval",
    ),
    PlantedFault(
        "shell/observe_queue.py",
        "    return are_merged and before == after\n",
        "    return False\n",
        REAL + "test_an_approval_stays_valid_after_merging_main",
    ),
    PlantedFault(
        "shell/perform_queue.py",
        "if approvals.against or len(approvals.by) < effect.approvals_needed:",
        "if False:",
        REAL + "test_the_landing_itself_notices_a_review_during_the_landing",
    ),
    PlantedFault(
        "core/state/approvals.py",
        "is_left_to_rules and is_hidden and approvals_needed(policy, rules) == 0",
        "is_left_to_rules and is_hidden",
        APPROVALS + "test_hidden_reviews_are_not_mentioned_if_a_rule_requires_approvals",
    ),
    PlantedFault(
        "core/decide/people/queue_pull.py",
        "    if may_miss_reviews(decision.policy, decision.state.rules):\n",
        "    if False:\n",
        APPROVALS + "test_hidden_reviews_are_mentioned_once_when_a_pull_is_queued",
    ),
]
