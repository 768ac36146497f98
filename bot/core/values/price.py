"""What tokens cost.

An unknown price is unknown, never zero, and a sum with an unknown part is unknown. The table holds
known list prices; the policy's `prices` take precedence.
"""

from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from action.report import TokenUse

Dollars = Annotated[float, Field(ge=0)]


class Price(BaseModel):
    """What a model costs, in US dollars per million tokens; a kind that is not priced is unknown."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    input: Dollars = Field(description="Tokens that it reads.")
    output: Dollars = Field(description="Tokens that it writes.")
    cache_read: Dollars | None = Field(None, description="Tokens read out of its prompt cache.")
    cache_write: Dollars | None = Field(None, description="Tokens put into its prompt cache.")


def _list_price(per_input: float, per_output: float) -> Price:
    # A cache is written at 1.25 times the input's price and read at a tenth of it ("Prompt
    # caching", five minutes to live).
    return Price(
        input=per_input,
        output=per_output,
        cache_read=per_input / 10,
        cache_write=per_input * 1.25,
    )


# Anthropic's published list prices ("Pricing"); what is not here is unknown until a policy says it.
LIST_PRICES: dict[str, Price] = {
    "claude-opus-4-6": _list_price(5, 25),
    "claude-opus-4-5": _list_price(5, 25),
    "claude-sonnet-4-6": _list_price(3, 15),
    "claude-sonnet-4-5": _list_price(3, 15),
    "claude-haiku-4-5": _list_price(1, 5),
}


def price_of(model: str, prices: Mapping[str, Price]) -> Price | None:
    """The policy's price of a model, else its list price, else None."""
    return prices.get(model) or LIST_PRICES.get(model)


def cost(tokens: TokenUse, price: Price | None) -> float | None:
    """US dollars; None where the price is unknown and anything was used."""
    if price is None:
        return None if tokens.total else 0.0
    spent = tokens.input * price.input + tokens.output * price.output
    for used, per_million in (
        (tokens.cache_read, price.cache_read),
        (tokens.cache_write, price.cache_write),
    ):
        if used and per_million is None:
            return None
        spent += used * (per_million or 0.0)
    return spent / 1e6


def added(left: float | None, right: float | None) -> float | None:
    """None if one of them is unknown."""
    return None if left is None or right is None else left + right


def cache_share(tokens: TokenUse) -> float:
    """The part of the input that was read from the prompt cache, from 0 to 1."""
    read = tokens.input + tokens.cache_read + tokens.cache_write
    return tokens.cache_read / read if read else 0.0
