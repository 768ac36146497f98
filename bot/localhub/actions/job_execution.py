"""Execute one job: set up, steps, complete, and report the conclusion.

A thread renews the job and triggers the stop switch if the service says so; the time limit does the
same. In every case the processes are killed and the folder is removed before the job is reported as
complete.
"""

import os
import threading
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.localhub.actions.action_store import (
    ActionMissingError,
    ActionStore,
    FoundAction,
    load_action,
)
from bot.localhub.actions.client import RefusedError, ServiceClient
from bot.localhub.actions.evaluation import fill
from bot.localhub.actions.expressions import ExpressionError
from bot.localhub.actions.folders import Folders, clear, make_folders
from bot.localhub.actions.frame import Frame, JobState
from bot.localhub.actions.job_log import JobLog
from bot.localhub.actions.masking import Masker
from bot.localhub.actions.processes import GracePeriods, Stop, StopSwitch, kill_tracked
from bot.localhub.actions.runner_messages import (
    Completion,
    Conclusion,
    JobMessage,
    JobSignal,
    Status,
    StepState,
)
from bot.localhub.actions.step_execution import StepDependencies, StepExecution
from bot.localhub.actions.values import as_text
from bot.localhub.actions.workflow import Step

# Keys of `github` that steps do not get as a GITHUB_ variable.
_NOT_VARIABLES = frozenset({"event", "token", "repositoryUrl"})

_OF_A_JOB = ("GITHUB_", "ACTIONS_", "RUNNER_")


@dataclass(frozen=True)
class RunnerFacts:
    name: str
    work: Path
    mark: str
    grace_periods: GracePeriods


