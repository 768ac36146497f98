"""What the bench of the queue counts, and that a small run prints every line."""

import io
from collections import Counter
from datetime import UTC, datetime, timedelta

from rich.console import Console

from bot.core.state.queue_order import entries
from bot.core.values.ids import ChangeId
from tests.bench import queue
from tests.bench.walk import Segment, Stretch

BEGIN = datetime(2030, 1, 1, tzinfo=UTC)


def test_the_benchmark_makes_a_queue_of_the_given_length() -> None:
    assert len(entries(queue.queue_of(3).state)) == 3


def test_peoples_pulls_beside_a_change_are_judged_and_land() -> None:
    judged = queue.judged_beside(2)
    assert judged.landings == 3
    assert judged.of_changes >= 1
    assert judged.of_pulls >= 2


def test_a_small_run_prints_every_line() -> None:
    said = io.StringIO()
    console = Console(file=said, width=110)
    queue.print_deciding(console, 2, 1)
    queue.print_rivals(console, 20, 1)
    queue.print_judging(console, 2)
    for line in (
        *("the queue's order", "what each waits for", "decide, nothing seen", "decide, all seen"),
        *("each edits its own", "specs edit the same"),
        *("2 changes at once", "5 pulls at once", "1 change and 5 pulls"),
    ):
        assert f"│ {line} " in said.getvalue()


def test_calls_of_a_landing_are_counted_between_its_last_report_and_main() -> None:
    land = [
        Segment(Stretch.LAND, ChangeId(name), BEGIN, BEGIN + timedelta(seconds=seconds))
        for name, seconds in (("a", 1), ("b", 3))
    ]
    asked = [BEGIN + timedelta(seconds=s) for s in (0.5, 2, 9)]
    told = queue.landings_told(land, asked, Counter({"push": 6, "create a token": 1}))
    assert told.splitlines() == [
        "2 landings, last gate reported to main moved: p50 1.00 s, p95 3.00 s",
        "GitHub calls a landing: 1.5 between these two, 3.0 writes and 1.5 calls in all from "
        "approval on",
    ]
