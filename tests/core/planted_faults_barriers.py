"""A fault for every guard of pulls that edit what others are judged by."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_barriers.py::"
APPROVAL = STORIES + "TestItsApproval::"
JUDGEMENT = STORIES + "TestItsJudgement::"

BARRIER_FAULTS = [
    PlantedFault(
        "core/journal/queued_pull.py",
        "        return bool(self.rules) and not self.allowed_by\n",
        "        return False\n",
        APPROVAL + "test_no_gate_runs_before_somebody_who_may_allowed_this_head",
    ),
    PlantedFault(
        "core/decide/people/allow_rules.py",
        "    if not asked.role.covers(queue_text.RULES_ROLE):\n",
        "    if False:\n",
        APPROVAL + "test_people_with_write_access_alone_are_refused",
    ),
    PlantedFault(
        "core/decide/people/allow_rules.py",
        " or not pull.head.startswith(named):\n",
        ":\n",
        APPROVAL + "test_another_head_is_not_allowed_with_it",
    ),
    PlantedFault(
        "core/journal/evolve_main.py",
        "    rules = pull.rules if pull.allowed_by else ()\n",
        "    rules = ()\n",
        APPROVAL + "test_it_may_be_said_in_advance_and_the_ledger_names_who",
    ),
    PlantedFault(
        "core/state/queue_order.py",
        " or waits_for_word(state, queued)\n",
        "\n",
        APPROVAL + "test_others_land_meanwhile",
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
        JUDGEMENT + "test_main_gets_no_gate_that_fails_on_it",
    ),
    PlantedFault(
        "core/journal/evolve_evidence.py",
        "    on(ev.PullPassedAsMain, _of_pull),\n",
        "",
        JUDGEMENT + "test_it_lands_when_both_passed_and_main_s_were_not_asked_twice",
    ),
    PlantedFault(
        "core/decide/queue/pulls.py",
        "    if isinstance(brought, PolicyRefusal):\n",
        "    if False:\n",
        JUDGEMENT + "test_a_policy_that_nobody_can_read_does_not_land",
    ),
    PlantedFault(
        "core/state/queue_order.py",
        "return pull.needs_word and pull.rules_on in {None, state.main}",
        "return pull.needs_word",
        APPROVAL + "test_what_another_brought_to_main_meanwhile_needs_no_word_any_more",
    ),
]
