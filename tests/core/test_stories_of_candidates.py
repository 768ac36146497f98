"""Candidates: numbered once, kept while they are needed, landed unchanged."""

from dataclasses import replace

from action.order import AgentOrder, GateOrder
from bot.core.journal import effects as ef, events as ev
from bot.core.journal.candidate_facts import Shape, recipe_of
from bot.core.journal.evolve import evolve
from bot.core.journal.state import RepositoryState
from bot.core.state.candidates import stage_of
from bot.core.values.ids import Sha
from bot.core.values.lifecycle import (
    CandidateState as C,
    ChangeState as S,
    OfferStage,
    QueuedPullState as P,
    SpecRunState,
)
from gates.result import Ending
from tests.core.kit import World, approved, judging
from tests.core.queued_pulls import gates_of_pull, judge_pull, pull_of, queue_pulls
from tests.core.values import GATES, START, beside

ONCE = GATES.replace("repeat: 0", "repeat: 1")


def assert_kept_are_needed(state: RepositoryState) -> None:
    """Every candidate that is kept is the newest of an entry, or is being built for one."""
    things = {*(c.entry for c in state.changes.values())}
    things |= {p.entry for p in state.queued_pulls.values()}
    assert state.entries.keys() <= things
    needed = {
        id_ for e in state.entries.values() for id_ in (e.candidate, e.asked) if id_ is not None
    }
    assert state.candidates.keys() == needed
    assert all(id_ == candidate.id for id_, candidate in state.candidates.items())
    assert state.candidates_made >= max(state.candidates, default=0)


class TestLifecycle:
    def test_a_candidate_is_requested_built_judged_and_landed(self) -> None:
        world = approved(beside(1))
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.unreachable.add("BuildCandidate")
        world.settle()
        assert [c.state for c in world.state.candidates.values()] == [C.ASKED]
        world.unreachable.clear()
        world.pass_time(600)
        world.settle()
        assert world.candidate("R0").state is C.JUDGING
        world.judge(world.open_orders(GateOrder)[0])
        world.decide()
        assert (world.stage("R0"), world.candidate("R0").state) == (OfferStage.LANDING, C.JUDGED)
        world.settle()
        assert world.candidate("R0").state is C.LANDED

    def test_a_candidate_has_its_number_from_the_request_on(self) -> None:
        world, _ = judging()
        (built,) = [e for e in world.intended if isinstance(e, ef.BuildCandidate)]
        candidate = world.candidate("R0")
        assert candidate.id == 1
        assert candidate.recipe == replace(recipe_of(built), archiver=1)
        assert candidate.recipe.shape is Shape.LINEAR

    def test_a_new_candidate_replaces_the_old_and_numbers_are_not_reused(self) -> None:
        world, order = judging()
        world.push_code("by hand")
        world.judge(order)
        world.settle()
        assert world.candidate("R0").id == 2
        assert list(world.state.candidates) == [2]

    def test_a_conflicting_candidate_is_kept_until_another_is_requested(self) -> None:
        world = approved(beside(1))
        world.conflicts = [True]
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        (conflicted,) = world.state.candidates.values()
        assert (conflicted.id, conflicted.state) == (1, C.UNBUILDABLE)
        world.work()
        (landed,) = world.state.candidates.values()
        assert (landed.id, landed.state) == (2, C.LANDED)

    def test_a_red_candidate_runs_again_before_its_verdict(self) -> None:
        world, order = judging(ONCE)
        world.judge(order, test=Ending.FAILED)
        world.decide()
        assert world.candidate("R0").state is C.JUDGING
        assert [r.gate for r in world.candidate("R0").doubts] == ["test"]
        world.settle()
        world.judge(world.open_orders(GateOrder)[0], test=Ending.FAILED)
        world.decide()
        assert world.candidate("R0").state is C.JUDGED
        assert world.stage("R0") is not OfferStage.QUEUED

    def test_stopping_a_change_voids_its_candidate(self) -> None:
        world, _ = judging()
        world.say(world.change("R0").issue or 0, "/headgate stop")
        world.settle()
        assert world.candidate("R0").state is C.VOID

    def test_a_push_by_a_person_voids_the_candidate(self) -> None:
        world, _ = judging()
        first = world.candidate("R0")
        world.push_branch(world.change("R0"), "fix")
        world.settle()
        assert world.candidate("R0").id != first.id
        assert first.id not in world.state.candidates


