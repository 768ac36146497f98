"""gunicorn's threaded worker, with a door before its threads, and threads that stay with a connection.

A connection gets a thread when its request has arrived (`admission`), and loses it when it is too
slow with a large body.

gunicorn hands a connection back to its poller after every answer, and the next request to any free
thread: four hand-overs between threads for a delivery, which cost more than storing it. Here a
thread waits a moment for the next request of the same connection, but never while another
connection waits for a thread. On one core, because Python runs one of the threads at a time, and
passing that right between cores costs as much as a delivery.

`worker_choice` checks what this relies on in gunicorn.
"""

import contextlib
import fcntl
import os
import select
import selectors
import socket
import struct
import sys
import termios
import time
from collections import Counter, deque
from concurrent.futures import Future
from functools import partial

from gunicorn.workers.gthread import TConn, ThreadWorker

from bot.entry.web.admission import (
    ARRIVAL_SECONDS,
    LARGE_MAX,
    LARGE_OF_A_SENDER,
    WINDOW_BYTES,
    Peers,
    RequestSize,
    large_seconds,
    request_size,
)

# So long a refused request may go on being sent.
LINGER_SECONDS = 2.0
LINGER_BYTES = 256 * 1024
# Who leaves so much of what was answered unread is answered no more: a thread that sends would wait.
UNREAD_BYTES_MAX = 64 * 1024
# Room for these and for any answer to a stranger, so that no thread waits for them.
_SEND_BYTES = 256 * 1024
# socket(7) and linux/sock_diag.h: what a socket's memory is used for; one of the numbers is its queue.
_SO_MEMINFO = 55
_MEMINFO = struct.Struct("9I")
_QUEUED = 5
_PEEK = socket.MSG_PEEK | socket.MSG_DONTWAIT


class _Socket(socket.socket):
    """gunicorn asks for a blocking socket before each request; the kernel is told only what is new."""

    def setblocking(self, flag: bool) -> None:
        if self.gettimeout() != (None if flag else 0.0):
            super().setblocking(flag)


