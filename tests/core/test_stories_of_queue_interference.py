"""People interfere with a queue: nothing lands unqueued, and nothing lands twice."""

from itertools import permutations

import pytest

from action.order import GateOrder
from bot.core.journal.branches import branch_of_pull, on
from bot.core.journal.effects import BuildPull, OpenIssue
from bot.core.journal.events import QueueFrozen, QueueThawed
from bot.core.state.observed import Hint, HintKind
from bot.core.state.queue_order import blocked_by
from bot.core.values.command import Verb
from bot.core.values.freeze import FreezeCause
from bot.core.values.ids import PullNumber
from bot.core.values.lifecycle import QueuedPullState as P
from bot.core.values.queue_label import QueueLabel
from bot.core.values.repository import PullState, Role
from gates.result import Ending
from tests.core.kit import World
from tests.core.queued_pulls import (
    entry_of,
    gates_of_pull,
    judge_pull,
    pull_of,
    queue_pulls,
    said_at,
)
from tests.core.test_stories_of_branches import RELEASE, SERVED, served
from tests.core.values import GATES, sha


def test_a_pull_retargeted_several_times_lands_once_on_its_last_base() -> None:
    world = served()
    number = PullNumber(world.open_pull("fix"))
    for base in ("main", RELEASE, "main", RELEASE):
        world.alter_pull(number, base_branch=base)
        world.say(number, "/headgate queue")
        world.settle()
        assert branch_of_pull(world.state, number) == ("" if base == "main" else base)
    before = world.main[-1].sha
    for order in world.open_orders(GateOrder):
        world.judge(order)
    world.settle()
    assert on(world.state, RELEASE).queued_pulls[number].state is P.LANDED
    assert number not in world.state.queued_pulls
    assert world.main[-1].sha == before
    assert len(world.wrote("PullLanded")) == 1
    refs = [e.ref for e in world.intended if isinstance(e, BuildPull)]
    assert len(refs) == len(set(refs))


def test_a_retargeted_pull_without_a_new_command_does_not_land() -> None:
    world = served()
    number = PullNumber(world.open_pull("fix", base=RELEASE))
    world.say(number, "/headgate queue")
    world.settle()
    world.judge(gates_of_pull(world, number))
    world.alter_pull(number, base_branch="main")
    world.settle()
    world.alter_pull(number, base_branch=RELEASE)
    world.settle()
    assert not world.wrote("PullLanded")
    assert on(world.state, RELEASE).queued_pulls[number].state is P.WITHDRAWN


@pytest.mark.parametrize("changes", [{"state": PullState.CLOSED}, {"is_draft": True}])
def test_a_pull_seen_unfit_for_a_moment_is_queued_again_only_by_a_person(
    changes: dict[str, object],
) -> None:
    world = World()
    (number,) = queue_pulls(world, "mend")
    as_it_was = world.pulls[PullNumber(number)]
    world.alter_pull(number, **changes)
    world.settle()
    world.pulls[PullNumber(number)] = as_it_was
    world.settle()
    assert pull_of(world, number).state is P.WITHDRAWN
    assert not world.open_orders(GateOrder)


def test_a_pull_reopened_before_the_next_look_keeps_its_place() -> None:
    world = World()
    (number,) = queue_pulls(world, "mend")
    world.close_pull(PullNumber(number))
    world.alter_pull(number, state=PullState.OPEN)
    world.settle()
    judge_pull(world, number)
    assert pull_of(world, number).state is P.LANDED


def test_removing_a_label_during_the_landing_is_too_late() -> None:
    world = World()
    number = PullNumber(world.open_pull("mend"))
    world.label_pull(number)
    world.settle()
    world.judge(gates_of_pull(world, number))
    world.decide()
    assert pull_of(world, number).state is P.LANDING
    world.queue_labels[number] = QueueLabel()
    world.settle()
    assert pull_of(world, number).state is P.LANDED


def test_a_label_removed_before_a_failed_landing_dequeues_the_pull() -> None:
    world = World()
    number = PullNumber(world.open_pull("mend"))
    world.label_pull(number)
    world.settle()
    world.judge(gates_of_pull(world, number))
    world.decide()
    world.queue_labels[number] = QueueLabel()
    world.push_code("by hand")
    world.settle()
    assert pull_of(world, number).state is P.WITHDRAWN
    assert not world.wrote("PullLanded")


@pytest.mark.parametrize("role", [Role.NONE, Role.READ, Role.TRIAGE])
@pytest.mark.parametrize(
    "said",
    [
        *("queue priority 9", "queue", "now", "hold", "release", "dequeue", "freeze", "unfreeze"),
        *("pause", "resume", "allow"),
    ],
)
def test_queue_commands_without_write_permission_have_no_effect(role: Role, said: str) -> None:
    world = World()
    first, second = queue_pulls(world, "one", "two")
    world.say(first, "/headgate freeze")
    world.settle()
    places = [entry_of(world, n) for n in (first, second)]
    frozen = world.state.freezes
    assert Verb(said.split()[0]) in Verb
    world.say(second, f"/headgate {said}", author="eve", role=role)
    world.settle()
    assert [entry_of(world, n) for n in (first, second)] == places
    assert world.state.freezes == frozen
    assert world.state.orders_stopped is None


