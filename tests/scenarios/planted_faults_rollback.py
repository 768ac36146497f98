"""A fault for each guard that stops an older release where a newer one has written."""

from tests.testkit.planting import PlantedFault

ROLLBACK = "scenarios/test_after_a_rollback.py::"
NOTHING_IS_DONE = ROLLBACK + "test_an_older_release_waits_until_the_newer_one_starts"

ROLLBACK_FAULTS = [
    PlantedFault(
        "shell/reconcile.py",
        "    if state.unreadable is not None:\n",
        "    if state.unreadable is not None and state.facts is None:\n",
        NOTHING_IS_DONE,
    ),
    PlantedFault(
        "shell/reconcile.py",
        "        ports.journal.drop_hints(tuple(n for n, hint in hints.items() if hint.is_seen_by_looking))\n"
        "        ports.journal.release(lease)\n"
        "        raise\n",
        "        ports.journal.release(lease)\n        raise\n",
        NOTHING_IS_DONE,
    ),
    PlantedFault(
        "shell/reconcile.py",
        "if hint.is_seen_by_looking))\n        ports.journal.release(lease)\n",
        "if hint.is_seen_by_looking))\n",
        NOTHING_IS_DONE,
    ),
    PlantedFault(
        "shell/model_calls.py",
        " or state.facts is None or state.unreadable is not None:\n",
        " or state.facts is None:\n",
        ROLLBACK + "test_no_model_is_called_if_the_reply_cannot_be_recorded",
    ),
]
