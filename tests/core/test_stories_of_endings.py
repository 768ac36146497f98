"""Changes that end without a landing (stopped, merged, refused), and how they continue."""

import pytest

from action.order import AgentOrder
from action.report import AgentEnding
from bot.core.decide.queue.land import LAND_AGAIN
from bot.core.journal import effects as ef, events as ev
from bot.core.journal.events import FailureReason
from bot.core.journal.state import SpecRunState
from bot.core.state.observed import Hint, HintKind
from bot.core.values.ids import PullNumber, Sha
from bot.core.values.lifecycle import WITH_AGENT, ChangeState, OfferStage
from bot.core.values.repository import PullState, Role
from gates.result import Ending
from tests.core.kit import World, approved, judging, proposed
from tests.core.values import GATES, beside, sha

S = ChangeState


def merged(world: World, requirement: str, head: Sha | None = None) -> PullNumber:
    """Merge a change's pull as a person; its head is the candidate or `head`."""
    change = world.change(requirement)
    assert change.pull is not None
    world.merge_pull(change.pull, head or world.candidate(change).sha)
    return change.pull


class TestMerges:
    """A merge by a person lands the change, whichever webhook arrives first."""

    @pytest.mark.parametrize("first", [HintKind.PULL, HintKind.MAIN])
    def test_a_merge_of_the_candidate_counts_as_landed(self, first: HintKind) -> None:
        world, order = judging()
        pull = merged(world, "R0")
        world.tick((Hint(kind=first, number=pull if first is HintKind.PULL else 0),))
        landed = world.change("R0")
        assert landed.state is S.LANDED
        assert (landed.landed, landed.merged_by) == (world.main[-1].sha, "ada")
        assert len(world.state.covered) == 1
        world.settle()
        assert [e.order for e in world.intended if isinstance(e, ef.RevokeOrder)] == [order]
        assert len(world.wrote("CandidateBuilt")) == 1

    def test_dependents_start_from_the_main_with_the_merge(self) -> None:
        world = approved()
        world.hand_in(world.agent_order_of("A"))
        world.settle()
        pull = merged(world, "A")
        world.tick((Hint(kind=HintKind.PULL, number=pull),))
        world.settle()
        assert world.agent_order(world.agent_order_of("B")).base_sha == world.main[-1].sha

    def test_a_merge_during_the_landing_counts_as_landed(self) -> None:
        world, order = judging()
        world.judge(order)
        world.decide()
        assert world.stage("R0") is OfferStage.LANDING
        merged(world, "R0")
        world.settle()
        assert world.change("R0").state is S.LANDED
        assert world.change("R0").merged_by == "ada"
        assert world.wrote("Landed") == []

    def test_a_change_waits_for_a_merge_that_is_not_on_main_yet(self) -> None:
        world, _ = judging()
        pull = merged(world, "R0")
        late = world.main.pop()
        world.tick((Hint(kind=HintKind.PULL, number=pull),))
        assert world.stage("R0") is OfferStage.JUDGING
        world.main.append(late)
        world.tick((Hint(kind=HintKind.MAIN),))
        assert world.change("R0").state is S.LANDED

    def test_a_merge_that_never_appears_on_main_stops_its_change(self) -> None:
        world, _ = judging()
        merged(world, "R0")
        world.main.pop()
        world.settle()
        world.pass_time(11 * 60)
        world.settle()
        assert world.change("R0").state is S.STOPPED

    def test_a_merge_of_another_commit_does_not_land_the_change(self) -> None:
        world, _ = judging()
        pull = merged(world, "R0", sha("pushed onto the branch"))
        world.tick((Hint(kind=HintKind.PULL, number=pull),))
        world.settle()
        assert world.change("R0").state is S.STOPPED
        assert world.state.covered == {}


