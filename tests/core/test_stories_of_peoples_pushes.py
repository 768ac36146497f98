"""What people push to the branches of changes: taken over, judged, landed, never overwritten."""

import pytest

from action.order import AgentOrder, GateOrder
from bot.core.journal import effects as ef
from bot.core.journal.state import ChangeFacts, OrderState, SpecRunState
from bot.core.state.observed import Hint, HintKind, looks
from bot.core.state.webhook import read_delivery
from bot.core.values.ids import Sha
from bot.core.values.lifecycle import ChangeState, OfferStage
from gates.result import Ending
from tests.core.kit import World, approved, judging
from tests.core.values import GATES, beside, requirement, spec

S = ChangeState
ADA = "Ada <ada@example.com>"


def change(world: World) -> ChangeFacts:
    return world.change("R0")


def issue_of(world: World) -> int:
    found = change(world).issue
    assert found is not None
    return found


def head(world: World) -> Sha:
    """The work of the change."""
    found = change(world).head
    assert found is not None
    return found.sha


def candidates(world: World) -> list[ef.BuildCandidate]:
    return [e for e in world.intended if isinstance(e, ef.BuildCandidate)]


def taken() -> tuple[World, Sha]:
    """A world with one change whose candidate was being judged when a person pushed."""
    world, _ = judging()
    pushed = world.push_branch(change(world), "fix")
    world.settle()
    return world, pushed


def red(world: World) -> None:
    """The newest candidate fails its gates."""
    world.judge(world.open_orders(GateOrder)[-1], test=Ending.FAILED)
    world.settle()


def hand_back(world: World) -> None:
    issue = issue_of(world)
    world.say(issue, "/headgate hand-back")
    world.settle()


class TestTakenOver:
    def test_a_push_becomes_the_work_and_lands_under_its_author(self) -> None:
        world, pushed = taken()
        assert world.kept == [pushed]
        assert candidates(world)[-1].head == head(world)
        assert candidates(world)[-1].author == ADA
        assert candidates(world)[-1].shown == pushed
        assert world.stage(change(world)) is OfferStage.JUDGING
        agents = len(world.wrote("AgentOrdered"))
        world.work()
        assert change(world).state is S.LANDED
        assert len(world.wrote("AgentOrdered")) == agents

    def test_a_takeover_is_reported_once_in_the_pull(self) -> None:
        world, pushed = taken()
        world.work()
        told = [n for n, text in world.posted if "**Taken over.**" in text]
        assert told == [change(world).pull]
        assert pushed[:12] in world.replies()
        assert "refs/headgate/kept/" in world.replies()

    def test_gates_of_the_older_candidate_are_cancelled(self) -> None:
        world, order = judging()
        world.push_branch(change(world), "fix")
        world.settle()
        assert any(isinstance(e, ef.RevokeOrder) and e.order == order for e in world.intended)

    def test_a_candidate_that_passed_does_not_land_without_the_push(self) -> None:
        world, order = judging()
        world.push_branch(change(world), "fix")
        world.judge(order)
        world.settle()
        assert world.wrote("Landed") == []
        world.work()
        landed = world.candidate(change(world))
        assert landed.head == head(world)

    def test_a_running_agent_ends_first_and_its_late_report_is_kept(self) -> None:
        world, _ = judging()
        red(world)
        agent = world.open_orders(AgentOrder)[0]
        world.lease(agent)
        world.settle()
        world.push_branch(change(world), "fix")
        world.settle()
        assert world.state.orders[agent].state is OrderState.LOST
        assert world.stage(change(world)) is OfferStage.JUDGING
        assert change(world).tries == 0
        world.hand_in(agent)
        world.settle()
        assert len(world.wrote("LateReportKept")) == 1
        world.work()
        assert change(world).state is S.LANDED

    def test_work_being_imported_is_stored_before_the_takeover(self) -> None:
        world = approved(beside(1))
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.decide()
        world.push_branch(change(world), "early")
        world.settle()
        assert len(world.wrote("HeadImported")) == 1
        assert len(world.wrote("HeadTakenOver")) == 1

    def test_a_push_before_the_first_candidate_is_met_by_the_lease(self) -> None:
        world = approved(beside(1))
        pushed = world.push_branch(change(world), "early")
        world.hand_in(world.open_orders(AgentOrder)[0])
        for _ in range(8):
            world.tick(())
        assert world.kept == [pushed]
        assert change(world).held_by == "Ada"

    def test_a_pushed_change_still_waits_for_its_dependency(self) -> None:
        world = approved(spec(requirement("A", "cart"), requirement("R0", "till", after=["A"])))
        world.push_branch(change(world), "early")
        world.settle()
        assert change(world).state is S.WAITING
        world.work()
        assert change(world).state is S.LANDED
        assert change(world).authors == (ADA,)

    def test_a_merge_of_main_does_not_take_a_change_over(self) -> None:
        world, order = judging()
        pushed = world.push_branch(change(world), "update branch")
        world.empty_pushes.add(pushed)
        world.settle()
        assert world.stage(change(world)) is OfferStage.JUDGING
        assert not change(world).held_by
        world.judge(order)
        world.work()
        assert change(world).state is S.LANDED

    def test_a_second_push_replaces_the_first(self) -> None:
        world, _ = taken()
        second = world.push_branch(change(world), "better")
        world.settle()
        assert change(world).push is not None
        assert world.kept[-1] == second
        world.work()
        assert change(world).state is S.LANDED

    def test_the_same_commit_pushed_again_is_taken_over_again(self) -> None:
        world, first = taken()
        assert world.push_branch(change(world), "fix") == first
        world.settle()
        assert world.kept == [first, first]
        world.work()
        assert change(world).state is S.LANDED


