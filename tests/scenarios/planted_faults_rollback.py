"""A fault for every guard that has a release stand still where a newer one has written."""

from tests.testkit.planting import PlantedFault

ROLLBACK = "scenarios/test_after_a_rollback.py::"
NOTHING_IS_DONE = ROLLBACK + "test_nothing_is_done_until_the_newer_release_is_started_again"

ROLLBACK_FAULTS = [
    PlantedFault(
        "shell/reconcile.py",
        "    if state.unreadable is not None:\n",
        "    if state.unreadable is not None and state.facts is None:\n",
        NOTHING_IS_DONE,
    ),
    PlantedFault(
        "shell/reconcile.py",
        "        ports.journal.drop_hints(tuple(ports.journal.hints(repository)))\n"
        "        ports.journal.release(lease)\n"
        "        raise\n",
        "        ports.journal.release(lease)\n        raise\n",
        NOTHING_IS_DONE,
    ),
    PlantedFault(
        "shell/reconcile.py",
        "        ports.journal.release(lease)\n        raise\n",
        "        raise\n",
        NOTHING_IS_DONE,
    ),
    PlantedFault(
        "shell/model_calls.py",
        " or state.facts is None or state.unreadable is not None:\n",
        " or state.facts is None:\n",
        ROLLBACK + "test_no_model_is_paid_for_an_answer_that_cannot_be_written_down",
    ),
]
