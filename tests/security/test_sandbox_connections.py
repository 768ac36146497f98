"""The two proxies of a sandbox with malformed requests: invalid addresses, endless hosts"""

import contextlib
import io
import socket
import sys
import threading
from pathlib import Path

import httpx2
import pytest

from action.harness import sandbox_socket_server
from action.harness.egress import connect_target, egress_proxy
from action.harness.model_proxy import _Server
from tests.action.fake_server import fake_server
from tests.gates.checkouts import eventually
from tests.security.test_model_attacks import inside


@pytest.mark.parametrize(
    "line",
    [
        "POST http://[ HTTP/1.1",
        "POST /v1//messages HTTP/1.1",
        "POST /v1/./messages HTTP/1.1",
        "POST /v1/%6dessages HTTP/1.1",
        "POST /v1/messages%2e HTTP/1.1",
        "POST /v1/messages;beta HTTP/1.1",
        "POST /v1/messages/../files HTTP/1.1",
    ],
)
@pytest.mark.attack(
    "The model's proxy is asked for an address that is none, or for a path by another spelling",
    held="`action.harness.model_proxy`: three paths, letter by letter; all else is refused with a sentence",
)
def test_another_spelling_of_a_path_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "server").mkdir()
    with fake_server(tmp_path / "server") as server, inside(server, tmp_path) as agent:
        with agent.raw() as connection:
            head = f"{line}\r\nHost: m\r\nContent-Length: 0\r\n\r\n"
            connection.sendall(head.encode())
            assert connection.recv(4_096).startswith(b"HTTP/1.1 403")
        assert agent.post({}).status_code == 400


@pytest.mark.parametrize("door", ["model", "network"])
@pytest.mark.attack(
    "Thousands of connections to a door, until the harness can open no file and start no thread",
    held="`action.harness.sandbox_socket_server`: so many at once, and more are closed unheard",
)
def test_the_number_of_connections_of_an_agent_is_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, door: str
) -> None:
    monkeypatch.setattr(sandbox_socket_server, "CONNECTIONS_MAX", 3)
    (tmp_path / "server").mkdir()
    with (
        fake_server(tmp_path / "server") as server,
        inside(server, tmp_path) as agent,
        egress_proxy(["listed.example"], tmp_path / "e", {}) as (network,),
    ):
        path = agent.path if door == "model" else network.socket
        held = [_connected(path) for _ in range(3)]
        late = _connected(path)
        assert late.recv(1) == b""
        held.pop().close()
        assert eventually(lambda: _is_heard(path))
        for one in (*held, late):
            one.close()


def _connected(path: Path) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(10)
    connection.connect(str(path))
    return connection


def _is_heard(path: Path) -> bool:
    with _connected(path) as connection, contextlib.suppress(OSError):
        connection.sendall(b"GET / HTTP/1.1\r\nHost: m\r\n\r\n")
        return connection.recv(4_096).startswith(b"HTTP/1.1 ")
    return False


@pytest.mark.attack(
    "An agent that asks and goes away, again and again, fills the job's log with errors",
    held="`action.harness.model_proxy`: it is no error",
)
def test_a_disconnecting_agent_leaves_no_traceback_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = threading.Event()
    log = io.StringIO()
    monkeypatch.setattr(sys, "stderr", log)
    handled = _Server.shutdown_request

    def told(server: _Server, request: socket.socket) -> None:
        handled(server, request)
        done.set()

    monkeypatch.setattr(_Server, "shutdown_request", told)
    (tmp_path / "server").mkdir()
    with fake_server(tmp_path / "server") as server, inside(server, tmp_path) as agent:
        with agent.raw() as connection:
            asked = b"POST /v1/messages HTTP/1.1\r\nHost: m\r\nContent-Length: 2\r\n\r\n{}"
            connection.sendall(asked * 2)
        assert done.wait(10)
    assert "Traceback" not in log.getvalue()


@pytest.mark.attack(
    "A setup asks for thousands of hosts that are not listed, to fill the memory and the report",
    held="`action.harness.egress`: the first hundred are told",
)
def test_the_list_of_refused_hosts_is_limited(tmp_path: Path) -> None:
    refused: dict[str, None] = {}
    with egress_proxy(("example.org",), tmp_path / "e", refused) as (proxy,):
        transport = httpx2.HTTPTransport(uds=str(proxy.socket))
        with httpx2.Client(transport=transport) as client:
            for number in range(150):
                asked = client.build_request(
                    "CONNECT", "http://x", extensions={"target": b"h%d:443" % number}
                )
                assert client.send(asked).status_code == 403
    assert len(refused) == 100


@pytest.mark.attack(
    "A setup asks for a host that is no name: escapes of a terminal, other scripts, a label without end",
    held="`action.harness.egress.connect_target`",
)
@pytest.mark.parametrize(
    "host",
    [b"\x1b[2J.example.org", b"\xc4\xb1.example.org", b"a%lo", b"x" * 300, b"a/b", b"a@b", b""],
)
def test_an_invalid_host_name_is_refused(host: bytes) -> None:
    assert connect_target(b"CONNECT %b:443 HTTP/1.1" % host) is None


@pytest.mark.attack(
    "A setup asks for a listed host with a label that no resolver takes, so that the door fails",
    held="`action.harness.egress`: it is a host that cannot be reached",
)
@pytest.mark.parametrize("name", [b"a..example.org", b"x" * 80 + b".example.org"])
def test_a_listed_name_that_cannot_be_resolved_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: bytes
) -> None:
    failed: list[object] = []
    monkeypatch.setattr(threading, "excepthook", failed.append)
    with egress_proxy(("*.example.org",), tmp_path / "e", {}) as (proxy,):
        transport = httpx2.HTTPTransport(uds=str(proxy.socket))
        with httpx2.Client(transport=transport) as client:
            asked = client.build_request(
                "CONNECT", "http://x", extensions={"target": name + b":443"}
            )
            assert client.send(asked).status_code == 502
    assert not failed