class Connection(TConn):  # type: ignore[misc]
    """A connection, whose it is, and what is known of the request that is arriving."""

    def __init__(self, worker: "KeepAliveWorker", peer: str, *given: object) -> None:
        super().__init__(worker.cfg, *given)
        self.large = 0
        self.sender = ""
        self.seen_bytes = -1
        self.drained = 0
        self.deadline = 0.0
        self._worker = worker
        self._peer = peer
        self._has_left = False
        self._readable = select.poll()
        self._readable.register(self.sock, select.POLLIN)

    def close(self, graceful: bool = False) -> None:
        """`graceful`: the answer arrives even where the request was not read to its end."""
        if graceful and self._worker.linger(self):
            return
        if not self._has_left:
            self._has_left = True
            self._worker.peers.leave(self._peer)
        super().close()

    def arrived(self) -> bytes | None:
        """What has arrived of the next request; None where nothing has.

        Of a connection that was served before it is read at once: gunicorn would read it in pieces, and
        with each Python may go on with another thread. Before that it stays with the kernel.
        """
        try:
            if self.parser is None:
                return bytes(self.sock.recv(WINDOW_BYTES, _PEEK))
            new = self.sock.recv(WINDOW_BYTES, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return self.read_ahead or None
        buffer = self.parser.unreader.buf
        buffer.seek(0, os.SEEK_END)
        buffer.write(new)
        return bytes(buffer.getvalue())

    def is_readable(self, wait_seconds: float) -> bool:
        return bool(self.read_ahead or self._readable.poll(wait_seconds * 1000))

    def is_unread(self) -> bool:
        """Whether the other side does not take what it was answered."""
        if sys.platform != "linux":
            return False
        return _unread_bytes(self.sock) > UNREAD_BYTES_MAX

    @property
    def read_ahead(self) -> bytes:
        """What was read of the next request, by us or while gunicorn ended the one before."""
        return bytes(self.parser.unreader.buf.getvalue()) if self.parser else b""

    def is_closed(self, seen: bytes | None) -> bool:
        """Whether the other side sends no more, and has not sent all."""
        if seen is None or len(seen) > self.seen_bytes > 0:
            return False
        asked = select.poll()
        asked.register(self.sock, select.POLLRDHUP)
        return not seen or bool(self.seen_bytes > 0 and asked.poll(0))

    def wake_at(self, count: int) -> None:
        """Be readable when so many bytes are here, or the other side has closed."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, count)


class KeepAliveWorker(ThreadWorker):  # type: ignore[misc]
    """gunicorn's `gthread`; a thread keeps its connection for a moment after an answer."""

    # Longer than the next delivery of a burst takes to come. A new connection, or a stop, may have
    # to wait this long.
    keep_seconds = 0.02
    peers = Peers(100)

    def init_process(self) -> None:
        _stay_on_one_core()
        # One mark for each connection that waits for a thread.
        self._waiting: deque[None] = deque()
        # By the time at which each is given up; the oldest first.
        self._arriving: dict[Connection, float] = {}
        self._reading: dict[Connection, float] = {}
        self._lingering: dict[Connection, float] = {}
        self._large: Counter[str] = Counter()
        self._large_waiting: deque[Connection] = deque()
        super().init_process()

    def accept(self, listener: socket.socket) -> None:
        """A new connection; one more than a peer's share is closed."""
        try:
            client, address = listener.accept()
        except OSError:
            # It has gone again; or no descriptor is free, and the listener stays readable.
            return
        peer = self.peers.enter(str(address[0]))
        if peer is None:
            client.close()
            return
        client = _Socket(client.family, client.type, client.proto, client.detach())
        client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BYTES)
        self.nr_conns += 1
        self._await(Connection(self, peer, client, address, listener.getsockname()))

    def on_client_socket_readable(self, conn: Connection, client: socket.socket) -> None:
        self.poller.unregister(client)
        self.keepalived_conns.remove(conn)
        self._await(conn)

    def murder_pending(self) -> None:
        """Give up who is late: requests that do not arrive, and bodies that do not end."""
        super().murder_pending()
        now = time.monotonic()
        for conn, deadline in list(self._arriving.items()):
            if deadline > now:
                break
            self._drop(conn)
        for conn, deadline in list(self._lingering.items()):
            if deadline <= now:
                self._end_lingering(conn)
        for conn, deadline in list(self._reading.items()):
            if deadline <= now:
                # Its thread reads an end, if it still reads.
                with contextlib.suppress(OSError):
                    conn.sock.shutdown(socket.SHUT_RD)

    def linger(self, conn: Connection) -> bool:
        """Read off what is still being sent, for a moment; gunicorn would stop the loop for it."""
        try:
            conn.sock.setblocking(False)
            conn.sock.shutdown(socket.SHUT_WR)
            self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._on_lingering, conn))
        except (OSError, KeyError, ValueError):
            return False
        self._lingering[conn] = time.monotonic() + LINGER_SECONDS
        return True

    def _on_lingering(self, conn: Connection, client: socket.socket) -> None:
        with contextlib.suppress(OSError):
            read = len(client.recv(WINDOW_BYTES))
            conn.drained += read
            if read > 0 and conn.drained < LINGER_BYTES:
                return
        self._end_lingering(conn)

    def _end_lingering(self, conn: Connection) -> None:
        self._lingering.pop(conn, None)
        with contextlib.suppress(OSError, KeyError, ValueError):
            self.poller.unregister(conn.sock)
        conn.close()

    def finish_request(self, conn: Connection, future: "Future[object]") -> None:
        if conn.large:
            conn.large = 0
            self._large[conn.sender] -= 1
            self._admit_large()
        is_kept = not future.cancelled() and not future.exception() and future.result() is True
        if self.alive and is_kept and conn.read_ahead:
            # gunicorn would give a thread to what was read ahead, even if it is half a request.
            self._await(conn)
        else:
            super().finish_request(conn, future)

    def enqueue_req(self, conn: Connection) -> None:
        self._waiting.append(None)
        super().enqueue_req(conn)

    def handle(self, conn: Connection) -> object:
        """One request, and those that follow at once on the same connection."""
        # A request is served, however it came here.
        with contextlib.suppress(IndexError):
            self._waiting.popleft()
        self._reading[conn] = time.monotonic() + large_seconds(conn.large)
        try:
            outcome = super().handle(conn)
            while outcome is True and self._may_keep() and self._has_more(conn):
                self._reading[conn] = time.monotonic() + ARRIVAL_SECONDS
                outcome = super().handle(conn)
        finally:
            self._reading.pop(conn, None)
        return outcome

    def _keepalive_after(self, conn: Connection, keepalive: object) -> object:
        """Whether the connection stays. gunicorn would set its timeout three times to read off a body,
        also one that was read; each time Python may go on with another thread.
        """
        if keepalive and _is_read(conn.parser.mesg.body):
            conn.parser.mesg = None
            return True
        return super()._keepalive_after(conn, keepalive)

    def _await(self, conn: Connection) -> None:
        conn.seen_bytes = -1
        conn.deadline = time.monotonic() + ARRIVAL_SECONDS
        if sys.platform == "linux":
            self._look(conn)
        else:
            # Elsewhere a socket cannot be told when to wake us.
            self._admit(conn)

    def _on_arriving(self, conn: Connection, client: socket.socket) -> None:
        self.poller.unregister(client)
        self._arriving.pop(conn, None)
        self._look(conn)

    def _look(self, conn: Connection) -> None:
        """Give a thread to a request that is here, and wait for any other."""
        try:
            seen = conn.arrived()
            found = request_size(seen) if seen else RequestSize(1, 0)
            if conn.is_closed(seen) or conn.is_unread():
                self._drop(conn)
            elif seen and len(seen) <= conn.seen_bytes:
                # Woken all the same: the kernel keeps no more of it. A thread reads it.
                self._arrive_large(conn, seen, WINDOW_BYTES)
            elif seen is None or len(seen) < found.wanted:
                conn.seen_bytes = len(seen or b"")
                conn.wake_at(max(found.wanted - len(conn.read_ahead), 1))
                conn.sock.setblocking(False)
                self._arriving[conn] = conn.deadline
                self.poller.register(
                    conn.sock, selectors.EVENT_READ, partial(self._on_arriving, conn)
                )
            elif found.large:
                self._arrive_large(conn, seen, found.large)
            else:
                self._admit(conn)
        except OSError:
            self._drop(conn)

    def _arrive_large(self, conn: Connection, seen: bytes, large: int) -> None:
        conn.large = large
        conn.sender = self.peers.sender(str(conn.client[0]), seen)
        self._arriving[conn] = conn.deadline
        self._large_waiting.append(conn)
        self._admit_large()

    def _admit_large(self) -> None:
        """Those that wait and have not been given up, in turn, as far as there is room for each."""
        self._large = +self._large
        waiting, self._large_waiting = self._large_waiting, deque()
        for conn in waiting:
            if conn not in self._arriving:
                continue
            is_full = self._large.total() >= LARGE_MAX
            if is_full or self._large[conn.sender] >= LARGE_OF_A_SENDER:
                self._large_waiting.append(conn)
            else:
                del self._arriving[conn]
                self._large[conn.sender] += 1
                self._admit(conn)

    def _admit(self, conn: Connection) -> None:
        if conn.seen_bytes >= 0:
            conn.wake_at(1)
        conn.data_ready = True
        self.enqueue_req(conn)

    def _drop(self, conn: Connection) -> None:
        self._arriving.pop(conn, None)
        with contextlib.suppress(OSError, KeyError, ValueError):
            self.poller.unregister(conn.sock)
        self.nr_conns -= 1
        conn.close()

    def _may_keep(self) -> bool:
        return bool(self.alive) and not self._waiting

    def _has_more(self, conn: Connection) -> bool:
        """Whether the next request, and not a part of it, is here within a moment."""
        seen = conn.arrived()
        if seen is None and conn.is_readable(self.keep_seconds):
            seen = conn.arrived()
        if not seen:
            return False
        found = request_size(seen)
        return not found.large and len(seen) >= found.wanted and not conn.is_unread()


def _unread_bytes(sock: socket.socket) -> int:
    """How much of what was sent the other side has not taken."""
    try:
        # Unlike `ioctl`, this call keeps Python's lock.
        memory = sock.getsockopt(socket.SOL_SOCKET, _SO_MEMINFO, _MEMINFO.size)
        return int(_MEMINFO.unpack(memory)[_QUEUED])
    except (OSError, struct.error):
        # Not every sandbox's kernel knows it.
        left = fcntl.ioctl(sock, termios.TIOCOUTQ, bytes(4))
        return int.from_bytes(left, sys.byteorder)


def _is_read(body: object) -> bool:
    """Whether nothing is left of a body whose length was said. Only such a reader of gunicorn's has a
    `length`.
    """
    reader, buffer = getattr(body, "reader", None), getattr(body, "buf", None)
    return buffer is not None and getattr(reader, "length", None) == 0 and not buffer.tell()


def _stay_on_one_core() -> None:
    """Processes with different ids take different cores."""
    if sys.platform == "linux":
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[os.getpid() % len(cores)]})
