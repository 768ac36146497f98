"""Events of money: what people allow beyond a budget.

Each is a small frozen value in the past tense; see `events` for the rule.
"""

from typing import Literal

from bot.core.values.ids import Frozen, SpecRunId


class BudgetRaised(Frozen):
    """A person let a spec run go on beyond its budget, for so many US cents more."""

    type: Literal["BudgetRaised"] = "BudgetRaised"
    spec_run: SpecRunId
    cents: int
    raised_by: str
