"""Execute lists of steps: `run` with a shell, `uses` of composite actions, in their frames.

A step that fails changes its frame's status; the `if` of the next steps decides whether they run.
Errors of a workflow are not raised: they go to the log and into the step's outcome.
"""

import shlex
import shutil
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from bot.localhub.actions.action_store import ActionMissingError, FoundAction
from bot.localhub.actions.command_files import CommandFiles
from bot.localhub.actions.commands import FileCommandError
from bot.localhub.actions.evaluation import EvaluationScope, condition_holds, fill
from bot.localhub.actions.expressions import ExpressionError
from bot.localhub.actions.frame import Frame
from bot.localhub.actions.job_log import JobLog
from bot.localhub.actions.processes import Command, Ending, GracePeriods, Stop, run_command
from bot.localhub.actions.runner_messages import Conclusion
from bot.localhub.actions.values import number_in
from bot.localhub.actions.workflow import Defaults, Step

# GitHub's limit of composite actions inside one another.
DEPTH_MAX = 10

# The command line of each shell, and the ending of its script ("Workflow syntax", shell).
_SHELLS = {
    "": (["bash", "-e", "{0}"], ".sh"),
    "bash": (["bash", "--noprofile", "--norc", "-eo", "pipefail", "{0}"], ".sh"),
    "sh": (["sh", "-e", "{0}"], ".sh"),
    "python": (["python3", "{0}"], ".py"),
}

# The step's own exit code in GitHub's sentence for one that was killed.
_EXIT_OF_SIGNAL = 128


@dataclass(frozen=True)
class StepDependencies:
    log: JobLog
    defaults: Defaults
    temp: Path
    grace_periods: GracePeriods
    find_action: Callable[[str], FoundAction]
    variables: Callable[[Frame, str], dict[str, str]]
    inherited: dict[str, str]


class StepFailure(Exception):
    """A step that failed, with the sentence for the log."""


