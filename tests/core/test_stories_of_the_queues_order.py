"""Stories of the queue's order, with people's pulls in it, and of what the journal says of them."""

from datetime import timedelta

from action.order import AgentOrder, GateOrder
from bot.core.decide.decide import wake_at
from bot.core.journal import events as ev
from bot.core.journal.evolve import fold
from bot.core.journal.evolve_pull_queue import LEFT_AT_ONCE, LEFT_KEPT
from bot.core.journal.state import LedgerKind
from bot.core.state.queue_order import SERIAL, entries, front
from bot.core.state.reason import Cause, reason_of
from bot.core.state.under_way import is_under_way
from bot.core.talk.replies import why_reply
from bot.core.values.ids import EffectKey, OrderId, PullNumber, Sha
from bot.core.values.lifecycle import ChangeState as S, QueuedPullState as P
from bot.core.values.replacement import replace
from bot.core.values.repository import Role
from tests.core.kit import World, approved
from tests.core.queued_pulls import (
    entry_of,
    gates_of_pull,
    judge_pull,
    pull_of,
    queue_pulls,
    said_at,
)
from tests.core.values import beside, policy, sha


class TestTheOrder:
    def test_priority_does_not_overtake_an_entry_being_judged(self) -> None:
        world = World()
        first, second = queue_pulls(world, "one", "two")
        (urgent,) = queue_pulls(world, "urgent", said="/headgate queue priority 5")
        assert [getattr(e, "number", 0) for e in entries(world.state)] == [first, urgent, second]
        for number in (first, urgent, second):
            judge_pull(world, number)
        assert [line.pull for line in world.state.ledger[1:]] == [first, urgent, second]

    def test_the_now_command_overtakes_an_entry_being_judged(self) -> None:
        world = World()
        first, second = queue_pulls(world, "one", "two")
        world.say(second, "/headgate now", role=Role.MAINTAIN)
        world.settle()
        judge_pull(world, second)
        assert pull_of(world, second).state is P.LANDED
        assert entry_of(world, first).overtaken == 1
        judge_pull(world, first)
        assert pull_of(world, first).state is P.LANDED

    def test_the_reply_to_now_names_what_blocks_the_entry(self) -> None:
        world = World()
        first, second = queue_pulls(world, "a", "b")
        world.say(second, "/headgate hold for the release")
        world.settle()
        world.say(second, "/headgate now", role=Role.MAINTAIN)
        world.settle()
        assert "It is on hold, and does not land until `/headgate release`." in said_at(
            world, second
        )
        world.say(first, "/headgate freeze", role=Role.MAINTAIN)
        world.settle()
        world.say(first, "/headgate now", role=Role.MAINTAIN)
        world.settle()
        world.pass_time(1)
        asked = world.say(first, "/headgate queue")
        world.settle()
        said = said_at(world, first)
        assert "at place 1. The queue is frozen by a person." in said
        assert said.endswith("It is in the queue at place 1. The queue is frozen by a person.")
        assert asked in world.state.answered

    def test_an_entry_overtaken_often_enough_goes_next(self) -> None:
        world = World()
        judged, slow = queue_pulls(world, "judged", "slow")
        for at in range(SERIAL.overtaken_max + 1):
            assert entry_of(world, slow).overtaken == max(0, at - 1)
            (other,) = queue_pulls(world, f"other {at}", said="/headgate queue priority 9")
            judge_pull(world, judged)
            judged = other
        (last,) = queue_pulls(world, "last", said="/headgate queue priority 9")
        world.say(last, "/headgate now", role=Role.MAINTAIN)
        world.settle()
        assert front(world.state, world.now) == pull_of(world, slow)

    def test_others_pass_a_held_entry_without_counting_as_overtaking(self) -> None:
        world = World()
        first, second = queue_pulls(world, "one", "two")
        world.say(first, "/headgate hold wait for the docs")
        world.settle()
        judge_pull(world, first)
        assert pull_of(world, first).state is P.QUEUED
        judge_pull(world, second)
        assert pull_of(world, second).state is P.LANDED
        assert entry_of(world, first).overtaken == 0
        world.say(first, "/headgate release")
        world.settle()
        judge_pull(world, first)
        assert pull_of(world, first).state is P.LANDED

    def test_five_pulls_and_a_change_need_six_landings_and_seven_judgements(self) -> None:
        world = approved(beside(1))
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        queue_pulls(world, *"abcde")
        for _ in range(20):
            for order in world.open_orders(GateOrder):
                world.judge(order)
            world.settle()
            world.pass_time(1)
        assert all(p.state is P.LANDED for p in world.state.queued_pulls.values())
        assert world.change("R0").state is S.LANDED
        landed = [line for line in world.state.ledger if line.kind is LedgerKind.LANDED]
        assert len(landed) == 6
        judged = world.wrote("PullGatesOrdered") + world.wrote("GatesOrdered")
        assert len(judged) <= 7

    def test_a_change_says_which_pull_is_ahead(self) -> None:
        world = approved(beside(1))
        (number,) = queue_pulls(world, "mend")
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        change = world.change("R0")
        reason = reason_of(world.state, change)
        assert (reason.cause, reason.pulls) == (Cause.AHEAD, (number,))
        assert f"#{number} (a person's pull request)" in why_reply(world.state, policy(), change)
        judge_pull(world, number)
        world.work()
        assert world.change("R0").state is S.LANDED

    def test_a_pull_is_judged_but_does_not_land_during_a_freeze(self) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        world.say(number, "/headgate freeze")
        world.settle()
        judge_pull(world, number)
        assert pull_of(world, number).state is P.QUEUED
        world.say(number, "/headgate unfreeze")
        world.settle()
        assert pull_of(world, number).state is P.LANDED

    def test_a_refused_landing_is_retried_and_others_continue(self) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        world.judge(gates_of_pull(world, number))
        world.decide()
        world.pass_time(60)
        again = world.now + timedelta(minutes=5)
        world.state = fold(
            (ev.PullLandAborted(number=PullNumber(number), sentence="A rule.", again_at=again),),
            world.state,
        )
        assert front(world.state, world.now) is None
        assert wake_at(world.state, policy(), (), world.now) == again
        assert front(world.state, again) == pull_of(world, number)


