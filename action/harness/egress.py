"""The only network for `setup` commands: a CONNECT proxy to the hosts that the policy lists.

It listens on a unix socket that is shown inside the sandbox. Names are resolved here, and an
address that belongs to this machine or its link (loopback, cloud metadata) is refused even under
a listed name, unless the list names that very address. TLS passes through unread.
"""

import contextlib
import ipaddress
import re
import socket
import socketserver
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from action.harness.sandbox_socket_server import SandboxSocketServer
from action.sandbox.sandbox import ProxySocket

HEADER_BYTES_MAX = 16_384
CONNECT_TIMEOUT_SECONDS = 20.0
IDLE_TIMEOUT_SECONDS = 300.0
DEFAULT_PORT = 443
# At most this many refused addresses are reported.
_TOLD_MAX = 100
_HOST = re.compile(r"\[?([A-Za-z0-9._:-]{1,255})\]?")
_PROXY_VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY")


@contextlib.contextmanager
def egress_proxy(
    hosts: Sequence[str], folder: Path, refused: dict[str, None]
) -> Iterator[tuple[ProxySocket, ...]]:
    """A proxy to the listed hosts (`name`, `*.name` or `name:port`); none where none is listed.

    Hosts that were asked for and are not listed are put into `refused`.
    """
    if not hosts:
        yield ()
        return
    folder.mkdir(mode=0o755)
    path = folder / "s"
    with _Server(path, tuple(hosts), refused) as server:
        # Connecting needs the right to write; the folder is only shown to this order's sandbox.
        path.chmod(0o666)
        thread = threading.Thread(target=server.serve_forever, name="egress", daemon=True)
        thread.start()
        try:
            env = dict.fromkeys(_PROXY_VARIABLES, "http://127.0.0.1:{port}")
            yield (ProxySocket(path, {**env, "NO_PROXY": "", "no_proxy": ""}),)
        finally:
            server.shutdown()
            thread.join()


def is_listed(hosts: Sequence[str], host: str, port: int) -> bool:
    """Whether policy lists this host and port; without a port an entry means 443."""
    host = host.lower().rstrip(".")
    for entry in hosts:
        name, _, listed_port = entry.lower().partition(":")
        if str(port) != (listed_port or str(DEFAULT_PORT)):
            continue
        if name == host or (name.startswith("*.") and host.endswith(name[1:])):
            return True
    return False


def is_local_address(address: str) -> bool:
    """Whether an address means this machine or its link."""
    known = ipaddress.ip_address(address)
    if isinstance(known, ipaddress.IPv6Address) and known.ipv4_mapped is not None:
        known = known.ipv4_mapped
    return known.is_loopback or known.is_link_local or known.is_unspecified or known.is_multicast


class _Server(SandboxSocketServer):
    def __init__(self, path: Path, hosts: tuple[str, ...], refused: dict[str, None]) -> None:
        super().__init__(path, _Tunnel)
        self.hosts = hosts
        self.refused = refused


class _Tunnel(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        near: socket.socket = self.request
        near.settimeout(IDLE_TIMEOUT_SECONDS)
        with contextlib.suppress(OSError):
            head, early = _read_head(near)
            target = connect_target(head)
            if target is None:
                _answer(near, 405, "Only CONNECT is allowed here.")
                return
            host, port = target
            if not isinstance(self.server, _Server) or not is_listed(self.server.hosts, host, port):
                if isinstance(self.server, _Server) and len(self.server.refused) < _TOLD_MAX:
                    self.server.refused[f"{host}:{port}"] = None
                _answer(near, 403, f"{host}:{port} is not in egress_hosts.")
                return
            far = _connect(host, port)
            if far is None:
                _answer(near, 502, f"{host}:{port} cannot be reached.")
                return
            with far:
                near.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                far.sendall(early)
                _relay(near, far)


def _read_head(near: socket.socket) -> tuple[bytes, bytes]:
    read = b""
    while b"\r\n\r\n" not in read:
        chunk = near.recv(4_096)
        if not chunk or len(read) > HEADER_BYTES_MAX:
            return b"", b""
        read += chunk
    head, _, early = read.partition(b"\r\n\r\n")
    return head, early


def connect_target(head: bytes) -> tuple[str, int] | None:
    words = head.split(b"\r\n", 1)[0].split()
    if len(words) != 3 or words[0] != b"CONNECT":
        return None
    said, _, port = words[1].decode("latin-1").rpartition(":")
    host = _HOST.fullmatch(said)
    if not host or not re.fullmatch("[0-9]{1,5}", port) or not 0 < int(port) < 65_536:
        return None
    return host[1], int(port)


def _connect(host: str, port: int) -> socket.socket | None:
    """Connect to the address that was checked, so that a second DNS answer cannot differ."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        # A label that is empty or too long is no name.
        return None
    for _family, _kind, _protocol, _name, where in found:
        address = str(where[0])
        if is_local_address(address) and address != host:
            continue
        with contextlib.suppress(OSError):
            far = socket.create_connection((address, port), CONNECT_TIMEOUT_SECONDS)
            far.settimeout(IDLE_TIMEOUT_SECONDS)
            return far
    return None


def _answer(near: socket.socket, status: int, sentence: str) -> None:
    body = f"headgate: {sentence}\n".encode()
    head = f"HTTP/1.1 {status} Headgate\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    near.sendall(head.encode() + body)


def _relay(near: socket.socket, far: socket.socket) -> None:
    back = threading.Thread(target=_copy, args=(far, near), daemon=True)
    back.start()
    _copy(near, far)
    back.join()


def _copy(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while chunk := source.recv(65_536):
            sink.sendall(chunk)
        sink.shutdown(socket.SHUT_WR)
