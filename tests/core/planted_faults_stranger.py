"""Faults in what a stranger meets in the first ten minutes."""

from tests.testkit.planting import PlantedFault

UNJUDGED = "core/test_stories_of_unjudged_mains.py::"

FAULTS = [
    PlantedFault(
        "core/talk/mermaid.py",
        "    Shown.WAITING.value: _NOT_BEGUN,\n",
        "",
        "core/talk/test_mermaid.py::"
        "test_a_change_that_has_not_begun_does_not_look_like_one_under_way",
    ),
    PlantedFault(
        "entry/local_journal.py",
        "    if not _has_tables(settings.journal_url) and (trouble := store_trouble(settings)):\n",
        "    if trouble := None:\n",
        "test_command_line.py::test_an_unusable_folder_is_reported_in_a_sentence",
    ),
    PlantedFault(
        "entry/commands/doctor.py",
        '    chosen = [row for row in values if row["origin"] != "default"]\n',
        "    chosen = values\n",
        "test_command_line.py::test_the_doctor_prints_changed_settings",
    ),
    PlantedFault(
        "entry/commands/coverage.py",
        "    if not found.rows:\n",
        "    if found.rows is None:\n",
        "test_command_line.py::test_commands_say_that_there_is_no_data",
    ),
    PlantedFault(
        "core/talk/lost_gates_text.py",
        "    if main is None or not is_unjudged(main):\n",
        "    if True:\n",
        UNJUDGED + "TestAdvice",
    ),
    PlantedFault(
        "core/talk/lost_gates_text.py",
        "r.is_accepted or r.ending is Ending.COULD_NOT_RUN for r in main.results",
        "True for r in main.results",
        UNJUDGED + "test_a_red_main_still_asks_for_a_repair",
    ),
    PlantedFault(
        "core/talk/lost_gates_text.py",
        "r.is_accepted or r.ending is Ending.COULD_NOT_RUN for r in main.results",
        "False for r in main.results",
        UNJUDGED + "TestAdvice",
    ),
    PlantedFault(
        "core/talk/replies.py",
        "    if is_unjudged(main):\n",
        "    if False:\n",
        UNJUDGED + "TestAdvice::test_the_comment_about_an_unjudged_main_does_not_suggest_a_revert",
    ),
    PlantedFault(
        "core/talk/reason_text.py",
        "    if main is None or not is_unjudged(main):\n",
        "    if True:\n",
        UNJUDGED + "TestAdvice::test_why_gives_the_same_advice_about_an_unjudged_main",
    ),
    PlantedFault(
        "core/talk/news_text.py",
        "[why_and_fix(state.away)] if state.away else []",
        "[]",
        "core/test_stories_of_repository_lives.py::"
        "test_the_doctor_names_the_reason_of_a_pause_and_the_fix",
    ),
    PlantedFault(
        "core/talk/news_text.py",
        "{Topic.LACKS, Topic.ACTIONS_OFF}",
        "{Topic.LACKS, Topic.ACTIONS_OFF, Topic.NO_RUNNER}",
        "core/test_stories_of_bad_input.py::"
        "test_a_missing_runner_is_not_logged_before_an_order_waits_for_it",
    ),
]
