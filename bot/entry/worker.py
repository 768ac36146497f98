"""The jobs that RQ calls in a worker process, with ids only.

A job that fails for a reason that we did not foresee is logged under a short reference and looked
at again by the sweep; RQ never retries it.
"""

import logging
import secrets
import time
from functools import cache, partial
from typing import TYPE_CHECKING

from bot.core.values.ids import EffectKey, RepositoryId
from bot.core.values.wanted_reading import Reading
from bot.entry.effect_threads import EffectThreads
from bot.entry.settings import Settings
from bot.ports import JournalUnreadable, Retryable, UserError
from bot.shell import intake, model_calls, self_tests
from bot.shell.observe import Observer
from bot.shell.process_ports import Ports
from bot.shell.reconcile import reconcile as reconcile_repository

if TYPE_CHECKING:
    from bot.adapters.doorbell.redis_queue import RedisDoorbell

log = logging.getLogger(__name__)


@cache
def worker_ports() -> tuple[Ports, Observer, "RedisDoorbell"]:
    """This process's adapters; made when first wanted, after any fork."""
    # Adapters are more than half of what there is to import.
    from bot.adapters.doorbell.redis_queue import RedisDoorbell
    from bot.entry.wiring import make_ports

    settings = Settings()
    doorbell = RedisDoorbell(settings.doorbell_url)
    ports = make_ports(settings, "worker", doorbell)
    return ports, Observer(ports), doorbell


def digest(delivery_id: str) -> None:
    """RQ job: read a delivery and all other unread ones, because rings coalesce."""
    ports, _, doorbell = worker_ports()
    doorbell.clear_deliveries()
    unread = ports.inbox.unread(ports.clock.now())
    intake.digest(ports, *dict.fromkeys((delivery_id, *unread)))


def reconcile(repository_id: int) -> None:
    """RQ job: take every step that a repository can take now."""
    ports, observer, doorbell = worker_ports()
    repository = RepositoryId(repository_id)
    doorbell.clear(repository)
    try:
        outcome = reconcile_repository(ports, observer, repository)
        log.debug("reconciled", extra={"repository": repository_id, "outcome": outcome})
    except JournalUnreadable as failure:
        _warn_once(repository_id, failure.sentence)
    except Retryable as failure:
        # The database is away; the sweep rings when it is back.
        log.warning("reconcile_waits", extra={"repository": repository_id, "why": failure.sentence})
    except Exception:
        log.exception("bug", extra={"reference": secrets.token_hex(4), "repository": repository_id})


def read(repository_id: int, asked: str) -> None:
    """RQ job of the readings' queue: read a pull's texts or a spec, then ring for its repository."""
    ports, observer, doorbell = worker_ports()
    repository, reading = RepositoryId(repository_id), Reading.model_validate_json(asked)
    doorbell.clear_reading(repository, reading)
    told = {"repository": repository_id, **reading.model_dump(mode="json", exclude_defaults=True)}
    try:
        intake.read_text(ports, observer, repository, reading)
    except (Retryable, UserError, JournalUnreadable) as failure:
        log.warning("reading_waits", extra={**told, "why": failure.sentence})
    except Exception:
        log.exception("bug", extra={**told, "reference": secrets.token_hex(4)})


@cache
def _warn_once(repository_id: int, why: str) -> None:
    # The sweep rings at every beat, and nothing changes until another release is started.
    log.warning("journal_unreadable", extra={"repository": repository_id, "why": why})


def _thread_ports() -> Ports:
    from bot.adapters.doorbell.redis_queue import RedisDoorbell
    from bot.entry.wiring import make_ports

    settings = Settings()
    return make_ports(settings, "worker", RedisDoorbell(settings.doorbell_url))


@cache
def _model_threads() -> EffectThreads:
    return EffectThreads(_thread_ports, model_calls.ask)


@cache
def _self_test_threads() -> EffectThreads:
    return EffectThreads(_thread_ports, partial(self_tests.make, wait=time.sleep))


def ask_model(repository_id: int, effect_key: str) -> None:
    """RQ job: send a prompt from a thread of this process; the worker goes on at once."""
    _model_threads().submit(RepositoryId(repository_id), EffectKey(effect_key))


def self_test(repository_id: int, effect_key: str) -> None:
    """RQ job of the readings' queue: make a self-test in a thread; it waits for a runner."""
    _self_test_threads().submit(RepositoryId(repository_id), EffectKey(effect_key))
