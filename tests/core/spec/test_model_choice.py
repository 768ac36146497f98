"""Five tiers for every model role: which one wins, and which tier an error names."""

import pytest

from action.order import AgentLimits
from bot.core.spec.agent_budget import agent_settings
from bot.core.spec.model_choice import (
    ModelRefusal,
    ModelSetting,
    Resolved,
    ServerModels,
    Tier,
    resolve,
)
from bot.core.values.model_roles import CHAINS, DEFAULTS, PROFILES, ModelRole
from bot.core.values.plan_model import ChangeSize
from bot.core.values.price import LIST_PRICES
from tests.core.values import policy

MERGE = ModelRole.PLAN_MERGE


def said(tier: Tier, value: str, role: str = MERGE) -> ModelSetting:
    return ModelSetting(role=role, value=value, tier=tier, where="there")


def found(text: str, *settings: ModelSetting, role: ModelRole = MERGE) -> Resolved:
    answer = resolve(role, policy(text), ServerModels(settings=settings))
    assert isinstance(answer, Resolved)
    return answer


POLICY = "profile: economy\nmodels: {plan.merge: claude-haiku-4-5}\n"


def test_each_tier_beats_those_below_it() -> None:
    line = said(Tier.COMMAND_LINE, "claude-opus-4-5")
    environment = said(Tier.ENVIRONMENT, "claude-sonnet-4-5")
    assert found(POLICY, environment, line).tier is Tier.COMMAND_LINE
    assert found(POLICY, environment).models == ("claude-sonnet-4-5",)
    assert found(POLICY).where == "models, line 2"
    assert found("profile: economy\n").tier is Tier.PROFILE
    assert found("version: 1\n").tier is Tier.DEFAULT


def test_models_of_a_chain_are_called_from_left_to_right() -> None:
    text = "chains: {mine: [claude-haiku-4-5, claude-opus-4-6]}\nmodels: {plan.merge: mine}\n"
    assert found(text).models == ("claude-haiku-4-5", "claude-opus-4-6")


@pytest.mark.parametrize("tier", [Tier.COMMAND_LINE, Tier.ENVIRONMENT])
def test_an_unknown_model_is_refused_under_its_tier(tier: Tier) -> None:
    server = ServerModels(settings=(said(tier, "gpt-nope"),))
    answer = resolve(MERGE, policy(POLICY), server)
    assert isinstance(answer, ModelRefusal)
    assert answer.tier is tier
    assert "gpt-nope" in answer.sentence


def test_an_unknown_role_is_refused_for_every_role() -> None:
    server = ServerModels(settings=(said(Tier.ENVIRONMENT, "claude-opus-4-6", "plan.brif"),))
    answer = resolve(MERGE, policy(POLICY), server)
    assert isinstance(answer, ModelRefusal)
    assert "'plan.brif'" in answer.sentence


def test_a_model_is_known_by_a_price_or_by_a_provider() -> None:
    priced = "prices: {m1: {input: 1, output: 2}}\nmodels: {plan.merge: m1}\n"
    assert found(priced).models == ("m1",)
    server = ServerModels(offered=("m2",))
    answer = resolve(MERGE, policy("models: {plan.merge: m2}\n"), server)
    assert isinstance(answer, Resolved)


def test_everything_built_in_is_known() -> None:
    for name in [*DEFAULTS.values(), *(v for p in PROFILES.values() for v in p.values())]:
        for model in CHAINS.get(name, (name,)):
            text = f"models: {{plan.merge: {model}}}\n"
            assert found(text).models == (model,)


class TestBudget:
    """The limits of an agent by the size of its change."""

    def test_a_small_change_gets_half(self) -> None:
        small = agent_settings(policy("version: 1\n"), ServerModels(), ChangeSize.S)
        whole = agent_settings(policy("version: 1\n"), ServerModels(), ChangeSize.M)
        assert whole.limits == AgentLimits(
            dollars_max=2.0, tokens_max=5_000_000, turns_max=120, agent_timeout_seconds=1_800
        )
        assert small.limits == whole.limits.model_copy(update={"dollars_max": 1.0})

    def test_the_table_comes_first(self) -> None:
        text = (
            "agent: {model: m0, dollars_max: 9, tokens_max: 8}\n"
            "sizes: {S: {tokens_max: 7, dollars_max: 3, model: m1}}\n"
        )
        small = agent_settings(policy(text), ServerModels(), ChangeSize.S)
        assert (small.model, small.limits.tokens_max) == ("m1", 7)
        assert small.limits.dollars_max == 3
        whole = agent_settings(policy(text), ServerModels(), ChangeSize.M)
        assert (whole.limits.tokens_max, whole.limits.dollars_max) == (8, 9)
        assert whole.model == "m0"

    def test_a_size_that_names_a_model_only_keeps_the_limits(self) -> None:
        small = agent_settings(policy("sizes: {S: {model: m1}}\n"), ServerModels(), ChangeSize.S)
        assert (small.limits.dollars_max, small.limits.tokens_max) == (1.0, 5_000_000)

    def test_an_order_brings_the_prices_that_are_known(self) -> None:
        text = "prices: {m1: {input: 1, output: 2}, claude-opus-4-6: {input: 4, output: 5}}\n"
        prices = agent_settings(policy(text), ServerModels(), ChangeSize.M).prices
        assert prices["m1"].output == 2
        assert prices["claude-opus-4-6"].input == 4
        assert prices["claude-haiku-4-5"] == LIST_PRICES["claude-haiku-4-5"]

    def test_a_role_beats_the_agents_model(self) -> None:
        text = "agent: {model: m0}\nmodels: {agent.small: m9}\n"
        assert agent_settings(policy(text), ServerModels(), ChangeSize.S).model == "m9"
