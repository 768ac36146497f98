"""Spec runs that ended long ago leave the state, and commands about them are still answered."""

import tracemalloc
from datetime import UTC, datetime

import pytest

from action.order import AgentOrder
from action.report import AgentEnding
from bot.core.decide.specs import retire_spec_runs
from bot.core.journal import effects as ef, events as ev
from bot.core.journal.evolve import fold
from bot.core.journal.evolve_main import LINES_KEPT
from bot.core.journal.model_advice_state import ModelAdvice
from bot.core.journal.state import RepositoryState, snapshot_of, state_of
from bot.core.state.observed import Hint, HintKind
from bot.core.values.ids import IssueNumber, SpecRunId
from bot.core.values.lifecycle import ChangeState, SpecRunState
from bot.core.values.replacement import replace
from bot.core.values.spec_model import Spec
from tests.core.kit import World, proposed
from tests.core.values import requirement, spec


@pytest.fixture(autouse=True)
def few_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retire_spec_runs, "ENDED_CHANGES_KEPT", 2)


def text_of(version: str) -> Spec:
    return spec(requirement("R0", "till").model_copy(update={"text_hash": version}))


def landed(world: World, version: str) -> ev.SpecRunOpened:
    """Push one more version of the spec, with another text, and land it."""
    world.push_spec(text_of(version), version)
    world.settle()
    world.pass_time(10)
    world.say(world.run.issue or 0, "/headgate approve")
    world.work()
    opened = world.wrote("SpecRunOpened")[-1]
    assert isinstance(opened, ev.SpecRunOpened)
    return opened


def after(versions: int) -> tuple[World, list[ev.SpecRunOpened]]:
    world = World()
    return world, [landed(world, f"v{n}") for n in range(versions)]


def retired_of(world: World) -> list[ev.SpecRunRetired]:
    return [e for e in world.wrote("SpecRunRetired") if isinstance(e, ev.SpecRunRetired)]


def life(number: int) -> tuple[ev.Event, ...]:
    """A spec run that is stopped at once, from its beginning until it is retired."""
    run, at = SpecRunId(f"specs.till@{number:08}"), datetime(2026, 7, 3, tzinfo=UTC)
    what = {"path": "specs/till.md", "title": "A till"}
    return (
        ev.SpecRunOpened(spec_run=run, key="specs.till", opened_at=at, **what),
        ev.SpecRunStopped(spec_run=run, stopped_by="ada"),
        ev.SpecRunRetired(
            spec_run=run,
            state=SpecRunState.STOPPED,
            issue=IssueNumber(number + 1),
            opened_at=at,
            ended_at=None,
            **what,
        ),
    )


def memory_of(state: RepositoryState) -> int:
    """Bytes that a process keeps for the state that it has read."""
    text = snapshot_of(state)
    tracemalloc.start()
    try:
        kept = state_of(text)
        size, _ = tracemalloc.get_traced_memory()
        del kept
        return size
    finally:
        tracemalloc.stop()


