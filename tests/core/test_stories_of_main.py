"""Commits on main that Headgate did not land: admitted, adopted, frozen, rewound."""

from dataclasses import replace

import pytest
from pydantic_core import to_json

from action.order import AgentOrder, GateOrder
from bot.core.journal import effects as ef, events as ev
from bot.core.journal.state import SpecRunState
from bot.core.state.candidates import stage_of
from bot.core.state.off_main import is_off_main
from bot.core.state.queue_order import blocked_by
from bot.core.talk.issues import PROGRESS, STATUS, status_text
from bot.core.values.ids import IssueNumber, OrderId, Sha
from bot.core.values.lifecycle import CandidateState, ChangeState, OfferStage
from gates.result import Ending
from tests.core.kit import World, approved, judging, proposed
from tests.core.values import GATES, beside, sha


def _order_of_main(world: World) -> OrderId:
    """The open gate order that judges main itself."""
    return next(o for o in world.open_orders(GateOrder) if world.state.orders[o].change is None)


def _order_of_change(world: World) -> OrderId:
    return next(o for o in world.open_orders(GateOrder) if world.state.orders[o].change)


def _told(world: World, issue: IssueNumber | None, region: str) -> str:
    """What a region of an issue was last edited to."""
    edits = [
        e.effect
        for e in world.wrote("EffectIntended")
        if isinstance(e, ev.EffectIntended) and isinstance(e.effect, ef.EditIssue)
    ]
    return [e.text for e in edits if (e.issue, e.region) == (issue, region)][-1]


def test_a_landing_after_a_commit_by_hand_builds_on_it() -> None:
    world, _ = judging()
    world.push_code("x")
    world.judge(_order_of_change(world))
    world.settle()
    assert world.state.main is not None
    adoption = world.state.adoption_under(world.state.main)
    assert adoption is not None
    assert adoption.sha == world.state.main
    world.judge(_order_of_main(world))
    world.work()
    assert world.change("R0").state is ChangeState.LANDED
    assert world.state.adoption_under(world.state.main) is None


@pytest.mark.parametrize(
    ("paths", "kind"),
    [
        (("specs/shop.md",), "admitted"),
        (("openspec/changes/x/spec.md", ".github/headgate.yml"), "admitted"),
        (("notes/today.md",), "admitted"),
        (("notes",), "adopted"),
        (("notesandmore/x.md",), "adopted"),
        (("specs/shop.md", "src/shop.py"), "adopted"),
        (("team/east/goals/till.md",), "admitted"),
        (("team/east/till.md",), "adopted"),
        ((".github/workflows/ci.yml",), "adopted"),
        ((), "adopted"),
    ],
)
def test_paths_decide_whether_a_push_is_admitted_or_adopted(
    paths: tuple[str, ...], kind: str
) -> None:
    world = World(GATES + "admit: [notes/, team/*/goals/]\n")
    world.push(sha("by hand"), *paths)
    world.settle()
    assert world.state.ledger[-1].kind == kind
    assert world.state.ledger[-1].author == "ann"
    assert bool(world.state.adoptions) is (kind == "adopted")


def test_no_change_lands_while_an_adopted_commit_is_judged() -> None:
    world, _ = judging()
    world.push_code("x")
    world.judge(_order_of_change(world))
    world.settle()
    # Built on the new main and judged beside it, and not landed.
    change = world.change("R0")
    assert change.candidates == 2
    assert world.candidate(change).base == world.state.main
    world.judge(_order_of_change(world))
    world.settle()
    assert stage_of(world.state, world.change("R0")) is OfferStage.QUEUED
    assert "The gates are still running on it" in (blocked_by(world.state) or "")
    world.judge(_order_of_main(world))
    world.settle()
    assert world.change("R0").state is ChangeState.LANDED


def test_a_red_adopted_commit_freezes_the_queue_and_fails_no_change() -> None:
    world, _ = judging()
    world.lease(_order_of_change(world))
    world.settle()
    red = world.push_code("red")
    world.settle()
    world.judge(_order_of_main(world), test=Ending.FAILED)
    world.judge(_order_of_change(world))
    world.settle()
    change = world.change("R0")
    assert world.state.frozen == (
        f"main at {red[:12]} is red. Did not pass: test (failed). It comes from a commit by ann "
        "that Headgate did not land."
    )
    assert (stage_of(world.state, change), change.attempt) == (OfferStage.QUEUED, 1)
    assert f"git revert {red}" in world.replies()
    assert world.check_runs[f"main:{red}"].conclusion == "failure"


