"""A changed gunicorn may cost speed, but never deliveries."""

import hashlib
import hmac
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from gunicorn.workers import gthread

from bot.adapters.store.engine import open_engine
from bot.adapters.store.inbox import SqlInbox
from bot.entry.web.keep_alive import KeepAliveWorker
from bot.entry.web.worker_choice import STOCK_WORKER, changed_internals, worker_class
from bot.entry.wiring import SystemClock
from tests.entry.test_keep_alive import TIMEOUT_SECONDS, wait_for
from tests.testkit.ports import free_port

SECRET = "a webhook secret"
BODY = b'{"ref": "refs/heads/main", "repository": {"id": 1}}'


class AnotherEnqueue(gthread.ThreadWorker):  # type: ignore[misc]
    def enqueue_req(self, conn: object) -> None:
        self.tpool.submit(self.handle_connection, conn)


class AnotherHandle(gthread.ThreadWorker):  # type: ignore[misc]
    def handle(self, conn: object, request: object) -> bool:
        return bool(conn and request)


class AnotherAccept(gthread.ThreadWorker):  # type: ignore[misc]
    def accept(self, listener: object) -> None:
        self.tpool.submit(self.handle, listener)


class AnotherConnection:
    def __init__(self, stream: object) -> None:
        self.stream = stream


def module(**changed: object) -> SimpleNamespace:
    return SimpleNamespace(
        **{"ThreadWorker": gthread.ThreadWorker, "TConn": gthread.TConn, **changed}
    )


def test_the_installed_gunicorn_is_the_one_the_keep_alive_worker_was_written_for() -> None:
    assert changed_internals(gthread) == []
    assert worker_class(gthread) is KeepAliveWorker


@pytest.mark.parametrize(
    ("gunicorn", "changed"),
    [
        (module(ThreadWorker=AnotherEnqueue), "ThreadWorker.enqueue_req"),
        (module(ThreadWorker=AnotherHandle), "ThreadWorker.handle"),
        (module(ThreadWorker=AnotherAccept), "ThreadWorker.accept"),
        (module(TConn=AnotherConnection), "TConn.sock"),
        (SimpleNamespace(TConn=gthread.TConn), "ThreadWorker"),
        (None, "ThreadWorker"),
    ],
)
def test_gunicorns_own_worker_serves_if_its_internals_changed(
    gunicorn: object, changed: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert worker_class(gunicorn) == STOCK_WORKER
    (warning,) = caplog.records
    assert warning.getMessage() == "keep_alive_worker_not_used"
    assert changed in vars(warning)["changed"].split(", ")


@pytest.mark.slow
def test_a_delivery_is_stored_by_gunicorns_own_worker(tmp_path: Path) -> None:
    port = free_port()
    environment = {
        **{k: v for k, v in os.environ.items() if not k.startswith("HEADGATE_")},
        "HEADGATE_VAR": str(tmp_path),
        "HEADGATE_PORT": str(port),
        "HEADGATE_APP_ID": "1",
        "HEADGATE_PRIVATE_KEY": "never used here",
        "HEADGATE_WEBHOOK_SECRET": SECRET,
    }
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(
            (sys.executable, "-m", "tests.entry.stock_worker_server"), env=environment, stderr=log
        )
    try:
        wait_for(port)
        signature = hmac.new(SECRET.encode(), BODY, hashlib.sha256).hexdigest()
        answer = httpx.post(
            f"http://127.0.0.1:{port}/webhook",
            content=BODY,
            headers={
                "Content-Type": "application/json",
                "X-GitHub-Event": "push",
                "X-GitHub-Delivery": "g1",
                "X-Hub-Signature-256": f"sha256={signature}",
            },
            timeout=TIMEOUT_SECONDS,
        )
    finally:
        process.terminate()
        process.wait(TIMEOUT_SECONDS)

    assert answer.status_code == 202
    inbox = SqlInbox(open_engine(f"sqlite:///{tmp_path}/inbox.db"))
    assert inbox.unread(SystemClock().now()) == ("g1",)
    lines = [line for line in (tmp_path / "log").read_text().splitlines() if "keep_alive" in line]
    assert [json.loads(line)["changed"] for line in lines] == ["ThreadWorker.enqueue_req"]
