"""Faults in the model gateway, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

STORIES = "gateway/test_gateway.py::"
APP, LEASES = "entry/gateway/app.py", "entry/gateway/leases.py"
ALLOWED = STORIES + "test_only_requests_that_the_order_allows_pass"
AT_WORK = STORIES + "test_a_token_is_good_only_while_its_run_is_at_work"
BOUNDED = STORIES + "test_requests_side_by_side_are_bounded_for_a_run_and_for_all"
SPENT = STORIES + "test_a_run_spends_no_more_than_its_order_allows"
AGAIN = STORIES + "test_a_restarted_gateway_continues_its_counts"
SIGNED = STORIES + "test_a_token_signed_with_another_secret_is_invalid"
STORE = "adapters/store/order_store.py"
_WORKING = "                    orders.c.order_id == order,\n                    orders.c.revoked.is_(False),\n                    orders.c.report.is_(None),\n                    is_ahead(orders.c.lease_until"

GATEWAY_FAULTS = [
    PlantedFault(
        STORE,
        "                    ~has_another,\n",
        "",
        "adapters_store/test_order_store.py::TestLeasing::test_a_run_with_an_order_gets_no_second_one",
    ),
    PlantedFault(
        "entry/gateway/connection_limiter.py",
        "call_later(self._door.seconds, transport.abort)",
        "call_later(3_600, transport.abort)",
        "gateway/test_connection_limits.py::test_a_connection_without_a_request_is_closed",
    ),
    PlantedFault(
        "entry/gateway/connection_limiter.py",
        "                self._in_time()\n",
        "                pass\n",
        "gateway/test_connection_limits.py::test_a_received_request_has_its_own_time_limit",
    ),
    PlantedFault(
        "entry/gateway/connection_limiter.py",
        "        if peer is None or not isinstance(",
        "        if not isinstance(",
        "gateway/test_connection_limits.py::test_a_peer_has_its_share_of_connections",
    ),
    PlantedFault(
        "action/agents/budget.py",
        "return is_affordable and weighted <= limits.tokens_max",
        "return True",
        "test_gateway.py::test_two_requests_at_once_do_not_both_spend_the_last_tokens",
    ),
    PlantedFault(
        APP,
        "_Place(lease.bodies, lease.owner.bodies, self._places)",
        "_Place(self._places)",
        STORIES + "test_slow_bodies_of_one_run_do_not_hold_the_others_up",
    ),
    PlantedFault(
        APP,
        "_Place(lease.bodies, lease.owner.bodies, self._places)",
        "_Place(lease.bodies, self._places)",
        STORIES + "test_slow_bodies_of_one_owner_do_not_hold_the_others_up",
    ),
    PlantedFault(
        APP,
        "asyncio.timeout_at(until + here / _BODY_BYTES_A_SECOND)",
        "asyncio.timeout_at(until + length / _BODY_BYTES_A_SECOND)",
        STORIES + "test_the_time_limit_of_a_body_depends_on_received_bytes",
    ),
    PlantedFault(
        APP,
        "            or lease.owner.streams >= OWNER_STREAMS_MAX\n",
        "",
        STORIES + "test_requests_of_an_owners_runs_are_bounded_together",
    ),
    PlantedFault(
        APP,
        "            lease.owner.streams -= 1\n",
        "",
        STORIES + "test_requests_of_an_owners_runs_are_bounded_together",
    ),
    PlantedFault(
        LEASES,
        'order.repository.partition("/")[0].lower()',
        "order.repository",
        STORIES + "test_requests_of_an_owners_runs_are_bounded_together",
    ),
    PlantedFault(
        APP,
        "asyncio.timeout(_UNREAD_SECONDS)",
        "asyncio.timeout(None)",
        STORIES + "test_an_unread_response_is_abandoned",
    ),
    PlantedFault(
        "core/talk/text.py",
        r"(?::\s*|\s+)",
        r":?\s+",
        "security/test_untrusted_text.py::test_no_name_of_a_person_skips_checks",
    ),
    PlantedFault(
        "core/state/model_token.py",
        "    if not hmac.compare_digest(_signature(secret, claim).encode(), signature.encode()):\n"
        "        return None\n",
        "",
        SIGNED,
    ),
    PlantedFault(STORE, _WORKING, _WORKING.replace("orders.c.revoked.is_(False),", ""), AT_WORK),
    PlantedFault(STORE, _WORKING, _WORKING.replace("orders.c.report.is_(None),", ""), AT_WORK),
    PlantedFault(STORE, "is_ahead(orders.c.lease_until, now, LEASE)", "sa.true()", AT_WORK),
    PlantedFault(APP, "lease.streams >= LEASE_STREAMS_MAX", "False", BOUNDED),
    PlantedFault(APP, " or self._streams >= STREAMS_MAX", "", BOUNDED),
    PlantedFault(APP, "            lease.streams -= 1\n", "", BOUNDED),
    PlantedFault(APP, "                self._admitted.charge(use)\n", "", SPENT),
    PlantedFault(
        APP, "judged.written(_answer_tokens_left(lease, judged))", "judged.written(10**9)", SPENT
    ),
    PlantedFault(APP, "(lease.agent.model, *lease.agent.helpers)", "(lease.agent.model,)", ALLOWED),
    PlantedFault(
        APP,
        "    if isinstance(judged, RefusedRequest):\n        raise _Refused(400, judged.sentence)\n",
        "    assert isinstance(judged, ModelRequest)\n",
        ALLOWED,
    ),
    PlantedFault(
        APP,
        "                meter.is_success = True\n",
        "                pass\n",
        STORIES + "test_an_agent_that_disconnects_before_the_answer_is_charged",
    ),
    PlantedFault(
        "entry/web/runner_api.py",
        "if settings.has_gateway:",
        "if False:",
        STORIES + "test_a_grant_contains_the_gateway_address_but_not_the_key",
    ),
    PlantedFault(
        "entry/settings.py",
        "self.model_key is not None and self.model_gateway is not False",
        "self.model_key is not None",
        STORIES + "test_the_key_is_sent_to_runners_only_if_the_gateway_is_off",
    ),
    PlantedFault(LEASES, "        budget.go_on_from(spent.turns, spent.used)\n", "", AGAIN),
    PlantedFault(
        LEASES,
        "exist_ok=True, mode=0o700",
        "exist_ok=True",
        STORIES + "test_the_spending_folder_is_readable_only_by_its_owner",
    ),
    PlantedFault(
        "entry/commands/processes.py",
        "if settings.served_owners or not settings.has_app",
        "if not settings.has_app",
        "entry/test_public_app.py::test_a_public_app_needs_owners",
    ),
    PlantedFault(
        "entry/commands/processes.py",
        "    if says := open_to_all(settings):\n        console.print(says, soft_wrap=True)\n"
        "        return 2\n",
        "",
        "entry/test_public_app.py::test_up_refuses_with_the_sentence",
    ),
    PlantedFault(
        "entry/commands/doctor.py",
        "        is_fine = answer.is_success\n",
        "        is_fine = True\n",
        "entry/test_doctor_and_the_gateway.py::"
        "test_a_proxy_without_the_gateway_route_is_reported_with_the_fix",
    ),
    PlantedFault(
        "entry/commands/doctor.py",
        "    if not settings.has_gateway:\n",
        "    if not settings.model_key:\n",
        "entry/test_doctor_and_the_gateway.py::test_without_a_gateway_no_request_is_sent",
    ),
]
