"""The stage of a change follows from its candidate and entry; late events change neither."""

import pytest

from action.order import AgentOrder, GateOrder
from bot.core.journal import events as ev
from bot.core.journal.evolve import evolve
from bot.core.journal.state import ChangeFacts
from bot.core.values.ids import OrderId
from bot.core.values.lifecycle import ChangeState, OfferStage
from gates.result import Ending
from tests.core.kit import World, approved, judging
from tests.core.values import beside


def landing() -> World:
    """Main is being moved to its candidate."""
    world, _ = judging()
    world.judge(world.open_orders(GateOrder)[0])
    world.decide()
    assert world.stage("R0") is OfferStage.LANDING
    return world


def said_of(change: ChangeFacts, world: World) -> dict[str, ev.Event]:
    candidate = world.candidate(change)
    return {
        "stopped": ev.ChangeStopped(change=change.id, stopped_by="@ann"),
        "voided": ev.CandidateVoided(
            change=change.id, order=candidate.order, candidate=candidate.sha
        ),
        "asked again": ev.GatesAskedAgain(
            change=change.id, candidate=candidate.sha, asked_by="ann"
        ),
        "held": ev.ChangeHeld(change=change.id, by="ann", why="", held_at=world.now),
        "an agent": ev.AgentOrdered(
            change=change.id,
            order=OrderId("o-99"),
            attempt=change.attempt + 1,
            start=candidate.sha,
            placed_at=world.now,
            remake=("uv.lock",),
        ),
    }


@pytest.mark.parametrize("said", ["stopped", "voided", "asked again", "held", "an agent"])
def test_other_events_do_not_change_a_landing_in_progress(said: str) -> None:
    world = landing()
    change = world.change("R0")
    after = evolve(world.state, said_of(change, world)[said])
    assert after.changes == world.state.changes
    assert after.entries == world.state.entries
    assert after.candidates == world.state.candidates


def test_a_landing_starts_only_for_a_passed_candidate() -> None:
    """A person repeated its gates while it was in the queue."""
    world = landing()
    change, candidate = world.change("R0").id, world.candidate("R0")
    asked = ev.GatesAskedAgain(change=change, candidate=candidate.sha, asked_by="ann")
    queued = evolve(evolve(world.state, ev.LandAborted(change=change, sentence="")), asked)
    early = ev.LandIntended(change=change, base=candidate.base, candidate=candidate.sha)
    assert evolve(queued, early).entries == queued.entries


@pytest.mark.parametrize("said", [ev.CandidateConflicted, ev.ArchiveRefused])
def test_a_late_conflict_of_an_older_candidate_is_ignored(
    said: type[ev.CandidateConflicted | ev.ArchiveRefused],
) -> None:
    world, _ = judging()
    change, base = world.change("R0").id, world.candidate("R0").base
    late: ev.Event = (
        ev.CandidateConflicted(change=change, base=base, files=("a.py",))
        if said is ev.CandidateConflicted
        else ev.ArchiveRefused(change=change, base=base, sentence="gone")
    )
    after = evolve(world.state, late)
    assert after.changes == world.state.changes
    assert after.candidates == world.state.candidates


def test_new_work_after_a_red_gate_has_not_passed() -> None:
    world = approved(beside(2))
    for order in world.open_orders(AgentOrder):
        world.hand_in(order)
        world.settle()
    world.judge(world.open_orders(GateOrder)[0], test=Ending.FAILED)
    world.settle()
    assert world.change("R0").state is ChangeState.ORDERED
    # The other is judged now, so that the new work waits to be built.
    assert world.stage("R1") is OfferStage.JUDGING
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    assert world.stage("R0") is OfferStage.BUILDING
    # What was approved of the work before says nothing of this one.
    assert world.change("R0").built == ()
