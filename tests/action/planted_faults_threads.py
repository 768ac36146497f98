"""Faults in what an agent says of threads of reviews, each with the test that notices it."""

from tests.testkit.planting import PlantedFault

STORIES = "test_thread_answers.py::"
WORDS = "harness/words_for_people.py"

FAULTS = [
    PlantedFault(
        WORDS,
        "if left.accounts is None or left.accounts == before.accounts:",
        "if left.accounts is None:",
        STORIES + "test_answers_to_threads_from_before_the_agent_started_are_ignored",
    ),
    PlantedFault(
        WORDS,
        "one.replace(text=redacted(one.text, secrets))",
        "one",
        STORIES + "test_secrets_are_removed_from_answers_to_reviewers",
    ),
    PlantedFault(
        WORDS,
        "FILES = (QUESTIONS_FILE, THREADS_FILE)",
        "FILES = (QUESTIONS_FILE, '.headgate/thread.json')",
        STORIES + "test_any_agent_answers_review_threads_in_a_file_outside_its_work",
    ),
    PlantedFault(
        "agents/threads.py",
        "one.text[:ACCOUNT_CHARACTERS_MAX]",
        "one.text",
        STORIES + "test_a_long_answer_to_a_thread_is_cut",
    ),
    PlantedFault(
        "agents/prompt.py",
        "    if not any(one.thread for one in words):\n",
        "    if not words:\n",
        STORIES + "test_the_task_does_not_mention_the_threads_file_without_open_threads",
    ),
]
