"""What an agent gets for a change: its token budget and its model, by the change's size.

The policy's table of sizes comes first, then the choice of models. The harness counts the tokens.
"""

from action.order import AgentSettings
from bot.core.spec.model_choice import Resolved, ServerModels, resolve
from bot.core.spec.policy import Policy
from bot.core.values.model_roles import ModelRole
from bot.core.values.plan_model import ChangeSize

# A small change that needs more than half of the whole budget is not small, or makes no progress.
_SMALL_SHARE = 2

_ROLES = {ChangeSize.S: ModelRole.AGENT_SMALL, ChangeSize.M: ModelRole.AGENT}


def agent_settings(policy: Policy, server: ServerModels, size: ChangeSize) -> AgentSettings:
    agent = policy.agent
    entry = policy.file.sizes.get(size)
    tokens_max = agent.limits.tokens_max // (_SMALL_SHARE if size is ChangeSize.S else 1)
    model = None
    if entry is not None:
        tokens_max = entry.tokens_max or tokens_max
        model = entry.model
    if model is None:
        found = resolve(_ROLES[size], policy, server)
        model = found.models[0] if isinstance(found, Resolved) else agent.model
    limits = agent.limits.model_copy(update={"tokens_max": max(tokens_max, 1)})
    return agent.model_copy(update={"model": model, "limits": limits})
