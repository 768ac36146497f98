"""Faults in how threads of reviews are answered and resolved, each with the test that notices it."""

from tests.testkit.planting import PlantedFault

STORY = "scenarios/test_threads_of_reviews.py::"
DEED = "shell/perform_threads.py"

FAULTS = [
    PlantedFault(
        DEED,
        "    return not is_there and not is_settled\n",
        "    return not is_settled\n",
        STORY + "test_what_breaks_between_answer_and_resolving_leaves_one_answer",
    ),
    PlantedFault(
        DEED,
        "    return not is_there and not is_settled\n",
        "    return not is_there\n",
        STORY + "test_a_thread_that_a_person_resolved_meanwhile_gets_no_answer",
    ),
    PlantedFault(
        DEED,
        " and not _is_spoken_in(task, thread):",
        ":",
        STORY + "test_a_thread_in_which_a_person_was_faster_stays_as_they_left_it",
    ),
    PlantedFault(
        "core/state/reviews.py",
        "if (is_full or pull in turned) and _has_threads(state, pull)",
        "if pull in turned and _has_threads(state, pull)",
        STORY + "test_a_thread_that_a_person_opens_again_goes_to_the_next_agent",
    ),
    PlantedFault(
        "adapters/github/app_tokens.py",
        'Purpose.THREADS: {"metadata": "read", "contents": "write", "pull_requests": "write"}',
        'Purpose.THREADS: {"metadata": "read", "contents": "read", "pull_requests": "write"}',
        STORY + "test_the_thread_that_an_agent_accounts_for_is_answered_and_resolved",
    ),
    PlantedFault(
        "adapters/github/review_reads.py",
        "            if not page.page.has_next:\n",
        "            if True:\n",
        "adapters/test_github_forge.py::test_threads_beyond_a_page_are_read",
    ),
]
