"""A fault for each guard of questions without haste: what is noted before it is done, and found again."""

from tests.testkit.planting import PlantedFault

SUMMARIES = "scenarios/test_summaries.py::"

ADVICE_STORY_FAULTS = [
    # That a batch is about to be begun: without it a crash begins, and pays, another.
    PlantedFault(
        "shell/batches.py",
        "    ports.prompt_store.note(asking, handed)\n    return None",
        "    return None",
        SUMMARIES + "TestCrashes::test_a_batch_that_was_begun_and_not_noted_is_found_again",
    ),
    PlantedFault(
        "shell/batches.py",
        "batch = left or model.hand_in(",
        "batch = model.hand_in(",
        SUMMARIES + "TestCrashes::test_a_batch_that_was_begun_and_not_noted_is_found_again",
    ),
    # A batch's id, before anything else is done with it.
    PlantedFault(
        "shell/batches.py",
        '            ports.prompt_store.note(asking, handed.model_copy(update={"batch": batch}))\n',
        "",
        SUMMARIES + "test_a_report_gets_its_first_paragraph_by_an_edit_at_half_the_price",
    ),
    PlantedFault(
        "shell/model_fallback.py",
        "            dollars *= BATCH_SHARE\n",
        "            dollars *= 1\n",
        SUMMARIES + "test_a_report_gets_its_first_paragraph_by_an_edit_at_half_the_price",
    ),
]
