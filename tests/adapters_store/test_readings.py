"""Who reads a text, and what is kept of it."""

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from bot.adapters.store.readings import SqlReadings

NOW = datetime(2026, 11, 26, tzinfo=UTC)


def test_one_process_at_a_time_reads_a_text_and_another_one_after_its_end(
    engine: sa.Engine,
) -> None:
    one, other = SqlReadings(engine), SqlReadings(engine)
    assert one.begin("text", NOW) == 1
    assert other.begin("text", NOW + timedelta(seconds=60)) is None
    assert other.begin("text", NOW + timedelta(seconds=100)) == 2
    assert one.begin("text", NOW + timedelta(seconds=120)) is None
    assert one.begin("another", NOW) == 1


def test_what_was_read_is_there_for_all_and_not_begun_again(engine: sa.Engine) -> None:
    readings = SqlReadings(engine)
    assert readings.get("text") is None
    readings.begin("text", NOW)
    readings.put("text", b"body", NOW)
    assert SqlReadings(engine).get("text") == b"body"
    assert readings.begin("text", NOW + timedelta(days=1)) is None
