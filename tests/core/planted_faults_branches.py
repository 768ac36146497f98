"""A fault for every guard of further branches with a queue of their own."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_branches.py::"
GIT = "scenarios/test_branches_with_a_queue.py::"
COMMITS = "core/test_stories_of_commits_on_branches.py::"
LANDS = STORIES + "test_a_pull_lands_on_its_base_branch"
MOVED = STORIES + "test_a_retargeted_pull_leaves_and_can_enter_the_other_queue"
BESIDE = STORIES + "test_pulls_on_both_branches_land_independently"
FREEZE = STORIES + "test_a_freeze_at_a_pull_freezes_only_its_branch"

BRANCHES_FAULTS = [
    PlantedFault(
        "core/journal/branches.py",
        "    parked = BranchState(**{name: getattr(state, name) for name in _OWN})\n",
        "    parked = BranchState(facts=state.facts)\n",
        BESIDE,
    ),
    PlantedFault(
        "core/journal/branches.py",
        '        return branch_of_pull(state, getattr(event, "number", None))\n',
        "        return None\n",
        LANDS,
    ),
    PlantedFault(
        "core/journal/branches.py",
        "        return str(order.branch_of_queue)\n",
        "        return None\n",
        STORIES + "test_a_red_commit_by_hand_on_a_branch_runs_again_before_it_counts",
    ),
    PlantedFault(
        "core/journal/evolve.py",
        "    return replace(on(after, state.on_branch), events=state.events + 1)\n",
        "    return replace(after, events=state.events + 1)\n",
        LANDS,
    ),
    PlantedFault(
        "core/journal/evolve_pull_queue.py",
        "        queued_pulls=without(before.queued_pulls, number),\n",
        "",
        MOVED,
    ),
    PlantedFault(
        "core/decide/changes/settle_orders.py",
        "        with decision.on(order.branch_of_queue) as is_seen:\n",
        '        with decision.on("") as is_seen:\n',
        LANDS,
    ),
    PlantedFault(
        "core/decide/people/queue_pull.py",
        '        return seen.base_branch if seen.base_branch in decision.observed.served else ""\n',
        '        return ""\n',
        LANDS,
    ),
    PlantedFault(
        "core/decide/people/run_commands.py",
        "        if is_seen and command.verb in _OF_A_BRANCH:\n",
        "        if False:\n",
        FREEZE,
    ),
    PlantedFault(
        "core/decide/people/queue_pull.py",
        "    if _is_landing_elsewhere(decision, number, by):\n        return refuse(queue_text.is_landing())\n",
        "",
        STORIES + "test_a_pull_that_is_landing_cannot_enter_another_queue",
    ),
    PlantedFault(
        "core/decide/decide.py",
        "    queue_pull.leave_unserved(decision)\n",
        "",
        STORIES + "test_a_branch_removed_from_the_policy_loses_its_queue",
    ),
    PlantedFault(
        "core/decide/decide.py",
        "            account_commits.next_steps(decision)\n            merged_by_github",
        "            merged_by_github",
        STORIES + "test_a_force_push_freezes_only_its_branch_until_it_is_judged",
    ),
    PlantedFault(
        "core/decide/decide.py",
        "            follow_rules.tell(decision)\n            publish",
        "            publish",
        STORIES + "test_rules_of_a_branch_are_reported_on_its_tip",
    ),
    PlantedFault(
        "core/state/observed.py",
        "            policy=seen.policy,\n",
        "",
        STORIES + "test_a_branch_uses_its_own_policy_for_its_pulls",
    ),
    PlantedFault(
        "core/talk/queue_issue.py",
        "there = [place for place in view if place.branch == branch]",
        "there = view",
        STORIES + "test_the_queue_issue_and_why_name_each_branch",
    ),
    PlantedFault(
        "shell/perform.py",
        "facts_there = state.facts.replace(default_branch=branch) if branch else state.facts",
        "facts_there = state.facts",
        GIT + "test_pulls_on_two_branches_land_without_affecting_each_other",
    ),
    PlantedFault(
        "shell/perform_ledger.py",
        'ref = Ref(f"refs/headgate/ledgers/{branch}") if branch else LEDGER_REF',
        "ref = LEDGER_REF",
        GIT + "test_pulls_on_two_branches_land_without_affecting_each_other",
    ),
    PlantedFault(
        "shell/intake.py",
        "        if content.pushed in state.branches:\n",
        "        if False:\n",
        GIT + "test_a_force_push_freezes_only_its_branch_and_a_deletion_removes_its_pulls",
    ),
    PlantedFault(
        "core/values/command.py",
        "frozenset({Verb.QUEUE, Verb.FREEZE, Verb.UNFREEZE})",
        "frozenset({Verb.QUEUE})",
        STORIES + "test_a_freeze_at_an_unqueued_pull_freezes_its_base_branch",
    ),
    PlantedFault(
        "core/decide/people/queue_pull.py",
        "    before = decision.state.branches[elsewhere].queued_pulls[number]\n"
        "    if before.state is QueuedPullState.LANDING:\n",
        "    before = decision.state.branches[elsewhere].queued_pulls[number]\n"
        "    if before.state is QueuedPullState.LANDING and elsewhere in decision.observed.served:\n",
        STORIES + "test_a_pull_landing_on_a_branch_that_lost_its_queue_enters_no_other",
    ),
    PlantedFault(
        "core/state/queued_pulls.py",
        "(state.queued_pulls, *(b.queued_pulls for b in state.branches.values()))",
        "(state.queued_pulls,)",
        GIT + "test_a_removed_label_dequeues_a_pull_even_if_its_webhook_is_lost",
    ),
    PlantedFault(
        "core/state/observed.py",
        "            last_good_policy=no_policy(),\n",
        "",
        STORIES + "test_an_unreadable_branch_policy_is_not_replaced_by_that_of_main",
    ),
    PlantedFault(
        "shell/observe_branches.py",
        "is_new = bool(theirs) and known.main is None",
        "is_new = False",
        GIT + "test_a_pull_enters_even_if_the_webhook_of_the_new_branch_is_lost",
    ),
    PlantedFault(
        "core/decide/decide.py",
        "            tell_main.next_steps(decision)\n",
        "",
        COMMITS + "test_a_red_commit_on_a_branch_shows_its_verdict",
    ),
    PlantedFault(
        "core/decide/people/press_buttons.py",
        'for branch in ("", *decision.state.branches):',
        'for branch in ("",):',
        COMMITS + "test_re_run_of_a_red_branch_commit_judges_it_and_ends_the_freeze",
    ),
    PlantedFault(
        "core/journal/branches.py",
        "    ev.GatesAskedAgain,\n",
        "",
        COMMITS + "test_re_run_of_a_red_branch_commit_judges_it_and_ends_the_freeze",
    ),
    PlantedFault(
        "core/journal/evolve_main.py",
        'return f"main:{state.on_branch}:{sha}" if state.on_branch else f"main:{sha}"',
        'return f"main:{sha}"',
        COMMITS + "test_a_commit_on_two_branches_has_two_verdicts_and_re_run_affects_one",
    ),
    PlantedFault(
        "core/decide/main/follow_rules.py",
        "    if decision.state.on_branch:\n        _note_landing",
        "    if False:\n        _note_landing",
        STORIES + "test_the_landing_mode_of_a_branch_is_known_before_a_landing",
    ),
    PlantedFault(
        "core/decide/main/follow_rules.py",
        "    if not isinstance(decision.observed.policy, Policy):\n",
        "    if False:\n",
        STORIES + "test_the_last_known_landing_mode_is_kept_while_the_policy_is_unreadable",
    ),
    PlantedFault(
        "core/decide/main/follow_rules.py",
        '    return f"check:{_subject(state)}" in state.series\n',
        '    return any(s.startswith(f"check:{_subject(state)}") for s in state.series)\n',
        STORIES + "test_rules_of_a_branch_are_reported_on_its_tip",
    ),
]