class TestTheState:
    def test_the_newest_runs_stay_and_older_ones_leave(self) -> None:
        world, opened = after(4)
        assert list(world.state.spec_runs) == [o.spec_run for o in opened[2:]]
        assert [o.spec_run in world.state.retired for o in opened] == [True, True, False, False]
        assert len(world.state.changes) == 2

    def test_the_state_does_not_grow_with_ended_runs(self) -> None:
        world, opened = after(4)
        before = len(snapshot_of(world.state))
        opened += [landed(world, f"v{n}") for n in range(4, 10)]
        grown = len(snapshot_of(world.state)) - before
        # What stays of a run is its id, its issue, its lines of the ledger and recent answers.
        assert grown / 6 < 2_000
        gone = [o.spec_run for o in opened if o.spec_run in world.state.retired]
        assert not [k for k in world.state.published if any(id_ in k for id_ in gone)]
        assert not [k for k in world.state.series if any(id_ in k for id_ in gone)]
        assert {o.change for o in world.state.orders.values()} == set(world.state.changes)
        assert set(world.state.run_of_issue.values()) == set(world.state.spec_runs)

    def test_a_thousand_retired_runs_take_little_memory(self) -> None:
        state = fold(event for n in range(1_000) for event in life(n))
        grown = memory_of(state) - memory_of(RepositoryState())
        assert SpecRunId("specs.till@00000999") in state.retired
        assert not state.spec_runs
        assert grown / 1_000 < 30

    def test_advice_leaves_with_its_run(self) -> None:
        world, opened = after(3)
        gone, stays = opened[0].spec_run, opened[2].spec_run
        places = [f"{kind}:{run}" for kind in ("digest", "summary") for run in (gone, stays)]
        state = replace(world.state, model_advice=dict.fromkeys(places, ModelAdvice()))
        (record,) = retired_of(world)
        run = replace(state.spec_runs[stays], id=gone)
        again = fold([record], replace(state, spec_runs={**state.spec_runs, gone: run}))
        assert list(again.model_advice) == [f"digest:{stays}", f"summary:{stays}"]

    def test_landed_requirements_stay_covered(self) -> None:
        world, _ = after(4)
        world.push_spec(text_of("v3"), "v3 again")
        world.settle()
        assert len(world.wrote("SpecRunOpened")) == 4

    def test_a_run_with_a_failed_change_stays_for_a_month(self) -> None:
        world = World()
        world.push_spec(text_of("bad"), "bad")
        world.settle()
        world.pass_time(10)
        failed = world.run.id
        world.say(world.run.issue or 0, "/headgate approve")
        world.settle()
        while world.open_orders(AgentOrder):
            world.hand_in(world.open_orders(AgentOrder)[0], AgentEnding.GAVE_UP)
            world.settle()
        assert ChangeState.FAILED in {c.state for c in world.state.changes.values()}
        for n in range(3):
            landed(world, f"v{n}")
        assert failed in world.state.spec_runs
        world.pass_time(retire_spec_runs.RETRY_KEPT.total_seconds())
        world.work()
        assert failed in world.state.retired

    def test_the_record_of_a_run_keeps_the_result_of_each_change(self) -> None:
        world, opened = after(3)
        (record,) = retired_of(world)
        (change,) = record.changes
        assert (record.spec_run, change.state, change.attempts) == (
            opened[0].spec_run,
            "landed",
            1,
        )
        assert change.landed in [c.sha for c in world.main]


class TestLateCommands:
    def test_a_command_on_an_old_issue_is_answered(self) -> None:
        world, opened = after(4)
        (issue,) = (e.issue for e in retired_of(world) if e.spec_run == opened[0].spec_run)
        world.say(issue or 0, "/headgate retry")
        world.settle()
        assert "ended long ago" in world.posted[-1][1]
        assert world.posted[-1][0] == issue

    def test_an_old_text_that_comes_back_gets_an_id_of_its_own(self) -> None:
        world, opened = after(4)
        again = landed(world, "v0")
        assert again.spec_run not in {o.spec_run for o in opened}

    def test_an_answered_command_is_not_carried_out_again_after_its_run_left(self) -> None:
        world, _ = after(2)
        old = world.comments[0][0]
        world.pass_time(5 * 24 * 3600)
        for n in range(2, 5):
            landed(world, f"v{n}")
        assert old.id not in world.state.answered
        before = len(world.journal)
        hint = Hint(kind=HintKind.COMMENT, number=old.id, issue=old.issue)
        world.tick((hint,))
        world.settle()
        assert [e.type for e in world.journal[before:] if e.type == "CommandHeard"] == []


class TestTheLedger:
    def test_published_lines_leave_the_state_and_numbers_go_on(self) -> None:
        world = proposed()
        for n in range(2 * LINES_KEPT + 5):
            world.push_code(f"by hand {n}")
            if n % 50 == 0:
                world.settle()
        world.settle()
        lines = [ln for e in world.intended if isinstance(e, ef.PublishLedger) for ln in e.lines]
        assert len(lines) == world.state.ledger_lines > 2 * LINES_KEPT
        assert len(world.state.ledger) < 2 * LINES_KEPT
        assert world.state.ledger[-1].sha == world.main[-1].sha

    def test_lines_that_are_not_published_stay(self) -> None:
        world = proposed()
        world.settle()
        published = world.state.ledger_published
        for n in range(2 * LINES_KEPT + 5):
            world.push_code(f"by hand {n}")
        world.decide()
        assert world.state.ledger[0].number == published
        assert len(world.state.ledger_from(published)) == 2 * LINES_KEPT + 5
