"""A fault for every guard that knows another server's work from our own."""

from tests.testkit.planting import PlantedFault

_STORIES = "test_two_servers_of_one_app.py::"
_LEDGER = "shell/perform_ledger.py"
_RIVAL = "    if effect.previous is None or git.history(facts, effect.previous, there) is None:\n"

TWO_SERVER_FAULTS = [
    PlantedFault(
        "shell/installation.py",
        "    if found:\n",
        "    if False:\n",
        _STORIES + "test_a_new_server_says_that_another_one_was_there",
    ),
    PlantedFault(
        _LEDGER,
        _RIVAL,
        "    if False:\n",
        _STORIES + "test_a_server_whose_ledger_another_one_writes_says_so_and_loses_no_line",
    ),
    PlantedFault(
        _LEDGER,
        "git.tree_of(facts, commit), (commit, there), said)",
        "git.tree_of(facts, commit), (commit,), said)",
        _STORIES + "test_a_server_whose_ledger_another_one_writes_says_so_and_loses_no_line",
    ),
    PlantedFault(
        _LEDGER,
        "    if git.history(facts, commit, there) is not None:\n",
        "    if False:\n",
        _STORIES + "test_a_push_whose_answer_was_lost_is_no_other_server",
    ),
    PlantedFault(
        _LEDGER,
        _RIVAL,
        "    if True:\n",
        _STORIES + "test_a_ledger_that_goes_on_from_ours_is_our_own_from_before_a_restore",
    ),
]
