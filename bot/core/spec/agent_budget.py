"""What an agent gets for a change: its budget and its model, by the change's size.

The policy's table of sizes comes first, then the choice of models. The harness keeps the budget.
"""

from action.order import AgentSettings
from bot.core.spec.model_choice import Resolved, ServerModels, resolve
from bot.core.spec.policy import Policy
from bot.core.values.model_roles import ModelRole
from bot.core.values.plan_model import ChangeSize
from bot.core.values.price import known_prices

# A small change that needs more than half of the whole budget is not small, or makes no progress.
_SMALL_SHARE = 0.5

_ROLES = {ChangeSize.S: ModelRole.AGENT_SMALL, ChangeSize.M: ModelRole.AGENT}


def agent_settings(policy: Policy, server: ServerModels, size: ChangeSize) -> AgentSettings:
    agent = policy.agent
    entry = policy.file.sizes.get(size)
    dollars_max = policy.file.agent.dollars_max
    if size is ChangeSize.S:
        dollars_max *= _SMALL_SHARE
    limits = {"dollars_max": dollars_max}
    model = None
    if entry is not None:
        limits |= entry.model_dump(include={"dollars_max", "tokens_max"}, exclude_none=True)
        model = entry.model
    if model is None:
        found = resolve(_ROLES[size], policy, server)
        model = found.models[0] if isinstance(found, Resolved) else agent.model
    return agent.model_copy(
        update={
            "model": model,
            "limits": agent.limits.model_copy(update=limits),
            "prices": known_prices(policy.file.prices),
        }
    )
