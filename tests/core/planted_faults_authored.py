"""A fault for every guard of plans that follow the author, and of ids in doubt."""

from tests.testkit.planting import PlantedFault

AFFINITY = "core/plan/test_affinity.py::"
AUTHORED = "core/plan/test_authored.py::"
HOT_SPOTS = "core/plan/test_hot_spots.py::"
PLANS = "core/plan/test_deterministic.py::"
DOUBTS = "core/test_stories_of_doubtful_ids.py::"
RIVALS = "core/test_stories_of_rival_pulls.py::"
PUT_OFF = "core/test_stories_of_deferred_work.py::"

AUTHORED_FAULTS = [
    PlantedFault(
        "core/plan/affinity.py",
        " or weight > most",
        "",
        AFFINITY + "test_the_amount_of_text_in_a_part_is_limited",
    ),
    PlantedFault(
        "core/plan/affinity.py",
        "cost + size * size - 2 * kept",
        "cost + size * size",
        AFFINITY + "test_a_cut_keeps_bound_requirements_together",
    ),
    PlantedFault(
        "core/plan/authored.py",
        "if len(found) == 1 else None\n\n\ndef story_number",
        "if len(found) == 9 else None\n\n\ndef story_number",
        AUTHORED + "test_a_requirement_is_grouped_with_the_story_that_it_names",
    ),
    PlantedFault(
        "core/spec/formats/req_id.py",
        "        if bold:\n            return bold\n",
        "",
        AUTHORED + "test_bold_lines_are_groups",
    ),
    PlantedFault(
        "core/plan/parts.py",
        "and is_interface(ground.requirements[on])",
        "",
        PLANS + "test_a_requirement_without_an_interface_is_not_a_contract",
    ),
    PlantedFault(
        "core/plan/hot_spots.py",
        "        or definers == 0\n",
        "",
        HOT_SPOTS + "test_a_resource_without_a_definition_has_no_owner",
    ),
    PlantedFault(
        "core/plan/size.py",
        " or any(_lines(r) >= _EPIC_LINES for r in members)",
        "",
        AUTHORED + "test_one_long_requirement_is_large",
    ),
    PlantedFault(
        "core/plan/foundations.py",
        "(of is None or is_built_on or _speaks_of(members, of))",
        "True",
        AUTHORED + "test_requirements_about_a_thing_wait_for_its_schema",
    ),
    PlantedFault(
        "core/plan/put_off.py",
        "    return found if len(found) < len(requirements) else done\n",
        "    return found\n",
        PUT_OFF + "test_a_spec_of_only_future_work_is_planned",
    ),
    PlantedFault(
        "core/decide/specs/plan_new_spec.py",
        "(*included, *run.requirements) if run else included",
        "included",
        PUT_OFF + "test_deferred_work_is_listed_and_planned_when_a_person_includes_it",
    ),
    PlantedFault(
        "core/spec/identity/register.py",
        "    if not is_named or same_title or match.is_spent:\n",
        "    if not is_named or match.is_spent:\n",
        DOUBTS + "test_an_unchanged_title_raises_no_question",
    ),
    PlantedFault(
        "core/spec/identity/register.py",
        "    _claim_restored(match)\n",
        "",
        DOUBTS + "test_a_requirement_that_is_restored_word_for_word_gets_its_id_back",
    ),
    PlantedFault(
        "core/state/coverage.py",
        "_unvouched(row) if row.requirement in doubtful else row",
        "row",
        DOUBTS + "test_coverage_is_doubtful_until_the_question_is_answered",
    ),
    PlantedFault(
        "core/spec/identity/register.py",
        "    if match.old[old].rid in match.apart:\n        return False\n",
        "",
        DOUBTS + "test_an_answer_in_the_pull_stays_valid_on_main",
    ),
    PlantedFault(
        "core/journal/evolve_specs.py",
        "        if number != pull and overlap(known.claims, changed)\n",
        "        if False\n",
        RIVALS + "test_the_other_pull_is_read_again",
    ),
]
