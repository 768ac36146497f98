"""A fault for every guard of how bare lists of tasks, and words, order a plan."""

from tests.testkit.planting import PlantedFault

STEPS = "core/plan/task_steps.py"
AUTHORED = "core/plan/test_authored.py::"
BARE = AUTHORED + "test_a_list_of_tasks_without_references_orders_by_its_words"
LAYERS = AUTHORED + "test_a_list_of_layers_creates_no_dependencies"

COUNTED = "core/spec/test_requirement_counts.py::"
BESIDE = COUNTED + "test_lists_and_error_chapters_are_read_and_design_binds_every_change"

STEP_FAULTS = [
    PlantedFault(
        "core/plan/authored.py",
        "    return [(task, ids) for step, ids in steps_with(spec) for task in step.tasks]\n",
        "    return found\n",
        AUTHORED + "test_each_task_of_a_bare_list_is_matched_to_requirements",
    ),
    PlantedFault(
        "core/plan/authored.py",
        "    elif _says_its_order(requirements):\n",
        "    elif False:\n",
        AUTHORED + "test_the_headings_over_tasks_order_the_capabilities_of_a_delta",
    ),
    PlantedFault(
        STEPS,
        '"" if task.id else task.group',
        '""',
        AUTHORED + "test_the_headings_over_tasks_order_the_capabilities_of_a_delta",
    ),
    PlantedFault(STEPS, "if apart and enough else {}", "if apart else {}", LAYERS),
    PlantedFault(
        STEPS,
        "[step for step in steps if not is_check(step.title)]",
        "steps",
        AUTHORED + "test_a_step_with_only_tests_is_not_a_change",
    ),
    PlantedFault(
        "core/spec/formats/prose.py",
        "block.line_start in owned or section.line in tables",
        "block.line_start in owned",
        BESIDE,
    ),
    PlantedFault(
        "core/spec/formats/prose.py",
        "not chapters or section.trail in chapters",
        "True",
        BESIDE,
    ),
    PlantedFault(
        "core/spec/formats/prose.py",
        "if items or rows else ()",
        "if items else ()",
        BESIDE,
    ),
    PlantedFault(
        "core/spec/formats/prose.py",
        "(is_part or (is_of_functions and ERRORS.match(section.title)))",
        "is_part",
        BESIDE,
    ),
    PlantedFault(
        "core/spec/formats/req_id.py",
        "    if definition.is_later:\n",
        "    if False:\n",
        COUNTED + "test_an_id_below_a_future_chapter_is_deferred",
    ),
]
