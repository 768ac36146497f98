"""A queue that people meddle with: nothing lands that nobody queued, and nothing lands twice."""

from itertools import permutations

import pytest

from action.order import GateOrder
from bot.core.journal.branches import branch_of_pull, on
from bot.core.journal.effects import BuildPull
from bot.core.journal.events import QueueFrozen, QueueThawed
from bot.core.state.queue_order import blocked_by
from bot.core.values.command import Verb
from bot.core.values.freeze import FreezeCause
from bot.core.values.ids import PullNumber
from bot.core.values.lifecycle import QueuedPullState as P
from bot.core.values.queue_label import QueueLabel
from bot.core.values.repository import PullState, Role
from gates.result import Ending
from tests.core.kit import World
from tests.core.queued_pulls import entry_of, gates_of_pull, judge_pull, pull_of, queue_pulls
from tests.core.test_stories_of_branches import RELEASE, gates_of, served
from tests.core.values import GATES, sha


def test_a_pull_that_goes_to_and_fro_between_two_queues_lands_once_where_it_is_last() -> None:
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


def test_what_is_retargeted_without_a_word_lands_nowhere() -> None:
    world = served()
    number = PullNumber(world.open_pull("fix", base=RELEASE))
    world.say(number, "/headgate queue")
    world.settle()
    world.judge(gates_of(world, number))
    world.alter_pull(number, base_branch="main")
    world.settle()
    world.alter_pull(number, base_branch=RELEASE)
    world.settle()
    assert not world.wrote("PullLanded")
    assert on(world.state, RELEASE).queued_pulls[number].state is P.WITHDRAWN


@pytest.mark.parametrize("changes", [{"state": PullState.CLOSED}, {"is_draft": True}])
def test_what_was_out_of_order_for_a_moment_that_we_saw_is_queued_again_by_a_person_alone(
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


def test_what_was_closed_and_opened_again_before_anybody_looked_stays_in_its_place() -> None:
    world = World()
    (number,) = queue_pulls(world, "mend")
    world.close_pull(PullNumber(number))
    world.alter_pull(number, state=PullState.OPEN)
    world.settle()
    judge_pull(world, number)
    assert pull_of(world, number).state is P.LANDED


def test_a_label_that_goes_while_its_pull_lands_comes_too_late() -> None:
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


def test_a_label_that_went_before_a_landing_that_fails_takes_it_out() -> None:
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
def test_who_may_not_write_moves_nothing_in_the_queue(role: Role, said: str) -> None:
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
def test_of_two_causes_the_end_of_one_lifts_that_alone(
    stays: FreezeCause, goes: FreezeCause
) -> None:
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


def test_a_red_main_that_turns_green_lifts_no_freeze_of_a_person_or_of_smoke() -> None:
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


def test_two_people_who_push_and_queue_in_turn_have_the_last_head_judged() -> None:
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