class TestStaleEvents:
    def test_a_verdict_of_another_commit_moves_neither_the_candidate_nor_the_change(self) -> None:
        world, order = judging()
        candidate = world.candidate("R0")
        passed = ev.CandidatePassed(
            change=world.change("R0").id,
            order=order,
            candidate=Sha(candidate.sha[::-1]),
            definition_hash="",
            results=(),
        )
        after = evolve(world.state, passed)
        assert after.candidates == world.state.candidates
        assert after.changes == world.state.changes

    def test_a_verdict_of_an_older_order_moves_neither(self) -> None:
        world, first = judging(ONCE)
        world.judge(first, test=Ending.FAILED)
        world.settle()
        passed = ev.CandidatePassed(
            change=world.change("R0").id,
            order=first,
            candidate=world.candidate("R0").sha,
            definition_hash="",
            results=(),
        )
        after = evolve(world.state, passed)
        assert after.candidates == world.state.candidates
        assert after.changes == world.state.changes

    def test_a_build_with_another_number_is_ignored(self) -> None:
        world = approved(beside(1))
        world.unreachable.add("BuildCandidate")
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        (asked,) = [e for e in world.intended if isinstance(e, ef.BuildCandidate)]
        other = ev.CandidateBuilt(
            change=asked.change,
            number=asked.number + 1,
            base=asked.base,
            head=asked.head,
            sha=Sha("1" * 40),
            tree=Sha("2" * 40),
            diff_digest="",
            built_at=asked.at,
            archive_date=None,
            archiver_version=1,
            finishes_archive=False,
            archive_paths=(),
        )
        after = evolve(world.state, other)
        assert [c.state for c in after.candidates.values()] == [C.ASKED]
        assert stage_of(after, after.changes[asked.change]) is OfferStage.BUILDING


class TestLanding:
    def test_main_gets_exactly_the_content_of_the_candidate(self) -> None:
        world, order = judging()
        world.judge(order)
        world.decide()
        change, run = world.change("R0"), world.run
        assert world.stage(change) is OfferStage.LANDING
        carried = world.candidate("R0").carried
        assert carried.lands == (change.id,)
        before = dict(carried.covers)
        # The run asks for another text by now; what lands is the text that was built.
        newer = dict.fromkeys(run.requirements, "another text")
        altered = replace(run, requirements=newer)
        world.state = replace(world.state, spec_runs={run.id: altered})
        world.settle()
        assert world.change("R0").state is S.LANDED
        assert world.state.covered == before
        assert "another text" not in world.state.covered.values()

    def test_a_landing_records_the_register_of_its_candidate(self) -> None:
        world, order = judging()
        (built,) = [e for e in world.intended if isinstance(e, ef.BuildCandidate)]
        assert built.register_entries
        assert world.state.register_filed == {}
        carried = world.candidate("R0").carried.files
        world.judge(order)
        world.settle()
        assert world.state.register_filed == carried != {}


class TestAPersonsPull:
    def test_the_candidate_of_a_pull_is_a_merge_with_the_same_lifecycle(self) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        candidate = world.candidate(pull_of(world, number))
        assert (candidate.state, candidate.recipe.shape) == (C.JUDGING, Shape.MERGE)
        assert candidate.order == gates_of_pull(world, number)
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED
        assert world.candidate(pull_of(world, number)).state is C.LANDED

    def test_a_pull_queued_again_gets_a_candidate_with_a_new_number(self) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        world.say(number, "/headgate dequeue")
        world.settle()
        assert world.candidate(pull_of(world, number)).state is C.VOID
        world.pass_time(1)
        world.say(number, "/headgate queue")
        world.settle()
        assert list(world.state.candidates) == [2]

    def test_a_red_candidate_of_a_pull_keeps_its_gate_results(self) -> None:
        world = World(ONCE)
        (number,) = queue_pulls(world, "mend")
        judge_pull(world, number, red=True)
        judge_pull(world, number, red=True)
        assert pull_of(world, number).state is P.EVICTED
        candidate = world.candidate(pull_of(world, number))
        assert candidate.state is C.JUDGED
        assert [r.gate for r in candidate.results if r.is_red] == ["test"]


def test_a_retired_run_leaves_no_candidate() -> None:
    world, order = judging()
    world.judge(order)
    world.work()
    assert world.state.candidates
    gone = ev.SpecRunRetired(
        spec_run=world.run.id,
        path=world.run.path,
        title="",
        state=SpecRunState.ENDED,
        issue=world.run.issue,
        opened_at=START,
        ended_at=START,
    )
    after = evolve(world.state, gone)
    assert after.changes == {}
    assert after.candidates == {}
    assert after.entries == {}
    assert after.candidates_made == 1
