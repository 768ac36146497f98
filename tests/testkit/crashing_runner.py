"""Runners that crash at a stage of an order and may report too late.

A crashed runner sends nothing more: its job hangs until its heartbeats are missed or GitHub fails the
job. It can hand in afterwards what it had finished.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

import httpx

from action.order import GateOrder, LeaseGrant, LeaseRequest
from action.report import AgentEnding, AgentReport, GateOrderReport, Report
from bot.localhub.actions.runner_messages import Conclusion, JobMessage
from tests.testkit.runner import Lease, Runner


class Stage(StrEnum):
    """How far an order is when its runner crashes."""

    BEFORE_LEASE = "before the lease"
    LEASE_ANSWERED = "the lease was given, its answer lost"
    LEASED = "after the lease"
    WORKED = "before the upload or the report"
    UPLOADED = "after the upload"
    REPORTED = "after the report, before the job's end"


class RunnerCrashed(BaseException):
    """Ends the runner; nothing catches it but `do_all`."""


@dataclass
class CrashedJob:
    """A job whose runner crashed, and what the runner had finished."""

    job: JobMessage
    stage: Stage
    lease: Lease | None = None
    bundle: bytes | None = None


# Whether the runner of a job crashes now; the lease is None before there is one.
ShouldCrash = Callable[[Stage, Lease | None], bool]


@dataclass
class CrashingRunners(Runner):
    """The runners of a story; `crashed` lists the jobs of those that crashed, in order."""

    should_crash: ShouldCrash = lambda _stage, _lease: False
    crashed: list[CrashedJob] = field(default_factory=list)
    _current: CrashedJob | None = None

    def do_all(self) -> int:
        """Do every waiting order, up to a crash; returns how many there were."""
        count = 0
        while (job := self._acquire()) is not None:
            count += 1
            self._current = CrashedJob(job, Stage.BEFORE_LEASE)
            try:
                self._do_job(job)
            except RunnerCrashed:
                self.crashed.append(self._current)
        return count

    def upload(self, lease: Lease, bundle: bytes) -> httpx.Response:
        """Hand a bundle in, or crash before or after it."""
        if self._current is not None:
            self._current.bundle = bundle
        self._reach(Stage.WORKED, lease)
        answer = super().upload(lease, bundle)
        self._reach(Stage.UPLOADED, lease)
        return answer

    def report_late(self, crashed_job: CrashedJob) -> httpx.Response | None:
        """Hand in what the crashed runner had; None where it had nothing."""
        lease = crashed_job.lease
        if lease is None or crashed_job.stage not in {Stage.WORKED, Stage.UPLOADED}:
            return None
        if crashed_job.bundle is not None:
            super().upload(lease, crashed_job.bundle).raise_for_status()
        return self.report(lease, _late_report(crashed_job, lease))

    def fail_job(self, crashed_job: CrashedJob) -> None:
        """End the job, as GitHub does after a while."""
        self.complete(crashed_job.job, Conclusion.FAILURE)

    def next_job(self) -> JobMessage:
        """Take the next waiting job."""
        job = self._acquire()
        assert job is not None
        return job

    def ask_for_lease(self, job: JobMessage) -> httpx.Response:
        inputs = job.contexts["inputs"]
        assert isinstance(inputs, dict)
        server, order_id = str(inputs["server"]), str(inputs["order_id"])
        request = LeaseRequest(order_id=order_id, oidc_token=self.oidc(job, server))
        return self.http.post(f"{server}/runner/lease", content=request.model_dump_json())

    def lease_from(self, job: JobMessage, answer: httpx.Response) -> Lease:
        inputs = job.contexts["inputs"]
        assert isinstance(inputs, dict)
        grant = LeaseGrant.model_validate_json(answer.content)
        return Lease(job, str(inputs["server"]), grant)

    def _do_job(self, job: JobMessage) -> None:
        self._reach(Stage.BEFORE_LEASE, None)
        answer = self.ask_for_lease(job)
        if answer.status_code != 200:
            self.complete(job, Conclusion.FAILURE)
            return
        lease = self.lease_from(job, answer)
        self.taken.append(lease.order)
        self._reach(Stage.LEASE_ANSWERED, lease)
        self.heartbeat(lease).raise_for_status()
        self._reach(Stage.LEASED, lease)
        report = self.work(lease)
        if isinstance(lease.order, GateOrder):
            self._reach(Stage.WORKED, lease)
        self.report(lease, report)
        self._reach(Stage.REPORTED, lease)
        self.complete(job)

    def _reach(self, stage: Stage, lease: Lease | None) -> None:
        if self._current is None:
            return
        self._current.stage, self._current.lease = stage, lease
        if self.should_crash(stage, lease):
            raise RunnerCrashed(stage)


def _late_report(crashed_job: CrashedJob, lease: Lease) -> Report:
    order_id = lease.order.order_id
    if isinstance(lease.order, GateOrder):
        return GateOrderReport(order_id=order_id, sentence="Reported late.")
    return AgentReport(
        order_id=order_id,
        ending=AgentEnding.FINISHED,
        sentence="Reported late.",
        head_sha="f" * 40,
        bundle_sha256=hashlib.sha256(crashed_job.bundle or b"").hexdigest(),
    )


def crashing_runners(runner: Runner, should_crash: ShouldCrash) -> CrashingRunners:
    """Runners with the agent of a story's runner, in place of it."""
    return CrashingRunners(
        url=runner.url,
        folder=runner.folder,
        agent=runner.agent,
        seems=runner.seems,
        http=runner.http,
        should_crash=should_crash,
    )