def test_a_red_candidate_on_a_red_main_is_built_again() -> None:
    world = approved(beside(1))
    red = world.push_code("red")
    world.settle()
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    candidate = world.candidate("R0")
    assert candidate.base == red
    world.judge(_order_of_change(world), test=Ending.FAILED)
    world.judge(_order_of_main(world), test=Ending.FAILED)
    world.settle()
    assert world.change("R0").attempt == 1
    assert world.change("R0").retry is None
    world.push_code("fix")
    world.settle()
    world.judge(_order_of_main(world))
    world.work()
    assert world.wrote("CandidateVoided")
    change = world.change("R0")
    assert (change.state, change.attempt) == (ChangeState.LANDED, 1)
    assert world.state.frozen is None


def test_a_fix_on_main_unfreezes_the_queue_even_under_a_spec_commit() -> None:
    world, _ = judging()
    world.push_code("red")
    world.settle()
    world.judge(_order_of_main(world), test=Ending.FAILED)
    world.settle()
    world.push_code("fix")
    world.settle()
    order = _order_of_main(world)
    world.push(sha("a spec meanwhile"), "specs/other-notes.txt")
    world.settle()
    world.judge(order)
    world.settle()
    assert world.state.frozen is None
    world.work()
    assert world.change("R0").state is ChangeState.LANDED


def test_a_red_verdict_of_an_older_commit_does_not_freeze_the_queue() -> None:
    world, _ = judging()
    world.push_code("first")
    world.settle()
    older = _order_of_main(world)
    world.push_code("second")
    world.settle()
    assert _order_of_main(world) == older
    world.judge(older, test=Ending.FAILED)
    world.settle()
    assert world.state.frozen is None
    newer = _order_of_main(world)
    assert world.gate_order(newer).candidate_sha == world.main[-1].sha
    world.judge(newer)
    world.work()
    assert world.change("R0").state is ChangeState.LANDED


def test_commits_of_one_push_are_judged_once_at_the_tip() -> None:
    world = World()
    world.push_code("one")
    tip = world.push_code("two")
    world.settle()
    assert [line.kind for line in world.state.ledger] == ["genesis", "adopted", "adopted"]
    assert set(world.state.adoptions) == {tip}
    assert len(world.open_orders(GateOrder)) == 1
    asked = world.gate_order(_order_of_main(world))
    assert (asked.candidate_sha, asked.diff_base_sha) == (tip, world.main[0].sha)


def test_a_commit_is_red_after_its_gates_were_lost_three_times() -> None:
    world = World()
    world.push_code("x")
    world.settle()
    for _ in range(3):
        assert world.state.frozen is None
        world.lease(_order_of_main(world))
        world.settle()
        world.pass_time(100)
        world.settle()
    assert "could not be judged" in (world.state.frozen or "")


def test_changed_gates_judge_main_again() -> None:
    world = World()
    world.push_code("x")
    world.settle()
    world.policy_text = GATES + "  audit:\n    run: make audit\n"
    world.push(sha("policy"), ".github/headgate.yml")
    world.judge(_order_of_main(world))
    world.settle()
    assert world.state.frozen is None
    world.judge(_order_of_main(world))
    world.settle()
    assert next(iter(world.state.adoptions.values())).green is True
    assert blocked_by(world.state) is None


class TestRewound:
    """Main was moved back or replaced."""

    def _rewound(self, to: Sha | None = None) -> World:
        world, _ = judging()
        world.push_code("lost")
        world.settle()
        world.judge(_order_of_main(world))
        world.settle()
        keep = next((n for n, c in enumerate(world.main) if c.sha == to), 0)
        del world.main[keep + 1 :]
        if to is None:
            world.push(sha("foreign"), "src/other.py")
        world.settle()
        return world

    def test_a_rewound_main_freezes_the_queue_and_is_judged(self) -> None:
        world = self._rewound()
        assert "which does not contain it" in (world.state.frozen or "")
        assert world.state.main == sha("foreign")
        assert len(world.wrote("MainRewound")) == 1
        asked = world.gate_order(_order_of_main(world))
        assert asked.candidate_sha == sha("foreign")
        assert asked.diff_base_sha == world.main[0].sha

    def test_green_gates_unfreeze_the_queue(self) -> None:
        world = self._rewound()
        world.work()
        assert world.state.frozen is None
        assert world.change("R0").state is ChangeState.LANDED

    def test_the_tip_of_a_rewound_main_is_in_the_ledger(self) -> None:
        world = self._rewound()
        line = world.state.ledger[-1]
        assert (line.sha, line.kind, line.previous) == (sha("foreign"), "adopted", None)

    def test_a_landing_lost_from_main_is_reported_until_it_is_back(self) -> None:
        world = approved(beside(1))
        world.work()
        change = world.change("R0")
        assert change.landed == world.main[-1].sha
        kept = list(world.main)
        landing = next(n for n, c in enumerate(kept) if c.sha == change.landed)
        assert not is_off_main(world.state, change)

        del world.main[landing:]
        world.settle()
        assert is_off_main(world.state, world.change("R0"))
        said = status_text(world.state, world.change("R0"))
        assert "Since then, main was moved back" in said
        assert "On main as" not in said
        run = world.state.spec_runs[change.spec_run]
        assert run.issue_closed
        world.work()
        assert "**No longer on main:**" in _told(world, run.issue, PROGRESS)
        assert "Since then, main was moved back" in _told(world, change.issue, STATUS)

        world.main += kept[landing:]
        world.settle()
        assert not is_off_main(world.state, world.change("R0"))
        world.work()
        assert "On main as" in _told(world, change.issue, STATUS)
        assert "**No longer on main:**" not in _told(world, run.issue, PROGRESS)

    def test_a_landing_before_the_commit_that_main_went_back_to_is_still_there(self) -> None:
        world = approved(beside(2))
        world.work()
        first, second = sorted(
            (world.change("R0"), world.change("R1")),
            key=lambda c: [m.sha for m in world.main].index(c.landed or Sha("")),
        )
        place = next(n for n, c in enumerate(world.main) if c.sha == first.landed)
        del world.main[place + 1 :]
        world.settle()

        assert not is_off_main(world.state, world.state.changes[first.id])
        assert is_off_main(world.state, world.state.changes[second.id])

    def test_main_may_go_back_to_a_commit_that_it_had_and_forward_again(self) -> None:
        world = approved(beside(1))
        first = world.main[0]
        rest = world.main[1:]
        del world.main[1:]
        world.settle()
        assert world.state.main == first.sha
        world.main += rest
        world.settle()
        assert world.state.main == rest[-1].sha
        assert len(world.state.ledger) == 1 + len(rest) + 1 + len(rest)
        world.work()
        assert world.change("R0").state is ChangeState.LANDED


