"""Faults in what leads who had never seen the program found wrong in plans."""

from tests.testkit.planting import PlantedFault

PUT_OFF = "core/plan/put_off.py"
STEPS = "core/spec/scenario_steps.py"
EPICS = "core/spec/formats/epics.py"
AUTHORED = "core/plan/authored.py"
PHRASES = "core/plan/phrases.py"
TICKED = "core/spec/ticked_tasks.py"
SHOWN = "entry/commands/plan.py"
TESTS = "core/plan/test_plans_judged_by_leads.py::"
MAPPED = TESTS + "test_requirements_mapped_to_a_deferred_epic_are_deferred"
NAMED = TESTS + "test_a_requirement_joins_the_story_with_its_name"
LISTED = TESTS + "test_a_list_below_a_step_belongs_to_the_scenario"
WISH = TESTS + "test_a_wish_is_named_without_cutting_it"
SIGN_IN = TESTS + "test_all_changes_wait_for_a_first_group_about_signing_in"
PRINTED = TESTS + "test_the_command_line_lists_deferred_requirements_only_on_request"
CHECKS = TESTS + "test_an_open_verification_task_adds_no_work"
PARTLY = TESTS + "test_ticks_that_complete_no_requirement_are_reported"

JUDGED_PLAN_FAULTS = [
    PlantedFault(
        "entry/commands/spec.py",
        "    if not planned:\n",
        "    if False:\n",
        TESTS + "test_the_check_on_the_command_line_says_how_much_is_left",
    ),
    PlantedFault(
        "entry/commands/spec.py",
        "if planned == count else",
        "if True else",
        TESTS + "test_the_check_on_the_command_line_says_how_much_is_left",
    ),
    PlantedFault(PUT_OFF, "mapped = {bare_id(one.id) for", "mapped = {one.id for", MAPPED),
    PlantedFault(
        PUT_OFF, 'if bare_id(r.source_id or "") in mapped', "if r.source_id in mapped", MAPPED
    ),
    PlantedFault(PUT_OFF, "    found |= _with_their_story(spec, found)\n", "", MAPPED),
    PlantedFault(PUT_OFF, "        if id_ not in found\n    }\n", "    }\n", MAPPED),
    PlantedFault(
        AUTHORED,
        "            if len(said) > 1\n",
        "            if False\n",
        NAMED,
    ),
    PlantedFault(STEPS, "block.indent > depth:", "block.indent > group[-1].indent:", LISTED),
    PlantedFault(
        STEPS,
        "            if kind is StepKind.GIVEN and is_over:\n",
        "            if False:\n",
        LISTED,
    ),
    PlantedFault(STEPS, "else block.line_start + end - 1,", "else block.line_end,", LISTED),
    PlantedFault(
        EPICS, r"(?:\.\d{1,3}){0,2}", "", TESTS + "test_dotted_ids_are_distinguished_in_an_epic_map"
    ),
    PlantedFault(
        EPICS,
        r"(?:[A-Z]{1,6}-)?[A-Z]",
        "[A-Z]",
        TESTS + "test_dotted_ids_are_distinguished_in_an_epic_map",
    ),
    PlantedFault(PHRASES, "|when (?:I|we) \\w+)", ")", WISH),
    PlantedFault(PHRASES, "|(?:[a-z]+ ){1,3}to be ))", "))", WISH),
    PlantedFault(
        "core/plan/slugs.py",
        '    | {"ə": "e", "ŋ": "ng", "ħ": "h", "ŧ": "t"}\n',
        "",
        TESTS + "test_letters_that_unicode_does_not_decompose_stay_in_a_branch",
    ),
    PlantedFault(
        "core/plan/naming.py",
        "whole_first if whole_first.startswith(names[0]) else names[0]",
        "names[0]",
        TESTS + "test_the_first_name_of_a_numbered_piece_is_not_cut",
    ),
    PlantedFault(
        "core/plan/sign_in.py",
        "        if own and any(map(_is_way_in, (phrase(own[0]), spoken(own[0].domain))))\n",
        "        if own and any(map(_is_way_in, (phrase(own[0]),)))\n",
        SIGN_IN,
    ),
    PlantedFault(TICKED, "if t.id and not _CHECKS.search(t.text)", "if t.id", CHECKS),
    PlantedFault(TICKED, "(_finding(tasks[0], sentence),) if said.count else ()", "()", PARTLY),
    PlantedFault(SHOWN, "if not (with_put_off and f.code in NOT_PLANNED)", "if True", PRINTED),
    PlantedFault(SHOWN, "    if one.plan.changes:\n", "    if one.requirements:\n", PRINTED),
    PlantedFault(SHOWN, "    if one.plan.left_out:\n", "    if False:\n", PRINTED),
]
