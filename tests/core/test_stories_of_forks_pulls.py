"""Stories of fork pulls in the queue: a stranger wrote the code and may change it at any time."""

from action.order import GateOrder, SandboxRule, SetupEnvironment
from bot.core.journal.effects import DispatchOrder
from bot.core.state.evidence import Judged, keys_of
from bot.core.values.ids import PullNumber
from bot.core.values.lifecycle import QueuedPullState as P
from tests.core.kit import World, read_good
from tests.core.queued_pulls import gates_of_pull, judge_pull, pull_of, queue_pulls, said_at
from tests.core.values import sha

POLICY = """\
version: 1
setup: [pip install -r requirements.txt]
egress: [pypi.org]
environment: {variables: [PIP_INDEX_URL]}
sandbox: {rule: none_allowed, allow: [mounts]}
runs_on: ours
gates:
  test: {run: pytest}
"""
FORKS = POLICY + "forks: {runs_on: [self-hosted, strangers]}\n"
HEAD = sha("head mend")


def from_fork(world: World, said: str) -> int:
    number = world.open_pull("mend", is_from_fork=True)
    world.say(number, said)
    world.settle()
    return number


def queued(world: World) -> int:
    return from_fork(world, f"/headgate queue {HEAD[:12]}")


def dispatched(world: World, number: int) -> DispatchOrder:
    order = gates_of_pull(world, number)
    return next(
        one
        for one in world.intended
        if isinstance(one, DispatchOrder) and one.order.order_id == order
    )


class TestNamedCommit:
    def test_a_person_names_the_commit_and_it_lands(self) -> None:
        world = World(FORKS)
        number = queued(world)
        assert "In the queue at place 1." in said_at(world, number)
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED

    def test_without_runners_for_forks_a_fork_pull_is_refused(self) -> None:
        world = World(POLICY)
        number = queued(world)
        assert "It comes from a fork, and its code would run" in said_at(world, number)
        assert "`forks: {runs_on: …}`" in said_at(world, number)
        assert PullNumber(number) not in world.state.queued_pulls

    def test_a_commit_must_be_named(self) -> None:
        world = World(FORKS)
        number = from_fork(world, "/headgate queue")
        assert f"`/headgate queue {HEAD[:12]}` for its current head." in said_at(world, number)
        assert PullNumber(number) not in world.state.queued_pulls

    def test_a_label_names_no_commit(self) -> None:
        world = World(FORKS)
        number = world.open_pull("mend", is_from_fork=True)
        world.label_pull(number)
        world.settle()
        assert "Name the commit that you have read" in said_at(world, number)
        assert PullNumber(number) not in world.state.queued_pulls

    def test_a_named_commit_that_is_no_longer_the_head_is_not_queued(self) -> None:
        world = World(FORKS)
        number = world.open_pull("mend", is_from_fork=True)
        world.alter_pull(number, head_sha=sha("a theft"))
        world.say(number, f"/headgate queue {HEAD[:12]}")
        world.settle()
        assert f"`{HEAD[:12]}` is not its head" in said_at(world, number)
        assert PullNumber(number) not in world.state.queued_pulls

    def test_a_push_dequeues_a_fork_pull(self) -> None:
        world = World(FORKS)
        number = queued(world)
        world.alter_pull(number, head_sha=sha("a theft"))
        world.settle()
        assert pull_of(world, number).state is P.WITHDRAWN

    def test_a_persons_pull_of_this_repository_needs_no_commit_and_may_name_one(self) -> None:
        world = World(POLICY)
        (first,) = queue_pulls(world, "mend", said=f"/headgate queue {HEAD} priority 3")
        (second,) = queue_pulls(world, "more")
        (third,) = queue_pulls(world, "less", said=f"/headgate queue {HEAD[:7]}")
        assert world.state.entry_of(pull_of(world, first)).priority == 3
        assert pull_of(world, second).state is P.WAITING
        assert "is not its head" in said_at(world, third)


class TestForkRunners:
    def test_fork_gates_run_on_the_policys_runners_without_network_or_variables(self) -> None:
        world = World(FORKS)
        effect = dispatched(world, queued(world))
        assert effect.runs_on == ("self-hosted", "strangers")
        order = effect.order
        assert isinstance(order, GateOrder)
        assert order.egress_hosts == ()
        assert order.environment == SetupEnvironment()
        assert (order.sandbox, order.sandbox_allow) == (SandboxRule.REQUIRED, ())
        assert [line.run for line in order.setup] == ["pip install -r requirements.txt"]

    def test_pulls_of_the_repository_keep_their_runners(self) -> None:
        world = World(FORKS)
        (number,) = queue_pulls(world, "mend")
        effect = dispatched(world, number)
        assert effect.runs_on == ("ours",)
        assert isinstance(effect.order, GateOrder)
        assert effect.order.egress_hosts == ("pypi.org",)

    def test_results_for_pulls_of_forks_count_for_no_other_pull(self) -> None:
        policy = read_good(FORKS)
        judged = Judged(commit=HEAD, tree=sha("a tree"), diff="d")
        theirs = {key.name for key in keys_of(policy.of_forks(), judged)}
        assert theirs.isdisjoint(key.name for key in keys_of(policy.of_pulls(), judged))

    def test_a_fork_pull_leaves_if_the_policy_loses_its_runners(self) -> None:
        world = World(FORKS)
        number = queued(world)
        world.policy_text = POLICY
        world.settle()
        assert pull_of(world, number).state is P.WITHDRAWN
        assert "It comes from a fork, and its code would run" in said_at(world, number)

    def test_a_fork_pull_cannot_bring_its_own_policy(self) -> None:
        world = World(FORKS)
        number = world.open_pull("mend", is_from_fork=True)
        world.pull_rules[PullNumber(number)] = (".github/headgate.yml",)
        world.pull_policies[PullNumber(number)] = POLICY + "forks: {runs_on: ours}\n"
        world.say(number, f"/headgate queue {HEAD[:12]}")
        world.settle()
        assert pull_of(world, number).state is P.EVICTED
        assert "Open a pull request from a branch of this repository for that." in said_at(
            world, number
        )
        assert not world.open_orders(GateOrder)


class TestMissingRunners:
    def test_lost_fork_gates_do_not_block_other_pulls_and_are_reported(self) -> None:
        world = World(FORKS)
        number = queued(world)
        (other,) = queue_pulls(world, "more")
        for _ in range(6):
            if pull_of(world, number).state is P.EVICTED:
                break
            world.pass_time(1_000)
            world.settle()
        assert not world.state.pauses
        assert pull_of(world, number).state is P.EVICTED
        assert "No runner completed its gates" in said_at(world, number)
        judge_pull(world, other)
        assert pull_of(world, other).state is P.LANDED
