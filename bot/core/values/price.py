"""What tokens cost.

An unknown price is unknown, never zero, and a sum with an unknown part is unknown. The table holds
known list prices; the policy's `prices` take precedence.
"""

from collections.abc import Mapping

from action.order import Price, find_price
from action.report import TokenUse


def _list_price(per_input: float, per_output: float) -> Price:
    # A cache is read at a tenth of the input's price; it is written at 1.25 times that price for
    # five minutes, and at twice that price for an hour ("Prompt caching").
    return Price(
        input=per_input,
        output=per_output,
        cache_read=per_input / 10,
        cache_write=per_input * 1.25,
        cache_write_hour=per_input * 2,
    )


# Anthropic's published list prices ("Pricing"); what is not here is unknown until a policy says it.
LIST_PRICES: dict[str, Price] = {
    "claude-opus-4-6": _list_price(5, 25),
    "claude-opus-4-5": _list_price(5, 25),
    "claude-sonnet-4-6": _list_price(3, 15),
    "claude-sonnet-4-5": _list_price(3, 15),
    "claude-haiku-4-5": _list_price(1, 5),
}


# What a coding agent's requests measured: Claude Code's instructions and tools are 32,000 tokens.
# Every turn reads them from the cache, writes what is new, and answers with a tool call.
AGENT_TURN = TokenUse(input=10, output=250, cache_read=32_000, cache_write=500)


def known_prices(prices: Mapping[str, Price]) -> dict[str, Price]:
    """The list prices, and the policy's in their place."""
    return {**LIST_PRICES, **prices}


def price_of(model: str, prices: Mapping[str, Price]) -> Price | None:
    """The policy's price of a model, else its list price, else None."""
    return find_price(model, known_prices(prices))


def cost(tokens: TokenUse, price: Price | None) -> float | None:
    """US dollars; None where the price is unknown and anything was used."""
    if price is None:
        return None if tokens.total else 0.0
    return price.cost(tokens)


def added(left: float | None, right: float | None) -> float | None:
    """None if one of them is unknown."""
    return None if left is None or right is None else left + right


def cache_share(tokens: TokenUse) -> float:
    """The part of the input that was read from the prompt cache, from 0 to 1."""
    read = tokens.total - tokens.output
    return tokens.cache_read / read if read else 0.0
