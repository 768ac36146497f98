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
BESIDE = STEPS + "test_steps_that_are_marked_as_parallel_wait_for_what_stands_before_them"
RUNS = STEPS + "test_each_run_of_parallel_steps_waits_for_all_before_it"
PIECES = "core/plan/test_authors_pieces.py::"
FINDS = "core/spec/test_triage_finds.py::"
TICKED = "core/spec/test_ticked_tasks.py::"
SOFT = "core/test_stories_of_an_authors_order.py::"

EACH_REQUIREMENT_FAULTS = [
    PlantedFault(
        PARTS,
        "joined = cuts if is_each else affinity",
        "joined = affinity",
        EACH,
    ),
    PlantedFault(ORDER, "not _is_beside(runs, one, id_) and (cites", "(cites", BESIDE),
    PlantedFault(ORDER, "before[-_LOOKED_BACK:]", "before[-1:]", BESIDE),
    PlantedFault(
        AUTHORED,
        "        run += not step.is_parallel\n",
        "",
        RUNS,
    ),
    PlantedFault(
        "core/plan/deterministic.py",
        "        if self._run[user] & self._run[on]:\n            return False\n",
        "",
        RUNS,
    ),
    PlantedFault(
        REFERENCED,
        "_CRITERION // steps",
        "_CRITERION",
        STEPS + "test_a_criterion_that_many_steps_name_places_its_requirement_less",
    ),
    PlantedFault(
        REFERENCED,
        "        begun_at |= {id_: places[id_] for id_ in shared}\n",
        "",
        "core/plan/test_plans_of_fresh_folders.py::test_layers_do_not_reverse_the_order_of_the_page",
    ),
    PlantedFault(
        REFERENCED,
        "begun_at.get(one[0], one[1])",
        "0",
        STEPS + "test_of_what_one_step_does_what_was_begun_first_comes_first",
    ),
    PlantedFault(
        "core/plan/task_steps.py",
        "        called_so = titles.nearest(subjects(one.title))\n",
        "        called_so = None\n",
        "core/plan/test_authored.py::"
        "test_a_step_that_is_called_as_a_requirement_does_it_whatever_its_tasks_speak_of",
    ),
    PlantedFault(
        PARTS,
        "affinity.LOOSE_WEIGHT_MAX if is_each else affinity.UNGROUPED_WEIGHT_MAX",
        "affinity.UNGROUPED_WEIGHT_MAX",
        "core/plan/test_used_requirements.py::test_two_requirements_with_names_are_two_changes_where_they_are_much",
    ),
    PlantedFault(
        PARTS,
        "        if is_delta and _is_one_delta(ground, members):\n            cuts = [tuple(members)]\n        elif",
        "        if",
        "core/plan/test_plans_of_fresh_folders.py::"
        "test_a_capability_of_a_delta_that_is_read_in_one_go_is_one_change",
    ),
    PlantedFault(
        "core/plan/slugs.py",
        "[word for word in words if word not in _SMALL] or words",
        "words",
        "core/plan/test_naming.py::test_a_slug_is_ascii_words",
    ),
    PlantedFault(
        "core/plan/slugs.py",
        '"-".join(_whole_phrases(cut.split("-")))',
        "cut",
        "core/plan/test_naming.py::test_a_slug_is_ascii_words",
    ),
    PlantedFault(
        "core/plan/slugs.py",
        ' - {"i"}',
        "",
        "core/plan/test_naming.py::test_a_slug_is_ascii_words",
    ),
    PlantedFault(
        "core/plan/phrases.py",
        r"(?<!\bHon)",
        "",
        "core/plan/test_naming.py::test_a_name_is_not_cut_behind_a_title_of_a_person",
    ),
    PlantedFault(
        "core/plan/loose_ends.py",
        "return last in LOOSE and before.casefold() not in verbs",
        "return last in LOOSE",
        "core/plan/test_naming.py::test_a_wish_is_named_by_its_result",
    ),
    PlantedFault(
        "core/plan/phrases.py",
        "|as(?= (?-i:[A-Z]))|en tant qu['’e]|als|como|jako|come|作为|作為|как)(?:\\b|(?<=[为為])).{1,120}?",
        "|en tant qu['’e]|als|como|jako|come|作为|作為|как)(?:\\b|(?<=[为為])).{1,120}?",
        "core/plan/test_naming.py::test_the_wish_of_a_person_who_is_called_by_name_is_read",
    ),
    PlantedFault(
        "core/plan/phrases.py",
        '.replace("/", "").replace("-", "")',
        '.replace("/", "")',
        "core/plan/test_naming.py::test_a_wish_of_two_joined_words_begins_with_a_capital",
    ),
    PlantedFault(
        "core/state/waiting.py",
        "[e for e in one.planned.depends_on if e.kind != DependencyKind.ORDERED]",
        "one.planned.depends_on",
        SOFT + "test_what_is_only_ordered_behind_a_stopped_change_is_not_held_back_while_it_waits",
    ),
    PlantedFault(
        "core/state/waiting.py",
        "        if kind != DependencyKind.ORDERED or not _will_not_land(state, other)\n",
        "",
        SOFT + "test_what_only_comes_after_a_failed_change_starts_and_what_needs_it_is_held_back",
    ),
    PlantedFault(
        "core/state/waiting.py",
        "return has_failed or bool(held_back_by(state, change))",
        "return has_failed",
        SOFT + "test_what_only_comes_after_a_change_that_is_held_back_starts",
    ),
    PlantedFault(
        "core/plan/deterministic.py",
        "is_ground and any(needed.is_above(by, edge.on) for by in needs)",
        "is_ground and any(reached.is_above(by, edge.on) for by in on)",
        STEPS + "test_a_need_does_not_follow_from_an_order",
    ),
    PlantedFault(
        "core/plan/deterministic.py",
        "(self._urgency, self._step, self._epic)",
        "(self._urgency, self._step)",
        PIECES + "test_what_sounds_like_a_foundation_does_not_come_before_an_earlier_epic",
    ),
    PlantedFault(
        "core/spec/formats/prd.py",
        "replace(d, priority=LATER) if d.source_id in later else d for",
        "d for",
        PIECES + "test_what_a_map_in_a_fence_puts_off_is_not_planned",
    ),
    PlantedFault(
        "core/spec/formats/epics.py",
        "    if not any(map(_MAPPED.match, source.lines)):\n",
        "    if False:\n",
        PIECES + "test_what_a_map_in_a_fence_puts_off_is_not_planned",
    ),
    PlantedFault(
        "core/spec/wishes.py",
        "(roles or 3 * wishes",
        "(3 * wishes",
        PIECES
        + "test_stories_of_roles_below_a_heading_that_says_so_are_read_and_stand_with_their_epic",
    ),
    PlantedFault(
        "core/spec/wishes.py",
        "    if _ONLY_STORIES.match(section.title) and section.trail[1:]:\n",
        "    if False:\n",
        PIECES
        + "test_stories_of_roles_below_a_heading_that_says_so_are_read_and_stand_with_their_epic",
    ),
    PlantedFault(
        "core/spec/triage/triage.py",
        " or _OUTCOME.search(scenario.text)",
        "",
        FINDS + "test_a_criterion_that_says_what_happens_after_a_comma_is_not_asked",
    ),
    PlantedFault(
        "core/spec/triage/signals.py",
        "(?<!fail[ -]fast)",
        "",
        FINDS + "test_terms_that_hold_a_vague_word_are_not_vague",
    ),
    PlantedFault(
        "core/spec/triage/signals.py",
        "(?![- ]to[- ]have)",
        "",
        FINDS + "test_terms_that_hold_a_vague_word_are_not_vague",
    ),
    PlantedFault(
        "core/spec/triage/signals.py",
        "|そうすることで",
        "",
        FINDS + "test_the_reason_of_a_wish_in_japanese_is_not_vague",
    ),
    PlantedFault(
        "core/spec/formats/tasks.py",
        " or _VALIDATES.search(text)",
        "",
        TICKED
        + "test_an_open_task_is_open_with_one_of_its_parts_and_the_ticked_one_above_it_is_not",
    ),
    PlantedFault(
        "core/spec/ticked_tasks.py",
        "    wholes += [task for task in tasks if task.id in parents and not task.is_done]\n",
        "",
        TICKED
        + "test_an_open_task_is_open_with_one_of_its_parts_and_the_ticked_one_above_it_is_not",
    ),
    PlantedFault(
        "core/spec/ticked_tasks.py",
        "if said.optional else",
        "if False else",
        TICKED + "test_optional_tasks_and_boxes_above_ticked_parts_leave_a_list_ticked",
    ),
    PlantedFault(
        "core/spec/triage/triage.py",
        "        findings += _binding_all(document, source)\n",
        "",
        "core/spec/test_binding_qualities.py::test_what_binds_every_change_is_told",
    ),
    PlantedFault(
        "core/plan/shown_waits.py",
        "edge.kind != DependencyKind.FOUNDATION\n",
        "True\n",
        STEPS + "test_people_are_not_shown_a_foundation_that_another_wait_stands_on",
    ),
    PlantedFault(
        AUTHORED,
        "_HOMES, _HOMES_OF_STORIES = 9, 5",
        "_HOMES, _HOMES_OF_STORIES = 5, 5",
        "core/plan/test_plans_of_fresh_folders.py::"
        "test_a_list_that_speaks_of_some_requirements_of_a_delta_orders_none",
    ),
    PlantedFault(
        AUTHORED,
        "_HOMES, _HOMES_OF_STORIES = 9, 5",
        "_HOMES, _HOMES_OF_STORIES = 9, 9",
        "core/plan/test_authored.py::test_a_step_with_only_tests_is_not_a_change",
    ),
    PlantedFault(
        ORDER,
        " and (cites or first is not step)",
        "",
        PIECES + "test_what_one_step_of_a_list_without_ids_does_is_in_no_order",
    ),
    PlantedFault(
        REFERENCED,
        "    places |= _called(requirements, steps, done)\n",
        "",
        STEPS + "test_the_step_that_is_called_as_a_requirement_and_names_it_is_its_home",
    ),
    PlantedFault(
        "core/spec/stories.py",
        "    own = own or stories_in_lists(source, sections)\n",
        "",
        PIECES + "test_stories_in_lists_below_epics_are_asked_for_beside_the_inventory",
    ),
    PlantedFault(
        "core/spec/stories.py",
        "scenarios=_below_label(inner) or grouped(inner),",
        "scenarios=grouped(inner),",
        PIECES + "test_stories_in_lists_below_epics_are_asked_for_beside_the_inventory",
    ),
    PlantedFault(
        "core/plan/slugs.py",
        "for at in (*joins, *places)",
        "for at in places",
        "core/plan/test_naming.py::test_a_slug_is_ascii_words",
    ),
    PlantedFault(
        "core/spec/triage/signals.py",
        "(?! shutdown)",
        "",
        FINDS + "test_terms_that_hold_a_vague_word_are_not_vague",
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
        "return is_ground and any(",
        "return any(",
        IMPLIED,
    ),
    PlantedFault(
        "core/plan/deterministic.py",
        "return is_ground and any(",
        "return False and any(",
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
