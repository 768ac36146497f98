"""A fault for every guard of what waits for what, of short slugs and of what its text puts off."""

from tests.testkit.planting import PlantedFault

FIRST = "core/plan/test_order_of_changes.py::"
NAMES = "core/plan/test_naming.py::"
STEPS = "core/plan/test_referenced_steps.py::"
PUT_OFF = "core/test_stories_of_deferred_work.py::"

FIRST_FAULTS = [
    PlantedFault(
        "core/plan/deterministic.py",
        "for said in (self._urgency, self._step, self._epic)",
        "for said in (self._step, self._epic)",
        FIRST + "test_words_alone_do_not_make_an_urgent_story_wait_for_a_less_urgent",
    ),
    PlantedFault(
        "core/plan/authored_order.py",
        "(*_by_contracts(drafts, requirements), ",
        "(*(), ",
        FIRST + "test_the_rest_of_a_group_waits_for_its_extracted_contract",
    ),
    PlantedFault(
        "core/plan/authored_order.py",
        "        *_by_stated_order(spec),\n",
        "",
        FIRST + "test_a_story_waits_for_the_story_that_a_sentence_names",
    ),
    PlantedFault(
        "core/spec/formats/story_order.py",
        " or _NOTHING.search(said[: need.end()])",
        "",
        FIRST + "test_a_negative_or_optional_sentence_creates_no_dependency",
    ),
    PlantedFault(
        "core/spec/read.py",
        "        story_order=tuple(story_order(source)) if reading.stories else (),\n",
        "",
        FIRST + "test_a_sentence_of_the_spec_itself_counts",
    ),
    PlantedFault(
        "core/plan/foundations.py",
        " and not is_built_on:",
        ":",
        FIRST + "test_the_project_comes_before_its_schema",
    ),
    PlantedFault(
        "core/plan/naming.py",
        "            return _shorter(group, about)\n",
        "            return about\n",
        NAMES + "test_the_slug_of_one_requirement_is_short",
    ),
    PlantedFault(
        "core/plan/put_off.py",
        "    if _is_marked(requirement):\n",
        "    if False:\n",
        PUT_OFF + "test_a_requirement_whose_text_says_later_is_deferred",
    ),
    PlantedFault(
        "core/plan/put_off.py",
        "    return is_one and _SAYS_LATER",
        "    return _SAYS_LATER",
        PUT_OFF + "test_a_requirement_that_mentions_the_future_is_planned",
    ),
    PlantedFault(
        "core/spec/formats/story_order.py",
        "        elif row := _row(cells, column):\n",
        "        elif row := None:\n",
        FIRST + "test_a_table_of_stories_says_what_each_depends_on",
    ),
    PlantedFault(
        "core/plan/likeness.py",
        "    path = _cheapest(likes)\n",
        "    path = [max(range(len(own)), key=own.__getitem__) for own in likes]\n",
        FIRST + "test_requirements_are_grouped_with_stories_in_their_order",
    ),
    PlantedFault(
        "core/plan/likeness.py",
        "    if len(items) - rest < _REST_MIN:\n",
        "    if True:\n",
        FIRST + "test_final_requirements_without_a_story_are_a_change_of_their_own",
    ),
    PlantedFault(
        "core/plan/deterministic.py",
        "        if self._story[user] and self._story[user] < self._story[on]:\n",
        "        if False:\n",
        FIRST + "test_words_alone_do_not_make_an_earlier_story_wait_for_a_later_one",
    ),
    PlantedFault(
        "core/spec/read.py",
        "    documents = _in_authors_order(path, files, documents)\n",
        "",
        FIRST + "test_capabilities_come_in_the_order_of_the_proposal",
    ),
    PlantedFault(
        "core/plan/authored_order.py",
        "        *_by_capabilities(spec),\n",
        "",
        FIRST + "test_a_requirement_that_names_a_new_capability_comes_after_it",
    ),
    PlantedFault(
        "core/plan/referenced_steps.py",
        "requirements[1:], requirements[2:]",
        "requirements[1:], (*requirements[2:], requirements[0])",
        STEPS + "test_the_last_requirement_that_no_step_names_comes_last",
    ),
    PlantedFault(
        "core/plan/naming.py",
        "and not said[word.title()]",
        "",
        NAMES + "test_a_folder_keeps_the_capitals_that_its_words_have_in_the_text",
    ),
    PlantedFault(
        "core/plan/naming.py",
        "whole_title and of > 1 and part.domain in self._numbered:",
        "False:",
        NAMES + "test_a_piece_of_an_ungrouped_list_is_named_after_the_page_and_its_start",
    ),
    PlantedFault(
        "core/plan/authored_order.py",
        "        *_by_numbered_epics(spec),\n",
        "",
        "core/plan/test_authors_pieces.py::test_numbered_epics_come_one_after_another",
    ),
    PlantedFault(
        "core/plan/authored_order.py",
        "if 0 <= epic_number(other) - epic_number(one) <= 1:",
        "if True:",
        "core/plan/test_authors_pieces.py::test_numbered_epics_come_one_after_another",
    ),
]
