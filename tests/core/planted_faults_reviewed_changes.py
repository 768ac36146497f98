"""A fault for every guard of reviews of changes' pulls."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_reviewed_changes.py::"

AGAIN = STORIES + "TestAnotherTry::"

REVIEWED_CHANGES_FAULTS = [
    PlantedFault(
        "core/decide/people/weigh_reviews.py",
        " if one not in change.requests_heard]",
        "]",
        AGAIN + "test_its_next_work_is_held_until_the_reviewer_says_something_else",
    ),
    PlantedFault(
        "core/decide/people/weigh_reviews.py",
        "if is_handed_in or change.state in _WITH_AGENT:",
        "if is_handed_in:",
        AGAIN + "test_who_asks_while_an_agent_works_is_told_to_it_and_orders_no_other[In euros.]",
    ),
    PlantedFault(
        "core/decide/people/weigh_reviews.py",
        " or change.held_by:",
        ":",
        AGAIN + "test_work_that_a_person_has_in_hand_goes_to_no_agent",
    ),
    PlantedFault(
        "core/journal/evolve_change.py",
        " if one.by != event.request.by]",
        "]",
        AGAIN + "test_who_asks_again_is_heard_again",
    ),
    PlantedFault(
        "core/state/reviews.py",
        "    {ChangeState.RETRYING, ChangeState.ORDERED, ChangeState.WORKING, ChangeState.OFFERED}\n",
        "    {ChangeState.OFFERED}\n",
        STORIES + "test_the_reviews_of_a_change_on_which_an_agent_works_are_read",
    ),
    PlantedFault(
        "core/decide/people/weigh_reviews.py",
        "    _withdraw_gates(decision, change)\n",
        "",
        AGAIN + "test_an_agent_is_ordered_with_what_was_said",
    ),
    PlantedFault(
        "core/journal/evolve_change.py",
        " or (event.because and event.with_agent):",
        ":",
        AGAIN + "test_who_asks_again_is_told_of_the_review_and_not_of_old_gates",
    ),
    PlantedFault(
        "core/state/queue_order.py",
        "is_kept = isinstance(queued, ChangeFacts) and queued.waits_for_reviews",
        "is_kept = False",
        STORIES + "test_others_land_before_it",
    ),
    PlantedFault(
        "core/state/approvals.py",
        "if isinstance(asked, int) else merges or None",
        "if isinstance(asked, int) else merges",
        STORIES + "test_reviews_that_do_not_count_hold_nothing",
    ),
    PlantedFault(
        "core/decide/changes/end_without_landing.py",
        "        approvals_needed=change.approvals_needed,\n",
        "",
        STORIES + "test_what_is_said_at_the_last_moment_stops_the_landing",
    ),
    PlantedFault(
        "core/state/reviews.py",
        "_TO_REVIEW and (hinted is None or pull in hinted)",
        "_TO_REVIEW",
        STORIES + "test_the_reviews_of_a_change_that_is_judged_are_read",
    ),
    PlantedFault(
        "shell/perform_landing.py",
        "is_kept = bool(approvals.against) or len(approvals.by) < needed",
        "is_kept = False",
        "scenarios/test_reviews.py::test_requested_changes_prevent_a_landing_and_a_dismissal_permits_it",
    ),
    PlantedFault(
        "shell/observe_queue.py",
        "is_asked = number in looks.reviewed_changes or not is_change",
        "is_asked = not is_change",
        "scenarios/test_reviews.py::test_requested_changes_order_an_agent_before_the_landing",
    ),
]
