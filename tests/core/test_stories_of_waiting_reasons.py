"""The reason of a waiting change is what it waits for now, not what comes later."""

from datetime import timedelta

import pytest

from action.order import GateOrder
from action.report import Obstacle
from bot.core.journal import events as ev
from bot.core.journal.effects import OpenIssue
from bot.core.spec.model_choice import ServerModels
from bot.core.spec.policy import Policy
from bot.core.state.pauses import of_agents, of_gates
from bot.core.state.reason import Cause, Reason, reason_of
from bot.core.talk.issues import status_text
from bot.core.talk.reason_text import reason_text
from bot.core.values.lifecycle import ChangeState, OfferStage
from bot.core.values.plan_model import ChangeSize
from bot.core.values.steering import Steering
from gates.result import Ending
from tests.core.deferrals import AWAY, agents, gates, put_off
from tests.core.kit import World, approved, judging, proposed
from tests.core.test_stories_of_peoples_pushes import issue_of, red, taken
from tests.core.test_stories_of_reasons import first_line, rows, why
from tests.core.values import GATES, START, beside

S = ChangeState


def in_short(world: World, requirement: str = "R0") -> str:
    """The sentence of `/headgate why` about the change alone."""
    return why(world, requirement).splitlines()[0]


def policy_of(world: World) -> Policy:
    policy = world.policy
    assert isinstance(policy, Policy)
    return policy


class TestPaused:
    """A pause holds orders back: no agent is "ordered next" meanwhile."""

    def test_the_reason_names_an_unavailable_model_and_the_retry_time(self) -> None:
        world = approved(beside(1))
        put_off(world)
        said = in_short(world)
        assert "No agent starts: the model `claude-sonnet-4-6` does not answer (since" in said
        assert "Headgate tries again at 2026-03-02 09:00 UTC." in said

    def test_the_reason_names_the_probing_change(self) -> None:
        world = approved(beside(2), GATES + "max_parallel: 2\n")
        for order in agents(world):
            world.defer(order, AWAY)
        world.settle()
        world.pass_time(31)
        world.settle()
        tries, waits = (
            world.change(r)
            for r in sorted(("R0", "R1"), key=lambda r: world.change(r).state is not S.ORDERED)
        )
        requirement = waits.planned.requirements[0].removeprefix("shop#")
        assert f"Headgate tries again with #{tries.issue} (working) first." in in_short(
            world, requirement
        )

    @pytest.mark.parametrize("obstacle", [Obstacle.SANDBOX_REFUSED, Obstacle.SETUP_FAILED])
    def test_the_reason_names_a_setup_error(self, obstacle: Obstacle) -> None:
        world = approved(beside(1), GATES + "setup: [npm ci]\n")
        put_off(world, obstacle)
        assert "No agent starts: the " in in_short(world)
        assert "Headgate starts an agent next" not in in_short(world)

    def test_the_reason_names_gates_that_cannot_run(self) -> None:
        world = approved(beside(1))
        world.work(until=lambda w: w.stage("R0") is OfferStage.JUDGING)
        world.defer(gates(world)[0], Obstacle.SANDBOX_REFUSED, "no bwrap")
        world.settle()
        said = in_short(world)
        assert "Its gates do not start: the runner has no working sandbox (since" in said

    def test_a_pause_of_gates_does_not_block_agents(self) -> None:
        world = approved(beside(3), GATES + "max_parallel: 1\n")
        world.hand_in(agents(world)[0])
        world.settle()
        for _ in range(2):
            world.judge_without_programs(gates(world)[-1], "test")
            world.settle()
        assert [p.cause.value for p in world.state.pauses.values()] == ["gate_missing"]
        assert [p.cause.value for p in of_gates(world.state, None)] == ["gate_missing"]
        for policy in (policy_of(world), None):
            assert of_agents(world.state, policy, ServerModels(), ChangeSize.M) == ()

    def test_a_pause_of_agents_does_not_block_gates(self) -> None:
        world = approved(beside(1))
        put_off(world)
        for policy in (policy_of(world), None):
            assert of_gates(world.state, policy) == ()

    def test_a_pause_of_another_model_does_not_block_the_change(self) -> None:
        world = approved(beside(1))
        put_off(world)
        change, models = world.change("R0"), ServerModels()
        assert reason_of(world.state, change, policy_of(world), models).cause is Cause.PAUSED
        world.policy_text = GATES + "agent:\n  model: another-model\n"
        assert reason_of(world.state, change, policy_of(world), models).cause is Cause.STARTS

    def test_without_a_policy_every_pause_of_agents_counts(self) -> None:
        """As on the command line, which reads the journal alone."""
        world = approved(beside(1))
        put_off(world)
        change = world.change("R0")
        reason = reason_of(world.state, change)
        assert reason.cause is Cause.PAUSED
        assert "does not answer" in reason_text(world.state, None, change, reason)