class TestTakenOverAndRed:
    def test_red_work_of_a_person_gets_no_agent(self) -> None:
        world, _ = taken()
        agents = len(world.wrote("AgentOrdered"))
        red(world)
        assert change(world).state is S.HELD
        assert len(world.wrote("AgentOrdered")) == agents
        assert "**Please fix this.**" in world.replies()
        assert world.run.state is SpecRunState.RUNNING

    def test_another_push_continues_the_change(self) -> None:
        world, _ = taken()
        red(world)
        world.push_branch(change(world), "better")
        world.work()
        assert change(world).state is S.LANDED

    def test_a_conflict_waits_for_the_person(self) -> None:
        world, _ = taken()
        world.judge(world.open_orders(GateOrder)[-1])
        world.conflicting[change(world).id] = ("routes.txt",)
        world.push_code("by hand")
        world.settle()
        assert change(world).state is S.HELD
        assert "routes.txt" in world.replies()

    def test_hand_back_orders_an_agent_that_continues_the_work(self) -> None:
        world, _ = taken()
        red(world)
        hand_back(world)
        order = world.agent_order()
        assert order.retry is not None
        assert order.retry.failed_gates
        start = next(e for e in reversed(world.intended) if isinstance(e, ef.PrepareStart))
        assert start.head == head(world)
        world.work()
        assert change(world).state is S.LANDED

    def test_after_a_hand_back_the_person_is_a_co_author(self) -> None:
        world, _ = taken()
        red(world)
        hand_back(world)
        world.work()
        assert candidates(world)[-1].author == ""
        assert f"Co-authored-by: {ADA}" in candidates(world)[-1].message

    def test_a_change_that_was_not_taken_over_cannot_be_handed_back(self) -> None:
        world, _ = judging()
        hand_back(world)
        assert "There is nothing to hand back" in world.replies()
        assert world.wrote("HandedBack") == []

    def test_retry_names_the_owner_and_retry_agent_hands_the_change_back(self) -> None:
        world, _ = taken()
        red(world)
        issue = issue_of(world)
        world.say(issue, "/headgate retry")
        world.settle()
        assert "was taken over by Ada" in world.replies()
        world.say(issue, "/headgate retry agent")
        world.settle()
        assert world.open_orders(AgentOrder)


