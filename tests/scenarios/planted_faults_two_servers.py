"""A fault for every guard that knows another server's work from our own."""

from tests.testkit.planting import PlantedFault

_STORIES = "test_two_servers_of_one_app.py::"
_LEDGER = "shell/perform_ledger.py"
_RIVAL = "    if effect.previous is None or git.history(facts, effect.previous, there) is None:\n"

TWO_SERVER_FAULTS = [
    PlantedFault(
        "shell/ledger_look.py",
        "        self.compare(facts, state, there.get(LEDGER_REF))\n",
        "",
        "test_two_servers_of_one_app.py::"
        "test_an_old_server_detects_a_new_one_even_if_main_did_not_move",
    ),
    PlantedFault(
        "shell/ledger_look.py",
        "if is_ours or (git.has(facts, ours) and git.history(facts, there, ours) is not None):",
        "if is_ours:",
        "test_two_servers_of_one_app.py::test_a_stale_answer_of_github_is_not_another_server",
    ),
    PlantedFault(
        "shell/ledger_look.py",
        "if is_ours or (git.has(facts, ours) and git.history(facts, there, ours) is not None):",
        "if git.has(facts, ours) and git.history(facts, there, ours) is not None:",
        "test_two_servers_of_one_app.py::"
        "test_a_ledger_that_continues_ours_is_our_own_from_before_a_restore",
    ),
    PlantedFault(
        "shell/ledger_look.py",
        "(git.has(facts, ours) and git.history(facts, there, ours) is not None)",
        "git.history(facts, there, ours) is not None",
        "test_two_servers_of_one_app.py::"
        "test_a_restarted_ledger_belongs_to_another_server_even_without_our_mirror",
    ),
    PlantedFault(
        "shell/ledger_look.py",
        "        if not git.has(facts, there) or not git.has(facts, ours):\n",
        "        self._told.put(facts.id, there)\n        if not git.has(facts, there):\n",
        "test_two_servers_of_one_app.py::"
        "test_an_old_server_without_its_mirror_detects_a_new_one_after_a_failed_fetch",
    ),
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
        _STORIES + "test_a_ledger_written_by_another_server_before_our_push_is_reported",
    ),
    PlantedFault(
        _LEDGER,
        "git.tree_of(facts, commit), (commit, there), said)",
        "git.tree_of(facts, commit), (commit,), said)",
        _STORIES + "test_a_server_reports_another_server_that_writes_its_ledger_and_loses_no_line",
    ),
    PlantedFault(
        _LEDGER,
        "    if git.history(facts, commit, there) is not None:\n",
        "    if False:\n",
        _STORIES + "test_a_push_with_a_lost_answer_is_not_another_server",
    ),
    PlantedFault(
        _LEDGER,
        _RIVAL,
        "    if True:\n",
        _STORIES + "test_a_ledger_that_continues_ours_is_our_own_from_before_a_restore",
    ),
]
