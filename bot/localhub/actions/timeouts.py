"""Time limits: silent runners, cancellations that do not end, jobs that wait too long.

One thread sleeps until the next deadline, or until something changes. Silence is measured on the
machine's own clock, not on the hub's, which a test may turn forward.
"""

import threading
import time

from bot.localhub.actions.engine import Engine
from bot.localhub.actions.records import JobRecord
from bot.localhub.actions.runner_messages import Completion, Conclusion, JobSignal, Status

# How often the queue is checked for jobs that waited too long by the hub's clock.
QUEUE_LOOK_SECONDS = 5.0


class TimeoutThread:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="actions-watch", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        with self._engine.changed:
            self._is_closed = True
            self._engine.changed.notify_all()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        engine = self._engine
        while not self._is_closed:
            acted = False
            with engine.changed:
                due = [job for job in engine.open_jobs() if self._act(job)]
                acted = bool(due)
                if not acted and not self._is_closed:
                    engine.changed.wait(self._next_look())
                elif acted:
                    engine.changed.notify_all()
            if acted:
                engine.outbox.deliver()

    def _act(self, job: JobRecord) -> bool:
        """Do what is due for one job; True if anything was."""
        engine, settings, now = self._engine, self._engine.settings, time.monotonic()
        if job.runner is None:
            if engine.host.now() - job.created_at < settings.queue_limit:
                return False
            engine.stop_waiting(job)
            return True
        silent_seconds = now - job.contact_at
        if job.status is Status.QUEUED:
            if silent_seconds < settings.acknowledge_seconds:
                return False
            engine.give_back(job)
            return True
        if silent_seconds >= settings.runner_lost_seconds:
            engine.lose_job(job)
            return True
        if job.signal is not JobSignal.CANCEL:
            return False
        job.signalled_at = job.signalled_at or now
        if now - job.signalled_at < settings.cancel_limit_seconds:
            return False
        job.signal = JobSignal.FORCE_CANCEL
        engine.finish_job(job, Completion(conclusion=Conclusion.CANCELLED))
        return True

    def _next_look(self) -> float:
        settings, now = self._engine.settings, time.monotonic()
        waits = [QUEUE_LOOK_SECONDS]
        for job in self._engine.open_jobs():
            if job.runner is None:
                continue
            queued = job.status is Status.QUEUED
            patience = settings.acknowledge_seconds if queued else settings.runner_lost_seconds
            waits.append(job.contact_at + patience - now)
            if job.signalled_at:
                waits.append(job.signalled_at + settings.cancel_limit_seconds - now)
        return max(0.01, min(waits))
