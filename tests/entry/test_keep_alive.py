"""A thread of the web server keeps its connection between requests, unless another one waits."""

import contextlib
import http.client
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import psutil
import pytest

from bot.entry.web import keep_alive
from tests.needs import needs_linux
from tests.testkit.ports import free_port

pytestmark = pytest.mark.slow

# Nothing here takes so long unless it hangs.
TIMEOUT_SECONDS = 20.0


@contextlib.contextmanager
def server(threads: int, keep_seconds: float) -> Iterator[int]:
    """gunicorn with our worker, on a port of this machine."""
    port = free_port()
    argv = (sys.executable, "-m", "tests.entry.keep_alive_server")
    process = subprocess.Popen(
        (*argv, str(port), str(threads), str(keep_seconds)), stderr=subprocess.DEVNULL
    )
    try:
        wait_for(port)
        yield port
    finally:
        process.terminate()
        try:
            process.wait(TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            # A stop waits for a thread that hangs.
            for one in (*psutil.Process(process.pid).children(), process):
                one.kill()
            process.wait(TIMEOUT_SECONDS)


def wait_for(port: int) -> None:
    pause = threading.Event()
    for _ in range(200):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        pause.wait(0.1)
    raise AssertionError("the server does not answer")


def connect(port: int) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS)


def ask(connection: http.client.HTTPConnection, path: str = "/") -> str:
    connection.request("GET", path)
    return connection.getresponse().read().decode()


def test_all_threads_share_one_core() -> None:
    with server(threads=4, keep_seconds=0.02) as port:
        connection = connect(port)
        assert ask(connection, "/cores") == "1"
        connection.close()


def test_requests_on_one_connection_are_answered_by_one_thread() -> None:
    with server(threads=4, keep_seconds=TIMEOUT_SECONDS) as port:
        first, second = connect(port), connect(port)
        one = ask(first)
        # Until its thread waits for the next request; before that it may serve the other connection.
        time.sleep(0.3)
        other = ask(second)

        assert one != other
        # Several times: any free thread may happen to be the same one once.
        for _ in range(5):
            assert [ask(first), ask(first), ask(second), ask(first)] == [one, one, other, one]
        first.close()
        second.close()


def test_a_busy_connection_does_not_keep_another_waiting() -> None:
    # The one thread may keep the patient one, too, and the busy one then waits that long.
    with server(threads=1, keep_seconds=2.0) as port:
        busy, patient = connect(port), connect(port)
        answered = threading.Event()

        def wait_for_an_answer() -> None:
            with contextlib.suppress(OSError):
                ask(patient)
                answered.set()

        asking = threading.Thread(target=wait_for_an_answer)
        ask(busy)
        asking.start()
        for _ in range(5_000):
            ask(busy)
            if answered.is_set():
                break

        assert answered.is_set()
        patient.close()
        busy.close()
        asking.join()


@needs_linux
@pytest.mark.parametrize("number", [keep_alive._SO_MEMINFO, 9_999])
def test_unread_bytes_are_known_without_kernel_memory_information(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keep_alive, "_SO_MEMINFO", number)
    with socket.create_server(("127.0.0.1", 0)) as door, socket.socket() as theirs:
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
        theirs.connect(door.getsockname())
        ours, _ = door.accept()
        with ours:
            assert keep_alive._unread_bytes(ours) == 0
            ours.setblocking(False)
            sent = ours.send(b"x" * 100_000)
            assert keep_alive._unread_bytes(ours) > sent / 2
