"""Logs: one JSON line each on standard error, with secrets struck out before they are written."""

import logging
import re
import sys
from collections.abc import MutableMapping

import structlog

# GitHub's token forms (old and long), our lease tokens in headers, model keys, private keys.
_SECRETS = re.compile(
    r"gh[a-z]_[A-Za-z0-9._-]{10,}|github_pat_\w{10,}|sk-ant-[\w-]{10,}"
    r"|(?i:bearer|basic)\s+[A-Za-z0-9._~+/=-]{10,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(-----END [A-Z ]*PRIVATE KEY-----|$)",
    re.DOTALL,
)


def struck_out(text: str) -> str:
    """The text without anything that looks like a secret."""
    return _SECRETS.sub("***", text)


def _strike_out(
    _logger: object, _method: str, event: MutableMapping[str, object]
) -> MutableMapping[str, object]:
    return {k: struck_out(v) if isinstance(v, str) else v for k, v in event.items()}


def configure_log(level: str) -> None:
    """Send structlog's events to standard error as JSON lines."""
    number = logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            _strike_out,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=max(number, logging.WARNING), stream=sys.stderr)
