"""The sum of what models were asked for one thing; a sum with an unknown part is unknown."""

from dataclasses import dataclass, field

from action.report import TokenUse
from bot.core.values.price import added
from bot.core.values.prompt import ModelCall


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelUse:
    """Calls, tokens and US dollars; `dollars` None: the price of a part is unknown."""

    calls: int = 0
    tokens: TokenUse = field(default_factory=TokenUse)
    dollars: float | None = 0.0


def with_call(use: ModelUse, call: ModelCall) -> ModelUse:
    return ModelUse(
        calls=use.calls + 1,
        tokens=use.tokens + call.tokens,
        dollars=added(use.dollars, call.dollars),
    )
