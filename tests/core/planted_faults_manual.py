"""A fault for every guard of what people do by hand."""

from tests.testkit.planting import PlantedFault

MANUAL = "core/test_stories_of_manual_steps.py::"
WAITS = MANUAL + "TestWaitingChanges::"
DONE = MANUAL + "TestDoneSteps::"
AFTER = MANUAL + "TestAfterTheWork::test_the_run_and_dependents_wait_for_a_step_after_the_work"

MANUAL_FAULTS = [
    PlantedFault(
        "core/decide/changes/advance.py",
        "bool(waits_for(decision.state, change) or waits_for_steps(decision.state, change))",
        "bool(waits_for(decision.state, change))",
        WAITS + "test_the_change_that_comes_next_waits_and_others_do_not",
    ),
    PlantedFault(
        "core/state/steps_by_hand.py",
        "return (*own, *(one for one in comes_after(state, change) if open_steps(one)))",
        "return own",
        AFTER,
    ),
    PlantedFault(
        "core/plan/by_hand.py",
        "is_before=slug not in begun",
        "is_before=True",
        WAITS + "test_a_change_does_not_wait_for_a_task_after_the_work",
    ),
    PlantedFault(
        "core/plan/by_hand.py",
        " if not task.is_done else None",
        "",
        WAITS + "test_a_task_that_is_ticked_in_the_spec_is_done",
    ),
    PlantedFault(
        "core/decide/specs/end_spec_run.py",
        "    if due_steps(change):\n        return False\n",
        "",
        MANUAL + "TestAfterTheWork::test_the_run_does_not_end_before_its_last_step",
    ),
    PlantedFault(
        "core/decide/people/publish.py",
        " and not due_steps(change)\n",
        "\n",
        AFTER,
    ),
    PlantedFault(
        "core/decide/changes/manual_steps.py",
        "            if step.key in ticked:\n",
        "            if ticked:\n",
        DONE + "test_a_tick_of_another_step_does_not_count",
    ),
    PlantedFault(
        "core/plan/put_off.py",
        '    if is_manual(f"{requirement.title} {requirement.statement}"):\n',
        "    if False:\n",
        WAITS + "test_a_requirement_for_people_becomes_no_change",
    ),
]
