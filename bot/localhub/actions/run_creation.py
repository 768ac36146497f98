"""Creates runs: which workflows exist, and a run for an event.

Files are read from the host without the engine's lock. A run of an event whose file is invalid is
created and fails at once, as on GitHub; a dispatch of such a file is refused earlier.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from pydantic import JsonValue

from bot.localhub.actions.contexts import github_context
from bot.localhub.actions.document import DocumentError
from bot.localhub.actions.engine import Engine
from bot.localhub.actions.evaluation import EvaluationScope, fill
from bot.localhub.actions.expressions import ExpressionError
from bot.localhub.actions.host import ActionsHost, ActorFacts, RepositoryFacts
from bot.localhub.actions.parse_workflow import read_workflow
from bot.localhub.actions.payloads import json_object
from bot.localhub.actions.progress import populate
from bot.localhub.actions.records import Attempt, Scope, WorkflowFile, WorkflowRun, WorkflowState
from bot.localhub.actions.reusable_workflows import Address, LoadedWorkflow, load
from bot.localhub.actions.runner_messages import Conclusion, Status
from bot.localhub.actions.workflow import Triggers, Workflow
from bot.localhub.errors import not_found

WORKFLOW_FOLDER = ".github/workflows"


@dataclass(frozen=True)
class Start:
    """What a new run is made of; `ref` is full."""

    facts: RepositoryFacts
    event: str
    payload: dict[str, JsonValue]
    ref: str
    sha: str
    actor: ActorFacts
    path: str = ""
    title: str = ""
    inputs: dict[str, JsonValue] = field(default_factory=dict)
    head_ref: str = ""
    base_ref: str = ""


class RunCreator:
    def __init__(self, host: ActionsHost, engine: Engine) -> None:
        self._host = host
        self._engine = engine
        self._files: dict[tuple[int, str], WorkflowFile] = {}
        # By the repository's id and the path; no path is all of the repository's.
        self.disabled: set[tuple[int, str]] = set()
        # Forks whose owner has said that their workflows may run.
        self.woken: set[int] = set()
        self._run_numbers: dict[int, int] = {}
        self._run_ids = itertools.count(30_000_000_001)

    def facts(self, repository: str) -> RepositoryFacts:
        """A repository. Raises 404."""
        try:
            return self._host.repository_facts(repository)
        except KeyError:
            raise not_found() from None

    def is_off(self, facts: RepositoryFacts) -> bool:
        return (facts.id, "") in self.disabled

    def files(self, facts: RepositoryFacts) -> list[WorkflowFile]:
        sha = self._host.resolve(facts.full_name, f"refs/heads/{facts.default_branch}")
        return [self.file(facts, sha, path) for path in self._paths(facts, sha)] if sha else []

    def file(self, facts: RepositoryFacts, sha: str, path: str) -> WorkflowFile:
        """One workflow; its id stays when its name changes."""
        name = self._name(facts, sha, path)
        with self._engine.changed:
            known = self._files.get((facts.id, path))
            if known is None:
                known = WorkflowFile(
                    self._engine.new_id(),
                    facts.full_name,
                    facts.default_branch,
                    path,
                    name,
                    self._host.now(),
                )
            self._files[facts.id, path] = replace(known, name=name, state=self._state(facts, path))
            return self._files[facts.id, path]

    def _state(self, facts: RepositoryFacts, path: str) -> WorkflowState:
        if facts.is_fork and facts.id not in self.woken:
            return WorkflowState.OF_A_FORK
        is_disabled = (facts.id, path) in self.disabled
        return WorkflowState.DISABLED if is_disabled else WorkflowState.ACTIVE

    def begin(self, start: Start, loaded: LoadedWorkflow) -> WorkflowRun:
        run = self._run(start, loaded, None)
        with self._engine.changing():
            settings = self._engine.settings
            if start.event == "workflow_dispatch" and settings.never_start > 0:
                settings.never_start -= 1
                run.is_held = True
            self._engine.start_run(run)
        return run

    def begin_all(self, start: Start, wants: Callable[[Triggers], bool]) -> list[WorkflowRun]:
        """Create a run of every workflow at the commit that the event triggers."""
        runs: list[WorkflowRun] = []
        for path in () if self.is_off(start.facts) else self._paths(start.facts, start.sha):
            if self._state(start.facts, path) is not WorkflowState.ACTIVE:
                continue
            here = replace(start, path=path)
            address = Address(start.facts.full_name, path, start.ref, start.sha)
            try:
                loaded = load(self._host, address)
            except DocumentError as error:
                broken = self._readable(address)
                # The triggers of a file that cannot be parsed are unknown; GitHub fails a run for a push.
                asked = start.event == "push" if broken is None else wants(broken.triggers)
                if asked:
                    runs.append(self._begin_broken(here, broken, str(error)))
                continue
            if loaded is not None and wants(loaded.workflow.triggers):
                runs.append(self.begin(here, loaded))
        return runs

    def _begin_broken(self, start: Start, workflow: Workflow | None, error: str) -> WorkflowRun:
        empty = workflow or Workflow(triggers=Triggers(), jobs={})
        bare = empty.replace(jobs={})
        loaded = LoadedWorkflow(bare, start.facts.full_name, start.path, start.ref, start.sha)
        run = self._run(start, loaded, error)
        with self._engine.changing():
            self._engine.start_run(run)
        return run

    def _readable(self, address: Address) -> Workflow | None:
        raw = self._host.read_file(address.repository, address.sha, address.path) or b""
        try:
            return read_workflow(raw.decode("utf-8", "replace"))
        except DocumentError:
            return None

    def _paths(self, facts: RepositoryFacts, sha: str) -> list[str]:
        files = self._host.list_files(facts.full_name, sha, WORKFLOW_FOLDER)
        return sorted(path for path in files if path.endswith((".yml", ".yaml")))

    def _name(self, facts: RepositoryFacts, sha: str, path: str) -> str:
        workflow = self._readable(Address(facts.full_name, path, "", sha))
        return (workflow.name if workflow else None) or path

    def _run(self, start: Start, loaded: LoadedWorkflow, error: str | None) -> WorkflowRun:
        facts = start.facts
        file = self.file(facts, start.sha, start.path)
        now = self._host.now()
        secrets = dict(self._engine.secrets.get(facts.full_name, {}))
        root = Scope(loaded, start.inputs, secrets)
        populate(root)
        attempt = Attempt(1, now, start.actor, root)
        if error is not None:
            attempt.status = Status.COMPLETED
            attempt.conclusion = Conclusion.STARTUP_FAILURE
        found = self._host.commit_payload(facts.full_name, start.sha)
        commit = json_object(found) if found else None
        with self._engine.changed:
            number = self._run_numbers[file.id] = self._run_numbers.get(file.id, 0) + 1
            run_id, suite_id = next(self._run_ids), self._engine.new_id()
        run = WorkflowRun(
            id=run_id,
            number=number,
            repository=facts,
            workflow=file,
            event=start.event,
            event_payload=start.payload,
            ref=start.ref,
            head_branch=start.head_ref or start.ref.split("/", 2)[-1],
            head_sha=start.sha,
            head_ref=start.head_ref,
            base_ref=start.base_ref,
            actor=start.actor,
            display_title=_plain_title(start, file, commit),
            created_at=now,
            check_suite_id=suite_id,
            attempts=[attempt],
            inputs=start.inputs,
            head_commit=commit,
            error=error,
        )
        self._fill_templates(run, loaded.workflow)
        return run

    def _fill_templates(self, run: WorkflowRun, workflow: Workflow) -> None:
        """`run-name` and `concurrency`, which see `github`, `inputs` and `vars` only."""
        variables = self._engine.variables.get(run.repository.full_name, {})
        evaluation_scope = EvaluationScope(
            {
                "github": github_context(run, self._host.base_url),
                "inputs": run.inputs,
                "vars": dict(variables),
            }
        )
        try:
            if workflow.run_name is not None:
                run.display_title = fill(workflow.run_name, evaluation_scope) or run.display_title
            if workflow.concurrency is not None:
                run.concurrency_group = fill(workflow.concurrency.group, evaluation_scope)
                cancel = fill(workflow.concurrency.cancel_in_progress, evaluation_scope)
                run.cancels_in_progress = cancel == "true"
        except ExpressionError as error:
            run.error = str(error)
            run.attempt.status = Status.COMPLETED
            run.attempt.conclusion = Conclusion.STARTUP_FAILURE


def _plain_title(start: Start, file: WorkflowFile, commit: dict[str, JsonValue] | None) -> str:
    """The title of a run without `run-name`: the pull's, the commit's, or the workflow's name."""
    if start.title:
        return start.title
    message = (commit or {}).get("message")
    if start.event == "push" and isinstance(message, str) and message:
        return message.splitlines()[0]
    return file.name
