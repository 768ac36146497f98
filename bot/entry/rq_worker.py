"""The worker process: RQ in a loop, without a fork a job."""

from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer

from bot.adapters.doorbell.redis_queue import QUEUE_NAME, connect_worker
from bot.entry.settings import Settings
from bot.entry.worker import worker_ports


class _Worker(SimpleWorker):
    # Seconds between attempts stay at one: a doorbell that is restarted is back before that, and
    # there is nothing else to do.
    exponential_backoff_factor = 1.0


def work(settings: Settings) -> None:
    """Run jobs until stopped."""
    ports, _, _ = worker_ports()
    # What this slot was asking when it stopped is asked again now, not when its claim runs out.
    ports.prompt_store.release_claims_of(ports.holder)
    for repository in ports.journal.repositories():
        ports.doorbell.ring_repository(repository)
    connection = connect_worker(settings.doorbell_url)
    queue = Queue(QUEUE_NAME, connection=connection, serializer=JSONSerializer)
    worker = _Worker([queue], connection=connection, serializer=JSONSerializer)
    worker.work(logging_level="WARNING", with_scheduler=False)
