"""The fold: total on any event and state, the same after a round trip, never moved backwards."""

from collections import Counter
from typing import cast

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from pydantic import BaseModel, TypeAdapter

from action.report import SandboxKind, TokenUse
from bot.core.journal import events as ev
from bot.core.journal.effects import Effect
from bot.core.journal.events import EVENTS, Event
from bot.core.journal.evolve import evolve, fold
from bot.core.journal.state import OrderState, RepositoryState, SpecRunState, snapshot_of, state_of
from bot.core.state.candidates import is_being_judged
from bot.core.values.ids import Digest, OrderId
from bot.core.values.lifecycle import ChangeState
from tests.core.kit import World, approved, with_issues
from tests.core.strategies import ANY_EVENT, EFFECTS, EVENTS_OF, OPENING
from tests.core.values import START, beside, sha
from tests.testkit.examples import examples

_EFFECTS: TypeAdapter[Effect] = TypeAdapter(Effect)
_QUICKLY = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def _events(drawn: list[BaseModel]) -> tuple[Event, ...]:
    return tuple(cast(Event, one) for one in drawn)


@settings(_QUICKLY, max_examples=examples(150))
@given(st.integers(0, len(OPENING)), st.lists(ANY_EVENT, max_size=25))
def test_any_sequence_of_events_gives_a_state_that_round_trips(
    opened: int, drawn: list[BaseModel]
) -> None:
    state = fold((*OPENING[:opened], *_events(drawn)))
    assert state.events == opened + len(drawn)
    assert state_of(snapshot_of(state)) == state


@settings(_QUICKLY, max_examples=examples(150))
@given(st.integers(0, len(OPENING)), st.lists(ANY_EVENT, max_size=25))
def test_indexes_of_the_state_equal_a_full_search(opened: int, drawn: list[BaseModel]) -> None:
    _assert_kept_for_short(fold((*OPENING[:opened], *_events(drawn))))


def _assert_kept_for_short(state: RepositoryState) -> None:
    orders, changes = state.orders.values(), state.changes.values()
    assert list(state.open_orders) == [o.id for o in orders if o.is_open]
    lost = {o.id for o in orders if o.state is OrderState.LOST}
    assert set(state.lost_orders) == {o for o in lost if f"late:{o}" not in state.published}
    # GitHub gives no number twice; what is drawn may.
    once = {pull for pull, times in Counter(c.pull for c in changes).items() if times == 1}
    for change in changes:
        is_open = change.state is not ChangeState.LANDED and not change.pull_closed
        if change.pull in once and change.pull is not None and is_open:
            assert state.open_pulls[change.pull] == change.id
    for run in state.spec_runs.values():
        assert run.issue is None or state.run_of_issue[run.issue]
    for change in changes:
        for number in (change.issue, change.pull):
            assert number is None or state.change_of_number[number]


@pytest.mark.parametrize("name", EVENTS_OF)
@settings(_QUICKLY, max_examples=8)
@given(data=st.data())
def test_every_event_round_trips_through_the_journal(name: str, data: st.DataObject) -> None:
    event = cast(Event, data.draw(EVENTS_OF[name]))
    assert EVENTS.validate_json(EVENTS.dump_json(event)) == event
    assert event.type == name


@settings(_QUICKLY, max_examples=examples(150))
@given(EFFECTS)
def test_every_effect_round_trips_and_has_a_key(effect: BaseModel) -> None:
    one = cast(Effect, effect)
    again = _EFFECTS.validate_json(_EFFECTS.dump_json(one))
    assert again == one
    assert again.key == one.key
    assert one.key


_LANDED = approved(beside(2))
_LANDED.work()


@settings(_QUICKLY, max_examples=examples(150))
@given(st.lists(ANY_EVENT, max_size=15))
def test_a_landed_change_stays_landed_after_any_event(drawn: list[BaseModel]) -> None:
    state = fold(_events(drawn), _LANDED.state)
    for change in _LANDED.state.changes.values():
        assert state.changes[change.id].state is ChangeState.LANDED
        assert state.changes[change.id].landed == change.landed
    assert state.ledger[: len(_LANDED.state.ledger)] == _LANDED.state.ledger
    assert state.covered.items() >= _LANDED.state.covered.items()


