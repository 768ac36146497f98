"""A fault for every guard of what waits for what, of short slugs and of what its text puts off."""

from tests.testkit.planting import PlantedFault

FIRST = "core/plan/test_what_comes_first.py::"
NAMES = "core/plan/test_naming.py::"
PUT_OFF = "core/test_stories_of_put_off_work.py::"

FIRST_FAULTS = [
    PlantedFault(
        "core/plan/deterministic.py",
        "        if edge.kind in _GUESSED and both and urgency[edge.user] < urgency[edge.on]:\n            continue\n",
        "",
        FIRST + "test_what_is_urgent_waits_for_nothing_less_urgent_that_only_words_suggest",
    ),
    PlantedFault(
        "core/plan/authored.py",
        "(*_by_contracts(drafts, requirements), ",
        "(*(), ",
        FIRST + "test_the_rest_of_a_group_waits_for_the_contract_that_was_taken_out_of_it",
    ),
    PlantedFault(
        "core/plan/authored.py",
        "(*_by_stated_order(spec), ",
        "(",
        FIRST + "test_a_story_waits_for_the_story_that_a_sentence_names",
    ),
    PlantedFault(
        "core/spec/formats/story_order.py",
        " or _NOTHING.search(said[: found.end()])",
        "",
        FIRST + "test_a_sentence_that_denies_or_allows_says_nothing",
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
        NAMES + "test_the_slug_of_one_requirement_is_no_longer_than_people_type",
    ),
    PlantedFault(
        "core/plan/put_off.py",
        "    if _is_marked(requirement):\n",
        "    if False:\n",
        PUT_OFF + "test_what_its_own_text_says_is_for_later_is_put_off",
    ),
    PlantedFault(
        "core/plan/put_off.py",
        "    return is_one and _SAYS_LATER",
        "    return _SAYS_LATER",
        PUT_OFF + "test_what_speaks_of_the_future_is_work",
    ),
]
