"""Log lines are JSON, one a record, and hold no secret."""

import json
import logging
import sys

from bot.entry.log import JsonLines

TOKEN = "ghs_" + "a1B2c3D4e5F6"


def line(message: str, *, is_failure: bool = False, **fields: object) -> dict[str, str]:
    failure = sys.exc_info() if is_failure else None
    record = logging.makeLogRecord(
        {"msg": message, "levelname": "WARNING", "created": 0.0, "exc_info": failure, **fields}
    )
    written = JsonLines().format(record)
    assert "\n" not in written
    parsed: dict[str, str] = json.loads(written)
    return parsed


def test_a_record_is_one_json_line_with_its_fields() -> None:
    assert line("delivery_left", delivery="g1", why="GitHub is down.\nLater.") == {
        "event": "delivery_left",
        "level": "warning",
        "timestamp": "1970-01-01T00:00:00+00:00",
        "delivery": "g1",
        "why": "GitHub is down.\nLater.",
    }


def test_secrets_are_struck_out_of_messages_fields_and_tracebacks() -> None:
    try:
        raise ValueError(f"https://x-access-token:{TOKEN}@github.com")
    except ValueError:
        written = line(f"pushed with {TOKEN}", is_failure=True, url=f"?key={TOKEN}")
    assert "ValueError" in written["exception"]
    assert TOKEN not in str(written)
    assert written["event"] == "pushed with ***"
