"""Transcripts of runs in SQL: stored once, limited, and deleted after some weeks."""

import json

import sqlalchemy as sa

from action.order import EventBatch, RunStatus, ToldWords
from bot.adapters.store.engine import as_text
from bot.adapters.store.order_store import SqlOrderStore
from bot.adapters.store.tables import transcripts
from bot.adapters.store.transcripts import SqlTranscripts
from bot.core.values.ids import OrderId
from tests.adapters_store.kit import NOW, OTHER, REPOSITORY, later, order

O1, O2 = OrderId("o1"), OrderId("o2")


def _laid(engine: sa.Engine) -> SqlTranscripts:
    SqlOrderStore(engine).place(REPOSITORY, order())
    return SqlTranscripts(engine)


def _batch(first: int, *lines: str, turns: int = 0) -> EventBatch:
    return EventBatch(first=first, lines=lines, status=RunStatus(turns=turns))


def test_lines_are_numbered_through_all_batches(engine: sa.Engine) -> None:
    kept = _laid(engine)
    kept.keep(REPOSITORY, O1, _batch(0, "a", "b"), NOW)
    kept.keep(REPOSITORY, O1, _batch(2, "c"), later(5))
    kept.keep(REPOSITORY, O2, _batch(0, "x"), NOW)

    assert kept.lines(REPOSITORY, O1) == ((0, "a"), (1, "b"), (2, "c"))
    assert kept.lines(REPOSITORY, O1, 2) == ((2, "c"),)
    assert kept.lines(OTHER, O1) == ()


def test_a_repeated_batch_is_kept_once(engine: sa.Engine) -> None:
    kept = _laid(engine)
    kept.keep(REPOSITORY, O1, _batch(0, "a", "b"), NOW)
    kept.keep(REPOSITORY, O1, _batch(0, "a", "b", "c"), later(5))

    assert [line for _, line in kept.lines(REPOSITORY, O1)] == ["a", "b", "c"]


def test_a_long_run_keeps_its_end(engine: sa.Engine) -> None:
    kept = _laid(engine)
    for number in range(3):
        kept.keep(REPOSITORY, O1, _batch(number, str(number) * 1024**2), later(number))

    assert [number for number, _ in kept.lines(REPOSITORY, O1)] == [1, 2]


def test_many_short_batches_do_not_exceed_the_line_limit(engine: sa.Engine) -> None:
    kept = _laid(engine)
    many = [
        {"repository_id": REPOSITORY, "order_id": O1, "first": n, "at": as_text(NOW), "lines": "x"}
        for n in range(10_500)
    ]
    with engine.begin() as connection:
        connection.execute(transcripts.insert(), many)

    kept.keep(REPOSITORY, O1, _batch(10_500, "y"), NOW)

    assert len(kept.lines(REPOSITORY, O1)) == 10_000


def test_old_transcripts_are_deleted(engine: sa.Engine) -> None:
    kept = _laid(engine)
    kept.keep(REPOSITORY, O2, _batch(0, "old"), NOW)
    kept.keep(REPOSITORY, O1, _batch(0, "new"), later(31 * 86_400))

    assert kept.lines(REPOSITORY, O2) == ()
    assert kept.lines(REPOSITORY, O1) == ((0, "new"),)


def test_all_messages_to_a_run_are_kept(engine: sa.Engine) -> None:
    kept = _laid(engine)
    assert kept.told(REPOSITORY, O1) == ()
    words = (ToldWords(author="ann", text="Round up."),)
    kept.tell(REPOSITORY, O1, words)
    assert kept.told(REPOSITORY, O1) == words
    assert kept.told(OTHER, O1) == ()


def test_the_status_of_a_run_is_kept_until_its_end_was_shown(
    engine: sa.Engine,
) -> None:
    kept = _laid(engine)
    assert kept.unshown(REPOSITORY) == ()
    kept.keep(REPOSITORY, O1, _batch(0, json.dumps({"a": 1}), turns=3), NOW)

    (run,) = kept.unshown(REPOSITORY)
    assert (run.order, run.doing.status.turns, run.doing.at, run.shown_at) == (O1, 3, NOW, None)
    entry = SqlOrderStore(engine).entries(REPOSITORY, (O1,))[O1]
    assert entry.doing == run.doing

    kept.shown(REPOSITORY, O1, later(9), is_end=False)
    assert kept.unshown(REPOSITORY)[0].shown_at == later(9)
    kept.shown(REPOSITORY, O1, later(9), is_end=True)
    assert kept.unshown(REPOSITORY) == ()
    assert kept.unshown(OTHER) == ()
