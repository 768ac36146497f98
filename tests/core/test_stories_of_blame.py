"""Only failures that a change introduced count against it; inherited ones belong to main."""

import pytest

from action.order import GateOrder
from bot.core.state.blame import Baseline, Blame, failures, with_blame
from bot.core.talk.attempts import attempt_table
from bot.core.talk.report import report
from bot.core.values.ids import OrderId
from bot.core.values.lifecycle import ChangeState, OfferStage
from bot.core.values.replacement import replace
from gates.result import Ending, GateResult, Judges, TestCounts
from tests.core.kit import World, approved, read_good
from tests.core.values import GATES, beside

S = ChangeState
RED = Ending.FAILED
OLD = ("tests/test_old.py::test_it",)
NEW = ("tests/test_new.py::test_it",)
REPEATED = GATES.replace("    repeat: 0\n", "")


def judged(world: World, order: OrderId, *failed: str, **endings: Ending) -> None:
    world.judge(order, failed, **endings)
    world.settle()


def order_of_main(world: World) -> OrderId:
    return next(o for o in world.open_orders(GateOrder) if not world.state.orders[o].change)


def on_red_main(*failed: str, policy_text: str = GATES) -> tuple[World, OrderId]:
    """Work on a main that a person's push made red, and the order to judge it."""
    world = approved(beside(1), policy_text)
    agent = world.agent_order().order_id
    world.push_code("broken")
    world.settle()
    while world.state.frozen is None:
        judged(world, order_of_main(world), *failed, test=RED)
    world.hand_in(OrderId(agent))
    world.settle()
    return world, world.open_orders(GateOrder)[0]


def verdict(world: World) -> str:
    """What the newest candidate's check run says."""
    change = world.change("R0")
    text = world.check_runs[f"{change.id}:{world.candidate(change).number}"]
    return f"{text.title}\n{text.summary}"


def why(world: World) -> str:
    before = len(world.posted)
    world.say(world.change("R0").issue or 0, "/headgate why")
    world.settle()
    return "\n".join(text for _, text in world.posted[before:])


class TestInherited:
    def test_a_gate_that_main_fails_too_is_not_blamed_on_the_change(self) -> None:
        world, order = on_red_main(*OLD)
        judged(world, order, *OLD, test=RED)
        world.pass_time(60)
        world.settle()
        assert world.wrote("CandidateFailed") == []
        assert len(world.wrote("MainBlamed")) == 1
        assert world.stage("R0") is OfferStage.JUDGING

    def test_an_inherited_failure_is_shown_separately_with_its_origin(self) -> None:
        world, order = on_red_main(*OLD)
        judged(world, order, *OLD, test=RED)
        assert verdict(world).startswith("Inherited from main. Did not pass: test (failed).")
        assert f"**Inherited from main:** `{OLD[0]}`." in verdict(world)
        assert "Introduced" not in verdict(world)
        row = f"| 1 | finished | `test` failed, inherited from main: `{OLD[0]}` |"
        assert row in "\n".join(attempt_table(world.change("R0")))
        ticked = replace(world.change("R0").agent_runs[0], ticked=1, tasks=2)
        half_done = replace(world.change("R0"), agent_runs=(ticked,))
        row = f"inherited from main: `{OLD[0]}`. 1 of 2 tasks ticked. |"
        assert row in "\n".join(attempt_table(half_done))
        said = why(world)
        assert "It comes from a commit by ann that Headgate did not land." in said
        assert f"inherited from main: `{OLD[0]}`. It continues when main is fixed" in said

    def test_an_inherited_failure_does_not_run_again(self) -> None:
        world, order = on_red_main(*OLD, policy_text=REPEATED)
        judged(world, order, *OLD, test=RED)
        assert world.open_orders(GateOrder) == [order]
        assert len(world.wrote("MainBlamed")) == 1

    def test_a_report_passes_once_its_inherited_failure_is_accepted(self) -> None:
        world, order = on_red_main(*OLD)
        judged(world, order, *OLD, test=RED)
        asked = len(world.wrote("GatesOrdered"))
        world.say(world.run.issue or 0, f"/headgate waive {OLD[0]}")
        world.settle()
        assert world.change("R0").state is S.LANDED
        assert len(world.wrote("GatesOrdered")) == asked
        assert f"**Inherited from main:** `{OLD[0]}` (accepted)." in verdict(world)
        policy = read_good(GATES)
        assert f"- Inherited from main and accepted: `{OLD[0]}`" in report(
            world.state, policy, world.run
        )

    def test_the_same_work_lands_once_main_is_repaired(self) -> None:
        world, order = on_red_main(*OLD)
        judged(world, order, *OLD, test=RED)
        world.push_code("mend it")
        world.work()
        assert world.change("R0").state is S.LANDED
        assert world.change("R0").attempt == 1

    def test_a_gate_without_named_tests_is_inherited_completely(self) -> None:
        world, order = on_red_main()
        judged(world, order, *NEW, test=RED)
        assert world.wrote("CandidateFailed") == []
        assert f"**Inherited from main:** `{NEW[0]}`." in verdict(world)

    def test_an_accepted_failure_that_main_fixed_counts_against_a_change(self) -> None:
        world = approved(beside(2), f"{GATES}max_parallel: 2\n")
        late = world.agent_order_of("R1")
        world.push_code("broken")
        world.settle()
        judged(world, order_of_main(world), *OLD, test=RED)
        world.say(world.run.issue or 0, f"/headgate waive {OLD[0]} until 2026-03-03")
        world.hand_in(world.agent_order_of("R0"))
        world.settle()
        judged(world, world.open_orders(GateOrder)[0], *OLD, test=RED)
        assert world.change("R0").state is S.LANDED
        world.pass_time(2 * 24 * 3600)
        world.lease(late)
        world.hand_in(late)
        world.settle()
        (order,) = world.open_orders(GateOrder)
        judged(world, order, *OLD, test=RED)
        assert world.wrote("CandidateFailed") == []
        judged(world, order_of_main(world))
        assert len(world.wrote("CandidateFailed")) == 1