class TestStops:
    """Stopped by a command, by a closed pull, or by a merge of something else."""

    def test_stop_on_the_tracking_issue_stops_all(self) -> None:
        world = approved()
        world.say(world.run.issue or 0, "/headgate stop")
        world.work()
        assert {c.state for c in world.state.changes.values()} == {S.STOPPED}
        assert world.run.state is SpecRunState.STOPPED
        assert world.run.issue_closed
        revoked = {e.order for e in world.intended if isinstance(e, ef.RevokeOrder)}
        assert revoked == set(world.orders)

    def test_stop_on_a_change_stops_that_one(self) -> None:
        world = approved()
        world.say(world.change("C").issue or 0, "/headgate stop")
        world.work()
        assert world.change("C").state is S.STOPPED
        assert world.change("B").state is S.LANDED

    @pytest.mark.parametrize("state", [PullState.CLOSED, PullState.MERGED])
    def test_a_pull_that_a_person_closes_or_merges_stops_its_change(self, state: PullState) -> None:
        world, _ = judging()
        pull = world.change("R0").pull
        assert pull is not None
        world.close_pull(pull, state)
        world.tick((Hint(kind=HintKind.PULL, number=pull),))
        world.settle()
        assert world.change("R0").state is S.STOPPED
        assert world.run.state is SpecRunState.ENDED

    def test_a_pull_that_is_closed_while_it_lands_stops_its_change(self) -> None:
        world, order = judging()
        world.judge(order)
        world.decide()
        pull = world.change("R0").pull
        assert pull is not None
        world.close_pull(pull)
        world.settle()
        assert world.change("R0").state is S.STOPPED
        assert len(world.wrote("LandIntended")) == 1

    def test_a_failed_landing_in_a_stopped_run_is_stopped(self) -> None:
        world, order = judging()
        world.judge(order)
        world.decide()
        assert world.stage("R0") is OfferStage.LANDING
        world.push(sha("spec by hand"), "specs/notes.md")
        world.say(world.run.issue or 0, "/headgate stop")
        world.decide()
        world.decide()
        world.settle()
        assert "is landing now and can no longer be stopped" in world.replies()
        assert world.change("R0").state is S.STOPPED

    def test_a_reopened_change_gets_a_new_pull(self) -> None:
        world, _ = judging()
        world.say(world.change("R0").issue or 0, "/headgate stop")
        world.settle()
        first = world.change("R0").pull
        world.say(world.change("R0").issue or 0, "/headgate retry")
        world.work()
        change = world.change("R0")
        assert change.state is S.LANDED
        assert change.pull != first

    def test_a_stopped_waiting_change_still_waits_after_a_retry(self) -> None:
        world = approved()
        world.say(world.change("B").issue or 0, "/headgate stop")
        world.settle()
        world.say(world.change("B").issue or 0, "/headgate retry")
        world.settle()
        assert world.change("A").state is not S.LANDED
        assert world.change("B").state is S.RETRYING
        assert world.change("B").state not in WITH_AGENT
        world.work()
        assert world.change("B").state is S.LANDED

    def test_a_retried_change_is_held_back_by_a_later_failure(self) -> None:
        world = approved(policy_text=GATES + "attempts_max: 1\n")
        world.say(world.change("B").issue or 0, "/headgate stop")
        world.settle()
        world.say(world.change("B").issue or 0, "/headgate retry")
        world.settle()
        world.hand_in(world.agent_order_of("A"), AgentEnding.GAVE_UP)
        world.work()
        assert world.change("A").state is S.FAILED
        assert world.change("B").state is S.RETRYING
        assert world.run.state is SpecRunState.ENDED
        assert "was held back by `cart-title-of-a`" in world.replies()

    def test_stop_and_retry_do_not_replace_an_approval(self) -> None:
        world = proposed(policy_text=GATES + "approver: admin\n")
        issue = world.run.issue or 0
        world.say(issue, "/headgate stop", role=Role.WRITE)
        world.settle()
        world.pass_time(5)
        world.say(issue, "/headgate retry", role=Role.WRITE)
        world.settle()
        assert world.run.state is SpecRunState.PROPOSED
        assert not world.open_orders(AgentOrder)
        world.pass_time(5)
        world.say(issue, "/headgate approve", role=Role.ADMIN)
        world.work()
        assert {c.state for c in world.state.changes.values()} == {S.LANDED}


class TestRefusals:
    """A final refusal by GitHub or git ends the change with their message."""

    @pytest.mark.parametrize("effect", ["ImportBundle", "BuildCandidate", "OpenPull"])
    def test_a_refused_effect_fails_its_change_with_the_refusal(self, effect: str) -> None:
        world = approved(beside(2))
        world.refusals[effect] = "403: not allowed here"
        world.work()
        for change in world.state.changes.values():
            assert (change.state, change.failure) == (S.FAILED, FailureReason.REFUSED)
            assert change.sentence == "403: not allowed here"
        assert world.run.state is SpecRunState.ENDED

    def test_a_refused_landing_is_retried_after_a_delay(self) -> None:
        world, order = judging()
        world.refusals["LandCandidate"] = "403: main is protected"
        world.judge(order)
        world.settle()
        change = world.change("R0")
        assert (world.stage(change), change.sentence) == (
            OfferStage.QUEUED,
            "403: main is protected",
        )
        world.settle()
        assert len(world.wrote("LandIntended")) == 1
        world.refusals.clear()
        world.pass_time(LAND_AGAIN.total_seconds())
        world.settle()
        assert world.change("R0").state is S.LANDED

    def test_a_start_that_cannot_be_prepared_fails_its_change(self) -> None:
        world, order = judging()
        world.refusals["PrepareStart"] = "403"
        world.judge(order, test=Ending.FAILED)
        world.settle()
        assert world.change("R0").failure is FailureReason.REFUSED

    def test_a_retry_by_a_person_repeats_a_refused_effect(self) -> None:
        world = approved(beside(1))
        world.refusals["OpenPull"] = "403: not allowed here"
        world.work()
        world.refusals.clear()
        world.say(world.change("R0").issue or 0, "/headgate retry")
        world.work()
        assert world.change("R0").state is S.LANDED


def test_a_candidate_built_after_a_stop_does_not_reuse_a_number() -> None:
    world = approved(beside(1))
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.tick()
    world.decide()
    assert world.stage("R0") is OfferStage.BUILDING
    world.say(world.change("R0").issue or 0, "/headgate stop")
    world.decide()
    world.decide()
    assert world.change("R0").state is S.STOPPED
    world.settle()
    world.say(world.change("R0").issue or 0, "/headgate retry")
    world.work()
    numbers = [e.number for e in world.journal if isinstance(e, ev.CandidateBuilt)]
    assert len(numbers) == len(set(numbers))
    assert world.change("R0").state is S.LANDED
