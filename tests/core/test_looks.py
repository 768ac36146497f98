"""What to read, which results are reused, and when to wake up: small functions around `decide`."""

from dataclasses import replace
from datetime import timedelta

import pytest

from action.order import AgentOrder, GateOrder
from bot.core.decide.decide import wake_at
from bot.core.journal import events as ev
from bot.core.journal.evidence_state import Evidence
from bot.core.journal.state import RepositoryState
from bot.core.spec.policy import Policy
from bot.core.state.evidence import Judged, held, is_complete, keys_of
from bot.core.state.observed import Hint, HintKind, looks
from bot.core.state.verdict import Verdict, judge
from bot.core.values.ids import OrderId
from bot.core.values.repository import Role
from gates.result import Ending, GateResult, Judges
from tests.core.kit import World, approved, judging
from tests.core.values import GATES, beside, policy, result, sha


class TestLooks:
    """Only open work and hints are read."""

    def test_without_a_hint_only_open_work_is_read(self) -> None:
        world = approved(beside(2))
        asked = looks(world.state, (), world.now)
        assert not asked.main
        assert asked.comments_since is None
        assert asked.workflow_runs == ()
        assert asked.pulls == ()
        assert set(asked.order_store) == set(world.open_orders(AgentOrder))
        assert asked.spec_runs == (world.run.id,)

    def test_a_full_look_starts_a_little_before_the_last_one(self) -> None:
        world, _ = judging()
        asked = looks(world.state, (Hint(kind=HintKind.EVERYTHING),), world.now)
        assert asked.main
        assert world.state.comments_seen_to is not None
        assert asked.comments_since == world.state.comments_seen_to - timedelta(minutes=5)
        assert asked.pulls == (world.change("R0").pull,)
        assert len(asked.workflow_runs) == 1

    def test_each_hint_reads_one_thing(self) -> None:
        world, order = judging()
        run = world.state.orders[order].workflow_run
        pull = world.change("R0").pull
        assert run is not None
        assert pull is not None
        assert looks(world.state, (Hint(kind=HintKind.MAIN),), world.now).main
        workflow = Hint(kind=HintKind.WORKFLOW_RUN, number=run)
        assert looks(world.state, (workflow,), world.now).workflow_runs == (order,)
        foreign = Hint(kind=HintKind.WORKFLOW_RUN, number=1)
        assert looks(world.state, (foreign,), world.now).workflow_runs == ()
        assert looks(world.state, (Hint(kind=HintKind.PULL, number=pull),), world.now).pulls
        comment = Hint(kind=HintKind.COMMENT, number=5, issue=1)
        assert looks(world.state, (comment,), world.now).comment_ids == (5,)

    def test_an_answered_comment_is_not_read_again(self) -> None:
        world = approved()
        (comment,) = world.state.answered
        hint = Hint(kind=HintKind.COMMENT, number=comment, issue=1)
        assert looks(world.state, (hint,), world.now).comment_ids == ()

    def test_a_landed_change_is_not_read(self) -> None:
        world = approved(beside(1))
        world.work()
        asked = looks(world.state, (Hint(kind=HintKind.EVERYTHING),), world.now)
        assert (asked.pulls, asked.order_store, asked.spec_runs) == ((), (), ())


class TestWakeUp:
    """When the next timeout ends."""

    def _wake(self, world: World) -> object:
        rules = world.policy
        assert isinstance(rules, Policy)
        order_store = tuple(
            world.order_store[o] for o in world.order_store if world.state.orders[o].is_open
        )
        return wake_at(world.state, rules, order_store, world.now)

    def test_an_order_without_a_runner_wakes_at_its_start_limit(self) -> None:
        world = approved(beside(1), GATES + "runner_start_seconds: 60\n")
        order = world.state.orders[world.open_orders(AgentOrder)[0]]
        assert order.dispatched_at is not None
        assert self._wake(world) == order.dispatched_at + timedelta(seconds=60)

    def test_a_lease_wakes_when_it_expires(self) -> None:
        world = approved(beside(1))
        world.lease(world.open_orders(AgentOrder)[0], seconds=45)
        world.settle()
        assert self._wake(world) == world.now + timedelta(seconds=45)

    def test_a_delayed_effect_wakes_when_it_is_due(self) -> None:
        world = approved(beside(1))
        effect = world.intended[0]
        until = world.now + timedelta(seconds=1)
        world.write(
            (
                ev.EffectIntended(effect=effect),
                ev.EffectDelayed(key=effect.key, sentence="", until=until, tries=1),
            )
        )
        assert self._wake(world) == until

    def test_no_wake_up_is_set_when_all_is_done(self) -> None:
        world = approved(beside(1))
        world.work()
        world.pass_time(60)
        assert self._wake(world) is None


