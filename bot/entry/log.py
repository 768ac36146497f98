"""Logs: one JSON line each on standard error, with secrets struck out before they are written."""

import json
import logging
import re
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bot.core.values.vitals import Count

if TYPE_CHECKING:
    from bot.shell.meter import Meter

# GitHub's token forms (old and long), our lease tokens in headers, model keys, private keys.
_SECRETS = re.compile(
    r"gh[a-z]_[A-Za-z0-9._-]{10,}|github_pat_\w{10,}|sk-ant-[\w-]{10,}"
    r"|(?i:bearer|basic)\s+[A-Za-z0-9._~+/=-]{10,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(-----END [A-Z ]*PRIVATE KEY-----|$)",
    re.DOTALL,
)

# What every record has; anything else was given as `extra`.
_STANDARD = {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName"}


def _struck_out(text: str) -> str:
    return _SECRETS.sub("***", text)


class JsonLines(logging.Formatter):
    """A record as one line: the fields of `extra`, then event, level, timestamp, exception."""

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, object] = {k: v for k, v in vars(record).items() if k not in _STANDARD}
        fields["event"] = record.getMessage()
        fields["level"] = record.levelname.lower()
        fields["timestamp"] = datetime.fromtimestamp(record.created, UTC).isoformat()
        if record.exc_info:
            fields["exception"] = self.formatException(record.exc_info)
        written = {k: _struck_out(v) if isinstance(v, str) else v for k, v in fields.items()}
        return json.dumps(written, ensure_ascii=False, default=lambda v: _struck_out(str(v)))


def configure_log(level: str) -> None:
    """Send our records of a level, and warnings of libraries, to standard error."""
    number = logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=max(number, logging.WARNING), handlers=[handler])
    logging.getLogger("bot").setLevel(number)


class _CountWarnings(logging.Handler):
    def __init__(self, meter: "Meter") -> None:
        super().__init__(logging.WARNING)
        self._meter = meter

    def emit(self, record: logging.LogRecord) -> None:
        self._meter.add({Count("errors", (("event", record.getMessage()),)): 1})


def count_warnings(meter: "Meter") -> None:
    logging.getLogger("bot").addHandler(_CountWarnings(meter))
