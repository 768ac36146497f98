"""The cost of usage as the API reports it; unknown prices stay unknown."""

import pytest
from anthropic.types import Usage

from action.order import Price
from action.report import TokenUse
from bot.core.values.price import added, cache_share, cost, price_of

# Usage objects in the form of the Messages API: a cold call, a warm one, one with thinking.
RECORDED = [
    (
        '{"input_tokens": 2095, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,'
        ' "output_tokens": 503, "service_tier": "standard"}',
        (2095 * 3 + 503 * 15) / 1e6,
    ),
    (
        '{"input_tokens": 21, "cache_creation_input_tokens": 188086, "cache_read_input_tokens": 0,'
        ' "output_tokens": 393, "cache_creation": {"ephemeral_5m_input_tokens": 188086,'
        ' "ephemeral_1h_input_tokens": 0}}',
        (21 * 3 + 188086 * 3.75 + 393 * 15) / 1e6,
    ),
    (
        '{"input_tokens": 21, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 188086,'
        ' "output_tokens": 393, "output_tokens_details": {"thinking_tokens": 120}}',
        (21 * 3 + 188086 * 0.3 + 393 * 15) / 1e6,
    ),
]


def use_of(recorded: str) -> TokenUse:
    usage = Usage.model_validate_json(recorded)
    return TokenUse(
        input=usage.input_tokens,
        output=usage.output_tokens,
        cache_read=usage.cache_read_input_tokens or 0,
        cache_write=usage.cache_creation_input_tokens or 0,
    )


@pytest.mark.parametrize(("recorded", "dollars"), RECORDED)
def test_recorded_usage_is_priced_by_the_list(recorded: str, dollars: float) -> None:
    assert cost(use_of(recorded), price_of("claude-sonnet-4-6", {})) == pytest.approx(dollars)


def test_the_policys_price_comes_first() -> None:
    own = {"claude-sonnet-4-6": Price(input=1, output=1)}
    assert cost(TokenUse(input=1_000_000), price_of("claude-sonnet-4-6", own)) == 1.0


def test_an_unknown_price_is_unknown_and_so_is_every_sum_with_it() -> None:
    assert cost(TokenUse(input=1), price_of("m?", {})) is None
    assert added(0.5, None) is None
    assert added(None, 0.5) is None


def test_an_unpriced_cache_makes_the_cost_unknown() -> None:
    own = Price(input=1, output=1)
    assert cost(TokenUse(input=1, cache_read=1), own) is None
    assert cost(TokenUse(input=1_000_000), own) == 1.0


def test_zero_tokens_cost_nothing_with_any_price() -> None:
    assert cost(TokenUse(), None) == 0.0


def test_the_cache_share_is_relative_to_input_tokens() -> None:
    assert cache_share(TokenUse(input=10, cache_read=90, output=500)) == 0.9
    assert cache_share(TokenUse()) == 0.0


@pytest.mark.parametrize(
    ("model", "is_known"),
    [
        ("claude-haiku-4-5-20251001", True),
        ("claude-haiku-4-5", True),
        ("claude-haiku-4-5-2025", False),
        ("claude-haiku-4", False),
        ("my-claude-haiku-4-5", False),
    ],
)
def test_a_dated_name_has_the_price_of_the_plain_one(model: str, is_known: bool) -> None:
    assert (price_of(model, {}) == price_of("claude-haiku-4-5", {})) is is_known


def test_an_hour_in_the_cache_costs_twice_the_input() -> None:
    hour = TokenUse(cache_write_hour=1_000_000)
    assert cost(hour, price_of("claude-sonnet-4-6", {})) == 6.0
    assert cost(hour, Price(input=3, output=15, cache_write=3.75)) is None
