"""Faults in how threads of reviews are answered and resolved, each with the test that notices it."""

from tests.testkit.planting import PlantedFault

STORY = "scenarios/test_threads_of_reviews.py::"
DEED = "shell/perform_threads.py"

FAULTS = [
    PlantedFault(
        DEED,
        "    return not is_there and not is_settled\n",
        "    return not is_settled\n",
        STORY + "test_a_failure_between_reply_and_resolution_leaves_one_reply",
    ),
    PlantedFault(
        DEED,
        "    return not is_there and not is_settled\n",
        "    return not is_there\n",
        STORY + "test_a_thread_that_a_person_resolved_gets_no_reply",
    ),
    PlantedFault(
        DEED,
        " and not _is_spoken_in(task, thread):",
        ":",
        STORY + "test_a_thread_that_a_person_answered_first_is_not_changed",
    ),
    PlantedFault(
        "core/state/reviews.py",
        "if (is_full or pull in turned) and _has_threads(state, pull)",
        "if pull in turned and _has_threads(state, pull)",
        STORY + "test_a_reopened_thread_goes_to_the_next_agent",
    ),
    PlantedFault(
        "adapters/github/app_tokens.py",
        'Purpose.THREADS: {"metadata": "read", "contents": "write", "pull_requests": "write"}',
        'Purpose.THREADS: {"metadata": "read", "contents": "read", "pull_requests": "write"}',
        STORY + "test_a_thread_that_an_agent_answers_is_replied_to_and_resolved",
    ),
    PlantedFault(
        "adapters/github/review_reads.py",
        "            if not page.page.has_next:\n",
        "            if True:\n",
        "adapters/test_github_forge.py::test_threads_beyond_a_page_are_read",
    ),
]