class JobExecution:
    def __init__(
        self, client: ServiceClient, store: ActionStore, runner: RunnerFacts, message: JobMessage
    ) -> None:
        self._client = client
        self._store = store
        self._runner = runner
        self._message = message
        self.runner_name = runner.name
        self.switch = StopSwitch()
        self._masker = Masker()
        for secret in (*message.masks, message.token):
            self._masker.add(secret)
        self._log = JobLog(client, message.job_id, self._masker)
        self._is_over = threading.Event()
        self._states: list[StepState] = []
        github = message.contexts.get("github")
        self._github = github if isinstance(github, dict) else {}
        # Ends with a separator, so that no job's mark is the prefix of another's.
        self._mark = f"{runner.mark}_{message.job_id}_"

    def run(self) -> None:
        """Execute the job and report it; raises nothing for what the job does."""
        minutes = self._message.timeout_minutes
        limit = threading.Timer(minutes * 60, self._time_out)
        limit.daemon = True
        limit.start()
        renewal = threading.Thread(target=self._renew, name="renewal", daemon=True)
        renewal.start()
        repository = as_text(self._github.get("repository"))
        event = self._github.get("event")
        folders = make_folders(self._runner.work, self._message.job_id, repository, event)
        try:
            conclusion, outputs = self._execute(folders)
        finally:
            limit.cancel()
            orphans = kill_tracked(f"RUNNER_TRACKING_ID={self._mark}")
            clear(folders)
        if orphans:
            self._log.write(f"Cleaning up orphan processes: {orphans}")
        self._log.drain()
        self._is_over.set()
        completion = Completion(
            conclusion=conclusion,
            outputs=outputs,
            steps=tuple(self._states),
            annotations=tuple(self._log.annotations),
        )
        try:
            self._client.complete(self._message.job_id, completion)
        except RefusedError:
            # The service has dropped the job or is gone: the result cannot be reported.
            return

    def _execute(self, folders: Folders) -> tuple[Conclusion, dict[str, str]]:
        frame = self._frame(folders)
        self._set_up(frame)
        execution = StepExecution(self._dependencies(folders))
        for number, step in enumerate(self._message.steps):
            position = self._begin(self._name(step, frame))
            conclusion = execution.execute(step, frame, step.id or f"__{number}")
            self._end(position, conclusion)
        outputs = self._outputs(frame)
        position = self._begin("Complete job")
        self._end(position, Conclusion.SUCCESS)
        if self.switch.has(Stop.SHUTDOWN):
            self._log.fail(
                "The runner has received a shutdown signal. This can happen when the runner is "
                "stopped, or a manually started runner is canceled."
            )
            return Conclusion.FAILURE, outputs
        return frame.status, outputs

    def _set_up(self, frame: Frame) -> None:
        position = self._begin("Set up job")
        self._log.write(f"Runner name: '{self._runner.name}'")
        self._log.write(f"Job name: {self._message.display_name}")
        try:
            for layer in self._message.env_layers:
                evaluation_scope = frame.evaluation_scope(frame.shared.env)
                filled = {name: fill(text, evaluation_scope) for name, text in layer.items()}
                frame.shared.env.update(filled)
            self._prepare(self._message.steps, 0)
        except (ExpressionError, ActionMissingError) as error:
            self._log.fail(str(error))
            frame.has_failed = True
        self._end(position, Conclusion.FAILURE if frame.has_failed else Conclusion.SUCCESS)

    def _prepare(self, steps: tuple[Step, ...], depth: int) -> None:
        """Fetch every action of another repository before the first step runs, as GitHub does."""
        for step in steps:
            if step.uses and not step.uses.startswith("./") and depth <= 10:
                self._log.write(f"Download action repository '{step.uses}'")
                self._prepare(self._remote(step.uses).file.steps, depth + 1)

    def _frame(self, folders: Folders) -> Frame:
        contexts = dict(self._message.contexts)
        contexts["github"] = {
            **self._github,
            "workspace": str(folders.workspace),
            "event_path": str(folders.event),
        }
        contexts["runner"] = {**self._runner_context(folders)}
        inputs = contexts.get("inputs")
        shared = JobState(contexts, {}, self.switch, folders.workspace)
        return Frame(shared, inputs if isinstance(inputs, dict) else {})

    def _runner_context(self, folders: Folders) -> dict[str, str]:
        return {
            "name": self._runner.name,
            "os": "Linux",
            "arch": "X64",
            "temp": str(folders.temp),
            "tool_cache": str(folders.tools),
            "environment": "self-hosted",
            "debug": "",
            "workspace": str(folders.workspace.parent),
        }

    def _dependencies(self, folders: Folders) -> StepDependencies:
        runner = {
            f"RUNNER_{name.upper()}": value
            for name, value in self._runner_context(folders).items()
            if value
        }
        fixed = {
            **runner,
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_JOB": self._message.job_key,
            "GITHUB_WORKSPACE": str(folders.workspace),
            "GITHUB_EVENT_PATH": str(folders.event),
            "RUNNER_TRACKING_ID": self._mark,
            # As the owner of a runner sets it whose server is on the same machine.
            "HEADGATE_PLAIN_HTTP": "loopback",
        }
        fixed |= {
            f"GITHUB_{name.upper()}": as_text(value)
            for name, value in self._github.items()
            if name not in _NOT_VARIABLES and not isinstance(value, dict | list)
        }
        if self._message.id_token_url and self._message.id_token_request_token:
            fixed["ACTIONS_ID_TOKEN_REQUEST_URL"] = self._message.id_token_url
            fixed["ACTIONS_ID_TOKEN_REQUEST_TOKEN"] = self._message.id_token_request_token

        def variables(frame: Frame, step_id: str) -> dict[str, str]:
            return {**fixed, "GITHUB_ACTION": step_id or "__run", **frame.action_names}

        def find(uses: str) -> FoundAction:
            if uses.startswith("./"):
                return load_action(folders.workspace / uses, uses)
            return self._remote(uses)

        return StepDependencies(
            self._log,
            self._message.defaults,
            folders.temp,
            self._runner.grace_periods,
            find,
            variables,
            inherited_environment(),
        )

    def _remote(self, uses: str) -> FoundAction:
        return self._store.fetch(self._client, self._message.job_id, uses, self._message.token)

    def _outputs(self, frame: Frame) -> dict[str, str]:
        outputs: dict[str, str] = {}
        evaluation_scope = frame.evaluation_scope(frame.shared.env)
        for name, text in self._message.outputs.items():
            try:
                value = fill(text, evaluation_scope)
            except ExpressionError as error:
                self._log.fail(str(error))
                continue
            if self._masker.mask(value) != value:
                self._log.write(f"##[warning]Skip output '{name}' since it may contain secret.")
                continue
            outputs[name] = value
        return outputs

    def _name(self, step: Step, frame: Frame) -> str:
        first = (step.run or step.uses or "").strip().split("\n", 1)[0]
        try:
            return fill(step.name or f"Run {first}", frame.evaluation_scope(frame.shared.env))
        except ExpressionError:
            return step.name or f"Run {first}"

    def _begin(self, name: str) -> int:
        now = datetime.now(UTC)
        self._states.append(
            StepState(
                number=len(self._states) + 1,
                name=self._masker.mask(name),
                status=Status.IN_PROGRESS,
                started_at=now,
            )
        )
        self._log.show_steps(tuple(self._states))
        return len(self._states) - 1

    def _end(self, position: int, conclusion: Conclusion) -> None:
        self._states[position] = self._states[position].replace(
            status=Status.COMPLETED,
            conclusion=conclusion,
            completed_at=datetime.now(UTC),
        )
        self._log.show_steps(tuple(self._states))

    def _renew(self) -> None:
        seen = JobSignal.CONTINUE
        stops = {JobSignal.CANCEL: Stop.CANCEL, JobSignal.FORCE_CANCEL: Stop.FORCE}
        while not self._is_over.is_set():
            try:
                seen = self._client.renew(self._message.job_id, seen)
            except RefusedError:
                seen = JobSignal.FORCE_CANCEL
            if seen in stops:
                self.switch.pull(stops[seen])
            if seen is JobSignal.FORCE_CANCEL:
                return

    def _time_out(self) -> None:
        minutes = self._message.timeout_minutes
        self._log.fail(
            f"The job running on runner {self._runner.name} has exceeded the maximum execution "
            f"time of {minutes:g} minutes."
        )
        self.switch.pull(Stop.TIMEOUT)


def inherited_environment() -> dict[str, str]:
    """What steps inherit from the runner's own environment, as on a self-hosted runner.

    Variables of a job that started this runner are left out.
    """
    return {key: value for key, value in os.environ.items() if not key.startswith(_OF_A_JOB)}
