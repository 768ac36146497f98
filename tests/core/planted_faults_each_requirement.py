"""Faults in plans where each requirement is a change, and in what these wait for."""

from tests.testkit.planting import PlantedFault

ORDER = "core/plan/authored_order.py"
REFERENCED = "core/plan/referenced_steps.py"
SIGN_IN = "core/plan/sign_in.py"
PARTS = "core/plan/parts.py"
AUTHORED = "core/plan/authored.py"
LONG = "core/plan/test_naming.py::test_a_long_wish_is_named_completely"
IMPLIED = "core/plan/test_used_requirements.py::test_implied_dependencies_are_omitted_unless_stated"
MOST = "core/plan/test_authored.py::test_one_heading_above_most_of_a_page_is_cut_by_the_stories"
STEPS = "core/plan/test_referenced_steps.py::"
DOORS = "core/plan/test_sign_in.py::"
DEPENDS = STEPS + "test_a_stated_task_dependency_is_a_dependency_of_its_requirement"
EACH = "core/plan/test_used_requirements.py::test_each_requirement_of_a_story_page_is_a_change"
GROUND = STEPS + "test_later_groundwork_steps_are_dependencies"
NAMED = STEPS + "test_steps_wait_for_the_first_step_or_for_requirements_their_tasks_name"

