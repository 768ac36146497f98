"""The runner: a process that takes jobs from a hub and executes them.

`python -m bot.localhub.actions.runner --url URL --labels self-hosted,headgate --work DIR`. Each
slot registers as a runner of its own, because a runner has one job at a time. SIGTERM ends the
running jobs' processes and reports them; a reaper process kills them if the runner is killed.
"""

import argparse
import os
import shutil
import signal
import socket
import sys
import threading
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from bot.localhub.actions.action_store import ActionStore
from bot.localhub.actions.client import RefusedError, ServiceClient
from bot.localhub.actions.job_execution import JobExecution, RunnerFacts
from bot.localhub.actions.processes import GracePeriods, Stop
from bot.localhub.actions.reaper import start_reaper
from bot.localhub.actions.runner_messages import JobMessage, Registration

# How long a slot waits before it registers again if its hub could not be reached.
_REST_SECONDS = 1.0


@dataclass(frozen=True)
class RunnerOptions:
    """Options. `ephemeral` takes one job and ends; `token` limits it to one repository."""

    url: str
    name: str
    labels: tuple[str, ...]
    work: Path
    slots: int = 1
    ephemeral: bool = False
    group: str = "Default"
    token: str | None = None
    jit_config: str | None = None
    grace_periods: GracePeriods = field(default_factory=GracePeriods)


class RunnerProcess:
    def __init__(self, options: RunnerOptions) -> None:
        self._options = options
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._executions: set[JobExecution] = set()
        self._clients: list[ServiceClient] = []
        self._mark = f"headgate_{uuid.uuid4().hex}"
        self._store = ActionStore(options.work / "_actions")
        self.has_failed = False

    def run(self) -> None:
        """Work until stopped, or until every ephemeral slot has had its job."""
        self._options.work.mkdir(parents=True, exist_ok=True)
        reaper = start_reaper(f"RUNNER_TRACKING_ID={self._mark}")
        names = [self._options.name]
        if self._options.slots > 1:
            names = [f"{self._options.name}-{one}" for one in range(1, self._options.slots + 1)]
        slots = [
            threading.Thread(target=self._work, args=(name,), name=name, daemon=True)
            for name in names
        ]
        for slot in slots:
            slot.start()
        for slot in slots:
            self._join(slot)
        if reaper.stdin is not None:
            reaper.stdin.close()
        reaper.wait()
        shutil.rmtree(self._options.work / "_jobs", ignore_errors=True)

    def stop(self) -> None:
        """End running jobs and report them; a second call ends them at once."""
        stop = Stop.FORCE if self._stopping.is_set() else Stop.SHUTDOWN
        self._stopping.set()
        for client in list(self._clients):
            client.close()
        for execution in list(self._executions):
            execution.switch.pull(stop)

    def _join(self, slot: threading.Thread) -> None:
        while slot.is_alive():
            slot.join(0.1)
            if self._stopping.is_set() and not self._is_working(slot.name):
                return

    def _is_working(self, name: str) -> bool:
        with self._lock:
            return any(execution.runner_name == name for execution in self._executions)

    def _work(self, name: str) -> None:
        options = self._options
        while not self._stopping.is_set():
            client = ServiceClient(options.url)
            self._clients.append(client)
            try:
                name = client.register(self._registration(name)).name
                self._take_jobs(client, name)
            except RefusedError as error:
                if self._stopping.is_set():
                    return
                self._say(f"{name}: {error}")
                # A token or configuration works once; without one, register again when the hub is back.
                if options.ephemeral or options.token or options.jit_config:
                    self.has_failed = True
                    return
                self._stopping.wait(_REST_SECONDS)
            else:
                return
            finally:
                self._clients.remove(client)

    def _take_jobs(self, client: ServiceClient, name: str) -> None:
        self._say(f"{name}: listening for jobs")
        while not self._stopping.is_set():
            message = client.acquire()
            if message is None:
                continue
            self._say(f"{name}: running job {message.display_name}")
            self._execute(client, name, message)
            if self._options.ephemeral or self._options.jit_config:
                return

    def _execute(self, client: ServiceClient, name: str, message: JobMessage) -> None:
        facts = RunnerFacts(
            name, self._options.work.resolve(), self._mark, self._options.grace_periods
        )
        execution = JobExecution(client, self._store, facts, message)
        with self._lock:
            self._executions.add(execution)
        # A stop between taking the job and this line would miss it.
        if self._stopping.is_set():
            execution.switch.pull(Stop.SHUTDOWN)
        try:
            execution.run()
        finally:
            with self._lock:
                self._executions.discard(execution)
            self._say(f"{name}: job {message.display_name} completed")

    def _registration(self, name: str) -> Registration:
        options = self._options
        return Registration(
            name=name,
            labels=options.labels,
            group=options.group,
            ephemeral=options.ephemeral,
            token=options.token,
            jit_config=options.jit_config,
        )

    def _say(self, sentence: str) -> None:
        sys.stdout.write(sentence + "\n")
        sys.stdout.flush()


def run(options: RunnerOptions) -> int:
    """Run until SIGTERM or SIGINT; the exit code."""
    runner = RunnerProcess(options)

    def stop(_: int, __: FrameType | None) -> None:
        threading.Thread(target=runner.stop, daemon=True).start()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    runner.run()
    return 1 if runner.has_failed else 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="headgate-runner", description=__doc__)
    parser.add_argument("--url", required=True, help="where the hub is")
    parser.add_argument("--name", default=f"{socket.gethostname()}-{os.getpid()}")
    parser.add_argument("--labels", default="self-hosted", help="separated by commas")
    parser.add_argument("--work", type=Path, required=True, help="a folder of the runner's own")
    parser.add_argument("--slots", type=int, default=1, help="how many jobs at the same time")
    parser.add_argument("--once", action="store_true", help="take one job in each slot and end")
    parser.add_argument("--group", default="Default")
    parser.add_argument("--token", help="a registration token: serve its repository only")
    parser.add_argument("--jitconfig", help="a just-in-time configuration: one job, then end")
    given = parser.parse_args(arguments)
    return run(
        RunnerOptions(
            url=given.url,
            name=given.name,
            labels=tuple(label.strip() for label in given.labels.split(",") if label.strip()),
            work=given.work,
            slots=given.slots,
            ephemeral=given.once,
            group=given.group,
            token=given.token,
            jit_config=given.jitconfig,
        )
    )


if __name__ == "__main__":
    sys.exit(main())
