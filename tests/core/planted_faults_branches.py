"""A fault for every guard of further branches with a queue of their own."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_branches.py::"
GIT = "scenarios/test_branches_with_a_queue.py::"
COMMITS = "core/test_stories_of_commits_on_branches.py::"
LANDS = STORIES + "test_a_pull_lands_on_the_branch_that_it_asks_for"
MOVED = STORIES + "test_a_pull_that_is_retargeted_leaves_and_may_enter_the_other_queue"
BESIDE = STORIES + "test_a_pull_on_each_lands_and_neither_voids_the_other"
FREEZE = STORIES + "test_a_freeze_at_a_pull_of_the_branch_stops_that_branch_alone"

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
        STORIES + "test_a_red_commit_by_hand_runs_once_more_there_before_it_counts",
    ),
    PlantedFault(
        "core/journal/evolve.py",
        "    return replace(on(after, state.on_branch), events=state.events + 1)\n",
        "    return replace(after, events=state.events + 1)\n",
        LANDS,
    ),
    PlantedFault(
        "core/journal/evolve_pull_queue.py",
        "    moved = replace(before, queued_pulls=left, entries=gone)\n",
        "    moved = before\n",
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
        STORIES + "test_what_is_landing_on_one_branch_enters_no_other_queue",
    ),
    PlantedFault(
        "core/decide/decide.py",
        "    queue_pull.leave_unserved(decision)\n",
        "",
        STORIES + "test_a_branch_that_the_policy_names_no_more_loses_its_queue",
    ),
    PlantedFault(
        "core/decide/decide.py",
        "            account_commits.next_steps(decision)\n            merged_by_github",
        "            merged_by_github",
        STORIES
        + "test_a_branch_that_was_forced_to_another_commit_freezes_alone_until_it_is_judged",
    ),
    PlantedFault(
        "core/decide/decide.py",
        "            follow_rules.tell(decision)\n            publish",
        "            publish",
        STORIES + "test_rules_of_the_branch_are_told_on_its_tip",
    ),
    PlantedFault(
        "core/state/observed.py",
        "            policy=seen.policy,\n",
        "",
        STORIES + "test_the_policy_of_the_branch_judges_what_lands_there",
    ),
    PlantedFault(
        "core/talk/queue_issue.py",
        "there = [place for place in view if place.branch == branch]",
        "there = view",
        STORIES + "test_the_queue_issue_and_why_speak_of_each_branch_by_its_name",
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
        STORIES + "test_a_freeze_at_a_pull_that_is_in_no_queue_stops_the_branch_that_it_asks_for",
    ),
    PlantedFault(
        "core/decide/people/queue_pull.py",
        "    before = decision.state.branches[elsewhere].queued_pulls[number]\n"
        "    if before.state is QueuedPullState.LANDING:\n",
        "    before = decision.state.branches[elsewhere].queued_pulls[number]\n"
        "    if before.state is QueuedPullState.LANDING and elsewhere in decision.observed.served:\n",
        STORIES + "test_a_pull_that_lands_on_a_branch_without_a_queue_by_now_enters_no_other",
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
        STORIES + "test_where_the_policy_of_the_branch_cannot_be_read_that_of_main_judges_nothing",
    ),
    PlantedFault(
        "shell/observe_branches_served.py",
        "is_new = bool(theirs) and known.main is None",
        "is_new = False",
        GIT + "test_a_pull_enters_even_if_the_webhook_of_the_new_branch_is_lost",
    ),
    PlantedFault(
        "core/decide/decide.py",
        "            tell_main.next_steps(decision)\n",
        "",
        COMMITS + "test_a_red_commit_there_shows_its_verdict",
    ),
    PlantedFault(
        "core/decide/people/press_buttons.py",
        'for branch in ("", *decision.state.branches):',
        'for branch in ("",):',
        COMMITS + "test_run_again_there_it_is_judged_anew_and_lifts_the_freeze",
    ),
    PlantedFault(
        "core/journal/branches.py",
        "    ev.GatesAskedAgain,\n",
        "",
        COMMITS + "test_run_again_there_it_is_judged_anew_and_lifts_the_freeze",
    ),
    PlantedFault(
        "core/journal/evolve_main.py",
        'return f"main:{state.on_branch}:{sha}" if state.on_branch else f"main:{sha}"',
        'return f"main:{sha}"',
        COMMITS
        + "test_one_commit_on_both_has_a_verdict_on_each_and_is_judged_again_where_it_was_asked",
    ),
    PlantedFault(
        "core/decide/main/follow_rules.py",
        "    if decision.state.on_branch:\n        _note_landing",
        "    if False:\n        _note_landing",
        STORIES + "test_what_its_policy_says_of_landing_is_known_before_anything_lands_there",
    ),
    PlantedFault(
        "core/decide/main/follow_rules.py",
        "    if not isinstance(decision.observed.policy, Policy):\n",
        "    if False:\n",
        STORIES + "test_what_a_policy_said_of_landing_is_known_while_it_cannot_be_read",
    ),
    PlantedFault(
        "core/decide/main/follow_rules.py",
        'any(":" not in subject.removeprefix(begins) for subject in ours)',
        "any(True for _ in ours)",
        STORIES + "test_rules_of_the_branch_are_told_on_its_tip",
    ),
]
