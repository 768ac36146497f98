"""A fault for every guard of events from outside GitHub, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

DISPATCHES = "test_dispatches.py::"
STARTS = DISPATCHES + "test_an_event_starts_the_workflows_of_main_that_listen_for_its_type"
LIMITS = DISPATCHES + "test_a_dispatch_at_the_limits_is_accepted"
REFUSED = DISPATCHES + "test_an_invalid_dispatch_is_answered_with_422"
BODY = "localhub/actions/repository_dispatch.py"

PLANTED_FAULTS = [
    PlantedFault(
        "localhub/actions/service.py",
        "trigger.types is None or happened.type in trigger.types",
        "True",
        STARTS,
    ),
    PlantedFault(
        "localhub/actions/routes.py",
        'self._authorise(f"{owner}/{name}", "contents", "write")',
        'self._authorise(f"{owner}/{name}", "actions", "write")',
        DISPATCHES + "test_a_dispatch_requires_contents_write",
    ),
    PlantedFault(BODY, "EVENT_TYPE_MAX = 100", "EVENT_TYPE_MAX = 99", LIMITS),
    PlantedFault(BODY, "PROPERTIES_MAX = 10\n", "PROPERTIES_MAX = 9\n", LIMITS),
    PlantedFault(BODY, "        if unknown:\n", "        if False:\n", REFUSED),
    PlantedFault(BODY, "if not 1 <= len(event_type)", "if not len(event_type)", REFUSED),
    PlantedFault(BODY, "if len(payload) > PROPERTIES_MAX:", "if False:", REFUSED),
    PlantedFault(BODY, ">= PAYLOAD_BYTES", "> 2 * PAYLOAD_BYTES", REFUSED),
    PlantedFault(
        "localhub/faults.py",
        '"*/workflows/*/dispatches"',
        '"*/dispatches"',
        DISPATCHES + "test_a_lost_workflow_dispatch_does_not_affect_repository_dispatches",
    ),
    PlantedFault(
        "localhub/webhooks.py",
        '    "repository_dispatch": "contents",\n',
        '    "repository_dispatch": "merge_queues",\n',
        DISPATCHES + "test_a_subscribed_app_gets_the_dispatch_webhook",
    ),
]
