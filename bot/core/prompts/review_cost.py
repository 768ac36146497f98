"""What a review may cost, before any of it is asked."""

from collections.abc import Iterable, Mapping, Sequence

from action.order import Price
from action.report import TokenUse
from bot.core.prompts.figures import Estimate
from bot.core.prompts.plan_layout import tokens_of
from bot.core.prompts.review_prompt import ANSWER_TOKENS_MAX, material_of
from bot.core.values.price import cost, price_of
from gates.graded.rounds import ReviewPrompt

# The rules and the form of the answer, which are some 700 by their letters.
_RULES_TOKENS = 1_500
# Code has fewer letters a token than prose.
_DENSITY = 1.5


def upper_cost(
    prompts: Iterable[ReviewPrompt], models: Sequence[str], prices: Mapping[str, Price]
) -> Estimate:
    """One answer of full length to each prompt, by the dearest of the models; without a price it is unknown."""
    asked = tuple(prompts)
    use = TokenUse(
        input=sum(round(_DENSITY * tokens_of(material_of(q))) + _RULES_TOKENS for q in asked),
        output=ANSWER_TOKENS_MAX * len(asked),
    )
    each = [cost(use, price) for model in models if (price := price_of(model, prices))]
    known = [dollars for dollars in each if dollars is not None]
    return Estimate(calls=len(asked), tokens=use.total, dollars=max(known, default=None))


def over_budget(upper: Estimate, spent: float | None, dollars_max: float) -> str:
    """Why these prompts are not asked; empty: they are. What has no price counts nothing."""
    before = spent or 0.0
    if upper.dollars is None or before + upper.dollars <= dollars_max:
        return ""
    told = f" ({rounded_up(before)} are spent)" if before else ""
    return (
        f"to read it may cost {rounded_up(upper.dollars)}{told}, and `dollars_max` of this gate's `review` "
        f"allows {rounded_up(dollars_max)}. Raise it in the policy, or make the change smaller."
    )


def rounded_up(amount: float) -> str:
    return f"${-(-amount * 100 // 1) / 100:.2f}"
