"""An incident that did not happen, or did not end well, is a problem."""

from datetime import UTC, datetime

from bot.core.journal.events import AgentLost, CandidateBuilt, CandidateFailed, Event
from bot.core.journal.state import Adoption, ChangeFacts, LedgerKind, LedgerLine, RepositoryState
from bot.core.values.ids import OrderId, Sha
from bot.entry.demo_incidents import Happened, tell_incidents, tell_interruption
from bot.entry.demo_material import story
from gates.result import Ending, GateResult, Judges
from tests.demo.team import change

PUSHED = Sha("b" * 40)
LANDED = Sha("a" * 40)
ORDER = OrderId("o4")

LOANS = change(LANDED, story.WRONG_FIRST)


def result(gate: str, ending: Ending) -> GateResult:
    """What a gate said."""
    return GateResult(gate=gate, ending=ending, judges=Judges.TREE, sentence="")


RED = CandidateFailed(
    change=LOANS.id,
    order=None,
    candidate=LANDED,
    definition_hash="",
    results=(result("build", Ending.PASSED), result("test", Ending.FAILED)),
    sentence="",
)


def built(number: int) -> CandidateBuilt:
    """A candidate of the loans."""
    return CandidateBuilt(
        change=LOANS.id,
        number=number,
        base=PUSHED,
        head=PUSHED,
        sha=LANDED,
        tree=LANDED,
        diff_digest="",
        built_at=datetime(2026, 7, 3, tzinfo=UTC),
        archive_date=None,
        archiver_version=1,
        finishes_archive=False,
        archive_paths=(),
    )


def state(green: bool | None, *changes: ChangeFacts) -> RepositoryState:
    """A journal in which a person's push was adopted."""
    line = LedgerLine(number=0, kind=LedgerKind.ADOPTED, sha=PUSHED, tree=LANDED, previous=None)
    return RepositoryState(
        ledger=(line,),
        adoptions={PUSHED: Adoption(sha=PUSHED, green=green)},
        changes={c.id: c for c in changes},
    )


GOOD: tuple[Event, ...] = (built(1), RED, built(2))


def test_incidents_that_ended_well_are_told() -> None:
    told = tell_incidents(state(True, LOANS), GOOD, Happened(None, PUSHED), editors=2)
    assert told.problems == ()
    assert told.mended[0] == ("loans: attempt 1 was wrong; gate test said so, attempt 2 mended it")
    assert len(told.mended) == 3


def test_a_wrong_attempt_that_no_gate_stopped_is_a_problem() -> None:
    told = tell_incidents(state(True, LOANS), (built(1), built(2)), Happened(None, PUSHED), 2)
    assert told.problems == ("the wrong attempt at loans was not caught and mended",)


def test_a_push_that_is_not_judged_green_is_a_problem() -> None:
    for green in (None, False):
        told = tell_incidents(state(green, LOANS), GOOD, Happened(None, PUSHED), 2)
        assert told.problems == (
            f"{PUSHED[:12]}, which a person pushed, was not adopted and judged green",
        )


def test_a_push_that_never_came_is_a_problem() -> None:
    told = tell_incidents(state(True, LOANS), GOOD, Happened(), 2)
    assert told.problems == ("nobody pushed to main in between",)


def test_changes_that_never_met_are_a_problem() -> None:
    told = tell_incidents(state(True, LOANS), GOOD, Happened(None, PUSHED), editors=1)
    assert told.problems == ("no two changes met in one file",)


def test_a_runner_that_was_not_killed_in_time_is_a_problem() -> None:
    assert tell_interruption(state(True, LOANS), (), Happened(ORDER)).problems
    assert tell_interruption(state(True, LOANS), (), Happened()).problems


def test_a_lost_order_that_was_made_good_is_told() -> None:
    lost = AgentLost(change=LOANS.id, order=ORDER, sentence="")
    assert tell_interruption(state(True, LOANS), (lost,), Happened(ORDER)).mended
    broken = change(None, story.WRONG_FIRST)
    assert tell_interruption(state(True, broken), (lost,), Happened(ORDER)).problems
