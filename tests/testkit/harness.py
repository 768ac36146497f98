"""Runners that start the real harness for agent orders, as a process with the job's own tokens.

Gate orders are done as by a story's runner.
"""

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from bot.localhub.actions.runner_messages import Conclusion, JobMessage
from tests.testkit.runner import Runner

ROOT = Path(__file__).parents[2]
_TIMEOUT_SECONDS = 120


@dataclass
class HarnessRunner(Runner):
    """`said` holds the output of every harness."""

    said: list[str] = field(default_factory=list)

    def do_all(self) -> int:
        """Do every waiting order; returns how many there were."""
        count = 0
        while (job := self._acquire()) is not None:
            count += 1
            if "headgate-agent" in str(job.contexts["github"]):
                self._start_harness(job)
            else:
                lease = self.lease_of(job)
                assert lease is not None, "a gate order was refused"
                self.do(lease)
        return count

    def _start_harness(self, job: JobMessage) -> None:
        inputs = job.contexts["inputs"]
        assert isinstance(inputs, dict)
        # As short as on a runner, where the harness works below this folder.
        with tempfile.TemporaryDirectory(prefix="hg") as temp:
            done = subprocess.run(
                (
                    *(sys.executable, "-m", "action", "agent"),
                    *("--order-id", str(inputs["order_id"]), "--server", str(inputs["server"])),
                ),
                cwd=ROOT,
                env={
                    "PATH": os.environ["PATH"],
                    "HOME": str(self.folder),
                    "RUNNER_TEMP": temp,
                    "GITHUB_ACTIONS": "true",
                    "ACTIONS_ID_TOKEN_REQUEST_URL": str(job.id_token_url),
                    "ACTIONS_ID_TOKEN_REQUEST_TOKEN": str(job.id_token_request_token),
                    "HEADGATE_READ_TOKEN": job.token,
                    "HEADGATE_PLAIN_HTTP": "loopback",
                },
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=_TIMEOUT_SECONDS,
                check=False,
            )
        self.said.append(done.stdout)
        is_good = done.returncode == 0
        self.complete(job, Conclusion.SUCCESS if is_good else Conclusion.FAILURE)


def harness_runner(runner: Runner) -> HarnessRunner:
    """A runner with real harnesses, in place of a story's runner."""
    return HarnessRunner(url=runner.url, folder=runner.folder, http=runner.http)
