"""Stories of evidence: a judged tree or diff is not judged again."""

from dataclasses import replace

import pytest

from action.order import AgentOrder, GateOrder
from bot.core.journal import events as ev
from bot.core.journal.evolve_evidence import EVIDENCE_KEPT
from bot.core.values.ids import OrderId, Sha
from bot.core.values.lifecycle import ChangeState as S
from gates.result import Ending, GateResult, Judges
from tests.core.kit import World, approved, judging
from tests.core.values import GATES, beside, sha

ONLY_TESTS = "version: 1\nquiet_seconds: 0\ngates: {test: {run: make test}}\n"


def _landed(rules: str = GATES) -> World:
    """One change is on main, and the next one's work waits for its candidate."""
    world = approved(beside(2), rules)
    for order in world.open_orders(AgentOrder):
        world.hand_in(order)
    world.trees = {world.change(r).id: sha("one tree") for r in ("R0", "R1")}
    world.settle()
    world.judge(world.open_orders(GateOrder)[0])
    world.settle()
    return world


def _names(world: World) -> list[str]:
    return [gate.name for gate in world.gate_order().gates]


def test_a_tree_is_judged_once_for_all_changes() -> None:
    world = _landed()
    assert [c.state for c in world.state.changes.values()].count(S.LANDED) == 1
    assert _names(world) == ["scope_check"]
    world.judge(world.open_orders(GateOrder)[0])
    world.settle()
    assert {c.state for c in world.state.changes.values()} == {S.LANDED}
    assert set(world.state.ledger[-1].gates) == {"test", "scope_check", "lint"}


def test_a_changed_setup_judges_the_tree_again() -> None:
    world = _landed()
    world.judge(world.open_orders(GateOrder)[0], scope_check=Ending.FAILED)
    world.policy_text = GATES + "setup: [make deps]\n"
    world.settle()
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    assert set(_names(world)) == {"test", "scope_check", "lint"}


def test_main_with_a_passed_tree_needs_no_runner() -> None:
    world = _landed(ONLY_TESTS)
    tree = world.main[-1].tree
    world.push_code("by hand")
    world.work()
    orders = len(world.orders)
    again = world.push(sha("revert"), "src/by_hand.py", tree=tree)
    world.settle()
    assert len(world.orders) == orders
    adoption = world.state.adoptions[again.sha]
    assert adoption.green is True
    assert [r.gate for r in adoption.results] == ["test"]


def test_only_missing_gates_run_on_main() -> None:
    world = _landed()
    tree = world.main[-1].tree
    while orders := world.open_orders(GateOrder):
        world.judge(orders[0])
        world.settle()
    again = world.push(sha("revert"), "src/by_hand.py", tree=tree)
    world.settle()
    assert _names(world) == ["scope_check"]
    world.judge(world.open_orders(GateOrder)[0])
    world.settle()
    adoption = world.state.adoptions[again.sha]
    assert adoption.green is True
    assert {r.gate for r in adoption.results} == {"test", "scope_check", "lint"}


def test_a_requested_judgement_of_main_runs_all_gates() -> None:
    world = _landed(ONLY_TESTS)
    assert world.state.main is not None
    while orders := world.open_orders(GateOrder):
        world.judge(orders[0])
        world.settle()
    world.write((ev.MainAsked(sha=world.state.main, because=OrderId("o1")),))
    world.settle()
    assert _names(world) == ["test"]


def test_a_tree_that_was_red_on_main_is_judged_again() -> None:
    world = _landed(ONLY_TESTS)
    red = world.push(sha("red"), "src/by_hand.py")
    world.settle()
    while orders := world.open_orders(GateOrder):
        world.judge(orders[0], test=Ending.FAILED)
        world.settle()
    assert world.state.frozen is not None
    world.push(sha("the same"), "src/by_hand.py", tree=red.tree)
    world.settle()
    assert _names(world) == ["test"]


def test_a_requested_re_run_discards_the_evidence() -> None:
    world = _landed(ONLY_TESTS)
    assert world.state.evidence
    first = next(c for c in world.state.changes.values() if world.state.candidate_of(c))
    newest = world.candidate(first)
    again = ev.GatesAskedAgain(change=first.id, candidate=newest.sha, asked_by="@ann")
    world.write((again,))
    assert not world.state.evidence


def test_a_stale_report_is_not_evidence() -> None:
    world, order = judging()
    candidate = world.candidate("R0")
    said = GateResult(gate="test", judges=Judges.TREE, ending=Ending.PASSED, sentence="Yes.")
    late = ev.CandidatePassed(
        change=world.change("R0").id,
        order=order,
        candidate=Sha(candidate.sha[::-1]),
        definition_hash="",
        results=(said,),
    )
    world.write((late,))
    assert not world.state.evidence
    world.write((late.replace(candidate=candidate.sha),))
    assert [e.key.judged for e in world.state.evidence.values()] == [f"tree:{candidate.tree}"]


@pytest.mark.parametrize("more", [0, 7])
def test_only_the_newest_evidence_is_kept(more: int) -> None:
    world = _landed(ONLY_TESTS)
    (known,) = world.state.evidence.values()
    many = {
        f"old {n}": replace(known, key=known.key.replace(judged=f"tree:{n}"))
        for n in range(EVIDENCE_KEPT + more)
    }
    world.state = replace(world.state, evidence=many)
    world.push_code("by hand")
    world.work()
    assert len(world.state.evidence) == EVIDENCE_KEPT
    assert "old 0" not in world.state.evidence
