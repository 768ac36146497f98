"""A repository gets another name, owner or default branch; Headgate may not work in it for a while,
or was removed. No decision is made twice, and no work is lost.
"""

from datetime import timedelta

import pytest

from action.order import AgentOrder, GateOrder
from bot.core.decide.decide import wake_at
from bot.core.journal import effects as ef
from bot.core.spec.policy import Policy
from bot.core.state.access import REMOVAL_GRACE
from bot.core.state.observed import Hint, HintKind, looks
from bot.core.state.under_way import is_under_way
from bot.core.talk.news_text import standing
from bot.core.values.ids import InstallationId, RepositoryId
from bot.core.values.lifecycle import ChangeState as S, SpecRunState
from bot.core.values.repository import AwayReason, PullState, RepositoryFacts, Standing
from tests.core.kit import World, approved, judging
from tests.core.values import FACTS, beside

REPOSITORY = (Hint(kind=HintKind.REPOSITORY),)


def called(**names: object) -> Standing:
    return Standing(facts=RepositoryFacts.model_validate({**FACTS.model_dump(), **names}))


def lose(world: World, reason: AwayReason, *lacks: str) -> None:
    """GitHub says so, and Headgate hears of it."""
    world.standing = Standing(away=reason, lacks=lacks)
    world.tick(REPOSITORY)


def regain(world: World) -> None:
    world.standing = Standing(facts=FACTS)
    world.tick(REPOSITORY)
    world.settle()


@pytest.mark.parametrize(
    ("reason", "fix"),
    [
        (AwayReason.ARCHIVED, "Unarchive it"),
        (AwayReason.NO_ISSUES, "Settings, General, Features"),
        (AwayReason.SUSPENDED, "unsuspends it"),
        (AwayReason.PERMISSIONS, "accepts the permissions"),
        (AwayReason.REMOVED, "gives the App access"),
        (AwayReason.NOT_SERVED, "Add the owner to that setting"),
    ],
)
def test_the_doctor_names_the_reason_of_a_pause_and_the_fix(reason: AwayReason, fix: str) -> None:
    world = approved(beside(1))
    assert standing(world.state) == []
    lose(world, reason)
    (said,) = standing(world.state)
    assert said.startswith("Headgate is paused here: ")
    assert fix in said
    regain(world)
    assert standing(world.state) == []


class TestNames:
    @pytest.mark.parametrize("hints", [REPOSITORY, (Hint(kind=HintKind.EVERYTHING),)])
    def test_a_rename_is_noticed_by_a_hint_and_by_a_full_look(
        self, hints: tuple[Hint, ...]
    ) -> None:
        world = approved(beside(1))
        world.standing = called(full_name="acme/store", html_url="https://github.test/acme/store")
        world.tick(hints)
        assert world.state.facts == world.standing.facts
        world.work()
        assert world.change("R0").state is S.LANDED
        assert len(world.wrote("RepositoryChanged")) == 1

    def test_orders_contain_the_current_repository_name(self) -> None:
        world = approved(beside(1))
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.standing = called(full_name="acme/store", clone_url="https://github.test/new.git")
        world.settle()
        order = world.gate_order()
        assert (order.repository, order.clone_url) == ("acme/store", "https://github.test/new.git")

    def test_a_transfer_changes_the_installation(self) -> None:
        world = approved(beside(1))
        world.standing = called(full_name="other/shop", installation_id=InstallationId(8))
        world.settle()
        assert world.state.facts is not None
        assert world.state.facts.installation_id == 8

    def test_a_different_repository_with_our_name_is_not_ours(self) -> None:
        world = approved(beside(1))
        world.standing = called(id=RepositoryId(8))
        world.settle()
        assert world.state.facts == FACTS

    def test_an_order_keeps_the_branch_that_it_was_dispatched_on(self) -> None:
        world = approved(beside(1))
        order = world.open_orders(AgentOrder)[0]
        world.standing = called(default_branch="trunk")
        world.settle()
        assert world.state.facts is not None
        assert world.state.facts.main_ref == "refs/heads/trunk"
        assert world.state.orders[order].dispatched_on == "refs/heads/main"

    def test_another_default_branch_without_our_commits_is_judged_first(self) -> None:
        world, _ = judging()
        world.standing = called(default_branch="next")
        world.main.clear()
        tip = world.push_code("of another line")
        world.settle()
        assert world.state.main == tip
        assert world.state.frozen is not None

    def test_a_pull_onto_the_former_default_branch_is_replaced(self) -> None:
        world, gates = judging()
        former = world.change("R0").pull
        assert former is not None
        world.standing = called(default_branch="next")
        world.settle()
        pull = world.change("R0").pull
        assert pull is not None
        assert world.pulls[former].state is PullState.CLOSED
        assert world.pulls[pull].base_branch == "next"
        world.judge(gates)
        world.work()
        assert world.change("R0").state is S.LANDED

    def test_a_pull_that_github_retargeted_stays_open(self) -> None:
        world, _ = judging()
        former = world.change("R0").pull
        assert former is not None
        moved = {"base_branch": "trunk"}
        world.pulls[former] = world.pulls[former].model_copy(update=moved)
        world.standing = called(default_branch="trunk")
        world.settle()
        assert world.change("R0").pull == former


