"""A fault for every guard of events from outside GitHub, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

DISPATCHES = "test_dispatches.py::"
STARTS = DISPATCHES + "test_an_event_starts_the_workflows_of_main_that_want_its_type"
LIMITS = DISPATCHES + "test_the_limits_themselves_are_taken"
REFUSED = DISPATCHES + "test_what_github_would_not_take_is_422"
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
        DISPATCHES + "test_contents_may_be_written_by_whoever_sends_one",
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
        DISPATCHES + "test_a_lost_workflow_dispatch_is_none_of_these",
    ),
    PlantedFault(
        "localhub/webhooks.py",
        '    "repository_dispatch": "contents",\n',
        '    "repository_dispatch": "merge_queues",\n',
        DISPATCHES + "test_an_app_that_subscribes_is_told",
    ),
]
