"""A fault for every guard of the queue issue."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_the_queue_issue.py::"
AGAIN = STORIES + "test_the_queue_issue_is_updated_at_most_once_a_minute"
TELL = "core/decide/people/tell_queue.py"

QUEUE_ISSUE_FAULTS = [
    PlantedFault(
        TELL,
        "    if is_work_at_hand(decision.state):\n        return\n",
        "",
        STORIES + "test_a_change_that_passes_and_lands_at_once_costs_no_issue",
    ),
    PlantedFault(
        TELL,
        "    elif decision.now >= _earliest(kept, decision.now):\n",
        "    else:\n",
        AGAIN,
    ),
    PlantedFault(
        TELL,
        "if is_being_told or _is_told(decision.state, decision.policy, kept, decision.now):",
        "if is_being_told:",
        AGAIN,
    ),
    PlantedFault(
        TELL,
        "if is_being_told or _is_told(decision.state, decision.policy, kept, decision.now):",
        "if _is_told(decision.state, decision.policy, kept, decision.now):",
        STORIES + "test_during_an_outage_of_github_only_one_edit_waits",
    ),
    PlantedFault(
        "core/decide/decide.py",
        "    times += tell_queue.deadlines(state, policy, now)\n",
        "",
        AGAIN,
    ),
    PlantedFault(
        "core/journal/evolve_queue_issue.py",
        "    if event.spec_run or event.slug != QUEUE:\n        return state\n",
        "",
        STORIES + "test_a_change_that_passes_and_lands_at_once_costs_no_issue",
    ),
    PlantedFault(
        "core/state/observed.py",
        "    asked -= {state.queue_issue.number} if state.queue_issue is not None else set()\n",
        "",
        STORIES + "test_the_queue_issue_is_not_read_as_a_work_request",
    ),
    PlantedFault(
        "core/talk/queue_issue.py",
        "    said = stops(state)\n",
        "    said: list[str] = []\n",
        STORIES + "test_the_queue_issue_shows_a_freeze",
    ),
    PlantedFault(
        "core/decide/people/explain.py",
        "(where, doing) if line",
        "(doing,) if line",
        STORIES + "test_why_shows_the_queue_place_of_a_change",
    ),
]
