"""Entries of the queue are the same for changes and pulls, with one table of moves."""

from action.order import AgentOrder, GateOrder
from action.report import SandboxKind, TokenUse
from bot.core.journal import events as ev
from bot.core.journal.state import Entry
from bot.core.state.queue_order import entries
from bot.core.values.ids import Digest, OrderId
from bot.core.values.lifecycle import ChangeState as S, EntryState as P, OfferStage
from tests.core.kit import World, approved
from tests.core.queued_pulls import entry_of, judge_pull, pull_of, queue_pulls
from tests.core.values import beside, sha


def queued() -> World:
    """A change has passed its gates, and GitHub refuses to move main for now."""
    world = approved(beside(1))
    world.refusals["LandCandidate"] = "Not now."
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    assert its_entry(world).state is P.WAITING
    world.judge(world.open_orders(GateOrder)[0])
    world.settle()
    assert world.stage("R0") is OfferStage.QUEUED
    return world


def its_entry(world: World) -> Entry:
    return world.state.entry_of(world.change("R0"))


def test_a_change_enters_when_its_gates_have_passed_and_leaves_with_its_landing() -> None:
    world = queued()
    entry = its_entry(world)
    assert (entry.state, entry.entered is not None) == (P.QUEUED, True)
    assert entries(world.state) == (world.change("R0"),)
    world.refusals.clear()
    world.pass_time(600)
    world.work()
    assert (its_entry(world).state, its_entry(world).entered) == (P.LANDED, None)
    assert entries(world.state) == ()


def test_an_entry_keeps_its_place_while_a_file_is_regenerated() -> None:
    world = queued()
    change, before = world.change("R0"), its_entry(world).entered
    candidate = world.candidate(change)
    order = OrderId("o90")
    world.write(
        (
            ev.CandidateVoided(
                change=change.id, order=OrderId(candidate.order or ""), candidate=candidate.sha
            ),
            ev.AgentOrdered(
                change=change.id,
                order=order,
                attempt=2,
                start=candidate.sha,
                placed_at=world.now,
                remake=("package-lock.json",),
            ),
        )
    )
    assert world.change("R0").state is S.ORDERED
    assert (its_entry(world).state, its_entry(world).entered) == (P.WAITING, before)
    assert entries(world.state) == ()
    world.write(
        (
            ev.WorkHandedIn(
                change=change.id,
                order=order,
                bundle=Digest("b"),
                turns=1,
                tokens=TokenUse(),
                model="",
                seconds=1,
                sandbox=SandboxKind.NONE,
            ),
            ev.HeadImported(
                change=change.id,
                order=order,
                head=sha("remade"),
                tree=sha("remade tree"),
                paths=("package-lock.json",),
            ),
        )
    )
    assert world.stage("R0") is OfferStage.BUILDING
    assert (its_entry(world).state, its_entry(world).entered) == (P.QUEUED, before)


def test_a_push_by_a_person_loses_the_queue_place() -> None:
    world = queued()
    world.push_branch(world.change("R0"), "fix")
    world.settle()
    assert its_entry(world).entered is None
    assert entries(world.state) == ()


def test_an_entry_that_left_enters_at_a_new_place() -> None:
    world = World()
    (number,) = queue_pulls(world, "mend")
    first = entry_of(world, number).entered
    judge_pull(world, number, red=True)
    assert (entry_of(world, number).state, entry_of(world, number).entered) == (P.EVICTED, None)
    world.say(number, "/headgate queue")
    world.settle()
    again = entry_of(world, number)
    assert again.state is P.QUEUED
    assert again.entered is not None
    assert again.entered > (first or 0)


def test_a_priority_set_before_entering_the_queue_is_kept() -> None:
    world = approved(beside(1))
    change = world.change("R0")
    assert change.entry not in world.state.entries
    world.say(change.issue or 0, "/headgate queue priority 3")
    world.settle()
    assert (its_entry(world).state, its_entry(world).priority) == (P.WAITING, 3)
    world.work()
    assert its_entry(world).priority == 3
    assert its_entry(world).state is P.LANDED


def test_changes_and_pulls_share_one_table_of_moves() -> None:
    world = queued()
    (number,) = queue_pulls(world, "mend")
    states = {its_entry(world).state, entry_of(world, number).state}
    assert states == {P.QUEUED}
    assert {entry.id for entry in world.state.entries.values()} == {
        world.change("R0").entry,
        pull_of(world, number).entry,
    }


def test_releasing_an_unknown_entry_creates_none() -> None:
    world = approved(beside(1))
    change = world.change("R0")
    world.say(change.issue or 0, "/headgate release")
    world.settle()
    assert world.wrote("ChangeReleased") == []
    assert change.entry not in world.state.entries
