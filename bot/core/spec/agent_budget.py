"""What an agent gets for a change: its budget and its model, by the change's size.

The policy's table of sizes comes first, then the choice of models. The harness keeps the budget.
"""

from action.order import AgentSettings
from bot.core.spec.model_choice import Resolved, ServerModels, resolve
from bot.core.spec.policy import Policy
from bot.core.spec.policy_file import SizeEntry
from bot.core.values.model_roles import ModelRole
from bot.core.values.plan_model import ChangeSize
from bot.core.values.price import known_prices

# A small change that needs more than half of the whole budget is not small, or makes no progress.
_SMALL_SHARE = 0.5

_ROLES = {
    ChangeSize.S: ModelRole.AGENT_SMALL,
    ChangeSize.M: ModelRole.AGENT,
    ChangeSize.L: ModelRole.AGENT,
}


def agent_settings(policy: Policy, server: ServerModels, size: ChangeSize) -> AgentSettings:
    agent = policy.agent
    entry = policy.file.sizes.get(size) or SizeEntry()
    model = entry.model
    if model is None:
        found = resolve(_ROLES[size], policy, server)
        model = found.models[0] if isinstance(found, Resolved) else agent.model
    tokens_max = entry.tokens_max or agent.limits.tokens_max
    return agent.replace(
        model=model,
        limits=agent.limits.replace(
            dollars_max=attempt_dollars(policy, size), tokens_max=tokens_max
        ),
        prices=known_prices(policy.file.prices),
    )


def attempt_dollars(policy: Policy, size: ChangeSize) -> float:
    said = (policy.file.sizes.get(size) or SizeEntry()).dollars_max
    share = _SMALL_SHARE if size is ChangeSize.S else 1.0
    return policy.file.agent.dollars_max * share if said is None else said
