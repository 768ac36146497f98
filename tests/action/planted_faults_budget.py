"""Faults in what an agent run may spend, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

STORIES = "test_budget.py::"
BUDGET, USAGE = "agents/budget.py", "agents/usage.py"
WEIGHTS = STORIES + "test_each_kind_of_token_weighs_what_it_costs"
LIMITS = STORIES + "test_a_limit_ends_the_run_before_the_next_turn"
BESIDE = STORIES + "test_a_request_that_does_not_fit_beside_another_waits_for_it"
SIDE_BY_SIDE = STORIES + "test_requests_side_by_side_cannot_pass_the_limit_together"
BY_SIZE = STORIES + "test_an_answer_that_does_not_count_is_charged_by_its_size"

BUDGET_FAULTS = [
    PlantedFault("report.py", "+ self.cache_read * 10\n", "+ self.cache_read * 100\n", WEIGHTS),
    PlantedFault("report.py", "return -(-hundredths // 100)", "return hundredths // 100", WEIGHTS),
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
        STORIES + "test_a_kind_without_a_price_is_unknown_too",
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
        STORIES + "test_a_request_alone_is_admitted_whatever_its_upper_estimate",
    ),
    PlantedFault(
        BUDGET,
        "not self._reserved or self._has_room_for(asked)",
        "not self._reserved",
        BESIDE,
    ),
    PlantedFault(BUDGET, "(*self._reserved.values(), asked)", "(asked,)", BESIDE),
    PlantedFault(
        BUDGET,
        "        with self._changed:\n            del self._reserved[admission]\n",
        "        with self._changed:\n",
        STORIES + "test_a_request_alone_is_admitted_whatever_its_upper_estimate",
    ),
    PlantedFault(
        BUDGET,
        "is_affordable and weighted <= limits.tokens_max",
        "is_affordable",
        BESIDE,
    ),
    PlantedFault(
        "harness/model_proxy.py",
        "upper_estimate(len(body), max(0, asked.max_tokens))",
        "upper_estimate(0, 0)",
        SIDE_BY_SIDE,
    ),
    PlantedFault(
        "harness/model_proxy.py",
        " and far.is_success",
        "",
        STORIES + "test_a_refusal_of_the_model_costs_nothing",
    ),
    PlantedFault(USAGE, "        if told.total == told.output:\n", "        if False:\n", BY_SIZE),
    PlantedFault(USAGE, "        if not self.is_final:\n", "        if False:\n", BY_SIZE),
    PlantedFault(
        USAGE,
        'self._pending.lstrip().startswith(b"{")',
        "False",
        STORIES + "test_usage_of_a_whole_answer_is_read_however_it_is_laid_out",
    ),
    PlantedFault(
        USAGE,
        "max(0, self.cache_creation - self.cache_write_hour)",
        "self.cache_creation",
        STORIES + "test_usage_does_not_depend_on_how_the_stream_is_cut",
    ),
    PlantedFault(
        "agents/builtin.py",
        "                admitted.charge(used.charged(request_bytes, answer_bytes))\n",
        "                pass\n",
        STORIES + "test_the_builtin_agent_pays_for_answers_that_broke_off_or_count_nothing",
    ),
    PlantedFault(
        "order.py",
        "turns_max: int = 120",
        "turns_max: int = 60",
        STORIES + "test_a_command_line_agent_that_rereads_its_cache_works_for_over_sixty_turns"
        "_on_a_small_change",
    ),
    PlantedFault(
        "harness/model_proxy.py",
        "            budget.close()\n",
        "",
        STORIES + "test_a_request_that_still_waits_when_the_agent_has_ended_is_refused",
    ),
]
