"""Which process parses a text, and what is stored of it."""

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from bot.adapters.store.readings import SqlReadings

NOW = datetime(2026, 11, 26, tzinfo=UTC)


def test_one_process_at_a_time_parses_a_text(
    engine: sa.Engine,
) -> None:
    one, other = SqlReadings(engine), SqlReadings(engine)
    assert one.begin("text", NOW) == 1
    assert other.begin("text", NOW + timedelta(seconds=60)) is None
    assert other.begin("text", NOW + timedelta(seconds=100)) == 2
    assert one.begin("text", NOW + timedelta(seconds=120)) is None
    assert one.begin("another", NOW) == 1


def test_a_parsed_text_is_shared_and_not_parsed_again(engine: sa.Engine) -> None:
    readings = SqlReadings(engine)
    assert readings.get("text") is None
    readings.begin("text", NOW)
    readings.put("text", b"body", NOW)
    assert SqlReadings(engine).get("text") == b"body"
    assert readings.begin("text", NOW + timedelta(days=1)) is None
