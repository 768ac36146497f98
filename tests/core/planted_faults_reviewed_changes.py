"""A fault for every guard of reviews of changes' pulls."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_reviewed_changes.py::"

AGAIN = STORIES + "TestNextAttempt::"

REVIEWED_CHANGES_FAULTS = [
    PlantedFault(
        "core/decide/people/weigh_reviews.py",
        " if one not in change.requests_heard]",
        "]",
        AGAIN + "test_new_work_waits_until_the_reviewer_withdraws_the_request",
    ),
    PlantedFault(
        "core/decide/people/weigh_reviews.py",
        "if is_handed_in or change.state in _WITH_AGENT:",
        "if is_handed_in:",
        AGAIN + "test_a_review_during_an_attempt_reaches_that_agent_only[In euros.]",
    ),
    PlantedFault(
        "core/decide/people/weigh_reviews.py",
        " or change.held_by:",
        ":",
        AGAIN + "test_a_review_of_taken_over_work_orders_no_agent",
    ),
    PlantedFault(
        "core/journal/evolve_change.py",
        " if one.by != event.request.by]",
        "]",
        AGAIN + "test_a_second_request_for_changes_orders_an_agent_again",
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
        AGAIN + "test_an_agent_is_ordered_with_the_text_of_the_review",
    ),
    PlantedFault(
        "core/journal/evolve_change.py",
        " or (event.because and event.with_agent):",
        ":",
        AGAIN + "test_a_repeated_review_request_does_not_mention_old_gates",
    ),
    PlantedFault(
        "core/state/queue_order.py",
        "is_kept = isinstance(queued, ChangeFacts) and queued.waits_for_reviews",
        "is_kept = False",
        STORIES + "test_other_changes_land_before_one_with_requested_changes",
    ),
    PlantedFault(
        "core/state/approvals.py",
        "if isinstance(asked, int) else merges or None",
        "if isinstance(asked, int) else merges",
        STORIES + "test_a_change_ignores_reviews_if_the_policy_says_none",
    ),
    PlantedFault(
        "core/decide/changes/end_without_landing.py",
        "        approvals_needed=change.approvals_needed,\n",
        "",
        STORIES + "test_a_review_at_the_last_moment_stops_the_landing",
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
