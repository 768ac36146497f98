"""A fault for every guard of the door: what it takes in is kept, and nobody is kept waiting."""

from tests.testkit.planting import PlantedFault

INBOX = "adapters_store/test_inbox.py::"
LINGERING = "entry/test_lingering.py::"
EFFECTS = "core/test_effects.py::"
PERFORMERS = (
    "core/test_effects_and_their_performers.py::"
    "test_every_effect_class_is_complete_and_has_a_performer"
)

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
    # No effect escapes GitHub's limits, and none is without a function that performs it.
    PlantedFault(
        "core/journal/effect_class.py",
        "urgency: Urgency, cost: Cost)",
        "urgency: Urgency = Urgency.TALK, cost: Cost = Cost())",
        EFFECTS + "test_an_effect_class_without_urgency_or_cost_cannot_be_defined",
    ),
    PlantedFault(
        "core/journal/effects_talk.py",
        "class React(EffectClass, urgency=Urgency.ANSWER, cost=WRITE)",
        "class React(EffectClass, urgency=Urgency.ANSWER)",
        PERFORMERS,
    ),
    PlantedFault(
        "core/journal/effects_talk.py",
        "max(1, -(-len(self.text.annotations) // ANNOTATIONS_PER_REQUEST))",
        "1",
        EFFECTS + "test_a_check_run_costs_a_request_for_every_page_of_annotations",
    ),
    PlantedFault(
        "shell/perform.py",
        "        _row(ef.React, perform_github.react),\n",
        "",
        PERFORMERS,
    ),
]
