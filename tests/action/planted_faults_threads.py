"""Faults in what an agent says of threads of reviews, each with the test that notices it."""

from tests.testkit.planting import PlantedFault

STORIES = "test_accounts_of_threads.py::"
WORDS = "harness/words_for_people.py"

FAULTS = [
    PlantedFault(
        WORDS,
        "if left.accounts is None or left.accounts == before.accounts:",
        "if left.accounts is None:",
        STORIES + "test_accounts_written_before_the_agent_began_do_not_count",
    ),
    PlantedFault(
        WORDS,
        "one.replace(text=redacted(one.text, secrets))",
        "one",
        STORIES + "test_no_secret_goes_to_a_reviewer",
    ),
    PlantedFault(
        WORDS,
        "FILES = (QUESTIONS_FILE, THREADS_FILE)",
        "FILES = (QUESTIONS_FILE, '.headgate/thread.json')",
        STORIES + "test_any_agent_accounts_for_threads_in_a_file_that_is_not_part_of_its_work",
    ),
    PlantedFault(
        "agents/threads.py",
        "one.text[:ACCOUNT_CHARACTERS_MAX]",
        "one.text",
        STORIES + "test_a_long_account_is_cut",
    ),
    PlantedFault(
        "agents/prompt.py",
        "    if not any(one.thread for one in words):\n",
        "    if not words:\n",
        STORIES + "test_where_no_thread_is_open_nothing_is_said_of_the_file",
    ),
]
