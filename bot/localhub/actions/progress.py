"""How an attempt proceeds: which jobs start, which are skipped, what the conclusion is.

`advance` is called after every change and does all that follows from it; only it starts nodes and
sets conclusions. It reads called workflows from memory (`reusable_workflows.py` has loaded them),
so it never waits.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from pydantic import JsonValue

from bot.localhub.actions.contexts import jobs_context, node_evaluation_scope
from bot.localhub.actions.evaluation import EvaluationScope, condition_holds, fill, resolve
from bot.localhub.actions.expressions import ExpressionError
from bot.localhub.actions.inputs import call_inputs
from bot.localhub.actions.matrix import Combination, combination_title, combinations
from bot.localhub.actions.records import JobRecord, Node, Scope, WorkflowRun
from bot.localhub.actions.reusable_workflows import granted
from bot.localhub.actions.runner_access import refusal
from bot.localhub.actions.runner_messages import Annotation, Conclusion, JobSignal, Status
from bot.localhub.actions.values import as_number, as_text
from bot.localhub.actions.workflow import DEFAULT_PERMISSIONS, Job, Permissions

# The default of `timeout-minutes` (GitHub, "Workflow syntax").
TIMEOUT_MINUTES = 360.0


@dataclass(frozen=True)
class Progress:
    """What `advance` needs; `on_change` is called for every job that changed."""

    base_url: str
    variables: dict[str, str]
    now: datetime
    new_id: Callable[[], int]
    on_change: Callable[[JobRecord], None]

    def advance(self, run: WorkflowRun) -> None:
        """Start, skip and conclude jobs until nothing more follows."""
        while any(self._advance_scope(run, scope) for scope in scopes_of(run.attempt.root)):
            pass

    def skip_or_cancel(self, job: JobRecord, conclusion: Conclusion) -> None:
        """End a job that no runner has."""
        job.status = Status.COMPLETED
        job.conclusion = conclusion
        job.started_at = job.started_at or self.now
        job.completed_at = self.now
        self.on_change(job)

    def survives_cancel(self, run: WorkflowRun, node: Node) -> bool:
        """Whether a job continues in a cancelled run because its `if` says so."""
        if node.job.condition is None:
            return False
        evaluation_scope = node_evaluation_scope(run, node, self.base_url, self.variables)
        try:
            return condition_holds(node.job.condition, evaluation_scope)
        except ExpressionError:
            return False

    def _advance_scope(self, run: WorkflowRun, scope: Scope) -> bool:
        changed = False
        for node in scope.nodes.values():
            if node.result is not None:
                continue
            needed = [scope.nodes[name] for name in node.job.needs]
            if not node.is_started and all(one.result is not None for one in needed):
                self._start(run, node)
                changed = True
            if node.is_started and self._conclude(run, node):
                changed = True
        return changed

    def _start(self, run: WorkflowRun, node: Node) -> None:
        node.is_started = True
        evaluation_scope = node_evaluation_scope(run, node, self.base_url, self.variables)
        try:
            if not condition_holds(node.job.condition, evaluation_scope):
                self._skip(run, node, evaluation_scope)
                return
            for position, total, combination in self._vectors(node, evaluation_scope):
                strategy = _strategy(node, position, total)
                seen = evaluation_scope.with_contexts(matrix=combination or {}, strategy=strategy)
                if node.job.uses is None:
                    self._queue(run, node, combination, seen)
                else:
                    self._call(node, combination, seen)
        except ExpressionError as error:
            self._fail(run, node, str(error))

    def _vectors(
        self, node: Node, evaluation_scope: EvaluationScope
    ) -> list[tuple[int, int, Combination | None]]:
        if node.job.matrix is None:
            return [(0, 1, None)]
        found = combinations(resolve(node.job.matrix.axes, evaluation_scope))
        fail_fast = resolve(node.job.matrix.fail_fast, evaluation_scope)
        node.fail_fast = as_text(fail_fast) != "false"
        return [(position, len(found), one) for position, one in enumerate(found)]

    def _queue(
        self,
        run: WorkflowRun,
        node: Node,
        combination: Combination | None,
        evaluation_scope: EvaluationScope,
    ) -> None:
        # Computed first: a job whose values cannot be computed must not be recorded.
        title = _title(node.job, combination, evaluation_scope)
        labels, group = _wanted_runner(node.job, evaluation_scope)
        minutes = _timeout_minutes(node.job, evaluation_scope)
        job = self._record(run, node, combination, title)
        job.labels, job.group, job.timeout_minutes = labels, group, minutes
        strategy = evaluation_scope.contexts["strategy"]
        job.strategy = strategy if isinstance(strategy, dict) else {}
        called = node.scope.loaded.repository if node.scope.is_called else None
        refused = called and refusal(run.repository.full_name, called, labels, group)
        if refused:
            self._refuse(job, refused)
        else:
            self.on_change(job)

    def _call(
        self, node: Node, combination: Combination | None, evaluation_scope: EvaluationScope
    ) -> None:
        loaded = node.scope.loaded.called[node.job.id]
        trigger = loaded.workflow.triggers.call
        given = {
            name: resolve(value, evaluation_scope) for name, value in node.job.arguments.items()
        }
        declared = trigger.inputs if trigger else {}
        secrets = node.scope.secrets
        if not isinstance(node.job.secrets, str):
            secrets = {
                name: fill(text, evaluation_scope) for name, text in node.job.secrets.items()
            }
            if "GITHUB_TOKEN" in node.scope.secrets:
                secrets["GITHUB_TOKEN"] = node.scope.secrets["GITHUB_TOKEN"]
        scope = Scope(
            loaded,
            call_inputs(declared, given, evaluation_scope),
            secrets,
            permissions_of(node),
            f"{_title(node.job, combination, evaluation_scope)} / ",
            is_called=True,
        )
        populate(scope)
        node.scopes.append(scope)

    def _skip(self, run: WorkflowRun, node: Node, evaluation_scope: EvaluationScope) -> None:
        conclusion = Conclusion.CANCELLED if run.is_cancelled else Conclusion.SKIPPED
        name = node.job.name or node.job.id
        job = self._record(run, node, None, name if "${{" in name else fill(name, evaluation_scope))
        self.skip_or_cancel(job, conclusion)

    def _fail(self, run: WorkflowRun, node: Node, sentence: str) -> None:
        self._refuse(self._record(run, node, None, node.job.id), sentence)

    def _refuse(self, job: JobRecord, sentence: str) -> None:
        job.annotations = (Annotation(level="failure", message=sentence, path=".github"),)
        job.log.extend(f"##[error]{sentence}\n".encode())
        self.skip_or_cancel(job, Conclusion.FAILURE)

    def _record(
        self, run: WorkflowRun, node: Node, combination: Combination | None, title: str
    ) -> JobRecord:
        job = JobRecord(
            id=self.new_id(),
            run_id=run.id,
            run_attempt=run.attempt.number,
            name=node.scope.name_prefix + title,
            definition=node.job,
            node=node,
            matrix=combination,
            strategy={},
            created_at=self.now,
            timeout_minutes=TIMEOUT_MINUTES,
        )
        node.jobs.append(job)
        run.attempt.jobs.append(job)
        return job

    def _conclude(self, run: WorkflowRun, node: Node) -> bool:
        self._fail_fast(node)
        results = [job.conclusion for job in node.jobs if job.is_over]
        results += [scope_result(scope) for scope in node.scopes]
        expected = len(node.jobs) + len(node.scopes)
        if len(results) < expected or any(result is None for result in results):
            return False
        node.result = worst(result for result in results if result is not None)
        for job in node.jobs:
            node.outputs.update({key: value for key, value in job.outputs.items() if value})
        for scope in node.scopes:
            node.outputs.update(self._call_outputs(run, node, scope))
        return True

    def _fail_fast(self, node: Node) -> None:
        over = [job for job in node.jobs if job.conclusion is Conclusion.FAILURE]
        if not node.fail_fast or not over or node.job.matrix is None:
            return
        for job in node.jobs:
            if job.is_over:
                continue
            if job.runner is None:
                self.skip_or_cancel(job, Conclusion.CANCELLED)
            elif job.signal is JobSignal.CONTINUE:
                job.signal = JobSignal.CANCEL

    def _call_outputs(self, run: WorkflowRun, node: Node, scope: Scope) -> dict[str, JsonValue]:
        trigger = scope.loaded.workflow.triggers.call
        evaluation_scope = node_evaluation_scope(
            run, node, self.base_url, self.variables
        ).with_contexts(jobs=jobs_context(scope), inputs=scope.inputs)
        outputs: dict[str, JsonValue] = {}
        for name, text in (trigger.outputs if trigger else {}).items():
            try:
                outputs[name] = fill(text, evaluation_scope)
            except ExpressionError:
                outputs[name] = ""
        return outputs


def populate(scope: Scope) -> None:
    for job in scope.loaded.workflow.jobs.values():
        scope.nodes[job.id] = Node(job, scope)


def scopes_of(scope: Scope) -> list[Scope]:
    """A scope and all scopes that it calls; the innermost first, so that results move outwards."""
    inner = [
        found
        for node in scope.nodes.values()
        for called in node.scopes
        for found in scopes_of(called)
    ]
    return [*inner, scope]


def scope_result(scope: Scope) -> Conclusion | None:
    """The result of a workflow file; None while a job is open."""
    results = [node.result for node in scope.nodes.values()]
    if any(result is None for result in results):
        return None
    return worst(result for result in results if result is not None)


def worst(results: Iterable[Conclusion]) -> Conclusion:
    """Failure is worse than cancellation, that is worse than success; all skipped is skipped."""
    found = set(results)
    for conclusion in (Conclusion.FAILURE, Conclusion.CANCELLED, Conclusion.SUCCESS):
        if conclusion in found:
            return conclusion
    return Conclusion.SKIPPED


def permissions_of(node: Node) -> Permissions:
    limit = node.scope.permissions
    return granted(
        node.job, node.scope.loaded.workflow, DEFAULT_PERMISSIONS if limit is None else limit
    )


def _strategy(node: Node, position: int, total: int) -> dict[str, JsonValue]:
    return {
        "fail-fast": node.fail_fast,
        "job-index": position,
        "job-total": total,
        "max-parallel": total,
    }


def _title(job: Job, combination: Combination | None, evaluation_scope: EvaluationScope) -> str:
    if job.name is not None:
        return fill(job.name, evaluation_scope)
    return job.id if not combination else f"{job.id} ({combination_title(combination)})"


def _wanted_runner(
    job: Job, evaluation_scope: EvaluationScope
) -> tuple[tuple[str, ...], str | None]:
    """Labels and group of `runs-on`, which an expression may give in any of its forms."""
    wanted = resolve(job.runs_on.labels, evaluation_scope) if job.runs_on else None
    group = fill(job.runs_on.group or "", evaluation_scope) if job.runs_on else ""
    if isinstance(wanted, dict):
        group = as_text(wanted.get("group"))
        wanted = wanted.get("labels")
    members = wanted if isinstance(wanted, list) else [wanted]
    labels = tuple(text for text in map(as_text, members) if text)
    if not labels and not group:
        raise ExpressionError("Error when evaluating 'runs-on': Unexpected value ''")
    return labels, group or None


def _timeout_minutes(job: Job, evaluation_scope: EvaluationScope) -> float:
    if job.timeout_minutes is None:
        return TIMEOUT_MINUTES
    minutes = as_number(resolve(job.timeout_minutes, evaluation_scope))
    if not minutes > 0:
        raise ExpressionError("'timeout-minutes' must be a number greater than zero")
    return minutes