class TestIntroduced:
    def test_a_new_failure_counts_even_on_a_red_main(self) -> None:
        world, order = on_red_main(*OLD)
        judged(world, order, *OLD, *NEW, test=RED)
        assert len(world.wrote("CandidateFailed")) == 1
        assert f"**Introduced by this change:** `{NEW[0]}`." in verdict(world)
        assert f"**Inherited from main:** `{OLD[0]}`." in verdict(world)
        apart = f"introduced by this change: `{NEW[0]}`; inherited from main: `{OLD[0]}`"
        assert f"`test` failed, {apart}" in "\n".join(attempt_table(world.change("R0")))

    def test_a_red_gate_that_is_green_on_main_is_blamed_on_the_change(self) -> None:
        world, order = on_red_main(*OLD)
        judged(world, order, *OLD, test=RED, scope_check=RED)
        assert len(world.wrote("CandidateFailed")) == 1

    def test_a_crash_of_a_gate_that_fails_on_main_is_blamed_on_the_change(self) -> None:
        world, order = on_red_main(*OLD)
        judged(world, order, test=Ending.CRASHED)
        assert len(world.wrote("CandidateFailed")) == 1
        assert "**Introduced by this change:** the gate `test`." in verdict(world)

    def test_on_a_green_main_every_failure_is_blamed_on_the_change(self) -> None:
        world = approved(beside(1))
        world.hand_in(OrderId(world.agent_order().order_id))
        world.settle()
        judged(world, world.open_orders(GateOrder)[0], *NEW, test=RED)
        assert f"**Introduced by this change:** `{NEW[0]}`." in verdict(world)
        assert "Inherited" not in verdict(world)


def red(failed: tuple[str, ...], counted: int | None = None, **more: object) -> GateResult:
    counts = TestCounts(failed=len(failed) if counted is None else counted)
    return GateResult(
        gate="test",
        judges=Judges.TREE,
        ending=RED,
        sentence="",
        failed_tests=failed,
        tests=counts,
        **more,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("result", "baseline", "expected"),
    [
        (red(("a", "b")), Baseline(), {"a": "introduced", "b": "introduced"}),
        (
            red(("a", "b")),
            Baseline(tests=frozenset({("test", "a")})),
            {"a": "inherited", "b": "introduced"},
        ),
        (red(("a",)), Baseline(gates=frozenset({"test"})), {"a": "inherited"}),
        (red(("a",)), Baseline(gates=frozenset({"lint"})), {"a": "introduced"}),
        (red(("a",)), Baseline(tests=frozenset({("lint", "a")})), {"a": "introduced"}),
        (red(("a",)), Baseline(tests=frozenset({("", "a")})), {"a": "inherited"}),
        # More failed than are named: nobody knows whether main fails it, too.
        (
            red(("a",), counted=2),
            Baseline(tests=frozenset({("test", "a")})),
            {"a": "inherited", "test": "introduced"},
        ),
        # A runner's own word does not count.
        (red(("a",), inherited=("a",)), Baseline(), {"a": "introduced"}),
    ],
)
def test_failures_are_assigned_to_main_or_the_change(
    result: GateResult, baseline: Baseline, expected: dict[str, str]
) -> None:
    found = failures((with_blame(result, baseline),))
    assert {f.name: f.blame for f in found} == {n: Blame(b) for n, b in expected.items()}