@pytest.mark.parametrize(("stays", "goes"), list(permutations(FreezeCause, 2)))
def test_ending_one_of_two_freezes_keeps_the_other(stays: FreezeCause, goes: FreezeCause) -> None:
    world = World(f"{GATES}smoke:\n  serves: {{run: make smoke}}\n")
    (number,) = queue_pulls(world, "mend")
    for cause in (stays, goes):
        frozen = QueueFrozen(by="", why="so", until=None, frozen_at=world.now, cause=cause)
        world.write((frozen,))
    world.write((QueueThawed(by="", causes=(goes,)),))
    assert set(world.state.freezes) == {stays}
    assert blocked_by(world.state) is not None
    world.judge(gates_of_pull(world, number))
    world.decide()
    assert not world.wrote("PullLandIntended")


def test_a_main_that_turns_green_ends_no_other_freeze() -> None:
    world = World()
    (number,) = queue_pulls(world, "mend")
    world.say(number, "/headgate freeze")
    world.push_code("broken")
    world.settle()
    for order in world.open_orders(GateOrder):
        is_mains = world.state.orders[order].pull is None
        world.judge(order, test=Ending.FAILED if is_mains else Ending.PASSED)
    world.settle()
    assert {FreezeCause.PERSON, FreezeCause.RED_MAIN} <= set(world.state.freezes)
    world.say(number, "/headgate unfreeze")
    world.settle()
    assert set(world.state.freezes) == {FreezeCause.RED_MAIN}
    assert not world.wrote("PullLanded")


def test_alternating_pushes_and_queue_commands_judge_the_last_head() -> None:
    world = World()
    (number,) = queue_pulls(world, "mend")
    for name in ("second", "third"):
        world.alter_pull(number, head_sha=sha(name))
        world.say(number, "/headgate queue")
        world.settle()
    judge_pull(world, number)
    assert pull_of(world, number).state is P.LANDED
    assert pull_of(world, number).head == sha("third")
    assert len(world.wrote("PullLanded")) == 1


@pytest.mark.parametrize("branch", ["main", RELEASE])
def test_a_landing_that_a_look_misses_is_recognised_later(
    branch: str,
) -> None:
    world = served(f"{SERVED}adopted: freeze\n")
    number = PullNumber(world.open_pull("mend", base=branch))
    world.say(number, "/headgate queue")
    world.settle()
    world.judge(gates_of_pull(world, number))
    world.settle()
    line = world.main if branch == "main" else world.others[branch]
    landed = line.pop()
    world.settle()
    line.append(landed)
    world.work()
    there = on(world.state, "" if branch == "main" else branch)
    assert there.main == landed.sha
    assert not there.freezes
    assert not [e for e in world.intended if isinstance(e, OpenIssue) and "past" in e.title]


def test_a_closed_draft_is_reported_as_closed() -> None:
    world = World()
    (number,) = queue_pulls(world, "mend")
    world.alter_pull(number, state=PullState.CLOSED, is_draft=True)
    world.settle()
    assert "It is closed." in said_at(world, number)
    assert "draft" not in said_at(world, number)


def test_a_failed_cancellation_does_not_keep_a_pull_in_the_queue() -> None:
    world = World()
    first, second = queue_pulls(world, "one", "two")
    world.refusals["RevokeOrder"] = "GitHub could not cancel the run."
    order = gates_of_pull(world, first)
    world.lease(order)
    world.settle()
    world.say(first, "/headgate dequeue")
    world.settle()
    assert pull_of(world, first).state is P.WITHDRAWN
    assert world.check_runs[f"queue:pull-{first}:1"].conclusion == "cancelled"
    judge_pull(world, second)
    assert pull_of(world, second).state is P.LANDED


def test_a_review_of_the_old_head_with_a_push_dequeues_the_pull_once() -> None:
    world = World(f"{GATES}reviews: 1\n")
    (number,) = queue_pulls(world, "mend")
    world.review(number, outdated=("ben",))
    world.alter_pull(number, head_sha=sha("another"))
    hints = (HintKind.REVIEWED, HintKind.PULL)
    world.tick(tuple(Hint(kind=kind, number=number) for kind in hints))
    world.settle()
    assert pull_of(world, number).state is P.WITHDRAWN
    assert len(world.wrote("PullWithdrawn")) == 1
    assert said_at(world, number).count("**Out of the queue.**") == 1


def test_gates_that_ended_during_a_long_downtime_count() -> None:
    world = World()
    (number,) = queue_pulls(world, "mend")
    order = gates_of_pull(world, number)
    world.lease(order)
    world.settle()
    world.judge(order)
    world.pass_time(7 * 86_400)
    world.settle()
    assert pull_of(world, number).state is P.LANDED
