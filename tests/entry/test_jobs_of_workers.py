"""Jobs are queued by name; a worker finds each."""

import inspect
import re

from bot.adapters.doorbell import redis_queue
from bot.entry import worker


def test_every_queued_job_name_exists() -> None:
    rung = re.findall(r'"bot\.entry\.worker\.(\w+)"', inspect.getsource(redis_queue))
    assert len(rung) == 5
    assert [name for name in rung if not callable(getattr(worker, name, None))] == []
