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
        "test_an_old_server_hears_of_a_new_one_at_its_next_look_although_main_rests",
    ),
    PlantedFault(
        "shell/ledger_look.py",
        "if is_ours or (git.has(facts, ours) and git.history(facts, there, ours) is not None):",
        "if is_ours:",
        "test_two_servers_of_one_app.py::"
        "test_an_answer_of_github_that_is_older_than_our_ledger_is_no_other_server",
    ),
    PlantedFault(
        "shell/ledger_look.py",
        "if is_ours or (git.has(facts, ours) and git.history(facts, there, ours) is not None):",
        "if git.has(facts, ours) and git.history(facts, there, ours) is not None:",
        "test_two_servers_of_one_app.py::"
        "test_a_ledger_that_goes_on_from_ours_is_our_own_from_before_a_restore",
    ),
    PlantedFault(
        "shell/ledger_look.py",
        "(git.has(facts, ours) and git.history(facts, there, ours) is not None)",
        "git.history(facts, there, ours) is not None",
        "test_two_servers_of_one_app.py::"
        "test_a_ledger_that_begins_anew_is_another_s_also_without_the_mirror_that_had_ours",
    ),
    PlantedFault(
        "shell/ledger_look.py",
        "        if not git.has(facts, there) or not git.has(facts, ours):\n",
        "        self._told.put(facts.id, there)\n        if not git.has(facts, there):\n",
        "test_two_servers_of_one_app.py::"
        "test_an_old_server_that_lost_its_mirror_hears_of_a_new_one_after_a_fetch_that_failed",
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
        _STORIES + "test_a_ledger_that_another_server_writes_between_a_look_and_a_push_is_told",
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
