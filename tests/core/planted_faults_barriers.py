"""A fault for every guard of pulls that edit what others are judged by."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_guarded_edits.py::"
APPROVAL = STORIES + "TestPermission::"
JUDGEMENT = STORIES + "TestJudgement::"

BARRIER_FAULTS = [
    PlantedFault(
        "core/journal/queued_pull.py",
        "        return bool(self.rules) and not self.allowed_by\n",
        "        return False\n",
        APPROVAL + "test_no_gate_runs_before_a_maintainer_allowed_this_head",
    ),
    PlantedFault(
        "core/decide/people/allow_rules.py",
        "    if not asked.role.covers(queue_text.RULES_ROLE):\n",
        "    if False:\n",
        APPROVAL + "test_write_access_is_not_enough_to_allow_a_head",
    ),
    PlantedFault(
        "core/decide/people/allow_rules.py",
        " or not pull.head.startswith(named):\n",
        ":\n",
        APPROVAL + "test_the_permission_does_not_cover_another_head",
    ),
    PlantedFault(
        "core/journal/evolve_main.py",
        "    rules = pull.rules if pull.allowed_by else ()\n",
        "    rules = ()\n",
        APPROVAL + "test_a_head_can_be_allowed_in_advance_and_the_ledger_names_the_maintainer",
    ),
    PlantedFault(
        "core/state/queue_order.py",
        " or waits_for_word(state, queued)\n",
        "\n",
        APPROVAL + "test_others_land_while_a_pull_waits_for_permission",
    ),
    PlantedFault(
        "core/state/queue_definitions.py",
        "    return (policy_of(policy, pull), *others)\n",
        "    return others or (policy_of(policy, pull),)\n",
        JUDGEMENT + "test_a_weaker_gate_does_not_judge_the_pull_that_brings_it",
    ),
    PlantedFault(
        "core/state/queue_definitions.py",
        "    return (policy_of(policy, pull), *others)\n",
        "    return (policy_of(policy, pull),)\n",
        JUDGEMENT + "test_a_new_gate_that_fails_on_main_does_not_land",
    ),
    PlantedFault(
        "core/journal/evolve_evidence.py",
        "    on(ev.PullPassedAsMain, _of_pull),\n",
        "",
        JUDGEMENT + "test_a_policy_edit_lands_when_old_and_new_gates_passed",
    ),
    PlantedFault(
        "core/decide/queue/pulls.py",
        "    if isinstance(brought, PolicyRefusal):\n",
        "    if False:\n",
        JUDGEMENT + "test_an_unreadable_policy_does_not_land",
    ),
    PlantedFault(
        "core/state/queue_order.py",
        "return pull.needs_word and pull.rules_on in {None, state.main}",
        "return pull.needs_word",
        APPROVAL + "test_a_guarded_edit_that_is_on_main_by_now_needs_no_permission",
    ),
]
