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
    return together(use, ModelUse(calls=1, tokens=call.tokens, dollars=call.dollars))


def together(left: ModelUse, right: ModelUse) -> ModelUse:
    return ModelUse(
        calls=left.calls + right.calls,
        tokens=left.tokens + right.tokens,
        dollars=added(left.dollars, right.dollars),
    )
