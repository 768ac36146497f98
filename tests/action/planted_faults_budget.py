"""Faults in what an agent run may spend, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

STORIES = "test_budget.py::"
BUDGET, USAGE = "agents/budget.py", "agents/usage.py"
WEIGHTS = STORIES + "test_each_kind_of_token_weighs_what_it_costs"
LIMITS = STORIES + "test_a_limit_ends_the_run_before_the_next_turn"
BESIDE = STORIES + "test_a_request_beyond_the_budget_waits_for_a_running_one"
SIDE_BY_SIDE = STORIES + "test_parallel_requests_cannot_exceed_the_limit_together"
MAY_NOT_BE_CACHED = STORIES + "test_a_request_that_may_miss_the_cache_is_estimated_at_full_price"
BY_SIZE = STORIES + "test_an_answer_without_usage_is_charged_by_its_size"

BUDGET_FAULTS = [
    PlantedFault("report.py", "+ self.cache_read * 10\n", "+ self.cache_read * 100\n", WEIGHTS),
    PlantedFault("report.py", "return -(-hundredths // 100)", "return hundredths // 100", WEIGHTS),
    PlantedFault(
        "agents/budget.py",
        " if one.at > now - _CACHE_SECONDS]",
        "]",
        "test_budget.py::test_a_long_run_uses_no_more_memory_than_a_short_one",
    ),
    PlantedFault(
        "order.py",
        "(tokens.cache_write_hour, self.cache_write_hour),",
        "(tokens.cache_write_hour, self.cache_write),",
        WEIGHTS,
    ),
    PlantedFault(
        "order.py",
        "            if used and per_million is None:\n                return None\n",
        "",
        STORIES + "test_a_token_kind_without_a_price_makes_the_cost_unknown",
    ),
    PlantedFault(
        "order.py",
        'prices.get(model) or prices.get(_DATED.sub("", model))',
        "prices.get(model)",
        STORIES + "test_a_dated_name_has_the_price_of_the_plain_one",
    ),
    PlantedFault(
        BUDGET, "self._tokens.weighted >= limits.tokens_max", "self._tokens.total >= 10**9", LIMITS
    ),
    PlantedFault(BUDGET, "self._dollars >= limits.dollars_max", "False", LIMITS),
    PlantedFault(BUDGET, "                    self._turns += 1\n", "", LIMITS),
    PlantedFault(
        BUDGET,
        "not self._reserved or self._has_room_for(asked)",
        "True",
        SIDE_BY_SIDE,
    ),
    PlantedFault(
        BUDGET,
        "not self._reserved or self._has_room_for(asked)",
        "self._has_room_for(asked)",
        STORIES + "test_a_single_request_may_exceed_the_token_limit",
    ),
    PlantedFault(
        BUDGET,
        "not self._reserved or self._has_room_for(asked)",
        "not self._reserved",
        BESIDE,
    ),
    PlantedFault(
        BUDGET,
        "        if limit is None or self._dollars + asked.dollars <= limit:\n",
        "        if True:\n",
        STORIES + "test_a_single_request_that_could_exceed_the_dollar_limit_is_not_sent",
    ),
    PlantedFault(
        BUDGET,
        "        if self._too_dear is not None:\n            return self._too_dear\n        if self._tokens",
        "        if self._tokens",
        STORIES + "test_a_single_request_that_could_exceed_the_dollar_limit_is_not_sent",
    ),
    PlantedFault(
        BUDGET,
        "                if not self._reserved:\n                    self._too_dear",
        "                if True:\n                    self._too_dear",
        STORIES + "test_a_large_request_waits_until_no_other_is_running",
    ),
    PlantedFault(BUDGET, "one.at > since and ", "", MAY_NOT_BE_CACHED),
    PlantedFault(BUDGET, "0 < one.expected <= upper.input", "True", MAY_NOT_BE_CACHED),
    PlantedFault(
        BUDGET,
        "        seen = self._seen.get(model)\n        if self._reserved",
        "        seen = sum(self._seen.values(), [])\n        if self._reserved",
        MAY_NOT_BE_CACHED,
    ),
    PlantedFault(
        BUDGET,
        "        if self._reserved or not seen:\n",
        "        if not seen:\n",
        STORIES + "test_a_large_request_waits_until_no_other_is_running",
    ),
    PlantedFault(
        BUDGET,
        "return upper if price is not None and price.cost(likely) is None else likely",
        "return likely",
        STORIES + "test_a_cache_of_unknown_price_is_estimated_at_full_price",
    ),
    PlantedFault(
        BUDGET,
        "            reading = self._likely(model, reading)\n",
        "            pass\n",
        STORIES + "test_the_output_limit_is_the_remaining_budget_in_dollars_and_tokens",
    ),
    PlantedFault(
        "agents/builtin.py",
        "max(_ANSWER_TOKENS_LEAST, min(ANSWER_TOKENS_MAX, left))",
        "ANSWER_TOKENS_MAX",
        STORIES + "test_the_dollars_of_an_order_end_the_builtin_agent",
    ),
    PlantedFault(BUDGET, "(*self._reserved.values(), asked)", "(asked,)", BESIDE),
    PlantedFault(
        BUDGET,
        "        with self._changed:\n            del self._reserved[admission]\n",
        "        with self._changed:\n",
        STORIES + "test_a_single_request_may_exceed_the_token_limit",
    ),
    PlantedFault(
        BUDGET,
        "is_affordable and weighted <= limits.tokens_max",
        "is_affordable",
        BESIDE,
    ),
    PlantedFault(
        "harness/model_proxy.py",
        "upper_estimate(judged.input_bytes, longest)",
        "upper_estimate(0, 0)",
        SIDE_BY_SIDE,
    ),
    PlantedFault(
        "harness/model_proxy.py",
        " and far.is_success",
        "",
        STORIES + "test_a_refused_request_is_not_charged",
    ),
    PlantedFault(USAGE, "        if told.total == told.output:\n", "        if False:\n", BY_SIZE),
    PlantedFault(USAGE, "        if not self.is_final:\n", "        if False:\n", BY_SIZE),
    PlantedFault(
        USAGE,
        'self._pending.lstrip().startswith(b"{")',
        "False",
        STORIES + "test_usage_of_a_complete_answer_is_read_in_any_layout",
    ),
    PlantedFault(
        USAGE,
        "max(0, self.cache_creation - self.cache_write_hour)",
        "self.cache_creation",
        STORIES + "test_usage_does_not_depend_on_how_the_stream_is_cut",
    ),
    PlantedFault(
        "agents/builtin.py",
        "                asked.admitted.charge(used.charged(asked.request_bytes, answer_bytes))\n",
        "                pass\n",
        STORIES + "test_the_builtin_agent_pays_for_answers_that_broke_off_or_count_nothing",
    ),
    PlantedFault(
        "order.py",
        "turns_max: int = 120",
        "turns_max: int = 60",
        STORIES + "test_a_cached_conversation_lasts_over_sixty_turns_on_a_small_change",
    ),
    PlantedFault(
        "harness/model_proxy.py",
        "            budget.close()\n",
        "",
        STORIES + "test_a_request_that_still_waits_when_the_agent_has_ended_is_refused",
    ),
]
