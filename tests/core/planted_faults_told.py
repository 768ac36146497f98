"""Faults in what agents are told, and the story that each must make fail."""

from tests.testkit.planting import PlantedFault

TOLD = "core/test_stories_of_agent_briefs.py::"

TOLD_FAULTS = [
    PlantedFault(
        "core/decide/changes/agent_order.py",
        "        gates=decision.policy_for(change).gates,\n",
        "        gates=decision.policy_for(change).gates[1:],\n",
        TOLD + "test_an_order_names_the_gates_that_will_judge_the_work",
    ),
    PlantedFault(
        "core/talk/order_brief.py",
        "if c.id != change.id]",
        "]",
        TOLD + "test_an_order_names_the_other_changes_and_what_landed",
    ),
    PlantedFault(
        "core/talk/order_brief.py",
        "    said += [_red(gate) for gate in run.red]\n",
        "",
        TOLD + "test_a_later_attempt_gets_a_summary_of_every_earlier_one",
    ),
]
