"""The log of a running job, masked before it is stored or sent, and the thread that sends it.

Lines get GitHub's time stamp. Sending waits a moment for more lines, so that many lines do not make
many requests; `drain` sends the rest.
"""

import threading
from datetime import UTC, datetime

from bot.localhub.actions.client import RefusedError, ServiceClient
from bot.localhub.actions.commands import SWITCHED_OFF, annotation, line_command
from bot.localhub.actions.masking import Masker
from bot.localhub.actions.runner_messages import Annotation, StepState, StepsUpdate

# How long the first unsent line waits for more lines.
GATHER_SECONDS = 0.2

# GitHub keeps at most ten annotations of each kind per step; this limits a job.
ANNOTATIONS_MAX = 50


class JobLog:
    """A job's log; every public method may be called from any thread."""

    def __init__(self, client: ServiceClient, job_id: int, masker: Masker) -> None:
        self._client = client
        self._job_id = job_id
        self.masker = masker
        self.annotations: list[Annotation] = []
        self._stop_token: str | None = None
        self._changed = threading.Condition()
        self._pending = bytearray()
        self._sent_bytes = 0
        self._steps: tuple[StepState, ...] | None = None
        self._is_draining = False
        self._thread = threading.Thread(target=self._send_all, daemon=True)
        self._thread.start()

    def write(self, line: str) -> None:
        """Add a line, masked."""
        stamp = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f0Z")
        text = self.masker.mask(line)
        with self._changed:
            self._pending.extend(f"{stamp} {text}\n".encode())
            self._changed.notify_all()

    def output(self, raw: bytes) -> None:
        """Handle a line of a step's output: execute a command, or write the line."""
        line = raw.decode("utf-8", "replace").rstrip("\r\n")
        command = line_command(line)
        if command is None:
            self.write(line)
            return
        if self._stop_token is not None:
            if command.name == self._stop_token:
                self._stop_token = None
            else:
                self.write(line)
            return
        note = annotation(command)
        if note is not None:
            self._annotate(note, command.name)
        elif command.name == "add-mask":
            self.masker.add(command.value)
            self.write("::add-mask::***")
        elif command.name == "stop-commands":
            self._stop_token = command.value.strip().lower()
        elif command.name == "group":
            self.write(f"##[group]{command.value}")
        elif command.name == "endgroup":
            self.write("##[endgroup]")
        elif command.name == "debug":
            self.write(f"##[debug]{command.value}")
        elif command.name in SWITCHED_OFF:
            self.write(f"##[warning]The `{command.name}` command is disabled; use the file instead")
        else:
            self.write(line)

    def fail(self, sentence: str) -> None:
        self._annotate(Annotation(level="failure", message=sentence, path=".github"), "error")

    def show_steps(self, steps: tuple[StepState, ...]) -> None:
        with self._changed:
            self._steps = steps
            self._changed.notify_all()

    def drain(self) -> None:
        """Send what is left and stop."""
        with self._changed:
            self._is_draining = True
            self._changed.notify_all()
        self._thread.join()

    def _annotate(self, note: Annotation, word: str) -> None:
        message = self.masker.mask(note.message)
        if len(self.annotations) < ANNOTATIONS_MAX:
            self.annotations.append(note.replace(message=message))
        for line in message.splitlines() or [""]:
            self.write(f"##[{word}]{line}")

    def _send_all(self) -> None:
        try:
            while self._send_some():
                pass
        except RefusedError:
            # The job is no longer ours; its renewal fails too and ends it.
            return

    def _send_some(self) -> bool:
        with self._changed:
            self._changed.wait_for(lambda: self._pending or self._steps or self._is_draining)
            if not self._steps:
                self._changed.wait_for(lambda: self._is_draining or self._steps, GATHER_SECONDS)
            chunk, steps = bytes(self._pending), self._steps
            self._pending.clear()
            self._steps = None
            is_last = self._is_draining
        if chunk:
            self._client.append_log(self._job_id, self._sent_bytes, chunk)
            self._sent_bytes += len(chunk)
        if steps is not None:
            self._client.update_steps(self._job_id, StepsUpdate(steps=steps))
        return not is_last
