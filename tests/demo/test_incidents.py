"""An incident that did not happen, or did not end well, is a problem."""

from datetime import UTC, datetime

from bot.core.journal.events import AgentLost, CandidateBuilt, CandidateFailed, Event
from bot.core.journal.state import Adoption, ChangeFacts, LedgerKind, LedgerLine, RepositoryState
from bot.core.values.ids import OrderId, Sha
from bot.demo.incidents import IncidentsDone, report_incidents, report_lost_runner
from bot.demo.material import story
from gates.result import Ending, GateResult, Judges
from tests.demo.team import change

PUSHED = Sha("b" * 40)
LANDED = Sha("a" * 40)
ORDER = OrderId("o4")

LOANS = change(LANDED, story.WRONG_FIRST)


def result(gate: str, ending: Ending) -> GateResult:
    """A gate's result."""
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


def test_incidents_that_ended_well_are_reported() -> None:
    report = report_incidents(state(True, LOANS), GOOD, IncidentsDone(None, PUSHED), editors=2)
    assert report.problems == ()
    assert report.recovered[0] == (
        "loans: attempt 1 was wrong; gate test failed it, attempt 2 corrected it"
    )
    assert len(report.recovered) == 3


def test_a_wrong_attempt_that_no_gate_stopped_is_a_problem() -> None:
    report = report_incidents(
        state(True, LOANS), (built(1), built(2)), IncidentsDone(None, PUSHED), 2
    )
    assert report.problems == ("the wrong attempt at loans was not caught and corrected",)


def test_a_push_that_is_not_judged_green_is_a_problem() -> None:
    for green in (None, False):
        report = report_incidents(state(green, LOANS), GOOD, IncidentsDone(None, PUSHED), 2)
        assert report.problems == (
            f"{PUSHED[:12]}, pushed by a person, was not adopted and judged green",
        )


def test_a_missing_push_is_a_problem() -> None:
    report = report_incidents(state(True, LOANS), GOOD, IncidentsDone(), 2)
    assert report.problems == ("no person pushed to main in the meantime",)


def test_two_changes_must_have_edited_the_same_file() -> None:
    report = report_incidents(state(True, LOANS), GOOD, IncidentsDone(None, PUSHED), editors=1)
    assert report.problems == ("no two changes edited the same file",)


def test_a_runner_that_was_not_killed_in_time_is_a_problem() -> None:
    assert report_lost_runner(state(True, LOANS), (), IncidentsDone(ORDER)).problems
    assert report_lost_runner(state(True, LOANS), (), IncidentsDone()).problems


def test_an_order_that_was_lost_and_done_again_is_reported() -> None:
    lost = AgentLost(change=LOANS.id, order=ORDER, sentence="")
    assert report_lost_runner(state(True, LOANS), (lost,), IncidentsDone(ORDER)).recovered
    broken = change(None, story.WRONG_FIRST)
    assert report_lost_runner(state(True, broken), (lost,), IncidentsDone(ORDER)).problems