class TestRefused:
    def test_a_push_to_protected_paths_waits_and_is_not_overwritten(self) -> None:
        world, order = judging()
        pushed = world.push_branch(change(world), "sneak")
        world.refused_pushes.add(pushed)
        world.settle()
        world.judge(order)
        world.settle()
        assert change(world).state is S.HELD
        assert "specs/shop.md" in world.replies()
        assert pushed in world.branches.values()
        assert world.wrote("Landed") == []

    def test_a_hand_back_continues_without_the_refused_push(self) -> None:
        world, _ = judging()
        world.refused_pushes.add(world.push_branch(change(world), "sneak"))
        world.settle()
        hand_back(world)
        world.work()
        assert change(world).state is S.LANDED
        assert len(world.kept) == 1


class TestEnded:
    def test_a_push_to_a_failed_change_continues_it(self) -> None:
        world = approved(beside(1), f"{GATES}attempts_max: 1\nreplan_cycles_max: 0\n")
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        red(world)
        assert change(world).state is S.FAILED
        assert world.run.state is SpecRunState.ENDED
        world.push_branch(change(world), "fix")
        world.work()
        assert change(world).state is S.LANDED
        assert world.run.state is SpecRunState.ENDED

    def test_a_push_to_a_stopped_change_waits_for_a_retry(self) -> None:
        world, _ = judging()
        issue = issue_of(world)
        world.say(issue, "/headgate stop")
        world.settle()
        pushed = world.push_branch(change(world), "fix")
        world.settle()
        assert change(world).state is S.STOPPED
        assert world.kept == []
        assert world.replies().count("**This change is stopped**") == 1
        world.say(issue, "/headgate retry")
        world.work()
        assert world.kept == [pushed]
        assert change(world).state is S.LANDED

    def test_a_push_after_the_landing_stays_and_is_named(self) -> None:
        world = approved(beside(2))
        world.hand_in(world.agent_order_of("R0"))
        world.settle()
        world.judge(world.open_orders(GateOrder)[0])
        world.settle()
        assert change(world).state is S.LANDED
        pushed = world.push_branch(change(world), "late")
        world.settle()
        assert "**This change had landed already**" in world.replies()
        world.work()
        forgotten = next(e for e in reversed(world.intended) if isinstance(e, ef.DeleteRefs))
        assert pushed not in forgotten.shown[change(world).id].values()


class TestNoticing:
    @pytest.mark.parametrize(
        ("ref", "sender", "hints"),
        [
            ("refs/heads/headgate/shop-1/till", "User", [HintKind.BRANCH]),
            ("refs/heads/headgate/shop-1/till", "Bot", []),
            ("refs/heads/main", "User", [HintKind.MAIN]),
            ("refs/heads/idea", "User", []),
        ],
    )
    def test_a_push_to_our_branches_is_a_hint(
        self, ref: str, sender: str, hints: list[HintKind]
    ) -> None:
        body = (
            f'{{"ref": "{ref}", "sender": {{"type": "{sender}"}}, '
            '"repository": {"id": 7, "default_branch": "main"}}'
        )
        reading = read_delivery("push", body.encode())
        assert reading is not None
        assert [h.kind for h in reading.hints] == hints

    def test_branches_are_looked_at_while_something_is_under_way(self) -> None:
        world, _ = judging()
        hint = (Hint(kind=HintKind.BRANCH),)
        assert looks(world.state, hint, world.now).branches
        assert not looks(world.state, (), world.now).branches
        world.work()
        assert not looks(world.state, hint, world.now).branches

    def test_a_push_during_the_handling_of_a_push_is_handled_next(self) -> None:
        world, _ = judging()
        first = world.push_branch(change(world), "one")
        world.decide()
        second = world.push_branch(change(world), "two")
        world.decide()
        world.perform()
        world.settle()
        assert change(world).push is not None
        assert {first, second} == set(world.kept)
        world.work()
        assert change(world).state is S.LANDED
