"""Faults in budgets, prices and estimates, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

CHOICE = "core/spec/test_model_choice.py::TestBudget::"
ESTIMATES = "core/prompts/test_estimate.py::"
QUESTIONS = "core/test_stories_of_questions.py::"
PRICES = "core/spec/test_price.py::"
AGENT_BUDGET, ESTIMATE = "core/spec/agent_budget.py", "core/prompts/estimate.py"
CLARIFY = "core/decide/changes/wait_for_answers.py"

BUDGET_FAULTS = [
    PlantedFault(
        AGENT_BUDGET,
        "_SMALL_SHARE if size is ChangeSize.S else 1.0",
        "1.0",
        CHOICE + "test_a_small_change_gets_half",
    ),
    PlantedFault(
        AGENT_BUDGET,
        "* share if said is None else said",
        "* share if size is None else said",
        CHOICE + "test_a_size_that_names_a_model_only_keeps_the_limits",
    ),
    PlantedFault(
        AGENT_BUDGET,
        "known_prices(policy.file.prices)",
        "policy.file.prices",
        CHOICE + "test_an_order_brings_the_prices_that_are_known",
    ),
    PlantedFault(
        "core/values/price.py",
        "{**LIST_PRICES, **prices}",
        "{**prices, **LIST_PRICES}",
        PRICES + "test_the_policys_price_comes_first",
    ),
    PlantedFault(
        "core/values/price.py",
        "cache_write_hour=per_input * 2",
        "cache_write_hour=per_input * 1.25",
        PRICES + "test_an_hour_in_the_cache_costs_twice_the_input",
    ),
    PlantedFault(
        CLARIFY,
        "limits.dollars_max - sum(costs)",
        "limits.dollars_max",
        QUESTIONS + "test_usage_before_the_question_counts",
    ),
    PlantedFault(
        CLARIFY,
        "round(max(0.0, limits.dollars_max - sum(costs)), 6)",
        "round(limits.dollars_max - sum(costs), 6)",
        QUESTIONS + "test_usage_before_the_question_counts",
    ),
    PlantedFault(
        CLARIFY,
        "run.tokens.weighted for run",
        "run.tokens.total for run",
        QUESTIONS + "test_cache_reads_before_the_question_count_a_tenth",
    ),
    PlantedFault(
        ESTIMATE,
        "agent.limits.dollars_max if has_price else None",
        "agent.limits.dollars_max",
        ESTIMATES + "test_without_a_price_there_is_no_limit_in_dollars",
    ),
]
