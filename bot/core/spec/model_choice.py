"""Which models answer for a role: the first of five tiers that names one.

Command line, environment, repository policy, profile, defaults. The result says which tier it comes
from. An unknown role or model is refused with its tier, never replaced by another.
"""

from enum import StrEnum

from bot.core.spec.policy import Policy
from bot.core.values.ids import Frozen
from bot.core.values.model_roles import CHAINS, DEFAULTS, PROFILES, ModelRole
from bot.core.values.price import LIST_PRICES


class Tier(StrEnum):
    """The highest tier first."""

    COMMAND_LINE = "command line"
    ENVIRONMENT = "environment"
    POLICY = "repository policy"
    PROFILE = "profile"
    DEFAULT = "default"


class ModelSetting(Frozen):
    """The value of a role in one tier; `where` names the option, variable, line or table."""

    role: str
    value: str
    tier: Tier
    where: str


class ServerModels(Frozen):
    """This server's models: whether any can be asked, what its owner set, what is available."""

    can_ask: bool = False
    settings: tuple[ModelSetting, ...] = ()
    offered: tuple[str, ...] = ()


class Resolved(Frozen):
    """The models of a role, in the order in which they are tried."""

    role: ModelRole
    value: str
    models: tuple[str, ...]
    tier: Tier
    where: str


class ModelRefusal(Frozen):
    role: str
    tier: Tier
    sentence: str


def resolve(role: ModelRole, policy: Policy, server: ServerModels) -> Resolved | ModelRefusal:
    """The models of a role, or the first reason why it has none."""
    for setting in server.settings:
        if setting.role not in set(ModelRole):
            return _unknown_role(setting)
    setting = next(s for s in _said(role, policy, server) if s is not None)
    chains = CHAINS | policy.file.chains
    models = chains.get(setting.value, (setting.value,))
    known = {*LIST_PRICES, *policy.file.prices, *server.offered}
    if setting.role in {ModelRole.AGENT, ModelRole.AGENT_SMALL}:
        # An agent's model is used on the team's own runner, which may have its own names for models.
        known |= set(models)
    for model in models:
        if model not in known:
            return _unknown_model(setting, model)
    return Resolved(
        role=role, value=setting.value, models=models, tier=setting.tier, where=setting.where
    )


def _said(role: ModelRole, policy: Policy, server: ServerModels) -> tuple[ModelSetting | None, ...]:
    """Each tier's value for a role, highest tier first; the last one always has a value."""
    by_tier = {
        tier: next((s for s in server.settings if s.role == role and s.tier is tier), None)
        for tier in (Tier.COMMAND_LINE, Tier.ENVIRONMENT)
    }
    profile = PROFILES[policy.file.profile].get(role)
    return (
        by_tier[Tier.COMMAND_LINE],
        by_tier[Tier.ENVIRONMENT],
        _by_policy(role, policy),
        ModelSetting(
            role=role, value=profile, tier=Tier.PROFILE, where=f"profile {policy.file.profile}"
        )
        if profile
        else None,
        ModelSetting(role=role, value=DEFAULTS[role], tier=Tier.DEFAULT, where="built in"),
    )


def _by_policy(role: ModelRole, policy: Policy) -> ModelSetting | None:
    named = policy.file.models.get(role)
    if named is not None:
        where = f"models, {policy.origins.get('models', 'default')}"
        return ModelSetting(role=role, value=named, tier=Tier.POLICY, where=where)
    is_agent = role in {ModelRole.AGENT, ModelRole.AGENT_SMALL}
    if is_agent and "model" in policy.file.agent.model_fields_set:
        where = f"agent.model, {policy.origins.get('agent', 'default')}"
        value = policy.file.agent.model
        return ModelSetting(role=role, value=value, tier=Tier.POLICY, where=where)
    return None


def _unknown_role(setting: ModelSetting) -> ModelRefusal:
    known = ", ".join(ModelRole)
    return ModelRefusal(
        role=setting.role,
        tier=setting.tier,
        sentence=f"The {setting.tier} ({setting.where}) names the role {setting.role!r}, which "
        f"there is not; the roles are {known}.",
    )


def _unknown_model(setting: ModelSetting, model: str) -> ModelRefusal:
    return ModelRefusal(
        role=setting.role,
        tier=setting.tier,
        sentence=f"The {setting.tier} ({setting.where}) sets {setting.role} to {setting.value!r}, "
        f"and nobody here knows a model or chain {model!r}: give it a price in the policy's "
        "`prices`, or offer it in HEADGATE_MODEL_PROVIDERS.",
    )
