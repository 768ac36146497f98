"""Mistakes of an owner are shown in a check run and the log until they are fixed."""

import pytest

from action.order import AgentOrder
from action.report import Obstacle
from bot.core.journal import effects as ef
from bot.core.talk.news_text import news, standing
from bot.core.values.check_run import Conclusion
from bot.core.values.rules import BranchRule, Bypass, RepositoryRules
from tests.core.kit import World, approved
from tests.core.values import GATES, beside

SETUP = GATES + "setup:\n  - run: npm ci\n"
UNKNOWN_GATE = "version: 1\ngates:\n  tested:\n    builtin: test\n"


def told(world: World, name: str) -> list[tuple[Conclusion | None, str]]:
    """What a check run said, each time."""
    made = [e.text for e in world.intended if isinstance(e, ef.PublishCheckRun)]
    return [(text.conclusion, text.summary) for text in made if text.name == name]


def logged(world: World) -> list[str]:
    """Every sentence of the log, as the server writes them."""
    return [f"{event}: {says}" for event, says in news(world.journal, world.state)]


def without_a_runner() -> World:
    world = approved(beside(1))
    world.pass_time(1_000)
    world.settle()
    return world


def test_a_missing_runner_is_reported_until_one_is_online() -> None:
    world = without_a_runner()
    ((conclusion, says),) = told(world, "headgate/orders")
    assert conclusion is Conclusion.ACTION_REQUIRED
    assert "No runner takes the jobs of `headgate-agent.yml`. Start a self-hosted runner" in says
    assert any(line.startswith("orders_wait: No runner takes") for line in logged(world))
    assert any("Start a self-hosted runner" in line for line in standing(world.state))
    world.pass_time(60)
    world.settle()
    world.work()
    assert told(world, "headgate/orders")[-1][0] is Conclusion.SUCCESS
    assert standing(world.state) == []


def test_a_long_wait_updates_one_check_run() -> None:
    world = without_a_runner()
    for _ in range(3):
        world.pass_time(5_000)
        world.settle()
    assert len(told(world, "headgate/orders")) == 1


def test_further_problems_are_added_to_the_same_check_run() -> None:
    world = without_a_runner()
    world.pass_time(60)
    world.settle()
    world.defer(world.open_orders(AgentOrder)[0], Obstacle.SANDBOX_REFUSED)
    world.settle()
    told_of = [e for e in world.intended if isinstance(e, ef.PublishCheckRun)]
    ours = [e for e in told_of if e.text.name == "headgate/orders"]
    assert len({e.external_id for e in ours}) == 1
    assert [e.updates for e in ours] == [False, *[True] * (len(ours) - 1)]
    assert "The runner has no working sandbox." in ours[-1].text.summary


def test_an_unreachable_model_is_not_reported_as_bad_input() -> None:
    world = approved(beside(1))
    world.defer(world.open_orders(AgentOrder)[0], Obstacle.MODEL_AWAY)
    world.settle()
    assert world.state.pauses
    assert told(world, "headgate/orders") == []
    assert standing(world.state) == []


def test_an_unknown_gate_is_named_with_its_line() -> None:
    world = World(GATES)
    world.policy_text = UNKNOWN_GATE
    world.push_code("policy")
    world.settle()
    ((_, says),) = told(world, "headgate/policy")
    assert "gates.tested.builtin" in says
    (line,) = [one for one in logged(world) if one.startswith("policy_refused")]
    assert ".github/headgate.yml, line 4: `gates.tested.builtin`" in line
    assert standing(world.state) == [line.removeprefix("policy_refused: ")]


def test_a_missing_permission_is_logged() -> None:
    world = World()
    world.rules = RepositoryRules(branch="main", lacks=("checks: write",))
    world.tick()
    (line,) = [one for one in logged(world) if one.startswith("rule_in_the_way")]
    assert "lacks checks: write. An owner" in line


@pytest.mark.parametrize("kind", ["update", "pull_request", "merge_queue"])
@pytest.mark.parametrize("landing", ["exact", "github"])
def test_a_rule_in_the_way_is_logged_unless_the_policy_leaves_it_to_github(
    kind: str, landing: str
) -> None:
    world = World(f"{GATES}landing: {landing}\n")
    rule = BranchRule(kind=kind, ruleset="R", bypass=Bypass.NEVER)
    world.rules = RepositoryRules(branch="main", rules=(rule,))
    world.tick()
    lines = [one for one in logged(world) if one.startswith("rule_in_the_way")]
    assert bool(lines) is (landing == "exact" or kind == "update")


@pytest.mark.parametrize("runs_on", ["", "runs_on: ubuntu-latest\n"])
def test_a_missing_runner_is_not_logged_before_an_order_waits_for_it(runs_on: str) -> None:
    world = World(f"{GATES}{runs_on}")
    world.rules = RepositoryRules(branch="main", labels_online=("linux",))
    world.tick()
    assert world.state.rules == world.rules
    assert logged(world) == []


def test_a_missing_runner_is_logged_once_an_order_waits_for_it() -> None:
    world = approved(beside(1))
    world.pass_time(901)
    world.settle()
    assert any(one.startswith("orders_wait: No runner takes the jobs of") for one in logged(world))


def test_the_reason_for_a_waiting_order_is_logged_on_one_line() -> None:
    world = approved(beside(1), SETUP)
    world.defer(world.open_orders(AgentOrder)[0], Obstacle.SETUP_FAILED, "npm:\nE404")
    world.settle()
    assert all("\n" not in line for line in logged(world))
