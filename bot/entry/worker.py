"""The jobs that RQ calls in a worker process, with ids only.

A job that fails for a reason that we did not foresee is logged under a short reference and looked
at again by the sweep; RQ never retries it.
"""

import logging
import secrets
from functools import cache
from typing import TYPE_CHECKING

from bot.core.values.ids import EffectKey, RepositoryId
from bot.entry.model_threads import ModelThreads
from bot.entry.settings import Settings
from bot.ports import JournalUnreadable, Retryable, UserError
from bot.shell import intake
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
    found = (_read(ports, id_) for id_ in dict.fromkeys((delivery_id, *unread)))
    intake.leave_hints(ports, [one for one in found if one is not None])


def _read(ports: Ports, delivery_id: str) -> intake.Read | None:
    try:
        return intake.read(ports, delivery_id)
    except (Retryable, UserError) as failure:
        log.warning("delivery_left", extra={"delivery": delivery_id, "why": failure.sentence})
    except Exception:
        log.exception("bug", extra={"reference": secrets.token_hex(4), "delivery": delivery_id})
    return None


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


@cache
def _warn_once(repository_id: int, why: str) -> None:
    # The sweep rings at every beat, and nothing changes until another release is started.
    log.warning("journal_unreadable", extra={"repository": repository_id, "why": why})


@cache
def _model_threads() -> ModelThreads:
    from bot.adapters.doorbell.redis_queue import RedisDoorbell
    from bot.entry.wiring import make_ports

    settings = Settings()
    return ModelThreads(
        lambda: make_ports(settings, "worker", RedisDoorbell(settings.doorbell_url))
    )


def ask_model(repository_id: int, effect_key: str) -> None:
    """RQ job: send a prompt from a thread of this process; the worker goes on at once."""
    _model_threads().submit(RepositoryId(repository_id), EffectKey(effect_key))