EACH_REQUIREMENT_FAULTS = [
    PlantedFault(
        PARTS,
        "joined = cuts if is_each else affinity",
        "joined = affinity",
        EACH,
    ),
    PlantedFault(
        ORDER,
        "    if cites:\n        return _by_citations(spec, full)\n",
        "",
        NAMED,
    ),
    PlantedFault(
        ORDER,
        "[*(g for g in ground if place[g] < at), *said]",
        "[*(g for g in ground if place[g] < at)]",
        NAMED,
    ),
    PlantedFault(
        ORDER,
        "[*(g for g in ground if place[g] < at), *said]",
        "said",
        NAMED,
    ),
    PlantedFault(
        ORDER,
        " and not is_layer]",
        "]",
        STEPS + "test_a_step_for_many_requirements_creates_no_dependency_between_them",
    ),
    PlantedFault(
        ORDER,
        "for task in step.tasks if not is_test(task.text) for id_",
        "for task in step.tasks for id_",
        STEPS + "test_a_requirement_named_only_in_tests_is_not_a_dependency",
    ),
    PlantedFault(
        ORDER,
        "_GROUND_SHARE * at <= len(full) and _GROUNDWORK",
        "_GROUNDWORK",
        GROUND,
    ),
    PlantedFault(
        ORDER,
        "        or (_GROUND_SHARE * at <= len(full) and _GROUNDWORK.search(step.title))\n",
        "",
        GROUND,
    ),
    PlantedFault(
        ORDER,
        "on = before if is_of_all else",
        "on =",
        STEPS + "test_a_requirement_about_all_pages_comes_last",
    ),
    PlantedFault(
        ORDER,
        "(at == 0 and _begins(step))",
        "at == 0",
        STEPS + "test_the_third_step_of_a_list_is_not_groundwork",
    ),
    PlantedFault(ORDER, "        *_by_depends(spec),\n", "", DEPENDS),
    PlantedFault(
        ORDER,
        "        done[of.most_common(1)[0][0]].append(id_)\n",
        "        for number in of:\n            done[number].append(id_)\n",
        DEPENDS,
    ),
    PlantedFault(
        SIGN_IN,
        "        and not is_groundwork(phrase(own[0]))\n",
        "",
        DOORS + "test_infrastructure_does_not_wait_for_an_earlier_sign_in",
    ),
    PlantedFault(
        "core/plan/phrases.py",
        "return text[at:] if at >= 0 else title",
        "return title",
        LONG,
    ),
    PlantedFault(
        "core/plan/phrases.py",
        r"^(?:\W*user story\W*)?(?:as an?|as the|",
        r"^(?:\W*user story\W*)?(?:as an?|",
        LONG,
    ),
    PlantedFault(
        "core/spec/formats/kiro.py",
        "(?:\\.\\d+)*[a-z]?)(?:",
        "(?:\\.\\d+)*)(?:",
        "core/spec/test_story_names.py::test_requirements_of_a_kiro_page_are_read_by_their_names",
    ),
    PlantedFault(
        REFERENCED,
        "    if len(begun) == 1:\n        places[begun[0]] = first\n",
        "",
        STEPS + "test_a_requirement_of_the_first_step_comes_first",
    ),
    PlantedFault(
        SIGN_IN,
        "if enters is not None and at > enters and is_for_entered:",
        "if enters is not None and is_for_entered:",
        DOORS + "test_requirements_before_the_sign_in_do_not_wait_for_it",
    ),
    PlantedFault(
        SIGN_IN,
        "_FOR_WHO_ENTERED.search(name) or _SIGNED_IN.search(role_of(one.title))",
        "_FOR_WHO_ENTERED.search(name)",
        DOORS + "test_a_wish_of_a_signed_in_user_waits_for_sign_in",
    ),
    PlantedFault(
        SIGN_IN,
        "_FOR_WHO_ENTERED.search(name) or _SIGNED_IN.search(role_of(one.title))",
        "_SIGNED_IN.search(role_of(one.title))",
        DOORS + "test_pages_of_the_signed_in_user_wait_for_sign_in",
    ),
    PlantedFault(
        SIGN_IN,
        "is_door = at == enters or _RECOVERS.search(name)",
        "is_door = _RECOVERS.search(name)",
        DOORS + "test_signing_in_waits_for_accounts",
    ),
    PlantedFault(
        SIGN_IN,
        "is_door = at == enters or _RECOVERS.search(name)",
        "is_door = at == enters",
        DOORS + "test_a_new_password_waits_for_accounts_and_for_no_sign_in",
    ),
    PlantedFault(
        SIGN_IN,
        " and later.start() < found.start())",
        ")",
        DOORS + "test_a_login_that_also_makes_tokens_is_the_sign_in",
    ),
    PlantedFault(
        SIGN_IN,
        " and not (later and later.start() < found.start())",
        "",
        DOORS + "test_a_page_after_the_login_is_not_the_sign_in",
    ),
    PlantedFault(
        "core/plan/deterministic.py",
        "        *sign_in_needs(spec, drafts),\n",
        "",
        DOORS + "test_signing_in_waits_for_accounts",
    ),
    PlantedFault(
        "core/plan/deterministic.py",
        "if edge.kind not in _LEFT_TO_OTHERS or not any",
        "if not any",
        IMPLIED,
    ),
    PlantedFault(
        "core/plan/deterministic.py",
        "if edge.kind not in _LEFT_TO_OTHERS or not any(reached.is_above(by, edge.on) for by in on)",
        "if True",
        IMPLIED,
    ),
    PlantedFault(
        "core/plan/slugs.py",
        "_LOOSE = LOOSE | {romanised(word).casefold() for word in LOOSE}",
        "_LOOSE = LOOSE",
        "core/plan/test_naming.py::test_a_slug_is_ascii_words",
    ),
    PlantedFault(
        "core/plan/graph.py",
        "return self.depends(node, on) and not self.depends(on, node)",
        "return self.depends(node, on)",
        "core/plan/test_graph.py::test_a_node_in_a_cycle_is_not_above_its_members",
    ),
    PlantedFault(
        "core/plan/graph.py",
        "            if one == node or below & self._bit[node]:\n",
        "            if one == node:\n",
        "core/plan/test_graph.py::test_transitive_dependencies_are_found_in_any_order_of_edges",
    ),
    PlantedFault(
        "core/plan/naming.py",
        " or _OBLIGES.search(names[0])",
        "",
        "core/plan/test_plans_of_fresh_folders.py::"
        "test_a_sentence_without_an_action_is_named_by_its_heading",
    ),
    PlantedFault(
        "core/spec/formats/criteria.py",
        'rf"{ACCEPTANCE_SCENARIO})"',
        'r"(?!))"',
        "core/spec/test_story_names.py::test_a_story_has_the_scenarios_below_its_label",
    ),
    PlantedFault(
        "core/spec/triage/words.py",
        'rf"{ACCEPTANCE_SCENARIO}|"',
        '""',
        "core/spec/test_story_names.py::test_scenarios_below_their_own_heading_belong_to_the_story",
    ),
    PlantedFault(
        "core/plan/phrases.py",
        "{STORY_NAME}|task",
        "story|task",
        "core/spec/test_story_names.py::test_a_story_has_the_scenarios_below_its_label",
    ),
    PlantedFault(
        "core/spec/triage/words.py",
        "[/／] ?(?:acceptance criteria|受け?入れ?(?:基準|条件)|",
        "[/／] ?(?:acceptance criteria|",
        "core/plan/test_plans_of_fresh_folders.py::test_a_heading_that_only_lists_kinds_is_not_a_name",
    ),
    PlantedFault(
        "core/spec/item_kinds.py",
        "(within and _KIND_OF_PREFIX.get(within[1])) or ",
        "",
        "core/spec/test_item_kinds.py::"
        "test_requirements_that_are_counted_within_stories_are_read_with_them",
    ),
    PlantedFault(
        AUTHORED,
        "count > REQUIREMENTS_PER_CHANGE_MAX and 2 * count > len(requirements)",
        "False",
        MOST,
    ),
    PlantedFault(
        AUTHORED,
        "count > REQUIREMENTS_PER_CHANGE_MAX and 2 * count > len(requirements)",
        "2 * count > len(requirements)",
        MOST,
    ),
    PlantedFault(
        AUTHORED,
        "is_most and r.domain == heading and",
        "is_most and",
        "core/plan/test_authored.py::test_other_headings_of_the_page_stay_groups",
    ),
    PlantedFault(
        "core/plan/makers.py",
        '{requirement.statement}\\n{criteria}"',
        '{requirement.statement}"',
        "core/plan/test_created_things.py::test_dependencies_of_a_view_are_read_from_its_criteria",
    ),
]
