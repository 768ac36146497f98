"""Outages of a model pause the work and cost no attempt."""

from datetime import timedelta

import pytest

from action.report import AgentEnding, AgentReport
from bot.core.decide.decide import wake_at
from bot.core.spec.policy import Policy
from bot.core.values.lifecycle import ChangeState, OrderState, SpecRunState
from bot.core.values.repository import Role
from tests.core.deferrals import AWAY, agents, gates, progress, put_off
from tests.core.kit import World, approved
from tests.core.values import GATES, beside, requirement, spec

S = ChangeState


def waits(world: World, seconds: float) -> bool:
    """Whether nothing is ordered until so many seconds are over, and an agent is then."""
    world.pass_time(seconds - 1)
    world.settle()
    if agents(world):
        return False
    world.pass_time(2)
    world.settle()
    return len(agents(world)) == 1


class TestOutages:
    def test_an_outage_counts_no_attempt_and_the_change_lands_after_it(self) -> None:
        world = approved(beside(1))
        for _ in range(7):
            put_off(world)
            assert (world.change("R0").attempt, world.change("R0").tries) == (0, 0)
            world.pass_time(3_600)
            world.settle()
        world.work()
        change = world.change("R0")
        assert (change.state, change.attempt) == (S.LANDED, 1)
        assert world.wrote("WorkFailed") == []
        assert world.state.pauses == {}

    def test_work_from_before_an_outage_is_continued(self) -> None:
        world = approved(beside(1))
        (cut_off,) = agents(world)
        world.defer(cut_off, AWAY, "The model answers 529.", turns=5, has_work=True)
        world.settle()
        world.pass_time(31)
        world.settle()
        again = world.agent_order()
        assert again.attempt == 1
        assert again.start_sha != again.base_sha
        assert again.retry is not None
        assert again.retry.sentence == "The model answers 529."
        world.work()
        assert world.change("R0").state is S.LANDED

    def test_the_pause_grows_from_half_a_minute_to_half_an_hour(self) -> None:
        world = approved(beside(1))
        for seconds in (30, 60, 120, 240, 480, 960, 1_800, 1_800):
            put_off(world)
            assert waits(world, seconds), seconds

    def test_the_retry_time_of_the_server_counts(self) -> None:
        world = approved(beside(1))
        put_off(world, retry_after=7_200)
        assert waits(world, 7_200)

    @pytest.mark.parametrize("retry_after", [5.0, -3.0])
    def test_a_short_or_past_retry_time_is_ignored(self, retry_after: float) -> None:
        world = approved(beside(1))
        put_off(world, retry_after=retry_after)
        assert waits(world, 30)

    def test_an_absurd_retry_time_is_limited(self) -> None:
        world = approved(beside(1))
        put_off(world, retry_after=1e300)
        assert waits(world, timedelta(days=3).total_seconds())

    def test_other_changes_wait_and_one_order_probes_first(self) -> None:
        world = approved(beside(4), GATES + "max_parallel: 3\n")
        for order in agents(world):
            world.defer(order, AWAY)
        world.settle()
        assert agents(world) == []
        world.pass_time(31)
        world.settle()
        (probe,) = agents(world)
        world.pass_time(10)
        world.settle()
        assert agents(world) == [probe]
        world.hand_in(probe)
        world.settle()
        assert len(agents(world)) == 3
        world.work()
        assert {c.attempt for c in world.state.changes.values()} == {1}
        assert {c.state for c in world.state.changes.values()} == {S.LANDED}

    def test_an_order_that_was_under_way_does_not_lengthen_the_pause(self) -> None:
        world = approved(beside(2), GATES + "max_parallel: 2\n")
        first, second = agents(world)
        world.defer(first, AWAY)
        world.settle()
        world.pass_time(20)
        world.defer(second, AWAY)
        world.settle()
        (pause,) = world.state.pauses.values()
        assert pause.times == 1
        assert waits(world, 10)

    def test_a_lost_probe_is_replaced_by_another(self) -> None:
        world = approved(beside(2), GATES + "max_parallel: 2\n")
        for order in agents(world):
            world.defer(order, AWAY)
        world.settle()
        world.pass_time(31)
        world.settle()
        (probe,) = agents(world)
        world.lease(probe)
        world.settle()
        world.pass_time(46)
        world.settle()
        assert world.state.orders[probe].state is OrderState.LOST
        assert len(agents(world)) == 1
        assert len(world.state.pauses) == 1

    def test_a_probe_that_works_for_minutes_releases_the_others(self) -> None:
        world = approved(beside(3), GATES + "max_parallel: 3\n")
        for order in agents(world):
            world.defer(order, AWAY)
        world.settle()
        world.pass_time(31)
        world.settle()
        (probe,) = agents(world)
        world.lease(probe, seconds=3_600)
        world.settle()
        world.pass_time(301)
        world.settle()
        assert len(agents(world)) == 3

    def test_gates_continue_during_a_pause_of_agents(self) -> None:
        world = approved(beside(2), GATES + "max_parallel: 2\n")
        first, second = agents(world)
        world.defer(first, AWAY)
        world.hand_in(second)
        world.settle()
        world.judge(gates(world)[0])
        world.settle()
        assert world.change("R1").state is S.LANDED

    def test_another_model_in_the_policy_ends_the_wait(self) -> None:
        world = approved(beside(1))
        put_off(world)
        world.policy_text = GATES + "agent:\n  model: another-model\n"
        world.settle()
        assert world.agent_order().agent.model == "another-model"
        assert world.state.pauses == {}

    def test_a_push_to_main_does_not_end_an_outage_pause(self) -> None:
        world = approved(beside(1))
        put_off(world)
        world.push_code("anything")
        world.settle()
        world.judge(gates(world)[0])
        world.settle()
        assert agents(world) == []

    def test_the_tracking_issue_shows_the_start_of_a_pause(self) -> None:
        world = approved(beside(1))
        put_off(world)
        since = f"{world.now:%Y-%m-%d %H:%M} UTC"
        assert f"**Paused since {since}:** The model `" in progress(world)
        assert "does not answer" in progress(world)
        world.pass_time(3_600)
        world.settle()
        put_off(world)
        assert f"**Paused since {since}:**" in progress(world)
        world.pass_time(3_600)
        world.work()
        assert "Paused" not in progress(world)

    def test_tokens_of_an_interrupted_run_are_shown_and_not_charged(self) -> None:
        world = approved(beside(1))
        tokens_max = world.agent_order().agent.limits.tokens_max
        put_off(world, turns=3)
        assert [run.outcome for run in world.change("R0").agent_runs] == ["deferred"]
        world.pass_time(31)
        world.settle()
        assert world.agent_order().agent.limits.tokens_max == tokens_max

    def test_a_wake_up_is_set_for_the_next_order(self) -> None:
        world = approved(beside(1))
        put_off(world)
        policy = world.policy
        assert isinstance(policy, Policy)
        wake = wake_at(world.state, policy, (), world.now)
        assert wake == world.now + timedelta(seconds=30)

    def test_an_older_harness_reports_an_outage_by_its_ending(self) -> None:
        world = approved(beside(1))
        (order,) = agents(world)
        report = AgentReport.model_validate(
            {"version": 2, "order_id": order, "ending": "model_unreachable", "sentence": "Gone."}
        )
        world.lease(order)
        world.order_store[order] = world.order_store[order].model_copy(update={"report": report})
        world.settle()
        assert (world.change("R0").attempt, len(world.state.pauses)) == (0, 1)