class TestVerdict:
    """Only a gate that ran and passed is a pass (law 6)."""

    @pytest.mark.parametrize(
        ("results", "verdict"),
        [
            ((result("test"), result("scope_check"), result("lint")), Verdict.GREEN),
            ((result("test"), result("scope_check")), Verdict.GREEN),
            ((result("test"),), Verdict.RED),
            ((), Verdict.RED),
            (
                (result("test", Ending.FAILED), result("test"), result("scope_check")),
                Verdict.RED,
            ),
            (
                (result("test"), result("test", Ending.FAILED), result("scope_check")),
                Verdict.RED,
            ),
            ((result("other"), result("scope_check")), Verdict.RED),
        ],
    )
    def test_a_verdict_is_computed_from_the_results(
        self, results: tuple[GateResult, ...], verdict: Verdict
    ) -> None:
        assert judge(policy(), results).verdict is verdict

    def test_a_verdict_without_required_gates_is_red(self) -> None:
        rules = policy("gates: {lint: {run: x, required: false}}")
        assert judge(rules, (result("lint"),)).verdict is Verdict.RED

    def test_the_scope_of_a_result_comes_from_the_policy_on_main(self) -> None:
        claimed = result("scope_check", judges=Judges.TREE)
        judged = judge(policy(), (result("test"), claimed))
        assert {r.gate: r.judges for r in judged.results}["scope_check"] is Judges.DIFF


TESTED = GATES + "  tests:\n    builtin: tests\n"


class TestReuse:
    """A tree result for the identical tree, a diff result for the identical diff (law 8)."""

    @pytest.mark.parametrize(
        ("tree", "diff", "gates", "known"),
        [
            ("t", "d", GATES, {"test", "lint", "scope_check"}),
            ("t", "other", GATES, {"test", "lint"}),
            ("other", "d", GATES, {"scope_check"}),
            ("other", "other", GATES, set()),
            ("t", "d", TESTED, {"test", "lint", "scope_check", "tests"}),
            ("other", "d", TESTED, {"scope_check"}),
            ("t", "other", TESTED, {"test", "lint"}),
            ("t", "d", GATES + "protect: [/x]\n", {"test", "lint"}),
            ("t", "d", GATES + "egress: [example.com]\n", set()),
            ("t", "d", GATES + "setup: [make deps]\n", set()),
            ("t", "d", GATES + "sandbox: none_allowed\n", set()),
            ("t", "d", GATES + "runs_on: {gates: large}\n", set()),
            ("t", "d", GATES.replace("make test", "make quick"), {"lint", "scope_check"}),
            ("t", "d", TESTED.replace("make test", "make quick"), {"lint", "scope_check"}),
        ],
    )
    def test_reused_results_depend_on_tree_and_diff(
        self, tree: str, diff: str, gates: str, known: set[str]
    ) -> None:
        before = policy(TESTED if "builtin: tests" in gates else GATES)
        judged = Judged(commit=sha("c"), tree=sha("t"), diff="d")
        evidence = {
            key.name: Evidence(key=key, result=result(key.gate), order=OrderId("o1"))
            for key in keys_of(before, judged)
        }
        state = RepositoryState(evidence=evidence)
        now = Judged(commit=sha("n"), tree=sha(tree), diff=diff)
        assert {r.gate for r in held(state, policy(gates), now)} == known

    def test_an_accepted_result_is_complete_and_not_reused(self) -> None:
        rules = policy(GATES)
        judged = Judged(commit=sha("c"), tree=sha("t"), diff="d")
        accepted = replace(
            result("test", Ending.FAILED), failed_tests=("slow",), waived_tests=("slow",)
        )
        results = {"test": accepted}
        evidence = {
            key.name: Evidence(
                key=key, result=results.get(key.gate, result(key.gate)), order=OrderId("o1")
            )
            for key in keys_of(rules, judged)
        }
        state = RepositoryState(evidence=evidence)
        assert {r.gate for r in held(state, rules, judged)} == {"lint", "scope_check"}
        assert is_complete(state, rules, judged)
        assert not is_complete(state, rules, judged.replace(tree=sha("other")))
        assert not is_complete(state, policy(GATES + "setup: [make deps]\n"), judged)

    def test_failed_results_are_never_reused(self) -> None:
        world, order = judging()
        world.judge(order, test=Ending.FAILED)
        world.settle()
        assert {e.key.gate for e in world.state.evidence.values()} == {"lint", "scope_check"}

    def test_no_gate_runs_if_all_results_are_reused(self) -> None:
        rules = "version: 1\nquiet_seconds: 0\ngates: {scope_check: {builtin: scope_check}}\n"
        world = approved(beside(1), rules)
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        (order,) = world.open_orders(GateOrder)
        world.lease(order)
        world.settle()
        world.push(sha("by hand"), "specs/notes.md")
        world.judge(order)
        world.settle()
        assert [line.kind for line in world.state.ledger[-2:]] == ["admitted", "landed"]
        assert len([o for o in world.orders.values() if isinstance(o, GateOrder)]) == 1


@pytest.mark.parametrize("role", Role)
def test_a_role_covers_itself_and_the_weaker_ones(role: Role) -> None:
    order = list(Role)
    covered = [other for other in Role if role.covers(other)]
    assert covered == order[: order.index(role) + 1]