class TestTheFirstLine:
    """The first line does not say "working" if no agent works."""

    def test_the_first_line_names_the_start_of_an_outage(self) -> None:
        world = approved(beside(1))
        put_off(world)
        since = f"{world.now:%Y-%m-%d %H:%M} UTC"
        said = f"orders wait: the model `claude-sonnet-4-6` does not answer (since {since})"
        assert first_line(world) == (
            f"**Now:** 1 working (#{issue_of(world)}); {said}. There is nothing to do."
        )
        world.pass_time(3_600)
        world.settle()
        assert said in first_line(world)
        world.hand_in(agents(world)[0])
        world.settle()
        assert "orders wait" not in first_line(world)

    def test_the_first_line_names_a_pause_or_freeze_by_a_person(self) -> None:
        world = approved(beside(1))
        world.say(world.run.issue or 0, "/headgate freeze we move house")
        world.say(world.run.issue or 0, "/headgate pause")
        world.settle()
        assert "a person has frozen the queue since 2026-03-02 09:0" in first_line(world)
        assert "a person has stopped new orders since 2026-03-02 09:0" in first_line(world)

    def test_an_ended_run_mentions_no_freeze(self) -> None:
        world = approved(beside(1))
        world.work()
        world.say(world.run.issue or 0, "/headgate freeze")
        world.settle()
        assert "frozen" not in first_line(world)


def last_row(world: World) -> str:
    """The newest attempt: its number, result and reason."""
    return rows(world, "R0")[-1]


class TestUnjudgedWork:
    """The table of attempts says why no gate ran after an agent finished."""

    def test_the_reason_names_steering_files(self) -> None:
        world = approved(beside(1))
        hook = Steering(runner=("tests/conftest.py",), digest="a hook")
        world.steering[world.change("R0").id] = hook
        world.hand_in(agents(world)[0])
        world.settle()
        assert "| 1 | finished | It changes files that decide how its gates run" in last_row(world)
        said = in_short(world)
        assert "comment `/headgate allow" in said
        assert "To try again" not in said
        allow = (
            "read the files in #3 that change how it is judged, and comment `/headgate allow` or"
        )
        assert f"**To do:** {allow} `/headgate retry agent` there." in first_line(world)

    def test_the_reason_names_a_stale_delta(self) -> None:
        world = approved(beside(1))
        world.archive_refusals = ["the block is gone"]
        world.hand_in(agents(world)[0])
        world.settle()
        assert last_row(world) == (
            "| 1 | finished | Its spec no longer fits the main specs: the block is gone"
        )

    def test_the_reason_names_a_stop(self) -> None:
        world, _ = judging()
        world.say(issue_of(world), "/headgate stop")
        world.settle()
        assert "| 1 | finished | Stopped by @" in last_row(world)

    def test_the_reason_names_a_push_by_a_person(self) -> None:
        world, _ = taken()
        said = "| 1 | finished | It was not judged, because newer work replaced it."
        assert last_row(world) == said
        world.work()
        assert last_row(world) == said

    def test_work_being_judged_has_no_reason_yet(self) -> None:
        world, _ = judging()
        assert last_row(world) == "| 1 | finished | –"


