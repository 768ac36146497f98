"""A fault for every guard of the door: what it takes in is kept, and nobody is kept waiting."""

from tests.testkit.planting import PlantedFault

INBOX = "adapters_store/test_inbox.py::"
EFFECTS = "core/test_effects.py::"
PERFORMERS = (
    "core/test_effects_and_their_performers.py::"
    "test_every_effect_class_is_complete_and_has_a_performer"
)
KEEP_ALIVE = "entry/test_keep_alive.py::"
IMPORTS = "entry/test_entry_point_imports.py::"
CHOICE = "entry/test_worker_choice.py::"

DOOR_FAULTS = [
    # Whoever wrote for a group tells each of it that nothing was kept.
    PlantedFault(
        "adapters/store/inbox.py",
        "                row.failure = failure",
        "                row.is_new = False",
        INBOX + "test_a_failed_group_of_deliveries_fails_for_each_caller_and_the_next_is_kept",
    ),
    # A thread keeps its connection, unless another connection waits.
    PlantedFault(
        "entry/web/keep_alive.py",
        "while outcome is True and self._may_keep()",
        "while False and self._may_keep()",
        KEEP_ALIVE + "test_requests_on_one_connection_are_answered_by_one_thread",
    ),
    PlantedFault(
        "entry/web/keep_alive.py",
        "bool(self.alive) and not self._waiting",
        "bool(self.alive)",
        KEEP_ALIVE + "test_a_busy_connection_does_not_keep_another_waiting",
    ),
    PlantedFault(
        "entry/web/keep_alive.py",
        "        _stay_on_one_core()\n",
        "",
        KEEP_ALIVE + "test_all_threads_share_one_core",
    ),
    PlantedFault(
        "entry/web/keep_alive.py",
        "return int.from_bytes(left, sys.byteorder)",
        "return len(left)",
        KEEP_ALIVE + "test_unread_bytes_are_known_without_kernel_memory_information",
    ),
    PlantedFault(
        "entry/web/keep_alive.py",
        "_MEMINFO.unpack(memory)[_QUEUED]",
        "_MEMINFO.unpack(memory)[0]",
        KEEP_ALIVE + "test_unread_bytes_are_known_without_kernel_memory_information",
    ),
    PlantedFault(
        "core/state/webhook.py",
        "body[start : start + piece]",
        "body[start : start + _PIECE_BYTES]",
        "core/test_webhook.py::test_a_signature_covers_a_body_of_any_size",
    ),
    # After an upgrade that has changed gunicorn's internals, its own worker serves.
    PlantedFault(
        "entry/web/worker_choice.py",
        "if changed := changed_internals(gthread):",
        "if False and (changed := changed_internals(gthread)):",
        CHOICE + "test_gunicorns_own_worker_serves_if_its_internals_changed",
    ),
    PlantedFault(
        "entry/web/worker_choice.py",
        'and _uses(enqueue, "submit", "handle")',
        "",
        CHOICE + "test_gunicorns_own_worker_serves_if_its_internals_changed",
    ),
    PlantedFault(
        "entry/web/worker_choice.py",
        "found.items() if not is_as_known",
        'found.items() if not is_as_known and name != "ThreadWorker.enqueue_req"',
        CHOICE + "test_a_delivery_is_stored_by_gunicorns_own_worker",
    ),
    # A process starts without what it may never need.
    PlantedFault(
        "entry/worker.py",
        "import logging\n",
        "import logging\n\nimport rich\n",
        IMPORTS + "test_entry_points_start_without_unneeded_imports",
    ),
    PlantedFault(
        "entry/wiring.py",
        "import sqlalchemy as sa\n",
        "import sqlalchemy as sa\nfrom sqlalchemy.dialects import postgresql\n",
        IMPORTS + "test_entry_points_start_without_unneeded_imports",
    ),
    # What was read an hour ago is forgotten, and not before.
    PlantedFault(
        "core/state/rate_limits.py",
        "sum(s.cost.requests for s in some)",
        "some[-1].cost.requests",
        "core/test_spending.py::test_an_hour_of_reads_is_kept_as_exact_sums",
    ),
    # No effect escapes GitHub's limits, and none is without a function that performs it.
    PlantedFault(
        "core/journal/effect_class.py",
        "urgency: Urgency, cost: Cost, listed: bool)",
        "urgency: Urgency = Urgency.TALK, cost: Cost = Cost(), listed: bool = False)",
        EFFECTS + "test_an_incomplete_effect_class_cannot_be_defined",
    ),
    PlantedFault(
        "core/journal/effects_talk.py",
        "class React(EffectClass, urgency=Urgency.ANSWER, cost=WRITE, listed=False)",
        "class React(EffectClass, urgency=Urgency.ANSWER, listed=False)",
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
