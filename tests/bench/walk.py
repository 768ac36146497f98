"""Computes where the time of a run went, from its journal and the runners' records. Pure.

The critical path is followed backwards from the last landing: a landing waited for its gates' report,
those for the candidate, that for the agent's report or for the landing before it, and so on to the
approval. A stretch is ours from the moment when everything that it needs was there (a report accepted,
a landing done, the approval posted) until the next order is dispatched or main has moved, without the
time in which localhub answered us. All other stretches belong to the runners.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from itertools import pairwise

from bot.core.journal.events import (
    AgentOrdered,
    CandidateBuilt,
    EffectDone,
    EffectIntended,
    GatesOrdered,
    Landed,
    WorkflowDispatched,
)
from bot.core.values.ids import ChangeId, OrderId, Sha
from bot.ports import Record


class Stretch(StrEnum):
    """From what to what a stretch leads; the last two are not ours."""

    START = "approved or landed → agent dispatched"
    IMPORT = "work handed in → gates dispatched"
    REBUILD = "landed before → gates dispatched"
    LAND = "gates reported → landed"
    AGENT = "agent at work"
    GATES = "gates at work"


OURS = (Stretch.START, Stretch.IMPORT, Stretch.REBUILD, Stretch.LAND)


@dataclass(frozen=True)
class Segment:
    """One stretch of one change."""

    stretch: Stretch
    change: ChangeId
    begin: datetime
    end: datetime

    @property
    def seconds(self) -> float:
        return (self.end - self.begin).total_seconds()


@dataclass(frozen=True)
class Interval:
    """The time of one effect: from the append before it to its own."""

    kind: str
    begin: datetime
    end: datetime

    @property
    def seconds(self) -> float:
        return (self.end - self.begin).total_seconds()


@dataclass(frozen=True)
class Observed:
    """Facts that the journal lacks: accepted reports, the approval, dependencies."""

    approved_at: datetime
    reported_at: Mapping[OrderId, datetime]
    depends_on: Mapping[ChangeId, Sequence[ChangeId]]


@dataclass
class _Facts:
    dispatched: dict[OrderId, datetime] = field(default_factory=dict)
    agent_order: dict[ChangeId, OrderId] = field(default_factory=dict)
    gate_order: dict[Sha, OrderId] = field(default_factory=dict)
    built_on: dict[Sha, Sha] = field(default_factory=dict)
    landed: dict[Sha, Landed] = field(default_factory=dict)


def _read(records: Iterable[Record]) -> _Facts:
    facts = _Facts()
    for record in records:
        match record.event:
            case WorkflowDispatched() as event:
                facts.dispatched.setdefault(event.order, event.dispatched_at)
            case AgentOrdered() as event:
                facts.agent_order[event.change] = event.order
            case GatesOrdered() as event:
                facts.gate_order[event.candidate] = event.order
            case CandidateBuilt() as event:
                facts.built_on[event.sha] = event.base
            case Landed() as event:
                facts.landed[event.sha] = event
            case _:
                pass
    return facts


def critical_path(records: Sequence[Record], observed: Observed) -> tuple[Segment, ...]:
    """The path to the last landing, oldest stretch first; empty where nothing landed."""
    facts = _read(records)
    path: list[Segment] = []
    at = max(facts.landed.values(), key=lambda e: e.landed_at, default=None)
    while at is not None:
        segments, at = _before(facts, observed, at)
        path.extend(segments)
    return tuple(reversed(path))


def all_segments(records: Sequence[Record], observed: Observed) -> tuple[Segment, ...]:
    """The last stretches of every change that landed, on the path or not."""
    facts = _read(records)
    return tuple(s for landed in facts.landed.values() for s in _before(facts, observed, landed)[0])


def _before(
    facts: _Facts, observed: Observed, landed: Landed
) -> tuple[list[Segment], Landed | None]:
    """The stretches that led to a landing, newest first, and the landing that they began at."""
    change = landed.change
    gates = facts.gate_order[landed.sha]
    dispatched, reported = facts.dispatched[gates], observed.reported_at[gates]
    found = [
        Segment(Stretch.LAND, change, reported, landed.landed_at),
        Segment(Stretch.GATES, change, dispatched, reported),
    ]
    agent = facts.agent_order[change]
    handed_in = observed.reported_at[agent]
    below = facts.landed.get(facts.built_on[landed.sha])
    if below is not None and below.landed_at > handed_in:
        found.append(Segment(Stretch.REBUILD, change, below.landed_at, dispatched))
        return found, below
    ordered = facts.dispatched[agent]
    found.append(Segment(Stretch.IMPORT, change, handed_in, dispatched))
    found.append(Segment(Stretch.AGENT, change, ordered, handed_in))
    by_change = {one.change: one for one in facts.landed.values()}
    needed = [by_change[on] for on in observed.depends_on.get(change, ()) if on in by_change]
    last = max(needed, key=lambda e: e.landed_at, default=None)
    begin = last.landed_at if last is not None else observed.approved_at
    found.append(Segment(Stretch.START, change, begin, ordered))
    return found, last


def effect_intervals(records: Sequence[Record]) -> tuple[Interval, ...]:
    """The time of each effect.

    Effects are performed one after another, each written down at once: it began at the append
    before its own. Where that append was followed by a pause the pause would be counted too, but
    the first effect of a reconcile follows the decision that intended it, or a look at the clock.
    """
    kinds = {
        r.event.effect.key: r.event.effect.type
        for r in records
        if isinstance(r.event, EffectIntended)
    }
    return tuple(
        Interval(kinds[after.event.key], before.at, after.at)
        for before, after in pairwise(_last_of_batches(records))
        if isinstance(after.event, EffectDone) and after.event.key in kinds
    )


def _last_of_batches(records: Sequence[Record]) -> list[Record]:
    """The last record of every append; the records of one append share their time."""
    return [r for r, after in pairwise(records) if r.at != after.at] + list(records[-1:])


@dataclass(frozen=True)
class Share:
    """One line of the table, in milliseconds: an effect kind and its parts of the path.

    `mean` and `localhub` are of one such effect, `on_path` is of the whole path without localhub.
    """

    kind: str
    count: int
    mean: float
    localhub: float
    on_path: float


class Answers:
    """The times in which localhub answered us; overlapping answers count once."""

    def __init__(self, answered: Iterable[tuple[datetime, datetime]]) -> None:
        self._merged: list[tuple[datetime, datetime]] = []
        for begin, end in sorted(answered):
            if self._merged and begin <= self._merged[-1][1]:
                first, last = self._merged[-1]
                self._merged[-1] = (first, max(last, end))
            else:
                self._merged.append((begin, end))

    def within(self, begin: datetime, end: datetime) -> float:
        """The seconds of a stretch in which localhub answered us."""
        return sum(
            max(0.0, (min(end, last) - max(begin, first)).total_seconds())
            for first, last in self._merged
        )

    def own(self, begin: datetime, end: datetime) -> float:
        """The seconds of a stretch in which it was not; 0 for an empty stretch."""
        if end <= begin:
            return 0.0
        return (end - begin).total_seconds() - self.within(begin, end)


def shares(
    intervals: Iterable[Interval], path: Iterable[Segment], answers: Answers
) -> tuple[Share, ...]:
    """How much of our part of the path each kind of effect took, the largest first.

    The last line is the rest: waking up, looking, deciding and writing down.
    """
    ours = [s for s in path if s.stretch in OURS]
    kinds: dict[str, list[Interval]] = defaultdict(list)
    for one in intervals:
        kinds[one.kind].append(one)
    found = []
    for kind, done in kinds.items():
        on_path = sum(
            answers.own(max(one.begin, s.begin), min(one.end, s.end)) for one in done for s in ours
        )
        mean = sum(one.seconds for one in done) / len(done)
        theirs = sum(answers.within(one.begin, one.end) for one in done) / len(done)
        found.append(Share(kind, len(done), mean * 1000, theirs * 1000, on_path * 1000))
    all_own = sum(answers.own(s.begin, s.end) for s in ours) * 1000
    found.sort(key=lambda s: -s.on_path)
    rest = all_own - sum(s.on_path for s in found)
    return (*found, Share("wake, look, decide, write", 0, 0.0, 0.0, rest))


def percentile(values: Sequence[float], share: float) -> float:
    """The nearest-rank percentile; 0 where there is nothing."""
    if not values:
        return 0.0
    ordered = sorted(values)
    rank = max(1, -(-int(share * 1000) * len(ordered) // 1000))
    return ordered[min(rank, len(ordered)) - 1]
