"""A fault for each guard of a change's place in the queue, as people say it."""

from tests.testkit.planting import PlantedFault

ORDER = "core/state/queue_order.py"
SAY = "core/decide/people/queue_pull.py"
STORY = "core/test_stories_of_held_changes.py::"

PLACE_FAULTS = [
    PlantedFault(
        ORDER,
        "        return is_held(state, queued)\n    is_refused",
        "        return False\n    is_refused",
        STORY + "test_a_held_change_is_judged_and_does_not_land_until_it_is_released",
    ),
    PlantedFault(
        ORDER,
        "and not entry.pull_closed and not is_held(state, entry):",
        "and not entry.pull_closed:",
        STORY + "test_others_pass_a_held_change_without_counting_as_overtaking",
    ),
    PlantedFault(
        "core/journal/evolve_entry.py",
        "        if entry.hold is None\n",
        "",
        STORY + "test_others_pass_a_held_change_without_counting_as_overtaking",
    ),
    PlantedFault(
        ORDER,
        "if mine.entered is not None or not (mine.is_next or mine.priority):",
        "if True:",
        STORY + "test_a_change_that_goes_next_is_judged_and_lands_before_pulls_with_priority",
    ),
    PlantedFault(
        "core/decide/changes/advance.py",
        "return (2, 0 if entry.is_next else 1, -entry.priority)",
        "return (2, 0, 0)",
        STORY + "test_a_change_with_priority_lands_before_those_that_came_earlier",
    ),
    PlantedFault(
        "core/decide/changes/advance.py",
        "return (2, 0 if entry.is_next else 1, -entry.priority)",
        "return (2, 0, 0)",
        STORY + "test_an_agent_works_on_the_change_with_priority_first",
    ),
    PlantedFault(
        SAY,
        "    if change.is_ended:\n",
        "    if False:\n",
        STORY + "test_an_ended_change_cannot_be_held",
    ),
    PlantedFault(
        "core/journal/transitions.py",
        "_on(ev.ChangeHeld, _in_place(*_OPEN)),",
        "_on(ev.ChangeHeld, _in_place(_S.RETRYING)),",
        STORY + "test_a_held_change_is_judged_and_does_not_land_until_it_is_released",
    ),
    PlantedFault(
        "core/state/reason.py",
        "    if hold is not None and is_held(state, change):\n",
        "    if False:\n",
        STORY + "test_a_held_change_is_judged_and_does_not_land_until_it_is_released",
    ),
]
