"""The worker process: RQ in a loop, without a fork a job."""

import contextlib

from redis.client import Pipeline
from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer

from bot.adapters.doorbell.redis_queue import (
    QUEUE_NAME,
    READING_QUEUE_NAME,
    STRANGERS_QUEUE_NAME,
    connect_worker,
)
from bot.core.values.vitals import Part
from bot.entry.jobs import Jobs
from bot.entry.log import count_warnings
from bot.entry.settings import Settings
from bot.entry.worker import worker_ports
from bot.ports import Retryable

# A worker without a job says so often that a silent one is seen within a minute.
_IDLE_SECONDS = 20
# RQ waits for a job this much shorter than its `worker_ttl`.
_RQ_RESERVE_SECONDS = 15


class _Worker(SimpleWorker):
    # Seconds between attempts stay at one: a doorbell that is restarted is back before that, and
    # there is nothing else to do.
    exponential_backoff_factor = 1.0
    part = Part.WORKER

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        """RQ calls it before and after each job, and while there is none every `_IDLE_SECONDS`."""
        super().heartbeat(timeout, pipeline)
        ports, _, _ = worker_ports()
        with contextlib.suppress(Retryable):
            ports.meter.beat(self.part, ports.clock.now())


# A worker that is the only kind there is reads texts when nothing else is to be done.
_READINGS = (READING_QUEUE_NAME, STRANGERS_QUEUE_NAME)
QUEUES = {
    Jobs.ALL: (QUEUE_NAME, *_READINGS),
    Jobs.PEOPLE: (QUEUE_NAME,),
    Jobs.READINGS: _READINGS,
}


def work(settings: Settings, jobs: Jobs) -> None:
    ports, _, _ = worker_ports()
    count_warnings(ports.meter)
    # What this slot was asking when it stopped is asked again now, not when its claim runs out.
    ports.prompt_store.release_claims_of(ports.holder)
    for repository in ports.journal.repositories():
        ports.doorbell.ring_repository(repository)
    connection = connect_worker(settings.doorbell_url)
    queues = [
        Queue(name, connection=connection, serializer=JSONSerializer) for name in QUEUES[jobs]
    ]
    worker = _Worker(
        queues,
        connection=connection,
        serializer=JSONSerializer,
        worker_ttl=_IDLE_SECONDS + _RQ_RESERVE_SECONDS,
    )
    if jobs is Jobs.READINGS:
        # Its own part: if only this worker lives, people's commands are not answered.
        worker.part = Part.READER
    worker.work(logging_level="WARNING", with_scheduler=False)