class StepExecution:
    def __init__(self, dependencies: StepDependencies) -> None:
        self._dependencies = dependencies

    def execute(self, step: Step, frame: Frame, key: str) -> Conclusion:
        log = self._dependencies.log
        outputs: dict[str, JsonValue] = {}
        env = {**frame.shared.env, **frame.env}
        # Read before the condition is: a reason to stop that comes later must end the step.
        known = frame.shared.switch.pulled
        try:
            evaluation_scope = frame.evaluation_scope(env)
            if not self._is_wanted(step, frame, evaluation_scope):
                return self._record(frame, key, outputs, Conclusion.SKIPPED, Conclusion.SKIPPED)
            own = {name: fill(text, evaluation_scope) for name, text in step.env.items()}
            evaluation_scope = frame.evaluation_scope({**env, **own})
            if step.run is not None:
                outcome = self._run(step, frame, own, known, outputs)
            else:
                outcome = self._use(step, frame, own, outputs)
        except (ExpressionError, StepFailure, FileCommandError, ActionMissingError) as error:
            log.fail(str(error))
            outcome = Conclusion.FAILURE
        conclusion = outcome
        if outcome is Conclusion.FAILURE and self._continues(step, frame, env):
            conclusion = Conclusion.SUCCESS
        if conclusion is Conclusion.FAILURE:
            frame.has_failed = True
        return self._record(frame, key, outputs, outcome, conclusion)

    def execute_all(self, steps: tuple[Step, ...], frame: Frame) -> None:
        for number, step in enumerate(steps):
            self.execute(step, frame, step.id or f"__{number}")

    def _is_wanted(self, step: Step, frame: Frame, evaluation_scope: EvaluationScope) -> bool:
        # After a shutdown or a forced cancellation not even `always()` starts a step.
        if frame.shared.switch.has(Stop.FORCE, Stop.SHUTDOWN):
            return False
        return condition_holds(step.condition, evaluation_scope)

    def _continues(self, step: Step, frame: Frame, env: dict[str, str]) -> bool:
        try:
            return fill(step.continue_on_error, frame.evaluation_scope(env)) == "true"
        except ExpressionError as error:
            self._dependencies.log.fail(str(error))
            return False

    def _record(
        self,
        frame: Frame,
        key: str,
        outputs: dict[str, JsonValue],
        outcome: Conclusion,
        conclusion: Conclusion,
    ) -> Conclusion:
        frame.outcomes[key] = {
            "outputs": outputs,
            "outcome": str(outcome),
            "conclusion": str(conclusion),
        }
        return conclusion

    def _run(
        self,
        step: Step,
        frame: Frame,
        own: dict[str, str],
        known: frozenset[Stop],
        outputs: dict[str, JsonValue],
    ) -> Conclusion:
        log, shared = self._dependencies.log, frame.shared
        evaluation_scope = frame.evaluation_scope({**shared.env, **frame.env, **own})
        text = fill(step.run or "", evaluation_scope)
        is_composite = frame.action_folder is not None
        defaults = Defaults() if is_composite else self._dependencies.defaults
        shell = fill(step.shell or defaults.shell or "", evaluation_scope)
        folder = fill(step.working_directory or defaults.working_directory or "", evaluation_scope)
        files = CommandFiles(self._dependencies.temp)
        env = self._environment(frame, step.id, own) | files.variables
        argv, script = self._script(shell, text, env.get("PATH"))
        self._announce(text, argv, own)
        limit = self._timeout_seconds(step, evaluation_scope)
        command = Command(argv, env, (shared.workspace / folder).resolve())
        try:
            ended = run_command(
                command, log.output, shared.switch, known, limit, self._dependencies.grace_periods
            )
        except OSError as error:
            raise StepFailure(f"An error occurred trying to start process: {error}") from error
        finally:
            script.unlink(missing_ok=True)
        outputs.update(files.read_outputs(shared))
        if ended.ending is Ending.STOPPED:
            log.write("##[error]The operation was canceled.")
            return Conclusion.CANCELLED
        if ended.ending is Ending.TIMED_OUT:
            minutes = (limit or 0.0) / 60
            name = step.name or "Run"
            raise StepFailure(f"The action '{name}' has timed out after {minutes:g} minutes.")
        if ended.exit_code != 0:
            code = ended.exit_code
            shown = code if code > 0 else _EXIT_OF_SIGNAL - code
            raise StepFailure(f"Process completed with exit code {shown}.")
        return Conclusion.SUCCESS

    def _use(
        self, step: Step, frame: Frame, own: dict[str, str], outputs: dict[str, JsonValue]
    ) -> Conclusion:
        if frame.depth >= DEPTH_MAX:
            raise StepFailure(f"Composite actions nest deeper than {DEPTH_MAX}")
        action = self._dependencies.find_action(step.uses or "")
        evaluation_scope = frame.evaluation_scope({**frame.shared.env, **frame.env, **own})
        inputs = self._inputs(step, action, evaluation_scope)
        names = {"action_path": str(action.folder)}
        if action.repository:
            names |= {"action_repository": action.repository, "action_ref": action.ref}
        inner = Frame(
            shared=frame.shared,
            inputs=inputs,
            env={**frame.env, **own},
            github={**names},
            action_folder=action.folder,
            action_names={f"GITHUB_{name.upper()}": value for name, value in names.items()},
            depth=frame.depth + 1,
        )
        self._dependencies.log.write(f"##[group]Run {step.uses}")
        self._dependencies.log.write("##[endgroup]")
        self.execute_all(action.file.steps, inner)
        scope = inner.evaluation_scope({**frame.shared.env, **inner.env})
        for name, text in action.file.outputs.items():
            outputs[name] = fill(text, scope)
        return inner.status

    def _inputs(
        self, step: Step, action: FoundAction, evaluation_scope: EvaluationScope
    ) -> dict[str, JsonValue]:
        given = {
            name.lower(): fill(text, evaluation_scope) for name, text in step.arguments.items()
        }
        inputs: dict[str, JsonValue] = {}
        for name, declared in action.file.inputs.items():
            default = declared.default if isinstance(declared.default, str) else ""
            inputs[name] = given.pop(name.lower(), None)
            if inputs[name] is None:
                inputs[name] = fill(default, evaluation_scope)
        if given:
            unknown = ", ".join(f"'{name}'" for name in given)
            known = ", ".join(f"'{name}'" for name in action.file.inputs)
            self._dependencies.log.write(
                f"##[warning]Unexpected input(s) {unknown}, valid inputs are [{known}]"
            )
        return inputs

    def _script(self, shell: str, text: str, path: str | None) -> tuple[list[str], Path]:
        if shell in _SHELLS:
            template, suffix = _SHELLS[shell]
        else:
            try:
                template, suffix = shlex.split(shell), ".sh"
            except ValueError as error:
                raise StepFailure(f"Invalid shell option '{shell}': {error}") from error
            if not any("{0}" in part for part in template):
                raise StepFailure(
                    f"Invalid shell option '{shell}'. Shell must be a valid built-in (bash, sh, "
                    "python) or a format string containing '{0}'"
                )
        program = shutil.which(template[0], path=path)
        if program is None:
            raise StepFailure(f"{template[0]}: command not found")
        script = self._dependencies.temp / f"{uuid.uuid4()}{suffix}"
        script.write_text(text if text.endswith("\n") else text + "\n")
        return [program, *(part.replace("{0}", str(script)) for part in template[1:])], script

    def _announce(self, text: str, argv: list[str], own: dict[str, str]) -> None:
        log = self._dependencies.log
        lines = text.strip().splitlines() or [""]
        log.write(f"##[group]Run {lines[0]}")
        for line in lines:
            log.write(line)
        log.write(f"shell: {shlex.join(argv[:-1])} {{0}}")
        if own:
            log.write("env:")
        for name, value in own.items():
            log.write(f"  {name}: {value}")
        log.write("##[endgroup]")

    def _environment(self, frame: Frame, step_id: str, own: dict[str, str]) -> dict[str, str]:
        given = {**self._dependencies.inherited, **frame.shared.env, **frame.env, **own}
        env = {**given, **self._dependencies.variables(frame, step_id)}
        if frame.shared.paths:
            env["PATH"] = ":".join([*reversed(frame.shared.paths), env.get("PATH", "")])
        return env

    def _timeout_seconds(self, step: Step, evaluation_scope: EvaluationScope) -> float | None:
        if step.timeout_minutes is None:
            return None
        minutes = number_in(fill(step.timeout_minutes, evaluation_scope))
        if not minutes > 0:
            raise StepFailure("'timeout-minutes' must be a number greater than zero")
        return minutes * 60
