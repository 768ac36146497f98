"""Pulses and counts, on both databases."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from bot.adapters.store.tables import pulses
from bot.adapters.store.vitals import SqlVitals
from bot.core.values.vitals import Count, Part, Pulse
from bot.ports import Retryable
from bot.shell.meter import BEAT_EVERY, Meter

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
LANDED = Count("changes_landed")
TOKENS = Count("tokens", (("model", "m"), ("kind", "input")))


def test_the_newest_pulse_of_a_process_stays(engine: sa.Engine) -> None:
    vitals = SqlVitals(engine)
    for seconds in (0, 30):
        at = NOON + timedelta(seconds=seconds)
        vitals.beat(Pulse(process="a/worker", part=Part.WORKER, at=at))
    (pulse,) = vitals.pulses()
    assert pulse.at == NOON + timedelta(seconds=30)
    vitals.forget(("a/worker",))
    assert vitals.pulses() == ()


def test_unknown_parts_of_a_newer_release_are_ignored(engine: sa.Engine) -> None:
    vitals = SqlVitals(engine)
    for process in ("a/new", "a/worker"):
        vitals.beat(Pulse(process=process, part=Part.WORKER, at=NOON))
    with engine.begin() as connection:
        connection.execute(pulses.update().where(pulses.c.process == "a/new").values(part="newer"))
    assert [pulse.process for pulse in vitals.pulses()] == ["a/worker"]


def test_counts_of_many_processes_are_added_up(engines: Callable[[], sa.Engine]) -> None:
    both = [SqlVitals(engines()), SqlVitals(engines())]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: both[n % 2].add({LANDED: 1, TOKENS: 2.5}), range(20)))
    assert both[0].counts() == {LANDED: 20, TOKENS: 50}


def test_a_process_beats_at_most_every_ten_seconds(engine: sa.Engine) -> None:
    vitals = SqlVitals(engine)
    meter = Meter(vitals, "a/worker")
    meter.beat(Part.WORKER, NOON)
    meter.beat(Part.WORKER, NOON + BEAT_EVERY / 2)
    assert vitals.pulses()[0].at == NOON
    meter.beat(Part.WORKER, NOON + BEAT_EVERY)
    assert vitals.pulses()[0].at == NOON + BEAT_EVERY
    set_back = NOON - timedelta(minutes=5)
    meter.beat(Part.WORKER, set_back)
    assert vitals.pulses()[0].at == set_back


def test_counts_are_kept_while_the_database_is_away() -> None:
    vitals = _Failing()
    meter = Meter(vitals, "a/worker")
    meter.add({LANDED: 1})
    with pytest.raises(Retryable):
        meter.flush()
    meter.add({LANDED: 1})
    vitals.is_away = False
    meter.flush()
    assert vitals.added == {LANDED: 2}


class _Failing:
    def __init__(self) -> None:
        self.is_away = True
        self.added: dict[Count, float] = {}

    def add(self, counts: Mapping[Count, float]) -> None:
        if self.is_away:
            raise Retryable("The database fails.")
        self.added |= counts

    def beat(self, pulse: Pulse) -> None: ...
    def pulses(self) -> tuple[Pulse, ...]:
        return ()

    def forget(self, processes: tuple[str, ...]) -> None: ...
    def counts(self) -> dict[Count, float]:
        return self.added
