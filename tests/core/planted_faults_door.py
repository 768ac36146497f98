"""A fault for every guard of the door: what it takes in is kept, and nobody is kept waiting."""

from tests.testkit.planting import PlantedFault

INBOX = "adapters_store/test_inbox.py::"
LINGERING = "entry/test_lingering.py::"

DOOR_FAULTS = [
    # Whoever wrote for a group tells each of it that nothing was kept.
    PlantedFault(
        "adapters/store/inbox.py",
        "                row.failure = failure",
        "                row.is_new = False",
        INBOX + "test_a_group_that_is_not_kept_is_told_to_each_and_the_next_one_is_kept",
    ),
    # Threads stay with a connection that is used, unless another connection waits.
    PlantedFault(
        "entry/web/lingering.py",
        "while outcome is True and self._may_linger()",
        "while False and self._may_linger()",
        LINGERING + "test_what_follows_on_a_connection_is_answered_by_the_same_thread",
    ),
    PlantedFault(
        "entry/web/lingering.py",
        "bool(self.alive) and not self._waiting",
        "bool(self.alive)",
        LINGERING + "test_a_connection_that_never_rests_does_not_keep_another_waiting",
    ),
    PlantedFault(
        "entry/web/lingering.py",
        "        _stay_on_one_core()\n",
        "",
        LINGERING + "test_all_threads_share_one_core",
    ),
    # What was read an hour ago is forgotten, and not before.
    PlantedFault(
        "core/state/rate_limits.py",
        "sum(s.cost.requests for s in some)",
        "some[-1].cost.requests",
        "core/test_spending.py::test_an_hour_of_reads_is_remembered_in_sums_that_forget_none",
    ),
]