class TestResume:
    def test_resume_orders_all_agents_at_once(self) -> None:
        world = approved(beside(2), GATES + "max_parallel: 2\n")
        for order in agents(world):
            world.defer(order, AWAY)
        world.settle()
        world.say(world.run.issue or 0, "/headgate resume")
        world.settle()
        assert len(agents(world)) == 2
        assert "Headgate tries again now." in world.replies()

    def test_resume_without_a_pause_is_answered(self) -> None:
        world = approved(beside(1))
        world.say(world.run.issue or 0, "/headgate resume")
        world.settle()
        assert "waits for nothing" in world.replies()
        assert world.wrote("PausesEnded") == []

    def test_resume_with_only_read_access_is_refused(self) -> None:
        world = approved(beside(1))
        put_off(world)
        world.say(world.run.issue or 0, "/headgate resume", role=Role.READ)
        world.settle()
        assert agents(world) == []


class TestReplans:
    def test_a_crashed_attempt_is_not_planned_again(self) -> None:
        both = spec(requirement("A", "cart"), requirement("A2", "cart"))
        world = approved(both, GATES + "attempts_max: 1\n")
        world.hand_in(agents(world)[0], AgentEnding.CRASHED, "It crashed.")
        world.settle()
        assert world.run.state is SpecRunState.ENDED
        assert world.run.cycles == ()
        assert "0 of 2 requirements landed" in world.replies()