class TestRepeatedGates:
    def test_the_reason_names_a_repeated_red_gate(self) -> None:
        world = approved(beside(1), GATES.replace("    repeat: 0\n", ""))
        world.work(until=lambda w: w.stage("R0") is OfferStage.JUDGING)
        world.judge(gates(world)[0], ("tests/a.py::b",), test=Ending.FAILED)
        world.settle()
        said = "`test` failed: `tests/a.py::b`. The red gates run once more before this counts."
        assert said in in_short(world)
        world.judge(gates(world)[0], ("tests/a.py::b",), test=Ending.FAILED)
        world.settle()
        assert "runs once more" not in in_short(world)


class TestMainJudgedInParallel:
    def test_a_judged_change_waits_for_the_gates_of_main(self) -> None:
        """The introduced failures are not known before."""
        world = approved(beside(1))
        world.push_code("by hand")
        world.settle()
        world.hand_in(agents(world)[0])
        world.settle()
        (own,) = (o for o in gates(world) if world.state.orders[o].change)
        world.judge(own, test=Ending.FAILED)
        world.settle()
        assert world.stage("R0") is OfferStage.JUDGING
        assert "The gates are also running on main itself. Their result counts first." in in_short(
            world
        )

    def test_the_reason_does_not_mention_a_judged_main(self) -> None:
        world, order = judging()
        world.lease(order, seconds=600)
        assert "on main itself" not in in_short(world)


class TestTakenOverWork:
    """Red work of a person stays with them; no agent is ordered by itself."""

    def test_the_reason_names_the_person_and_the_next_step(self) -> None:
        world, _ = taken()
        world.judge(world.open_orders(GateOrder)[-1], ("tests/a.py::b",), test=Ending.FAILED)
        world.settle()
        said = in_short(world)
        assert "Ada has taken it over. Did not pass: test (failed)." in said
        assert "The gates said: `test` failed: `tests/a.py::b`." in said
        assert "It continues with a push to its branch" in said
        assert "`/headgate hand-back`" in said
        assert "starts an agent next" not in said

    def test_the_comment_to_the_person_names_the_red_test(self) -> None:
        world, _ = taken()
        world.judge(world.open_orders(GateOrder)[-1], ("tests/a.py::b",), test=Ending.FAILED)
        world.settle()
        told = next(text for _, text in world.posted if "**Please fix this.**" in text)
        assert "`test` failed: `tests/a.py::b`" in told

    def test_a_red_gate_of_an_agent_is_not_shown_for_a_persons_work(self) -> None:
        world, order = judging()
        world.judge(order, ("tests/old.py::x",), test=Ending.FAILED)
        world.settle()
        world.push_branch(world.change("R0"), "fix")
        world.settle()
        world.conflicting[world.change("R0").id] = ("a.py",)
        world.push_code("meanwhile")
        world.work()
        assert world.change("R0").state is S.HELD
        assert "tests/old.py::x" not in in_short(world)

    def test_the_first_line_asks_the_person_to_continue(self) -> None:
        world, _ = taken()
        red(world)
        assert f"**To do:** Ada: push a fix to the branch of #{issue_of(world)}" in (
            first_line(world)
        )

    def test_the_issue_of_a_taken_over_change_mentions_no_attempt(self) -> None:
        world, _ = taken()
        red(world)
        said = status_text(world.state, world.change("R0"))
        assert "Reason for this attempt" not in said
        assert said.count("Did not pass: test (failed).") == 1


class TestDelayedIssue:
    def test_the_reason_names_a_delayed_issue(self) -> None:
        """No change starts without its issue."""
        world = proposed(beside(1))
        world.say(world.run.issue or 0, "/headgate approve")
        while not any(_is_of_the_change(e) for e in world.state.open_effects.values()):
            world.decide()
            if not any(_is_of_the_change(e) for e in world.state.open_effects.values()):
                world.perform()
        key = next(k for k, e in world.state.open_effects.items() if _is_of_the_change(e))
        until = START + timedelta(hours=1)
        limit = "GitHub limits how fast issues are created."
        world.write((ev.EffectDelayed(key=key, sentence=limit, until=until, tries=1),))
        (change,) = world.state.changes.values()
        reason: Reason = reason_of(world.state, change, policy_of(world))
        assert (reason.cause, reason.until) == (Cause.DELAYED, until)


def _is_of_the_change(effect: object) -> bool:
    return isinstance(effect, OpenIssue) and bool(effect.slug)
