"""A fault for every guard of changes that wait for changes of other specs."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_rival_specs.py::"
RIVALS = "core/state/rivals.py"
THINGS = "core/plan/edited_things.py"
LATER = STORIES + "test_the_later_of_two_rival_changes_waits_for_the_landing"
BESIDE = STORIES + "test_changes_that_edit_different_things_run_in_parallel"
PROPERTY = "core/state/test_rivals.py"

RIVALS_FAULTS = [
    PlantedFault(
        "core/decide/changes/advance.py",
        "    if rivals(decision.state, decision.policy, change):\n        return\n",
        "",
        LATER,
    ),
    PlantedFault(
        RIVALS,
        "        return not state.is_replaced(other)\n",
        "        return False\n",
        PROPERTY,
    ),
    PlantedFault(
        RIVALS,
        "has_begun or (of.opened_at, of.id) < (run.opened_at, run.id)",
        "True",
        PROPERTY,
    ),
    PlantedFault(
        RIVALS,
        "    if waits_for(state, change) or waits_for_steps",
        "    if waits_for_steps",
        STORIES + "test_a_change_that_waits_in_its_own_spec_does_not_block_rivals",
    ),
    PlantedFault(
        RIVALS,
        "    if state.entry_of(change).is_next:\n",
        "    if False:\n",
        STORIES + "test_a_person_can_start_a_waiting_rival_at_once",
    ),
    PlantedFault(
        RIVALS,
        "    if state.spec_runs[other.spec_run].state is not SpecRunState.RUNNING:\n",
        "    if False:\n",
        STORIES + "test_an_unapproved_plan_does_not_block_rivals",
    ),
    PlantedFault(
        RIVALS,
        "if not c.is_ended)",
        "if c)",
        STORIES + "test_a_change_continues_when_its_rival_failed",
    ),
    PlantedFault(
        RIVALS,
        "    return policy is None or held_now(state, policy, change) is not Held.RUN\n",
        "    return True\n",
        STORIES + "test_a_change_without_budget_does_not_block_rivals",
    ),
    PlantedFault(
        THINGS,
        "            return offers(requirement, name) or",
        "            return True or",
        BESIDE,
    ),
    PlantedFault(
        RIVALS,
        "if len({c.spec_run for c in them}) > 1}",
        "if len({c.spec_run for c in them}) > 2}",
        PROPERTY + "::test_the_check_of_all_changes_equals_the_check_of_each",
    ),
    PlantedFault(
        RIVALS,
        "or waits_for(state, change):\n            continue\n",
        "or False:\n            continue\n",
        PROPERTY + "::test_the_check_of_all_changes_equals_the_check_of_each",
    ),
    PlantedFault(THINGS, " and n not in bare", "", BESIDE),
    PlantedFault(
        THINGS,
        "return any(_CALLED.search(signed(text, fold(name))) for text in said)",
        "return bool(said)",
        STORIES + "test_a_shared_everyday_word_does_not_make_rivals",
    ),
    PlantedFault(
        THINGS,
        "(*edited, *claimed(requirement))",
        "edited",
        STORIES + "test_two_deltas_of_one_requirement_of_the_main_specs",
    ),
    PlantedFault(
        "core/values/plan_model.py",
        ', exclude={"edits"}',
        "",
        "core/plan/test_edited_things.py::test_a_plan_keeps_the_hash_that_people_approved",
    ),
    PlantedFault(
        "core/decide/people/tell_queue.py",
        " and not not_begun(decision.state, decision.policy):",
        ":",
        STORIES + "test_the_queue_issue_is_opened_for_a_waiting_rival",
    ),
    PlantedFault(
        "core/talk/issues.py",
        " or [r.change for r in first.get(change.id, ())]",
        "",
        STORIES + "test_the_tracking_issue_links_the_rival",
    ),
    PlantedFault(
        "core/decide/specs/plan_by_model.py",
        "*c.planned.edits, ",
        "",
        STORIES + "test_the_planning_prompt_lists_edits_of_other_changes",
    ),
]
