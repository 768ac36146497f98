"""A fault for every guard of changes that wait for changes of other specs."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_rival_specs.py::"
RIVALS = "core/state/rivals.py"
THINGS = "core/plan/edited_things.py"
LATER = STORIES + "test_the_later_one_waits_until_the_other_has_landed"
BESIDE = STORIES + "test_those_that_edit_different_things_work_side_by_side"
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
        STORIES + "test_a_change_that_waits_for_others_of_its_own_spec_stops_nobody",
    ),
    PlantedFault(
        RIVALS,
        "    if state.entry_of(change).is_next:\n",
        "    if False:\n",
        STORIES + "test_a_person_may_let_it_begin_at_once",
    ),
    PlantedFault(
        RIVALS,
        "    if state.spec_runs[other.spec_run].state is not SpecRunState.RUNNING:\n",
        "    if False:\n",
        STORIES + "test_a_plan_that_nobody_approved_stops_nobody",
    ),
    PlantedFault(
        RIVALS,
        "if not c.is_ended)",
        "if c)",
        STORIES + "test_it_goes_on_when_the_other_has_failed_though_its_spec_goes_on",
    ),
    PlantedFault(
        RIVALS,
        "    return policy is None or held_now(state, policy, change) is not Held.RUN\n",
        "    return True\n",
        STORIES + "test_one_whose_budget_is_spent_stops_nobody",
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
        STORIES + "test_an_everyday_word_in_both_is_nothing_that_they_edit",
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
        STORIES + "test_the_queue_issue_says_it_and_is_opened_for_it",
    ),
    PlantedFault(
        "core/talk/issues.py",
        " or [r.change for r in first.get(change.id, ())]",
        "",
        STORIES + "test_the_tracking_issue_names_whom_it_waits_for",
    ),
    PlantedFault(
        "core/decide/specs/plan_by_model.py",
        "*c.planned.edits, ",
        "",
        STORIES + "test_a_model_that_plans_is_told_what_others_edit",
    ),
]
