"""A fault for every guard of a repository's own life."""

from tests.testkit.planting import PlantedFault

LIVES = "core/test_stories_of_repository_lives.py::"
NAMES = LIVES + "TestNames::"
PAUSES = LIVES + "TestPauses::"
REMOVAL = LIVES + "TestRemoval::"
FOLLOW = "core/decide/specs/follow_repository.py"

STANDING = "adapters/test_github_standing.py::"
WEBHOOK = "core/test_webhook.py::"

LIFE_FAULTS = [
    PlantedFault(
        "core/journal/evolve_access.py",
        "            orders[id_] = replace(order, dispatched_at=event.seen_at)\n",
        "            pass\n",
        PAUSES + "test_time_without_access_does_not_count_against_a_runner",
    ),
    PlantedFault(
        "core/journal/evolve_access.py",
        "        if order.state is OrderState.PLACED and order.dispatched_at is not None:\n",
        "        if order.dispatched_at is not None:\n",
        PAUSES + "test_a_runner_with_an_order_keeps_its_time_limit",
    ),
    PlantedFault(
        "adapters/github/conversation.py",
        '    return f"/repositories/{repository.id}{path}"\n',
        '    return f"/repos/{repository.full_name}{path}"\n',
        STANDING + "test_a_rename_is_read_and_the_old_facts_still_serve",
    ),
    PlantedFault(
        "adapters/github/reads.py",
        "        if not is_doubted:\n",
        "        if True:\n",
        STANDING + "test_a_public_repository_outside_the_installation_counts_as_removed_in_doubt",
    ),
    PlantedFault(
        "adapters/github/reads.py",
        "        if installation.suspended_at is not None:\n            return Standing",
        "        if False:\n            return Standing",
        STANDING + "test_a_suspended_installation_is_distinguished_from_a_removed_one",
    ),
    PlantedFault(
        "adapters/github/reads.py",
        "        if lacks:\n",
        "        if False:\n",
        STANDING + "test_missing_permissions_are_named",
    ),
    PlantedFault(
        "core/state/webhook.py",
        "return all(a == b for a, b in zip(said, known, strict=True) if a)",
        "return True",
        WEBHOOK + "test_any_delivery_may_reveal_a_renamed_repository",
    ),
    PlantedFault(
        FOLLOW,
        " and seen.facts.id == known.id:",
        ":",
        NAMES + "test_a_different_repository_with_our_name_is_not_ours",
    ),
    PlantedFault(
        "core/state/observed.py",
        "        standing=everything or is_doubted,\n",
        "        standing=is_doubted,\n",
        NAMES + "test_a_rename_is_noticed_by_a_hint_and_by_a_full_look",
    ),
    PlantedFault(
        "core/decide/changes/follow_default_branch.py",
        "        if is_elsewhere and is_open and",
        "        if is_open and",
        NAMES + "test_a_pull_that_github_retargeted_stays_open",
    ),
    PlantedFault(
        "core/decide/decide.py",
        "    follow_default_branch.next_steps(decision)\n",
        "",
        NAMES + "test_a_pull_onto_the_former_default_branch_is_replaced",
    ),
    PlantedFault(
        "core/journal/evolve_orders.py",
        "        dispatched_on=event.ref,\n",
        "",
        NAMES + "test_an_order_keeps_the_branch_that_it_was_dispatched_on",
    ),
    PlantedFault(
        "core/decide/decide.py",
        "    if follow_repository.is_away(decision):\n        return decision.events\n",
        "    follow_repository.is_away(decision)\n",
        PAUSES + "test_no_decision_or_effect_happens_without_access",
    ),
    PlantedFault(
        "core/state/under_way.py",
        "    return state.away is None and (\n",
        "    return (\n",
        PAUSES + "test_no_decision_or_effect_happens_without_access",
    ),
    PlantedFault(
        FOLLOW,
        "    if known is None or (known.reason, known.lacks) != (reason, seen.lacks):\n",
        "    if True:\n",
        PAUSES + "test_the_same_loss_of_access_is_recorded_once",
    ),
    PlantedFault(
        FOLLOW,
        ' or (what == "away" and not can_comment(away))',
        "",
        PAUSES + "test_without_permission_to_comment_no_comment_is_tried",
    ),
    PlantedFault(
        "core/state/access.py",
        "(isinstance(effect, PostComment) and can_comment(away))",
        "False",
        PAUSES + "test_a_missing_permission_is_named_in_the_issue_if_possible",
    ),
    PlantedFault(
        "core/state/access.py",
        "state.away.since + REMOVAL_GRACE if is_open",
        "state.away.since if is_open",
        REMOVAL + "test_work_continues_if_the_installation_returns_within_an_hour",
    ),
    PlantedFault(
        "core/state/observed.py",
        " or is_removal_due(state, now)\n",
        "\n",
        REMOVAL + "test_a_repository_that_returned_at_the_deadline_is_not_closed",
    ),
    PlantedFault(
        "core/state/access.py",
        " or state.away.reason is not AwayReason.REMOVED:",
        ":",
        REMOVAL + "test_a_suspension_stops_no_spec_run",
    ),
]
