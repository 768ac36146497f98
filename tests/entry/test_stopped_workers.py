"""A worker that is told to stop finishes its job."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from rq import Queue
from rq.serializers import JSONSerializer

from bot.adapters.doorbell.redis_queue import QUEUE_NAME, connect_worker
from bot.adapters.github.app_tokens import app_permissions
from bot.core.state.webhook import EVENTS
from bot.entry.settings import Settings
from bot.entry.valkey import valkey_argv, valkey_program
from tests.demo.watched import ROOT, eventually
from tests.entry.setup_kit import own_environment, town

pytestmark = pytest.mark.slow


def linger(folder: str) -> None:
    """A job that goes on until it is let go."""
    Path(folder, "begun").touch()
    eventually(Path(folder, "go").exists)
    Path(folder, "ended").touch()


def test_a_stopped_worker_finishes_its_job_first(tmp_path: Path) -> None:
    with town(tmp_path) as place:
        app = place.hub.register_app("headgate", None, "", app_permissions(), EVENTS)
        given = place.environment(
            HEADGATE_APP_ID=str(app.app_id),
            HEADGATE_PRIVATE_KEY=app.private_key_pem,
            HEADGATE_OWNERS="ada",
            PYTHONPATH=str(ROOT),
        )
        settings = Settings(_env_file=None, var=tmp_path / "var")
        settings.var.mkdir(exist_ok=True)
        server = valkey_program()
        assert server is not None
        valkey = subprocess.Popen(valkey_argv(server, settings.var))
        worker = subprocess.Popen(
            (sys.executable, "-m", "bot.entry.cli", "worker", "people"), env=own_environment(given)
        )
        try:
            eventually(lambda: (settings.var / "valkey.sock").exists())
            queue = Queue(
                QUEUE_NAME,
                connection=connect_worker(settings.doorbell_url),
                serializer=JSONSerializer,
            )
            queue.enqueue(linger, str(tmp_path))
            eventually((tmp_path / "begun").exists)
            worker.send_signal(signal.SIGTERM)
            with pytest.raises(subprocess.TimeoutExpired):
                worker.wait(1)
            (tmp_path / "go").touch()
            assert worker.wait(30) == 0
        finally:
            for process in (worker, valkey):
                process.kill()
                process.wait()
    assert (tmp_path / "ended").exists()
