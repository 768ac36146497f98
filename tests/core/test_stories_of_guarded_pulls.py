"""Stories of queued pulls that delete requirements the policy protects."""

import pytest

from bot.core.spec.proposal import ProposedSpec, PullSnapshot
from bot.core.state.queue_view import Wait, queue_view
from bot.core.values.ids import PullNumber
from bot.core.values.lifecycle import QueuedPullState as P
from tests.core.kit import World
from tests.core.queued_pulls import judge_pull, pull_of, queue_pulls, said_at
from tests.core.values import GATES, PATH, chain, requirement, sha, spec

FAIL = f"{GATES}losses: fail\n"


def _reads(world: World, number: int, *, loses: bool, head: str) -> None:
    """Headgate has read the pull's spec at a head: a requirement of main is gone, or it is not."""
    told = chain()
    before = spec(*told.requirements, requirement("D", "door")) if loses else told
    one = ProposedSpec(path=PATH, is_work=True, before=before, head=told, merged=told)
    world.snapshots[PullNumber(number)] = PullSnapshot(
        number=PullNumber(number), head=sha(head), specs=(one,)
    )
    world.settle()


def test_a_pull_that_deletes_a_requirement_is_refused_with_the_reason() -> None:
    world = World(FAIL)
    number = world.open_pull("mend")
    _reads(world, number, loses=True, head="head mend")
    world.say(number, "/headgate queue")
    world.settle()
    assert "It does not land, because of what it removes from a spec" in said_at(world, number)
    assert "is deleted here" in said_at(world, number)
    assert [one.waits_for for one in queue_view(world.state, world.now)] == [Wait.SPEC]
    assert "is deleted here" in world.check_runs[f"queue:pull-{number}:1"].summary
    (other,) = queue_pulls(world, "other")
    judge_pull(world, other)
    assert pull_of(world, other).state is P.LANDED
    assert pull_of(world, PullNumber(number)).state is not P.LANDED


def test_a_loss_found_while_gates_run_prevents_the_landing() -> None:
    world = World(FAIL)
    (number,) = queue_pulls(world, "mend")
    _reads(world, number, loses=True, head="head mend")
    judge_pull(world, number)
    assert pull_of(world, number).state is P.QUEUED
    _reads(world, number, loses=False, head="head mend")
    assert pull_of(world, number).state is P.LANDED


def test_a_loss_at_another_head_does_not_count() -> None:
    world = World(FAIL)
    (number,) = queue_pulls(world, "mend")
    _reads(world, number, loses=True, head="a head before")
    judge_pull(world, number)
    assert pull_of(world, number).state is P.LANDED


@pytest.mark.parametrize("guard", ["warn", "'off'"])
def test_a_pull_with_a_loss_lands_unless_the_policy_says_fail(guard: str) -> None:
    world = World(f"{GATES}losses: {guard}\n")
    (number,) = queue_pulls(world, "mend")
    _reads(world, number, loses=True, head="head mend")
    judge_pull(world, number)
    assert pull_of(world, number).state is P.LANDED
