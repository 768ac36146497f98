"""Notifications to the host, sent in order and never under the engine's lock.

A change is recorded under the lock, as a snapshot; the thread that recorded it delivers after it
has released the lock. Only one thread delivers at a time, until nothing is left: the order is kept,
and a host that calls the service under its own lock cannot deadlock.
"""

import threading
from collections import deque
from dataclasses import dataclass, replace

from bot.localhub.actions.host import ActionsHost
from bot.localhub.actions.payloads import job_event, json_object, run_payload, workflow_payload
from bot.localhub.actions.records import Attempt, JobRecord, WorkflowRun
from bot.localhub.actions.runner_messages import Status


@dataclass(frozen=True)
class RunUpdate:
    action: str
    run: WorkflowRun
    attempt: Attempt


@dataclass(frozen=True)
class JobUpdate:
    run: WorkflowRun
    job: JobRecord


@dataclass(frozen=True)
class TokenEnded:
    token: str


News = RunUpdate | JobUpdate | TokenEnded


class Outbox:
    def __init__(self, host: ActionsHost) -> None:
        self._host = host
        self._news: deque[News] = deque()
        self._turn = threading.Lock()
        self._recorded = threading.Condition()
        self._check_run_ids: dict[int, int] = {}

    def note_run(self, action: str, run: WorkflowRun) -> None:
        self._news.append(RunUpdate(action, replace(run), replace(run.attempt)))

    def note_job(self, run: WorkflowRun, job: JobRecord) -> None:
        self._news.append(JobUpdate(replace(run), replace(job)))

    def note_token(self, token: str) -> None:
        self._news.append(TokenEnded(token))

    def deliver(self) -> None:
        """Send everything, unless another thread is sending and will see our entries too."""
        # Checked again after the release: an entry may have come in between.
        while self._news and self._turn.acquire(blocking=False):
            try:
                while self._news:
                    self._send(self._news.popleft())
            finally:
                self._turn.release()

    def check_run_id(self, job_id: int) -> int | None:
        return self._check_run_ids.get(job_id)

    def recorded_check_run_id(self, job_id: int, timeout_seconds: float) -> int | None:
        """The id of a job's check run; waits for a thread that is about to record it."""
        with self._recorded:
            self._recorded.wait_for(lambda: job_id in self._check_run_ids, timeout_seconds)
            return self._check_run_ids.get(job_id)

    def _send(self, news: News) -> None:
        match news:
            case TokenEnded(token):
                self._host.revoke_token(token)
            case RunUpdate():
                self._send_run(news)
            case JobUpdate(run, job):
                self._send_job(run, job)

    def _send_run(self, news: RunUpdate) -> None:
        base_url = self._host.base_url
        sender = json_object(news.attempt.triggering_actor.payload)
        body: dict[str, object] = {
            "workflow_run": run_payload(news.run, news.attempt, base_url),
            "workflow": workflow_payload(news.run.workflow, base_url),
        }
        repository = news.run.repository.full_name
        self._host.emit(repository, "workflow_run", news.action, body, {**sender})

    def _send_job(self, run: WorkflowRun, job: JobRecord) -> None:
        base_url = self._host.base_url
        repository = run.repository.full_name
        conclusion = job.conclusion.value if job.conclusion else None
        details = f"{base_url}/{repository}/actions/runs/{run.id}/job/{job.id}"
        check_run_id = self._host.record_job_check(
            repository,
            run.head_sha,
            job.name,
            job.id,
            job.status.value,
            conclusion,
            details,
            job.annotations if job.is_over else (),
        )
        with self._recorded:
            self._check_run_ids[job.id] = check_run_id
            self._recorded.notify_all()
        body: dict[str, object] = {"workflow_job": job_event(run, job, check_run_id, base_url)}
        sender = json_object(run.attempt.triggering_actor.payload)
        action = {Status.QUEUED: "queued", Status.IN_PROGRESS: "in_progress"}
        self._host.emit(
            repository, "workflow_job", action.get(job.status, "completed"), body, {**sender}
        )
