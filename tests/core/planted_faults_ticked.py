"""Faults in what a list of tasks says is built already."""

from tests.testkit.planting import PlantedFault

TICKED = "core/spec/ticked_tasks.py"
PUT_OFF = "core/plan/put_off.py"
NEW_SPEC = "core/decide/specs/plan_new_spec.py"
CHECKS = "core/talk/checks.py"
TESTS = "core/spec/test_ticked_tasks.py::"
STORIES = "core/test_stories_of_deferred_work.py::"
WHOLE = TESTS + "test_a_completely_ticked_list_leaves_nothing_to_plan"
PARTS = TESTS + "test_optional_tasks_and_boxes_above_ticked_parts_leave_a_list_ticked"
PARTLY = TESTS + "test_requirements_of_which_all_tasks_are_ticked_are_not_planned"
LATER = TESTS + "test_a_requirement_that_a_ticked_list_does_not_name_came_later"
FEW = TESTS + "test_a_ticked_list_that_names_few_requirements_covers_all"
STORY = TESTS + "test_requirements_of_a_story_of_which_all_tasks_are_ticked_are_not_planned"
BY_STORIES = TESTS + "test_a_ticked_list_of_stories_covers_all_stories"
OPEN = TESTS + "test_open_tasks_without_a_requirement_are_reported"
LANDED = TESTS + "test_a_landed_requirement_with_a_new_text_is_planned_despite_ticks"
PUSHED = STORIES + "test_a_completely_ticked_spec_is_reported_at_its_commit_and_planned_on_request"

TICKED_FAULTS = [
    PlantedFault(
        TICKED,
        "(*open_, *wholes)",
        "open_",
        TESTS + "test_a_ticked_task_above_an_open_part_is_not_done",
    ),
    PlantedFault(
        TICKED,
        "if not task.is_optional and (above",
        "if (above",
        TESTS + "test_an_open_task_with_only_optional_parts_is_open",
    ),
    PlantedFault(
        TICKED,
        "is_whole=bool(asked) and len(tasks)",
        "is_whole=len(tasks)",
        TESTS + "test_optional_tasks_alone_do_not_mark_a_spec_as_built",
    ),
    PlantedFault(
        TICKED,
        r"ensure|review)\b|",
        r"ensure|review)|",
        TESTS + "test_a_task_that_only_starts_like_a_check_is_reported",
    ),
    PlantedFault(TICKED, "t.is_done or not (t.is_optional or", "not (t.is_done or", PARTLY),
    PlantedFault(TICKED, "or t.id in parts_of)]", ")]", PARTS),
    PlantedFault(
        TICKED,
        "    done -= {name for task in (*open_, *wholes) for name in _named(task, known)}\n",
        "",
        PARTLY,
    ),
    PlantedFault(TICKED, "left=() if others else work", "left=work", PARTLY),
    PlantedFault(TICKED, "left=() if others else work", "left=()", OPEN),
    PlantedFault(
        TICKED,
        "len(tasks) >= _TASKS_MIN and not came_later",
        "not came_later",
        TESTS + "test_two_ticks_without_numbers_are_not_a_task_list",
    ),
    PlantedFault(TICKED, " and not came_later", "", LATER),
    PlantedFault(TICKED, "len(others) < len(names) and ", "", FEW),
    PlantedFault(TICKED, "came_later = not is_story and ", "came_later = ", BY_STORIES),
    PlantedFault(
        TICKED,
        "    if _EACH in task.requirements:\n        return [name for name in known if _is_number(name)]\n",
        "",
        TESTS + "test_a_ticked_task_for_all_requirements_covers_each",
    ),
    PlantedFault(TICKED, "    if said.is_whole:\n", "    if False:\n", WHOLE),
    PlantedFault(
        "core/spec/formats/tasks.py",
        "tuple(not_silenced(told(said, tasks, path), source))",
        "told(said, tasks, path)",
        TESTS + "test_a_silenced_or_open_line_is_not_reported",
    ),
    PlantedFault(
        "core/spec/read.py",
        "requirements=listed.marked(requirements),",
        "requirements=requirements,",
        TESTS + "test_built_requirements_raise_no_questions",
    ),
    PlantedFault(
        "core/spec/triage/triage.py",
        " and not is_built:",
        ":",
        TESTS + "test_built_requirements_raise_no_questions",
    ),
    PlantedFault(
        PUT_OFF,
        '        built |= {id_ for id_, story in of.items() if story and f"US{story}" in said.names}\n',
        "",
        STORY,
    ),
    PlantedFault(
        PUT_OFF,
        "    if why and len(why) == len(requirements):\n",
        "    if False:\n",
        WHOLE,
    ),
    PlantedFault(
        "core/plan/readiness.py", " and not (why == TICKED and id_ in covered)", "", LANDED
    ),
    PlantedFault(
        NEW_SPEC,
        "        _tell_that_nothing_is_planned(decision, reading, known.spec)\n",
        "",
        PUSHED,
    ),
    PlantedFault(NEW_SPEC, "reading, (), included):", "reading, ()):", PUSHED),
    PlantedFault(CHECKS, "Conclusion.SUCCESS if _is_no_fault(findings) else ", "", PUSHED),
]
