"""All runs behind one lock, and the operations that users and runners share.

Users call `service.py`, runners call `runner_api.py`. Every operation changes state under the lock,
lets `Progress` do what follows and puts events into the outbox; `deliver` runs after the lock is
released.
"""

import itertools
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from bot.localhub.actions.host import ActionsHost
from bot.localhub.actions.outbox import Outbox
from bot.localhub.actions.progress import Progress, scope_result, scopes_of
from bot.localhub.actions.records import JobRecord, Runner, WorkflowRun
from bot.localhub.actions.runner_messages import (
    Annotation,
    Completion,
    Conclusion,
    JobSignal,
    Status,
)


@dataclass
class Settings:
    """The service's time limits in seconds, and settings for tests."""

    runner_lost_seconds: float = 60.0
    # A runner that took a job and is silent for this long did not get it (GitHub: 60 s).
    acknowledge_seconds: float = 5.0
    # GitHub's server ends a cancelled job after five minutes.
    cancel_limit_seconds: float = 300.0
    # GitHub cancels a job that no runner has taken for 24 hours.
    queue_limit: timedelta = timedelta(hours=24)
    # This many of the next dispatches are accepted and never start.
    never_start: int = 0


class Engine:
    """Runs, jobs and runners. Everything public but `deliver` is called under `changing()`."""

    def __init__(self, host: ActionsHost, settings: Settings) -> None:
        self.host = host
        self.settings = settings
        self.outbox = Outbox(host)
        self.runs: dict[int, WorkflowRun] = {}
        self.jobs: dict[int, JobRecord] = {}
        self.runners: dict[int, Runner] = {}
        self.secrets: dict[str, dict[str, str]] = {}
        self.variables: dict[str, dict[str, str]] = {}
        self.changed = threading.Condition(threading.RLock())
        self._ids = itertools.count(1001)

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Hold the lock, wake all waiting threads, then notify the host."""
        with self.changed:
            try:
                yield
            finally:
                self.changed.notify_all()
        self.outbox.deliver()

    def new_id(self) -> int:
        return next(self._ids)

    def open_jobs(self) -> list[JobRecord]:
        return [job for job in self.jobs.values() if not job.is_over]

    def start_run(self, run: WorkflowRun) -> None:
        """Add a new run or attempt, and start it when its concurrency group allows."""
        self.runs[run.id] = run
        run.is_cancelled = False
        if run.attempt.number == 1:
            self.outbox.note_run("requested", run)
        if run.is_held:
            return
        if run.attempt.conclusion is not None:
            self.outbox.note_run("completed", run)
        elif self._may_enter_group(run):
            self.settle(run)
        else:
            run.attempt.status = Status.PENDING

    def settle(self, run: WorkflowRun) -> None:
        attempt = run.attempt
        if attempt.status is Status.COMPLETED or run.is_held:
            return
        attempt.status = Status.QUEUED if attempt.status is Status.PENDING else attempt.status
        self._progress(run).advance(run)
        attempt.updated_at = self.host.now()
        result = scope_result(attempt.root)
        if result is None:
            return
        if attempt.status is not Status.IN_PROGRESS:
            self._note_in_progress(run)
        was_cancelled = run.is_cancelled and any(
            job.conclusion is Conclusion.CANCELLED for job in attempt.jobs
        )
        attempt.conclusion = Conclusion.CANCELLED if was_cancelled else result
        attempt.status = Status.COMPLETED
        self.outbox.note_run("completed", run)
        self._leave_group(run)

    def begin_job(self, job: JobRecord) -> None:
        """The runner has confirmed that it has the job."""
        if job.status is not Status.QUEUED:
            return
        run = self.runs[job.run_id]
        job.status = Status.IN_PROGRESS
        job.started_at = self.host.now()
        if run.attempt.status is not Status.IN_PROGRESS:
            self._note_in_progress(run)
        self.outbox.note_job(run, job)

    def finish_job(self, job: JobRecord, completion: Completion) -> None:
        """End a job, as reported by its runner or decided here. Idempotent."""
        if job.is_over:
            return
        run = self.runs[job.run_id]
        job.status = Status.COMPLETED
        job.conclusion = completion.conclusion
        job.completed_at = self.host.now()
        job.started_at = job.started_at or job.completed_at
        job.steps = completion.steps or job.steps
        job.annotations = completion.annotations
        job.outputs = dict(completion.outputs)
        self._release(job)
        self.outbox.note_job(run, job)
        self.settle(run)

    def lose_job(self, job: JobRecord) -> None:
        name = job.runner.name if job.runner else ""
        sentence = (
            f"The self-hosted runner: {name} lost communication with the server. Verify the "
            "machine is running and has a healthy network connection."
        )
        note = Annotation(level="failure", message=sentence, path=".github")
        self.finish_job(job, Completion(conclusion=Conclusion.FAILURE, annotations=(note,)))

    def cancel_run(self, run: WorkflowRun) -> None:
        """Cancel the jobs whose `if` does not keep them running."""
        run.is_cancelled = True
        run.is_held = False
        if run.attempt.status is Status.PENDING:
            self._end_unstarted(run)
            return
        progress = self._progress(run)
        for job in self._open_jobs_of(run):
            if progress.survives_cancel(run, job.node):
                continue
            if job.runner is None:
                progress.skip_or_cancel(job, Conclusion.CANCELLED)
            elif job.signal is JobSignal.CONTINUE:
                job.signal = JobSignal.CANCEL
        self.settle(run)

    def force_cancel_run(self, run: WorkflowRun) -> None:
        """Cancel all jobs now, whatever their `if` says."""
        run.is_cancelled = True
        run.is_held = False
        if run.attempt.status is Status.PENDING:
            self._end_unstarted(run)
            return
        for scope in scopes_of(run.attempt.root):
            for node in scope.nodes.values():
                if not node.is_started:
                    node.is_started, node.result = True, Conclusion.CANCELLED
        for job in self._open_jobs_of(run):
            job.signal = JobSignal.FORCE_CANCEL
            self.finish_job(job, Completion(conclusion=Conclusion.CANCELLED))
        self.settle(run)

    def give_back(self, job: JobRecord) -> None:
        """A runner took a job and never confirmed it: offer it to others."""
        if job.runner is not None:
            self.runners.pop(job.runner.id, None)
        if job.token is not None:
            self.outbox.note_token(job.token)
        job.runner = job.token = job.id_token_request_token = None
        if job.signal is not JobSignal.CONTINUE:
            self._progress(self.runs[job.run_id]).skip_or_cancel(job, Conclusion.CANCELLED)
            self.settle(self.runs[job.run_id])

    def stop_waiting(self, job: JobRecord) -> None:
        self._progress(self.runs[job.run_id]).skip_or_cancel(job, Conclusion.CANCELLED)
        self.settle(self.runs[job.run_id])

    def _open_jobs_of(self, run: WorkflowRun) -> list[JobRecord]:
        return [job for job in run.attempt.jobs if not job.is_over]

    def _progress(self, run: WorkflowRun) -> Progress:
        def note(job: JobRecord) -> None:
            self.jobs[job.id] = job
            self.outbox.note_job(run, job)

        variables = self.variables.get(run.repository.full_name, {})
        return Progress(self.host.base_url, variables, self.host.now(), self.new_id, note)

    def _note_in_progress(self, run: WorkflowRun) -> None:
        run.attempt.status = Status.IN_PROGRESS
        run.attempt.updated_at = self.host.now()
        self.outbox.note_run("in_progress", run)

    def _release(self, job: JobRecord) -> None:
        if job.token is not None:
            self.outbox.note_token(job.token)
        job.token = job.id_token_request_token = None
        runner = job.runner
        if runner is None:
            return
        runner.job_id = None
        runner.contact_at = time.monotonic()
        if runner.ephemeral:
            self.runners.pop(runner.id, None)

    def _may_enter_group(self, run: WorkflowRun) -> bool:
        """One run of a group works and one waits; a newer one replaces the waiting one."""
        if run.concurrency_group is None:
            return True
        others = [other for other in self._group(run) if other is not run]
        for other in others:
            if other.status is Status.PENDING:
                self.cancel_run(other)
        active = [other for other in others if other.status is not Status.COMPLETED]
        if run.cancels_in_progress:
            for other in active:
                self.cancel_run(other)
        return all(other.status is Status.COMPLETED for other in active)

    def _group(self, run: WorkflowRun) -> list[WorkflowRun]:
        return [
            other
            for other in self.runs.values()
            if other.concurrency_group == run.concurrency_group
            and other.repository.id == run.repository.id
            and other.status is not Status.COMPLETED
        ]

    def _leave_group(self, run: WorkflowRun) -> None:
        if run.concurrency_group is None:
            return
        waiting = [other for other in self._group(run) if other.status is Status.PENDING]
        if waiting and len(waiting) == len(self._group(run)):
            self.settle(waiting[0])

    def _end_unstarted(self, run: WorkflowRun) -> None:
        run.attempt.status = Status.COMPLETED
        run.attempt.conclusion = Conclusion.CANCELLED
        run.attempt.updated_at = self.host.now()
        self.outbox.note_run("completed", run)
