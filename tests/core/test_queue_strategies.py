"""The serial strategy on plain values; a wrong strategy cannot land unsafe entries."""

import random

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from bot.core.decide.decision import Decision
from bot.core.decide.queue.land import carry_out
from bot.core.decide.queue.plan import Act, Build, Land, QueueView, Waiting, plan
from bot.core.state.queue_order import SERIAL, Tuning
from bot.core.values.ids import EntryId
from bot.core.values.lifecycle import QueuedPullState as P
from bot.core.values.repository import Role
from tests.core.kit import World
from tests.core.queue_laws import check_landings, check_queue
from tests.core.queued_pulls import gates_of_pull, pull_of, queue_pulls
from tests.core.test_any_day import OF_THE_QUEUE, Deed, finish, plan_of_four, tick
from tests.core.values import GATES
from tests.testkit.examples import examples

_FIRST = Waiting(id=EntryId("pull:1"), is_landing=False, is_aside=False, is_judged_on_main=False)
_JUDGED = _FIRST._replace(id=EntryId("pull:2"), is_judged_on_main=True)
_ASIDE = _JUDGED._replace(id=EntryId("pull:3"), is_aside=True)
_LANDING = _JUDGED._replace(id=EntryId("pull:4"), is_landing=True)


@pytest.mark.parametrize(
    ("entries", "may_land", "acts"),
    [
        ((), True, ()),
        ((_FIRST, _JUDGED), True, (Build(_FIRST.id),)),
        ((_JUDGED, _FIRST), True, (Land(_JUDGED.id),)),
        ((_JUDGED, _FIRST), False, (Build(_JUDGED.id),)),
        ((_ASIDE, _FIRST), True, (Build(_FIRST.id),)),
        ((_ASIDE,), True, ()),
        ((_LANDING, _JUDGED), True, ()),
    ],
)
def test_the_serial_strategy_handles_one_entry_at_a_time(
    entries: tuple[Waiting, ...], may_land: bool, acts: tuple[Act, ...]
) -> None:
    assert plan(QueueView(entries, may_land), SERIAL) == acts


def test_a_wider_window_runs_more_entries_and_allows_more_overtaking() -> None:
    wider = Tuning(window=2)
    found = plan(QueueView((_ASIDE, _JUDGED, _FIRST, _FIRST), may_land=True), wider)
    assert found == (Land(_JUDGED.id), Build(_FIRST.id))
    assert (SERIAL.overtaken_max, wider.overtaken_max) == (2, 4)


def _said(world: World, *acts: Act) -> None:
    """A strategy says this, and nothing else is decided."""
    decision = Decision(world.state, world.observe(), world.now)
    for act in acts:
        carry_out(decision, act)
    before, written = world.state, len(world.journal)
    world.write(decision.events)
    world.perform()
    check_landings(world, before, world.journal[written:])
    check_queue(world.state)


def _judged_twice() -> tuple[World, int, int]:
    """Two pulls; the first waits for its landing, frozen, and the second for its turn."""
    world = World()
    first, second = queue_pulls(world, "one", "two")
    world.say(first, "/headgate freeze", role=Role.MAINTAIN)
    world.settle()
    world.judge(gates_of_pull(world, first))
    world.settle()
    return world, first, second


def test_a_strategy_cannot_land_an_entry_of_a_frozen_queue() -> None:
    world, first, _ = _judged_twice()
    _said(world, Land(pull_of(world, first).entry))
    assert world.wrote("PullLandIntended") == []


def test_a_strategy_cannot_land_a_held_entry() -> None:
    world, first, _ = _judged_twice()
    world.say(first, "/headgate hold\n/headgate unfreeze", role=Role.MAINTAIN)
    world.settle()
    assert not world.state.freezes
    _said(world, Land(pull_of(world, first).entry))
    assert world.wrote("PullLandIntended") == []


def test_a_strategy_cannot_land_an_entry_without_a_verdict() -> None:
    world, _, second = _judged_twice()
    _said(world, Land(pull_of(world, second).entry))
    assert world.wrote("PullLandIntended") == []
    assert world.state.candidate_of(pull_of(world, second)) is not None


def test_two_entries_never_land_at_once() -> None:
    world = World()
    first, second = queue_pulls(world, "one", "two")
    world.say(first, "/headgate freeze", role=Role.MAINTAIN)
    world.settle()
    _said(world, Build(pull_of(world, second).entry))
    world.settle()
    for number in (first, second):
        world.judge(gates_of_pull(world, number))
    world.settle()
    world.say(first, "/headgate unfreeze", role=Role.MAINTAIN)
    world.unreachable.add("LandPull")
    for _ in range(3):
        world.tick()
    assert pull_of(world, second).state is P.QUEUED
    _said(world, *(Land(pull_of(world, number).entry) for number in (second, first)))
    assert len(world.wrote("PullLandIntended")) == 1


@settings(max_examples=examples(15), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.tuples(st.sampled_from(OF_THE_QUEUE), st.integers(0, 10_000)), max_size=25),
    st.integers(0, 1_000_000),
)
def test_a_random_strategy_never_breaks_the_queue_laws(
    day: list[tuple[Deed, int]], seed: int
) -> None:
    world = plan_of_four(GATES + "max_parallel: 2\nattempts_max: 2\n")
    chance = random.Random(seed)
    for deed, number in day:
        deed(world, number)
        names = sorted(world.state.entries)
        acts = [chance.choice((Build, Land))(chance.choice(names)) for _ in range(3) if names]
        _said(world, *acts)
        tick(world)
    finish(world)
    check_queue(world.state)
    assert not world.state.open_effects
