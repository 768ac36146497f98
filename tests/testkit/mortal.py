"""Runners that die, at a stage of an order's life, and come back too late.

A dead runner says nothing more: its job hangs until its heartbeats are missed or GitHub gives the
job up. Its ghost knows what it had in hand and hands it in afterwards. Deliberately absent: when
anybody notices; the story decides that.
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
    """How far an order has come when its runner dies."""

    BEFORE_LEASE = "before the lease"
    LEASE_ANSWERED = "the lease was given, its answer lost"
    LEASED = "after the lease"
    WORKED = "before the upload or the report"
    UPLOADED = "after the upload"
    REPORTED = "after the report, before the job's end"


class Died(BaseException):
    """The runner's machine is gone."""


@dataclass
class Corpse:
    """A job whose runner died, and what the runner had in hand."""

    job: JobMessage
    stage: Stage
    lease: Lease | None = None
    bundle: bytes | None = None


# Whether the runner of a job dies now; the lease is None before there is one.
Fate = Callable[[Stage, Lease | None], bool]


@dataclass
class MortalRunners(Runner):
    """A story's runners, each of which may meet its fate. `corpses` are in the order of death."""

    fate: Fate = lambda _stage, _lease: False
    corpses: list[Corpse] = field(default_factory=list)
    _at_work: Corpse | None = None

    def do_all(self) -> int:
        """Do every order that waits, or die of it; how many there were."""
        count = 0
        while (job := self._acquire()) is not None:
            count += 1
            self._at_work = Corpse(job, Stage.BEFORE_LEASE)
            try:
                self._do_job(job)
            except Died:
                self.corpses.append(self._at_work)
        return count

    def upload(self, lease: Lease, bundle: bytes) -> httpx.Response:
        """Hand a bundle in, or die with it in hand."""
        if self._at_work is not None:
            self._at_work.bundle = bundle
        self._reach(Stage.WORKED, lease)
        answer = super().upload(lease, bundle)
        self._reach(Stage.UPLOADED, lease)
        return answer

    def haunt(self, corpse: Corpse) -> httpx.Response | None:
        """The dead runner comes back and hands in what it had; None where it had nothing."""
        lease = corpse.lease
        if lease is None or corpse.stage not in {Stage.WORKED, Stage.UPLOADED}:
            return None
        if corpse.bundle is not None:
            super().upload(lease, corpse.bundle).raise_for_status()
        return self.report(lease, _last_words(corpse, lease))

    def bury(self, corpse: Corpse) -> None:
        """GitHub gives the job up."""
        self.complete(corpse.job, Conclusion.FAILURE)

    def next_job(self) -> JobMessage:
        """The next job that waits, taken."""
        job = self._acquire()
        assert job is not None
        return job

    def ask_for_lease(self, job: JobMessage) -> httpx.Response:
        """One request for the lease of a job's order."""
        inputs = job.contexts["inputs"]
        assert isinstance(inputs, dict)
        server, order_id = str(inputs["server"]), str(inputs["order_id"])
        request = LeaseRequest(order_id=order_id, oidc_token=self.oidc(job, server))
        return self.http.post(f"{server}/runner/lease", content=request.model_dump_json())

    def lease_from(self, job: JobMessage, answer: httpx.Response) -> Lease:
        """The lease that was granted."""
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
        if self._at_work is None:
            return
        self._at_work.stage, self._at_work.lease = stage, lease
        if self.fate(stage, lease):
            raise Died(stage)


def _last_words(corpse: Corpse, lease: Lease) -> Report:
    order_id = lease.order.order_id
    if isinstance(lease.order, GateOrder):
        return GateOrderReport(order_id=order_id, sentence="Back from the dead.")
    return AgentReport(
        order_id=order_id,
        ending=AgentEnding.FINISHED,
        sentence="Back from the dead.",
        head_sha="f" * 40,
        bundle_sha256=hashlib.sha256(corpse.bundle or b"").hexdigest(),
    )


def mortal_runners(runner: Runner, fate: Fate) -> MortalRunners:
    """Runners in the place of a story's, with its agent."""
    return MortalRunners(
        url=runner.url, folder=runner.folder, agent=runner.agent, http=runner.http, fate=fate
    )
