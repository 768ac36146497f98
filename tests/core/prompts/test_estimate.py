"""Estimates of planning and work: calls, tokens, money, minutes."""

import pytest

from bot.core.prompts.estimate import planning_estimate, work_estimate
from bot.core.prompts.figures import Learned
from bot.core.spec.model_choice import ServerModels
from bot.core.values.model_roles import ModelRole
from bot.core.values.plan_model import ChangeSize
from tests.core.plan.kit import change, plan_of, requirement, spec
from tests.core.test_stories_of_planning_in_parts import large
from tests.core.values import policy

SERVER = ServerModels(can_ask=True)
GATES_ONLY = "version: 1\n"
KNOWN = {
    ChangeSize.S: Learned(runs=3, tokens=100, dollars=0.1, minutes=4),
    ChangeSize.M: Learned(runs=3, tokens=1_000, dollars=1.0, minutes=10),
}


def test_a_small_spec_is_one_call_and_a_large_one_three_phases() -> None:
    small = planning_estimate(spec(requirement("A")), policy(GATES_ONLY), SERVER)
    assert small.calls == 1
    assert planning_estimate(large(), policy(GATES_ONLY), SERVER).calls == 1 + 6 + 1


def test_the_price_is_that_of_the_models_that_are_used() -> None:
    prices = "prices:\n  m1: {input: 10, output: 0}\n"
    named = "".join(f"  {role}: m1\n" for role in ModelRole if role.startswith("plan."))
    told = planning_estimate(large(), policy(f"{GATES_ONLY}models:\n{named}{prices}"), SERVER)
    assert told.dollars is not None
    cheap = planning_estimate(large(), policy(f"{GATES_ONLY}profile: economy\n"), SERVER)
    assert cheap.tokens == told.tokens
    assert cheap.dollars is not None
    assert told.dollars == pytest.approx((told.tokens - 2_500 - 120 * 85) * 10 / 1e6)


def test_an_unknown_price_makes_the_sum_unknown() -> None:
    offered = ServerModels(can_ask=True, offered=("mine",))
    text = f"{GATES_ONLY}models:\n  plan.brief: mine\n"
    assert planning_estimate(large(), policy(text), offered).dollars is None


def test_the_work_is_summed_by_size_and_side_by_side() -> None:
    small = change("a", ["A"]).model_copy(update={"size": ChangeSize.S})
    whole = change("b", ["B"])
    told = work_estimate(plan_of(small, whole, whole), policy(GATES_ONLY), SERVER, KNOWN)
    by = told.by_size
    assert told.tokens == 2_100
    assert told.dollars == pytest.approx(2.1)
    assert (by[ChangeSize.S].dollars_max, by[ChangeSize.M].dollars_max) == (1.0, 2.0)
    assert told.side_by_side == 3
    assert told.minutes == -(-(4 + 10 + 10) // 3)


def test_the_work_estimate_is_unknown_without_measured_attempts() -> None:
    small = change("a", ["A"]).model_copy(update={"size": ChangeSize.S})
    whole = change("b", ["B"])
    known = {ChangeSize.S: KNOWN[ChangeSize.S]}
    told = work_estimate(plan_of(small, whole), policy(GATES_ONLY), SERVER, known)
    assert (told.tokens, told.dollars, told.minutes) == (None, None, None)
    assert told.by_size[ChangeSize.S].tokens == 100


def test_without_a_price_there_is_no_limit_in_dollars() -> None:
    text = f"{GATES_ONLY}agent: {{model: mine}}\n"
    told = work_estimate(plan_of(change("a", ["A"])), policy(text), SERVER, {})
    mine = told.by_size[ChangeSize.M]
    assert (mine.dollars_max, mine.tokens_max) == (None, 5_000_000)
