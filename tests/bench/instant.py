"""Runners that take no time: the agent writes one file and all gates pass at once.

They wait for jobs by long polls, as real runners do, and record when each order was taken and when its
report was accepted.
"""

import hashlib
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import httpx

from action.order import AgentOrder, GateOrder, LeaseRequest
from action.report import GateOrderReport, Report
from bot.core.values.ids import OrderId
from gates.result import Ending, GateReport, GateResult, definition_hash
from tests.testkit.runner import Lease, Runner

# A poll without a job ends after this long, so that a runner can stop.
_POLL_SECONDS = 2.0
# How often a request is repeated while the server is down.
_AGAIN_SECONDS = 0.1
_PATIENCE_SECONDS = 60.0


@dataclass(frozen=True)
class Turn:
    """When one order was taken from localhub, and when Headgate accepted its report."""

    order: OrderId
    taken_at: datetime
    reported_at: datetime


class InstantRunner(Runner):
    """A runner whose gates pass at once, without a checkout."""

    def ask(self, server: str, asked: LeaseRequest) -> httpx.Response:
        return _patiently(lambda: super(InstantRunner, self).ask(server, asked))

    def report(self, lease: Lease, report: Report) -> httpx.Response:
        return _patiently(lambda: super(InstantRunner, self).report(lease, report))

    def work(self, lease: Lease) -> Report:
        order = lease.order
        if isinstance(order, AgentOrder):
            return super().work(lease)
        return GateOrderReport(
            order_id=order.order_id, sentence="Judged at once.", report=_passed(order)
        )


def _passed(order: GateOrder) -> GateReport:
    # An order does not name its tree, and nothing compares this one: a digest of the commit.
    tree = hashlib.sha256(order.candidate_sha.encode()).hexdigest()[:40]
    return GateReport(
        candidate_sha=order.candidate_sha,
        tree_sha=tree,
        definition_hash=definition_hash(order.gates),
        results=tuple(
            GateResult(gate=g.name, judges=g.judges, ending=Ending.PASSED, sentence="Passed.")
            for g in order.gates
        ),
    )


def _patiently(send: Callable[[], httpx.Response]) -> httpx.Response:
    """Again after a 5xx or a broken connection, as the real harness does."""
    until = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            answer = send()
        except httpx.TransportError:
            if time.monotonic() > until:
                raise
        else:
            if answer.status_code < 500 or time.monotonic() > until:
                return answer
        threading.Event().wait(_AGAIN_SECONDS)


class _Reconnecting(httpx.HTTPTransport):
    """Connects again while the server is down, as the real harness does; nothing was sent then."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        until = time.monotonic() + _PATIENCE_SECONDS
        while True:
            try:
                return super().handle_request(request)
            except httpx.ConnectError:
                if time.monotonic() > until:
                    raise
                threading.Event().wait(_AGAIN_SECONDS)


class RunnerThread:
    """One runner in a thread of its own."""

    def __init__(self, url: str, folder: Path) -> None:
        self.turns: list[Turn] = []
        http = httpx.Client(trust_env=False, timeout=30, transport=_Reconnecting())
        self._runner = InstantRunner(
            url, folder, http=http, wait_seconds=_POLL_SECONDS, name=f"{folder.name}-"
        )
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Take no more jobs; the current one is finished."""
        self._stop.set()
        self._thread.join(20)
        self._runner.http.close()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._take_one()
            except httpx.HTTPError:
                # The server restarts; the order comes back when its lease is lost.
                self._stop.wait(0.2)

    def _take_one(self) -> None:
        lease = self._runner.take()
        if lease is None:
            return
        taken_at = datetime.now(UTC)
        report = self._runner.work(lease)
        answer = self._runner.report(lease, report)
        if answer.status_code == 202:
            reported_at = datetime.now(UTC)
            self.turns.append(Turn(OrderId(lease.order.order_id), taken_at, reported_at))
        self._runner.complete(lease.job)


@contextmanager
def running(url: str, folder: Path, count: int = 2) -> Iterator[list[RunnerThread]]:
    """So many runners at work."""
    threads = [RunnerThread(url, folder / f"runner-{n}") for n in range(1, count + 1)]
    for thread in threads:
        thread.start()
    try:
        yield threads
    finally:
        for thread in threads:
            thread.stop()