class TestNoGates:
    """Without required gates nothing lands, and a first policy is proposed once."""

    NONE = "version: 1\nquiet_seconds: 0\n"

    def test_missing_gates_are_reported_once_and_no_work_starts(self) -> None:
        world = proposed(policy_text=self.NONE)
        world.say(world.run.issue or 0, "/headgate approve")
        world.settle()
        world.settle()
        assert not world.orders
        assert "This repository has no required gate" in world.issues[world.run.issue or 0]
        assert "this repository has no required gate, so no work starts" in world.replies()
        assert len([e for e in world.intended if isinstance(e, ef.OfferGates)]) == 1
        assert {c.state for c in world.state.changes.values()} == {ChangeState.WAITING}

    def test_work_starts_by_itself_when_gates_are_added(self) -> None:
        world = proposed(policy_text=self.NONE)
        world.say(world.run.issue or 0, "/headgate approve")
        world.settle()
        world.policy_text = GATES
        world.push(sha("policy"), ".github/headgate.yml")
        world.work()
        assert world.run.state is SpecRunState.ENDED

    def test_removing_gates_while_judging_prevents_the_landing(self) -> None:
        world, _ = judging()
        world.policy_text = self.NONE
        world.push(sha("policy"), ".github/headgate.yml")
        world.judge(_order_of_change(world))
        world.settle()
        assert world.change("R0").landed is None
        assert world.change("R0").attempt == 1
        world.policy_text = GATES
        world.work()
        assert world.change("R0").state is ChangeState.LANDED
        assert world.change("R0").attempt == 1

    def test_gates_added_while_queued_run_before_landing(self) -> None:
        world, _ = judging()
        world.push_code("x")
        world.judge(_order_of_change(world))
        world.settle()
        order = _order_of_main(world)
        world.judge(order)
        world.decide()
        candidate = world.candidate("R0")
        assert world.state.main is not None
        # The candidate stands on main and passed; only what is asked has changed since.
        newest = replace(
            candidate,
            recipe=replace(candidate.recipe, base=world.state.main),
            state=CandidateState.JUDGED,
        )
        world.state = replace(
            world.state,
            candidates={newest.id: newest},
            open_effects={},
        )
        world.policy_text = GATES + "  audit:\n    run: make audit\n"
        world.decide()
        assert not world.wrote("LandIntended")

    def test_removing_gates_while_queued_prevents_the_landing(self) -> None:
        world, _ = judging()
        world.push_code("x")
        world.judge(_order_of_change(world))
        world.settle()
        order = _order_of_main(world)
        world.policy_text = self.NONE
        world.push(sha("policy"), ".github/headgate.yml")
        world.judge(order)
        world.settle()
        assert world.change("R0").landed is None


def test_the_ledger_is_published_completely_and_in_order() -> None:
    world = approved()
    world.work()
    pushes = [e for e in world.intended if isinstance(e, ef.PublishLedger)]
    lines = [line for push in pushes for line in push.lines]
    assert lines == [to_json(line).decode() for line in world.state.ledger]
    assert [push.first for push in pushes] == sorted(push.first for push in pushes)
    published = [e.lines for e in world.journal if isinstance(e, ev.LedgerPublished)]
    assert published[-1] == len(world.state.ledger)
