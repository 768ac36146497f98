"""A fault for each guard between Headgate and GitHub, and the test that fails with it.

As `tests.core.planted_faults`, for guards that only show where GitHub answers: the killers talk to
localhub, or to a server that answers word for word.
"""

from tests.testkit.planting import PlantedFault

GRAPHQL = "adapters/test_github_graphql.py::"
LIMITS = "scenarios/test_github_limits.py::"
LOST = "scenarios/test_lost_answers.py"
MISSED = "scenarios/test_lost_webhooks.py::"
MOVING = "scenarios/test_moving_main.py::"

FORGE_FAULTS = [
    PlantedFault(
        "adapters/github/writes.py",
        '"beforeOid": base, ',
        "",
        GRAPHQL + "test_main_moves_only_from_the_base_and_the_node_id_is_read_once",
    ),
    PlantedFault(
        "adapters/github/graphql.py",
        "    if first.type in _CANNOT_TYPES or first.code in _CANNOT_CODES:\n"
        "        raise GraphQLUnavailable(message)\n",
        "",
        GRAPHQL + "test_unavailable_graphql_is_not_a_refusal",
    ),
    PlantedFault(
        "adapters/github/graphql.py",
        "        raise limit\n",
        "        raise Retryable(message)\n",
        GRAPHQL + "test_a_rate_limit_inside_a_200_response_is_a_limit",
    ),
    PlantedFault(
        "shell/move_main.py",
        "    if result is None:\n        moved_by",
        "    if False:\n        moved_by",
        MOVING + "test_without_graphql_main_is_moved_by_a_push_with_lease",
    ),
    PlantedFault(
        "adapters/github/reads.py",
        " and run.app and run.app.id == repository.app_id",
        "",
        "adapters/test_github_answers.py::test_a_check_run_of_another_app_is_ignored",
    ),
    PlantedFault(
        "shell/perform_github.py",
        "    if look_first:\n        ours",
        "    if False:\n        ours",
        LOST,
    ),
    PlantedFault(
        "shell/rate_limit.py",
        "    if wait is None:\n",
        "    if wait is None or wait:\n",
        LIMITS + "test_people_get_replies_while_progress_waits",
    ),
    PlantedFault(
        "core/state/rate_limits.py",
        "allowed = limit.allowed - limit.reserves[priority - 1]",
        "allowed = limit.allowed",
        "core/test_spending.py",
    ),
    PlantedFault(
        "shell/perform.py",
        "            ports.journal.pause(budget_of(state.facts), now + failure.after)\n",
        "            pass\n",
        "scenarios/test_crashes.py::test_no_request_is_sent_while_a_limit_lasts",
    ),
    PlantedFault(
        "adapters/github/api.py",
        '{"If-None-Match": cached.etag} if cached else {}',
        "dict[str, str]()",
        MISSED + "test_a_quiet_repository_costs_no_more_than_five_units_an_hour",
    ),
    PlantedFault(
        "core/values/redelivery.py",
        "if not (is_early or is_old or is_settled):",
        "if not (is_old or is_settled):",
        "core/test_redelivery.py",
    ),
    PlantedFault(
        "shell/redelivery.py",
        "        if ports.inbox.get(attempt.guid) is None:\n",
        "        if attempt.guid:\n",
        MISSED + "test_a_delivery_in_the_inbox_is_not_requested_again",
    ),
]
