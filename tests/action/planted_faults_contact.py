"""Faults in how a model that is away, refuses or is unpaid is told apart, and what each makes fail."""

from tests.testkit.planting import PlantedFault

STORIES = "test_model_contact.py::"
CONTACT = "agents/contact.py"

API = "test_runner_api.py::"

CONTACT_FAULTS = [
    PlantedFault(
        "harness/server.py",
        "                asked = _asked_pause(answer)\n",
        "                asked = 0.0\n",
        API + "test_the_client_waits_as_long_as_the_server_asks",
    ),
    PlantedFault(
        "harness/server.py",
        "min(answer.wait_seconds, ASKED_PAUSE_SECONDS_MAX)",
        "answer.wait_seconds",
        API + "test_the_client_waits_as_long_as_the_server_asks",
    ),
    PlantedFault(
        "harness/server.py",
        "self._halt.wait(max(pause, asked))",
        "self._halt.wait(asked or pause)",
        API + "test_delays_still_grow_if_the_server_asks_for_short_ones",
    ),
    PlantedFault(
        "harness/http_client.py",
        "return self.status >= 500 or self.status == 429",
        "return self.status >= 500",
        API + "test_a_heartbeat_that_comes_too_often_ends_no_run",
    ),
    PlantedFault(
        "harness/event_thread.py",
        "        if time.monotonic() < self._not_before:\n            return False\n",
        "",
        API + "test_events_wait_for_as_long_as_the_server_asks",
    ),
    PlantedFault(
        CONTACT,
        " or (status == 400 and _UNPAID.search(said))",
        "",
        STORIES + "test_an_unpaid_account_is_recognised_by_the_error_text",
    ),
    PlantedFault(
        CONTACT,
        "status == 400 and _UNPAID",
        "_UNPAID",
        STORIES + "test_an_unpaid_account_is_recognised_by_the_error_text",
    ),
    PlantedFault(
        CONTACT,
        "frozenset({Obstacle.MODEL_AWAY, Obstacle.MODEL_UNPAID})",
        "frozenset({Obstacle.MODEL_AWAY})",
        STORIES + "test_running_out_of_credit_during_a_run_is_not_an_attempt",
    ),
    PlantedFault(
        CONTACT,
        "if obstacle in _AT_ANY_TIME or not self._has_answered:",
        "if True:",
        STORIES + "test_one_refusal_after_an_answer_is_not_an_obstacle",
    ),
    PlantedFault(
        CONTACT,
        "            self._has_answered = True\n            self._trouble = None\n",
        "            self._has_answered = True\n",
        STORIES + "test_only_the_newest_request_counts",
    ),
    PlantedFault(
        CONTACT,
        'return seconds if 0 <= seconds < float("inf") else None',
        "return seconds",
        STORIES + "test_the_retry_delay_is_read_from_the_response",
    ),
    PlantedFault(
        "agents/builtin.py",
        "        if obstacle is Obstacle.MODEL_UNPAID:\n"
        "            return _unreachable(obstacle, error.message)\n",
        "",
        STORIES + "test_running_out_of_credit_during_a_run_is_not_an_attempt",
    ),
]