# What a run wrote, without what a person asked and what is about to be done.
_ASKED = ev.ChangeReopened | ev.SpecRunReopened | ev.EffectIntended
_LATE = tuple(e for e in _LANDED.journal if not isinstance(e, _ASKED))


def _assert_stands(after: RepositoryState) -> None:
    """Nothing that counts is other than it was when all had landed."""
    unchanged = (
        "main",
        "ledger",
        "frozen",
        "changes",
        "orders",
        "orders_placed",
        "spec_runs",
        "ledger_published",
        "adoptions",
        "delays",
        "refused",
        "open_effects",
        "heard",
    )
    # Names alone: pytest would take minutes to show how two such states differ.
    moved = [name for name in unchanged if getattr(after, name) != getattr(_LANDED.state, name)]
    assert moved == []


def test_repeating_one_event_of_a_journal_does_not_move_the_state_back() -> None:
    for event in _LATE:
        _assert_stands(evolve(_LANDED.state, event))


@pytest.mark.parametrize("again", [_LATE, _LATE[::-1]], ids=["in order", "backwards"])
def test_repeating_a_whole_journal_does_not_move_the_state_back(again: tuple[Event, ...]) -> None:
    _assert_stands(fold(again, _LANDED.state))


@settings(_QUICKLY, max_examples=examples(150))
@given(st.data())
def test_repeated_events_in_any_order_do_not_move_the_state_back(data: st.DataObject) -> None:
    """All events of a run are repeated late and in any order, without commands of people."""
    drawn = data.draw(st.lists(st.sampled_from(_LATE), max_size=20))
    _assert_stands(fold(drawn, _LANDED.state))


def test_after_all_landings_no_order_or_pull_is_open() -> None:
    _assert_kept_for_short(_LANDED.state)
    assert (_LANDED.state.open_orders, _LANDED.state.lost_orders) == ((), ())
    assert _LANDED.state.open_pulls == {}


class TestOrders:
    """A lost order's report changes nothing; an order that has ended stays so."""

    def _lost(self) -> tuple[World, OrderId]:
        world = approved(beside(1))
        order = next(iter(world.orders))
        world.lease(order)
        world.settle()
        world.pass_time(100)
        world.decide()
        assert world.state.orders[order].state is OrderState.LOST
        return world, order

    def test_a_lost_order_is_watched_until_its_late_report_is_published(self) -> None:
        world, order = self._lost()
        assert order in world.state.lost_orders
        assert order not in world.state.open_orders
        told = ev.TextPublished(subject=f"late:{order}", digest="d", published_at=START)
        assert order not in evolve(world.state, told).lost_orders

    def test_work_of_a_lost_order_is_not_taken(self) -> None:
        world, order = self._lost()
        change = next(iter(world.state.changes.values()))
        handed = ev.WorkHandedIn(
            change=change.id,
            order=order,
            bundle=Digest("b"),
            turns=1,
            tokens=TokenUse(),
            model="",
            seconds=1,
            sandbox=SandboxKind.NONE,
        )
        assert evolve(world.state, handed).changes == world.state.changes

    def test_a_reported_order_is_not_lost_afterwards(self) -> None:
        order = _LANDED.state.orders[next(iter(_LANDED.state.orders))]
        assert order.state is OrderState.REPORTED
        assert order.change is not None
        lost = ev.AgentLost(change=order.change, order=order.id, sentence="")
        assert evolve(_LANDED.state, lost).orders == _LANDED.state.orders

    def test_a_verdict_of_another_order_does_not_affect_the_candidate(self) -> None:
        world = approved(beside(1))
        world.hand_in(next(iter(world.orders)))
        world.settle()
        change = next(iter(world.state.changes.values()))
        assert is_being_judged(world.state, change)
        passed = ev.CandidatePassed(
            change=change.id,
            order=next(iter(world.state.orders)),
            candidate=world.candidate(change).sha,
            definition_hash="",
            results=(),
        )
        assert evolve(world.state, passed).changes == world.state.changes


