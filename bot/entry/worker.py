"""The worker's door: what RQ calls, with ids only; and the sweep's loop.

The rule: a job that fails for a reason that we did not foresee is logged under a short reference
and looked at again by the sweep; the job itself is never retried by RQ.
"""

import secrets
import signal
import threading
from functools import cache
from types import FrameType

import structlog
from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer

from bot.adapters.doorbell.redis_queue import QUEUE_NAME, RedisDoorbell, connect_worker
from bot.core.values.ids import EffectKey, RepositoryId
from bot.entry.askers import Askers
from bot.entry.settings import Settings
from bot.entry.wiring import make_bench
from bot.ports import JournalUnreadable, Retryable, UserError
from bot.shell import intake
from bot.shell.observe import Observer
from bot.shell.process_ports import Ports
from bot.shell.reconcile import reconcile as reconcile_repository
from bot.shell.sweep import Beats, sweep

log = structlog.get_logger()

# The sweep's beat. What is due waits this long at most, Redis or not.
SWEEP_SECONDS = 1.0


@cache
def _bench() -> tuple[Ports, Observer, RedisDoorbell]:
    """This process's bench; made at the first job, after any fork."""
    settings = Settings()
    doorbell = RedisDoorbell(settings.doorbell_url)
    ports = make_bench(settings, "worker", doorbell)
    return ports, Observer(ports), doorbell


def digest(delivery_id: str) -> None:
    """RQ job: read a delivery, and all others that nobody has read; one nudge stands for many."""
    ports, _, doorbell = _bench()
    doorbell.clear_deliveries()
    unread = ports.inbox.unread(ports.clock.now())
    for id_ in dict.fromkeys((delivery_id, *unread)):
        _digest(ports, id_)


def _digest(ports: Ports, delivery_id: str) -> None:
    try:
        intake.digest(ports, delivery_id)
    except (Retryable, UserError) as failure:
        log.warning("delivery_left", delivery=delivery_id, why=failure.sentence)
    except Exception:
        log.exception("bug", reference=secrets.token_hex(4), delivery=delivery_id)


def reconcile(repository_id: int) -> None:
    """RQ job: bring a repository as far as it can be brought now."""
    ports, observer, doorbell = _bench()
    repository = RepositoryId(repository_id)
    doorbell.clear(repository)
    try:
        outcome = reconcile_repository(ports, observer, repository)
        log.debug("reconciled", repository=repository_id, outcome=outcome)
    except JournalUnreadable as failure:
        _say_once(repository_id, failure.sentence)
    except Exception:
        log.exception("bug", reference=secrets.token_hex(4), repository=repository_id)


@cache
def _say_once(repository_id: int, why: str) -> None:
    """The sweep rings for it at every beat, and nothing changes until another release is started."""
    log.warning("journal_unreadable", repository=repository_id, why=why)


@cache
def _askers() -> Askers:
    """This process's askers; threads are made when there is something to ask."""
    settings = Settings()
    return Askers(lambda: make_bench(settings, "worker", RedisDoorbell(settings.doorbell_url)))


def ask_model(repository_id: int, effect_key: str) -> None:
    """RQ job: have a question asked, by a thread of this process; the worker goes on at once."""
    _askers().take(RepositoryId(repository_id), EffectKey(effect_key))


class _Worker(SimpleWorker):
    # Seconds between attempts stay at one: a doorbell that is restarted is back before that, and
    # there is nothing else to do.
    exponential_backoff_factor = 1.0


def work(settings: Settings) -> None:
    """Run jobs until told to stop; in this process, without a fork a job."""
    ports, _, _ = _bench()
    # What this slot was asking when it stopped is asked again now, not when its claim runs out.
    ports.prompt_store.let_go(ports.holder)
    for repository in ports.journal.repositories():
        ports.doorbell.ring_repository(repository)
    connection = connect_worker(settings.doorbell_url)
    queue = Queue(QUEUE_NAME, connection=connection, serializer=JSONSerializer)
    worker = _Worker([queue], connection=connection, serializer=JSONSerializer)
    worker.work(logging_level="WARNING", with_scheduler=False)


def keep_sweeping(settings: Settings) -> None:
    """Beat until told to stop."""
    ports = make_bench(settings, "sweep")
    stop = threading.Event()

    def _stop(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGINT, _stop)
    beats = Beats()
    while not stop.is_set():
        try:
            sweep(ports, beats)
        except (Retryable, UserError) as failure:
            log.warning("sweep_waits", why=failure.sentence)
        except Exception:
            log.exception("bug", reference=secrets.token_hex(4), where="sweep")
        stop.wait(SWEEP_SECONDS)
