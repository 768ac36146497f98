"""The critical path, computed from small journals written by hand."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.core.journal.effects import CloseIssue
from bot.core.journal.events import (
    AgentOrdered,
    CandidateBuilt,
    EffectDone,
    EffectIntended,
    Event,
    GatesOrdered,
    Landed,
    WorkflowDispatched,
)
from bot.core.values.ids import ChangeId, EffectKey, OrderId, Sha
from bot.ports import Record
from tests.bench import walk
from tests.bench.walk import Answers, Interval, Observed, Segment, Stretch

_START = datetime(2030, 1, 1, tzinfo=UTC)
A, B = ChangeId("run/a"), ChangeId("run/b")
MAIN = Sha("0" * 40)


def at(seconds: float) -> datetime:
    """So many seconds after the approval."""
    return _START + timedelta(seconds=seconds)


def agent_ordered(change: ChangeId, order: str) -> Event:
    return AgentOrdered(
        change=change, order=OrderId(order), attempt=1, start=MAIN, placed_at=_START
    )


def dispatched(order: str, seconds: float) -> Event:
    return WorkflowDispatched(order=OrderId(order), workflow_run=None, dispatched_at=at(seconds))


def gates_ordered(change: ChangeId, order: str, sha: str) -> Event:
    return GatesOrdered(
        change=change,
        order=OrderId(order),
        candidate=Sha(sha),
        definition_hash="",
        asked_hash="",
        reused=(),
        placed_at=_START,
    )


def built(change: ChangeId, sha: str, base: str) -> Event:
    return CandidateBuilt(
        change=change,
        number=1,
        base=Sha(base),
        head=MAIN,
        sha=Sha(sha),
        tree=MAIN,
        diff_digest="",
        built_at=_START,
        archive_date=None,
        archiver_version=1,
        finishes_archive=False,
        archive_paths=(),
    )


def landed(change: ChangeId, sha: str, base: str, seconds: float) -> Event:
    return Landed(change=change, base=Sha(base), sha=Sha(sha), tree=MAIN, landed_at=at(seconds))


def journal(*events: Event) -> tuple[Record, ...]:
    """Each event in an append of its own, a second apart."""
    return tuple(Record(number=n, at=at(n), event=event) for n, event in enumerate(events))


def first_change() -> tuple[Event, ...]:
    return (
        agent_ordered(A, "o1"),
        dispatched("o1", 1),
        built(A, "a1", MAIN),
        gates_ordered(A, "o2", "a1"),
        dispatched("o2", 4),
        landed(A, "a1", MAIN, 6),
    )


def kinds(path: tuple[Segment, ...]) -> list[tuple[Stretch, float]]:
    return [(s.stretch, s.seconds) for s in path]


def test_the_path_of_one_change_goes_from_approval_to_landing() -> None:
    observed = Observed(_START, {OrderId("o1"): at(3), OrderId("o2"): at(5)}, {})

    path = walk.critical_path(journal(*first_change()), observed)

    assert kinds(path) == [
        (Stretch.START, 1.0),
        (Stretch.AGENT, 2.0),
        (Stretch.IMPORT, 1.0),
        (Stretch.GATES, 1.0),
        (Stretch.LAND, 1.0),
    ]


def test_the_path_of_a_queued_change_begins_at_the_landing_before_it() -> None:
    records = journal(
        *first_change(),
        agent_ordered(B, "o3"),
        dispatched("o3", 1),
        built(B, "b2", "a1"),
        gates_ordered(B, "o4", "b2"),
        dispatched("o4", 8),
        landed(B, "b2", "a1", 11),
    )
    reported = {"o1": 3, "o2": 5, "o3": 4, "o4": 10}
    observed = Observed(_START, {OrderId(o): at(s) for o, s in reported.items()}, {})

    path = walk.critical_path(records, observed)

    assert kinds(path)[-3:] == [(Stretch.REBUILD, 2.0), (Stretch.GATES, 2.0), (Stretch.LAND, 1.0)]
    assert sum(s.seconds for s in path) == 11
    assert [s.change for s in path].count(B) == 3


def test_the_path_of_a_dependent_change_begins_at_the_landing_of_its_dependency() -> None:
    records = journal(
        *first_change(),
        agent_ordered(B, "o3"),
        dispatched("o3", 7),
        built(B, "b1", "a1"),
        gates_ordered(B, "o4", "b1"),
        dispatched("o4", 9),
        landed(B, "b1", "a1", 11),
    )
    reported = {"o1": 3, "o2": 5, "o3": 8, "o4": 10}
    observed = Observed(_START, {OrderId(o): at(s) for o, s in reported.items()}, {B: (A,)})

    path = walk.critical_path(records, observed)

    assert (Stretch.START, 1.0) in kinds(path)[5:]
    assert sum(s.seconds for s in path) == 11


def test_without_a_landing_the_path_is_empty() -> None:
    assert walk.critical_path((), Observed(_START, {}, {})) == ()


def test_an_effect_lasts_from_the_append_before_it_to_its_own() -> None:
    effect = CloseIssue(spec_run="run", slug="", issue=1, reason="completed", round=0)
    records = journal(EffectIntended(effect=effect), EffectDone(key=EffectKey(effect.key)))

    assert walk.effect_intervals(records) == (Interval("CloseIssue", at(0), at(1)),)


def test_time_in_localhub_is_subtracted_once() -> None:
    answers = Answers([(at(1), at(3)), (at(2), at(4)), (at(9), at(20))])

    assert answers.own(at(0), at(10)) == pytest.approx(6)
    assert answers.own(at(5), at(5)) == 0


def test_shares_are_the_time_of_each_effect_and_a_remainder() -> None:
    path = (Segment(Stretch.LAND, A, at(0), at(4)), Segment(Stretch.GATES, A, at(4), at(9)))
    intervals = (Interval("LandCandidate", at(1), at(3)), Interval("EditIssue", at(5), at(6)))

    land, edit, rest = walk.shares(intervals, path, Answers([(at(2), at(3))]))

    assert (land.kind, land.mean, land.localhub, land.on_path) == (
        "LandCandidate",
        2000,
        1000,
        1000,
    )
    assert (edit.kind, edit.on_path) == ("EditIssue", 0)
    assert rest.on_path == 2000


@pytest.mark.parametrize(("share", "expected"), [(0.5, 3), (0.95, 5), (1.0, 5)])
def test_percentiles_are_measured_values(share: float, expected: float) -> None:
    assert walk.percentile([5, 4, 3, 2, 1], share) == expected
    assert walk.percentile([], share) == 0