class TestSpecRuns:
    """A run only moves forward, and only the visible plan can be approved."""

    def test_an_approval_of_an_older_revision_is_ignored(self) -> None:
        world = World()
        world.push_spec(beside(1))
        world.settle()
        world.push_spec(beside(2), "v2")
        world.settle()
        old = ev.PlanApproved(
            spec_run=world.run.id,
            revision=1,
            plan_hash="",
            approved_by="ann",
            archive_date=START.date(),
        )
        assert evolve(world.state, old).spec_runs == world.state.spec_runs

    def test_a_new_plan_does_not_change_an_approved_run(self) -> None:
        world = approved(beside(1))
        made = next(e for e in world.journal if isinstance(e, ev.PlanMade))
        newer = made.model_copy(update={"plan": made.plan.model_copy(update={"revision": 9})})
        assert evolve(world.state, newer).spec_runs == world.state.spec_runs

    @pytest.mark.parametrize("type_", [ev.SpecRunStopped, ev.SpecRunEnded])
    def test_an_ended_spec_run_keeps_its_ending(self, type_: type[BaseModel]) -> None:
        event = cast(
            Event,
            type_.model_construct(
                type=type_.__name__, spec_run=_LANDED.run.id, stopped_by="x", ended_at=START
            ),
        )
        assert evolve(_LANDED.state, event).spec_runs == _LANDED.state.spec_runs
        assert _LANDED.run.state is SpecRunState.ENDED


class TestEffects:
    """Open, delayed and refused effects, and late events about closed ones."""

    def test_a_delay_of_a_closed_effect_sets_no_wake_up(self) -> None:
        late = ev.EffectDelayed(key=_LANDED.intended[0].key, sentence="", until=START, tries=1)
        assert evolve(_LANDED.state, late).delays == {}

    def test_a_refusal_of_a_done_effect_is_ignored(self) -> None:
        late = ev.EffectRefused(key=_LANDED.intended[0].key, sentence="no")
        assert evolve(_LANDED.state, late).refused == {}

    def test_a_delay_is_removed_when_its_effect_is_done(self) -> None:
        world = approved(beside(1))
        effect = world.intended[0]
        for event in (
            ev.EffectIntended(effect=effect),
            ev.EffectDelayed(key=effect.key, sentence="busy", until=START, tries=1),
        ):
            world.write((event,))
        assert world.state.delays[effect.key].sentence == "busy"
        world.write((ev.EffectDone(key=effect.key),))
        assert world.state.delays == {}
        assert world.state.open_effects == {}


def test_the_closing_of_a_dropped_issue_never_closes_the_tracking_issue() -> None:
    world = World()
    world.push_spec(beside(2))
    world.settle()
    dropped = with_issues(world).change("R1").issue
    world.push_spec(beside(1), "v2")
    world.settle()
    closed = next(e for e in world.journal if isinstance(e, ev.IssueClosed))
    assert closed.number == dropped
    assert evolve(world.state, closed).spec_runs == world.state.spec_runs


def test_interventions_are_counted_on_issues_and_pulls() -> None:
    world = approved(beside(1))
    world.hand_in(next(iter(world.orders)))
    world.settle()
    pull = world.change("R0").pull
    assert pull is not None
    world.say(pull, "/headgate stop")
    world.settle()
    world.say(world.run.issue or 0, "/headgate retry")
    world.settle()
    assert world.run.interventions == ("ann: stop", "ann: retry")


def test_installing_twice_keeps_the_journal_and_takes_the_new_facts() -> None:
    world = approved(beside(1))
    first = world.journal[0]
    assert isinstance(first, ev.RepositoryInstalled)
    renamed = first.facts.model_copy(update={"full_name": "acme/store"})
    again = first.model_copy(update={"facts": renamed, "main": sha("elsewhere")})
    after = evolve(world.state, again)
    assert after.facts == renamed
    assert (after.main, after.ledger) == (world.state.main, world.state.ledger)
