"""What the owner of a fork can do with a pull that a person of the repository queued."""

import pytest

from action.order import GateOrder, SandboxRule, SetupEnvironment
from bot.core.values.lifecycle import QueuedPullState as P
from tests.core.kit import World
from tests.core.queued_pulls import pull_of, said_at
from tests.core.test_stories_of_forks_pulls import FORKS, HEAD, dispatched, from_fork, queued
from tests.core.values import sha


@pytest.mark.attack(
    "A fork's owner pushes other code after a person has read the pull, before the command is carried out",
    held="the command names the commit: `bot.core.decide.people.queue_pull.queue`",
)
def test_code_that_no_approver_has_read_is_not_run() -> None:
    world = World(FORKS)
    number = world.open_pull("mend", is_from_fork=True)
    world.alter_pull(number, head_sha=sha("a theft"))
    world.say(number, f"/headgate queue {HEAD[:12]}")
    world.settle()
    assert not world.open_orders(GateOrder)


@pytest.mark.attack(
    "A fork's owner pushes other code while the pull is in the queue",
    held="the head is bound, and read again inside the landing: `bot.core.talk.queue_text.why_out`",
)
def test_a_push_to_the_fork_removes_the_pull_from_the_queue() -> None:
    world = World(FORKS)
    number = queued(world)
    world.alter_pull(number, head_sha=sha("a theft"))
    world.settle()
    assert pull_of(world, number).state is P.WITHDRAWN
    assert not world.open_orders(GateOrder)


@pytest.mark.attack(
    "A fork's set-up or tests look for tokens of the team's registries, or send away what they find",
    held="neither hosts, variables nor a weaker sandbox: `bot.core.spec.policy.Policy.of_forks`",
)
def test_a_strangers_code_gets_no_variables_and_no_network() -> None:
    world = World(FORKS)
    order = dispatched(world, queued(world)).order
    assert isinstance(order, GateOrder)
    assert (order.egress_hosts, order.environment) == ((), SetupEnvironment())
    assert (order.sandbox, order.sandbox_allow) == (SandboxRule.REQUIRED, ())


@pytest.mark.attack(
    "A fork's code stays on a runner that later holds an agent's lease",
    held="it runs on the runners that `forks` names, or not at all: `bot.core.spec.policy.Policy.of_forks`",
)
def test_a_strangers_code_does_not_run_on_the_teams_own_runners() -> None:
    world = World(FORKS)
    assert dispatched(world, queued(world)).runs_on == ("self-hosted", "strangers")
    without = World(FORKS.split("forks:")[0])
    number = from_fork(without, f"/headgate queue {HEAD[:12]}")
    assert "It comes from a fork, and its code would run" in said_at(without, number)
    assert not without.open_orders(GateOrder)
