"""What those who operate a server ask it: `/healthz`, `/readyz`, `/metrics`. No request goes to GitHub."""

import contextlib
import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

import flask
import redis
from prometheus_client import CollectorRegistry, generate_latest

from bot.adapters.doorbell.redis_queue import connect
from bot.core.state.liveness import gone, missing
from bot.core.state.troubles import standing
from bot.core.talk.trouble_text import without_names
from bot.core.values.vitals import Part, Pulse
from bot.entry.settings import Settings
from bot.entry.web.metrics import HeadgateCollector
from bot.ports import Retryable
from bot.shell.meter import BEAT_EVERY
from bot.shell.process_ports import Ports

_TROUBLES_MAX = 50

log = logging.getLogger(__name__)

_DATABASE_AWAY = "The database does not answer. Check DATABASE_URL and the database's log."
_DATABASE_READS_ONLY = (
    "The database cannot be written. Check its disk, the permissions of its files, and its log."
)
_REDIS_AWAY = "Redis does not answer. Check REDIS_URL, and check that the Redis server is running."


def health_blueprint(settings: Settings, ports: Ports) -> flask.Blueprint:
    blueprint = flask.Blueprint("health", __name__)
    doorbell = connect(settings.doorbell_url)
    registry = CollectorRegistry(auto_describe=False)
    registry.register(HeadgateCollector(ports, lambda: _missing(ports, doorbell)))

    @blueprint.get("/healthz")
    def healthz() -> tuple[dict[str, str], int]:
        """200 while this process answers; a load balancer looks here."""
        return {"status": "ok"}, 200

    @blueprint.get("/readyz")
    def readyz() -> tuple[dict[str, object], int]:
        """200 while every part works; monitoring asks here. A repository's troubles are shown without
        its name and do not count: everybody who installs the App can cause some.
        """
        found = _missing(ports, doorbell)
        parts = {part.value: found.get(part, "ok") for part in Part}
        told = _troubles(ports)
        says = {"ready": not found, "parts": parts, "troubles": told}
        return says, 503 if found else 200

    @blueprint.get("/metrics")
    def metrics() -> flask.Response:
        with contextlib.suppress(Retryable):
            ports.meter.flush()
        return flask.Response(generate_latest(registry), mimetype="text/plain")

    return blueprint


def _troubles(ports: Ports) -> list[str]:
    try:
        found = standing(ports.troubles.all(), ports.clock.now())
    except Retryable:
        # Said of the database.
        return []
    return [without_names(one) for one in found[:_TROUBLES_MAX]]


def _is_written(pulses: Sequence[Pulse], now: datetime) -> bool:
    return any(timedelta(0) <= now - p.at < BEAT_EVERY for p in pulses)


def _unwritable(ports: Ports, now: datetime) -> dict[Part, str]:
    try:
        ports.vitals.beat(Pulse(process=Part.DATABASE, part=Part.DATABASE, at=now))
    except Retryable as failure:
        log.warning("database_away", extra={"why": failure.sentence})
        return {Part.DATABASE: _DATABASE_READS_ONLY}
    return {}


def _missing(ports: Ports, doorbell: redis.Redis) -> dict[Part, str]:
    found: dict[Part, str] = {}
    now = ports.clock.now()
    try:
        pulses = ports.vitals.pulses()
        found |= missing(pulses, now)
        if not _is_written(pulses, now):
            found |= _unwritable(ports, now)
        elif forgotten := gone(pulses, now):
            ports.vitals.forget(forgotten)
    except Retryable as failure:
        log.warning("database_away", extra={"why": failure.sentence})
        found[Part.DATABASE] = _DATABASE_AWAY
    try:
        doorbell.ping()
    except redis.RedisError:
        found[Part.REDIS] = _REDIS_AWAY
    return found
