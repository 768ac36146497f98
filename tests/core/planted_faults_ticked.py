"""Faults in what a list of tasks says is built already."""

from tests.testkit.planting import PlantedFault

TICKED = "core/spec/ticked_tasks.py"
PUT_OFF = "core/plan/put_off.py"
NEW_SPEC = "core/decide/specs/plan_new_spec.py"
CHECKS = "core/talk/checks.py"
TESTS = "core/spec/test_ticked_tasks.py::"
STORIES = "core/test_stories_of_put_off_work.py::"
WHOLE = TESTS + "test_a_list_that_is_all_ticked_leaves_nothing_to_plan"
PARTS = TESTS + "test_optional_tasks_and_boxes_above_ticked_parts_leave_a_list_ticked"
PARTLY = TESTS + "test_requirements_of_which_all_tasks_are_ticked_are_not_planned"
LATER = TESTS + "test_a_requirement_that_a_ticked_list_does_not_name_came_later"
FEW = TESTS + "test_a_ticked_list_that_names_few_requirements_speaks_of_all"
STORY = TESTS + "test_requirements_of_a_story_of_which_all_tasks_are_ticked_are_not_planned"
BY_STORIES = TESTS + "test_a_list_by_stories_that_is_all_ticked_speaks_of_all_stories"
OPEN = TESTS + "test_open_tasks_that_name_nothing_else_are_told"
LANDED = TESTS + "test_what_has_landed_and_reads_otherwise_is_planned_in_spite_of_older_ticks"
PUSHED = (
    STORIES + "test_a_pushed_spec_that_is_all_ticked_is_told_at_its_commit_and_planned_on_request"
)

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
        TESTS + "test_an_open_task_with_optional_parts_alone_is_open",
    ),
    PlantedFault(
        TICKED,
        "is_whole=bool(asked) and len(tasks)",
        "is_whole=len(tasks)",
        TESTS + "test_optional_tasks_alone_are_no_built_spec",
    ),
    PlantedFault(
        TICKED,
        r"ensure|review)\b|",
        r"ensure|review)|",
        TESTS + "test_an_open_task_whose_name_only_begins_like_a_check_is_told",
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
        TESTS + "test_two_ticks_without_numbers_are_no_list_of_work",
    ),
    PlantedFault(TICKED, " and not came_later", "", LATER),
    PlantedFault(TICKED, "len(others) < len(names) and ", "", FEW),
    PlantedFault(TICKED, "came_later = not is_story and ", "came_later = ", BY_STORIES),
    PlantedFault(
        TICKED,
        "    if _EACH in task.requirements:\n        return [name for name in known if _is_number(name)]\n",
        "",
        TESTS + "test_a_ticked_task_for_all_requirements_speaks_of_each",
    ),
    PlantedFault(TICKED, "    if said.is_whole:\n", "    if False:\n", WHOLE),
    PlantedFault(
        "core/spec/formats/tasks.py",
        "tuple(not_silenced(told(said, tasks, path), source))",
        "told(said, tasks, path)",
        TESTS + "test_a_line_that_is_silenced_or_open_tells_nothing",
    ),
    PlantedFault(
        "core/spec/read.py",
        "requirements=listed.marked(requirements),",
        "requirements=requirements,",
        TESTS + "test_what_is_built_is_asked_nothing",
    ),
    PlantedFault(
        "core/spec/triage/triage.py",
        " and not is_built:",
        ":",
        TESTS + "test_what_is_built_is_asked_nothing",
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