class TestPauses:
    @pytest.mark.parametrize("reason", [AwayReason.SUSPENDED, AwayReason.REMOVED])
    def test_no_decision_or_effect_happens_without_access(self, reason: AwayReason) -> None:
        world = approved(beside(2))
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.tick()
        assert world.wrote("HeadImported"), "a candidate would be built next"
        written = len(world.journal)
        lose(world, reason)
        assert [e.type for e in world.journal[written:]] == ["AccessLost"]
        written = len(world.journal)
        world.say(world.run.issue or 0, "/headgate stop")
        world.pass_time(600)
        world.settle()
        assert len(world.journal) == written
        assert not is_under_way(world.state)

    def test_waiting_work_continues_after_access_returns_and_says_why(self) -> None:
        world = approved(beside(2))
        for order in world.open_orders(AgentOrder):
            world.hand_in(order)
        lose(world, AwayReason.SUSPENDED)
        assert "suspended" not in world.replies()
        world.pass_time(7_200)
        regain(world)
        assert "Headgate was paused here" in world.replies()
        assert "its installation is suspended" in world.replies()
        world.work()
        assert {c.state for c in world.state.changes.values()} == {S.LANDED}
        assert len([o for o in world.orders.values() if isinstance(o, AgentOrder)]) == 2

    def test_a_comment_made_without_access_is_read_later(self) -> None:
        world = approved(beside(1))
        lose(world, AwayReason.SUSPENDED)
        world.say(world.run.issue or 0, "/headgate stop")
        world.pass_time(7_200)
        regain(world)
        assert world.run.state is SpecRunState.STOPPED

    def test_the_same_loss_of_access_is_recorded_once(self) -> None:
        world = approved(beside(1))
        for _ in range(3):
            lose(world, AwayReason.PERMISSIONS, "checks: write")
            world.pass_time(60)
        assert len(world.wrote("AccessLost")) == 1
        assert world.replies().count("lacks `checks: write`") == 1
        for _ in range(3):
            regain(world)
        assert len(world.wrote("AccessRegained")) == 1

    def test_a_missing_permission_is_named_in_the_issue_if_possible(self) -> None:
        world = approved(beside(1))
        lose(world, AwayReason.PERMISSIONS, "checks: write")
        assert "lacks `checks: write`" in world.replies()
        assert not isinstance(world.intended[-1], ef.DispatchOrder)

    def test_without_permission_to_comment_no_comment_is_tried(self) -> None:
        world = approved(beside(1))
        lose(world, AwayReason.PERMISSIONS, "issues: write")
        assert "paused" not in world.replies()
        assert not world.state.open_effects
        regain(world)
        assert "its installation lacks `issues: write`" in world.replies()

    @pytest.mark.parametrize("reason", [AwayReason.SUSPENDED, AwayReason.REMOVED])
    def test_time_without_access_does_not_count_against_a_runner(self, reason: AwayReason) -> None:
        """No runner could take the order meanwhile, so nobody is told to start one."""
        world = approved(beside(1))
        order = world.agent_order().order_id
        lose(world, reason)
        world.pass_time(3_000)
        regain(world)
        assert world.state.pauses == {}
        assert world.agent_order().order_id == order
        world.pass_time(901)
        world.settle()
        assert [p.cause.value for p in world.state.pauses.values()] == ["no_runner"]

    def test_a_runner_with_an_order_keeps_its_time_limit(self) -> None:
        world = approved(beside(1))
        order = world.open_orders(AgentOrder)[0]
        world.lease(order)
        world.settle()
        leased = world.state.orders[order]
        lose(world, AwayReason.SUSPENDED)
        world.pass_time(30)
        regain(world)
        assert world.state.orders[order] == leased


class TestRemoval:
    def test_a_removed_installation_stops_work_after_an_hour_and_keeps_it(self) -> None:
        world, _ = judging()
        head = world.change("R0").head
        lose(world, AwayReason.REMOVED)
        due = wake_at(world.state, _policy(world), (), world.now)
        assert due == world.now + REMOVAL_GRACE
        world.pass_time(REMOVAL_GRACE.total_seconds())
        world.tick(())
        assert world.run.state is SpecRunState.STOPPED
        assert world.change("R0").state is S.STOPPED
        assert world.change("R0").head == head
        assert "removal of Headgate" in world.change("R0").sentence
        assert wake_at(world.state, _policy(world), (), world.now) is None

    def test_work_continues_if_the_installation_returns_within_an_hour(self) -> None:
        world, gates = judging()
        lose(world, AwayReason.REMOVED)
        world.pass_time(REMOVAL_GRACE.total_seconds() - 60)
        world.judge(gates)
        regain(world)
        world.work()
        assert world.change("R0").state is S.LANDED

    def test_a_repository_that_returned_at_the_deadline_is_not_closed(self) -> None:
        world = approved(beside(1))
        lose(world, AwayReason.REMOVED)
        world.pass_time(REMOVAL_GRACE.total_seconds())
        assert looks(world.state, (), world.now).standing
        world.standing = Standing(facts=FACTS)
        world.tick(())
        assert world.run.is_open

    def test_a_suspension_stops_no_spec_run(self) -> None:
        world = approved(beside(1))
        lose(world, AwayReason.SUSPENDED)
        world.pass_time(timedelta(days=30).total_seconds())
        world.tick(REPOSITORY)
        assert world.run.is_open

    def test_a_retry_after_the_return_continues_the_work(self) -> None:
        world, _ = judging()
        lose(world, AwayReason.REMOVED)
        world.pass_time(REMOVAL_GRACE.total_seconds())
        world.tick(REPOSITORY)
        regain(world)
        world.say(world.run.issue or 0, "/headgate retry")
        world.work()
        # The order of before the removal was taken by nobody: runners are asked again after a while.
        world.pass_time(60)
        world.work()
        assert world.change("R0").state is S.LANDED
        agents = [o for o in world.orders.values() if isinstance(o, AgentOrder)]
        gates = [o for o in world.orders.values() if isinstance(o, GateOrder)]
        assert (len(agents), len(gates)) == (1, 2)


def _policy(world: World) -> Policy:
    policy = world.policy
    assert isinstance(policy, Policy)
    return policy