class TestTheJournal:
    def test_a_queued_pull_is_under_way(self) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        world.say(number, "/headgate hold")
        world.settle()
        judge_pull(world, number)
        assert is_under_way(world.state)

    def test_stale_events_do_not_change_a_queued_pull(self) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        n = PullNumber(number)
        order = OrderId("o99")
        before = world.state.queued_pulls
        stale = (
            ev.PullPassed(number=n, order=order, candidate=sha("x"), results=()),
            ev.PullVoided(number=n, candidate=sha("x")),
            ev.PullLanded(
                number=n, base=sha("genesis"), sha=Sha(""), tree=Sha(""), landed_at=world.now
            ),
            ev.PullReleased(number=n, by="ann"),
            ev.PullCandidateBuilt(
                number=n,
                nth=1,
                base=sha("b"),
                head=sha("head mend"),
                sha=sha("s"),
                tree=sha("t"),
                diff_digest="",
                built_at=world.now,
            ),
        )
        for event in stale:
            assert fold((event,), world.state).queued_pulls == before, event.type

    def test_pulls_that_left_long_ago_are_forgotten(self) -> None:
        world = World()
        numbers = queue_pulls(world, *(f"p{at}" for at in range(3)))
        for number in numbers:
            judge_pull(world, number)
        known = replace(world.state, refused={EffectKey(f"build:pull-{numbers[0]}:1"): "No."})
        many = tuple(
            event
            for at in range(LEFT_KEPT + LEFT_AT_ONCE - len(numbers))
            for event in (
                ev.PullQueued(
                    number=PullNumber(1_000 + at),
                    head=sha("h"),
                    title="",
                    by="ann",
                    queued_at=world.now,
                ),
                ev.PullWithdrawn(number=PullNumber(1_000 + at), by="ann"),
            )
        )
        state = fold(many, known)
        assert len(state.queued_pulls) == LEFT_KEPT
        assert state.refused == {}
        assert not any(o.pull in numbers for o in state.orders.values())
        assert not [key for key in state.published if f"pull-{numbers[0]}:" in key]
