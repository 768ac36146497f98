"""GitHub's REST API of Actions, as a Flask blueprint.

`authorise` is the hub's: it knows the request's token.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from flask import Blueprint, Response, jsonify, request
from pydantic import JsonValue, ValidationError
from werkzeug.exceptions import BadRequest

from bot.localhub.actions.host import ActorFacts
from bot.localhub.actions.payloads import (
    Payload,
    api_url,
    job_payload,
    run_payload,
    workflow_payload,
)
from bot.localhub.actions.records import Attempt, JobRecord, WorkflowRun
from bot.localhub.actions.repository_dispatch import OutsideEvent
from bot.localhub.actions.runner_admin import add_runner_admin_routes
from bot.localhub.actions.service import ActionsService
from bot.localhub.errors import ApiError, not_found
from bot.localhub.pages import page_of

Authorise = Callable[[str, str, str], ActorFacts]

_Item = TypeVar("_Item")


def actions_blueprint(service: ActionsService, authorise: Authorise) -> Blueprint:
    """GitHub's REST routes. `authorise(repository, permission, level)` gives the actor."""
    blueprint = Blueprint("actions", __name__)
    routes = _Routes(service, authorise)
    base = "/repos/<owner>/<name>/actions"
    for path, method, view in (
        ("/workflows", "GET", routes.list_workflows),
        ("/workflows/<workflow>", "GET", routes.get_workflow),
        ("/workflows/<workflow>/dispatches", "POST", routes.dispatch),
        ("/workflows/<workflow>/runs", "GET", routes.list_workflow_runs),
        ("/runs", "GET", routes.list_runs),
        ("/runs/<int:run_id>", "GET", routes.get_run),
        ("/runs/<int:run_id>/attempts/<int:number>", "GET", routes.get_attempt),
        ("/runs/<int:run_id>/attempts/<int:number>/jobs", "GET", routes.list_attempt_jobs),
        ("/runs/<int:run_id>/jobs", "GET", routes.list_jobs),
        ("/runs/<int:run_id>/artifacts", "GET", routes.list_artifacts),
        ("/runs/<int:run_id>/cancel", "POST", routes.cancel),
        ("/runs/<int:run_id>/force-cancel", "POST", routes.force_cancel),
        ("/runs/<int:run_id>/rerun", "POST", routes.rerun),
        ("/runs/<int:run_id>/rerun-failed-jobs", "POST", routes.rerun_failed_jobs),
        ("/jobs/<int:job_id>", "GET", routes.get_job),
        ("/jobs/<int:job_id>/logs", "GET", routes.get_log),
    ):
        blueprint.add_url_rule(base + path, view.__name__, view, methods=[method])
    blueprint.add_url_rule(
        "/repos/<owner>/<name>/dispatches",
        "dispatch_repository",
        routes.dispatch_repository,
        methods=["POST"],
    )
    add_runner_admin_routes(blueprint, service, authorise)
    add_error_answers(blueprint)
    return blueprint


def add_error_answers(blueprint: Blueprint) -> None:
    @blueprint.errorhandler(ApiError)
    def refuse(error: ApiError) -> tuple[Response, int]:
        return jsonify(error.as_json()), error.status

    @blueprint.errorhandler(ValidationError)
    def refuse_body(error: ValidationError) -> tuple[Response, int]:
        first = error.errors()[0]
        place = "/".join(str(part) for part in first["loc"])
        return refuse(ApiError(422, f"Invalid request.\n\n{place}: {first['msg']}"))

    @blueprint.errorhandler(BadRequest)
    def refuse_json(_: BadRequest) -> tuple[Response, int]:
        return refuse(ApiError(400, "Problems parsing JSON"))


class _Routes:
    def __init__(self, service: ActionsService, authorise: Authorise) -> None:
        self._service = service
        self._authorise = authorise

    @property
    def _base_url(self) -> str:
        """The hub's URL, which is known only when it is served, after the routes are made."""
        return self._service.host.base_url

    def list_workflows(self, owner: str, name: str) -> Response:
        repository = self._readable(owner, name)
        found = self._service.workflows(repository)
        return _listed(
            "workflows", found, lambda workflow: workflow_payload(workflow, self._base_url)
        )

    def get_workflow(self, owner: str, name: str, workflow: str) -> Response:
        found = self._service.workflow(self._readable(owner, name), workflow)
        return jsonify(workflow_payload(found, self._base_url))

    def dispatch(self, owner: str, name: str, workflow: str) -> Response | tuple[str, int]:
        repository = f"{owner}/{name}"
        actor = self._authorise(repository, "actions", "write")
        body = request.get_json(force=True)
        if not isinstance(body, dict) or not isinstance(body.get("ref"), str):
            raise ApiError(422, 'Invalid request.\n\n"ref" wasn\'t supplied.')
        inputs = body.get("inputs") or {}
        if not isinstance(inputs, dict):
            raise ApiError(422, 'Invalid request.\n\n"inputs" is not an object.')
        if any(isinstance(value, dict | list) for value in inputs.values()):
            raise ApiError(422, "Invalid request.\n\nFor 'properties/inputs', value is no text.")
        run = self._service.dispatch(repository, workflow, body["ref"], inputs, actor)
        if body.get("return_run_details") is not True:
            return "", 204
        return jsonify(
            workflow_run_id=run.id,
            run_url=f"{api_url(self._base_url)}/repos/{repository}/actions/runs/{run.id}",
            html_url=f"{self._base_url}/{repository}/actions/runs/{run.id}",
        )

    def dispatch_repository(self, owner: str, name: str) -> tuple[str, int]:
        actor = self._authorise(f"{owner}/{name}", "contents", "write")
        happened = OutsideEvent.read(request.get_json(force=True))
        self._service.dispatch_repository(f"{owner}/{name}", happened, actor)
        return "", 204

    def list_workflow_runs(self, owner: str, name: str, workflow: str) -> Response:
        repository = self._readable(owner, name)
        wanted = self._service.workflow(repository, workflow).id
        return self._runs(
            [run for run in self._service.runs(repository) if run.workflow.id == wanted]
        )

    def list_runs(self, owner: str, name: str) -> Response:
        return self._runs(self._service.runs(self._readable(owner, name)))

    def get_run(self, owner: str, name: str, run_id: int) -> Response:
        run = self._service.run(self._readable(owner, name), run_id)
        return jsonify(self._run(run, run.attempt))

    def get_attempt(self, owner: str, name: str, run_id: int, number: int) -> Response:
        run = self._service.run(self._readable(owner, name), run_id)
        return jsonify(self._run(run, _attempt(run, number)))

    def list_attempt_jobs(self, owner: str, name: str, run_id: int, number: int) -> Response:
        run = self._service.run(self._readable(owner, name), run_id)
        return self._jobs(run, _attempt(run, number).jobs)

    def list_jobs(self, owner: str, name: str, run_id: int) -> Response:
        run = self._service.run(self._readable(owner, name), run_id)
        wanted = request.args.get("filter", "latest")
        attempts = run.attempts if wanted == "all" else [run.attempt]
        return self._jobs(run, [job for attempt in attempts for job in attempt.jobs])

    def list_artifacts(self, owner: str, name: str, run_id: int) -> Response:
        """Always empty, but clients ask."""
        self._service.run(self._readable(owner, name), run_id)
        return jsonify(total_count=0, artifacts=[])

    def cancel(self, owner: str, name: str, run_id: int) -> tuple[Response, int]:
        self._service.cancel(self._writable(owner, name)[0], run_id)
        return jsonify({}), 202

    def force_cancel(self, owner: str, name: str, run_id: int) -> tuple[Response, int]:
        self._service.force_cancel(self._writable(owner, name)[0], run_id)
        return jsonify({}), 202

    def rerun(self, owner: str, name: str, run_id: int) -> tuple[Response, int]:
        repository, actor = self._writable(owner, name)
        self._service.rerun(repository, run_id, actor)
        return jsonify({}), 201

    def rerun_failed_jobs(self, owner: str, name: str, run_id: int) -> tuple[Response, int]:
        repository, actor = self._writable(owner, name)
        self._service.rerun_failed_jobs(repository, run_id, actor)
        return jsonify({}), 201

    def get_job(self, owner: str, name: str, job_id: int) -> Response:
        repository = self._readable(owner, name)
        job = self._service.job(repository, job_id)
        return jsonify(self._job(self._service.run(repository, job.run_id), job))

    def get_log(self, owner: str, name: str, job_id: int) -> Response:
        job = self._service.job(self._readable(owner, name), job_id)
        if not job.log and not job.is_over:
            raise not_found()
        query = self._service.log_links.query(job_id, self._service.host.now())
        place = f"{self._base_url}/_actions/logs/{job_id}?{query}"
        return Response(status=302, headers={"Location": place})

    def _readable(self, owner: str, name: str) -> str:
        self._authorise(f"{owner}/{name}", "actions", "read")
        return f"{owner}/{name}"

    def _writable(self, owner: str, name: str) -> tuple[str, ActorFacts]:
        return f"{owner}/{name}", self._authorise(f"{owner}/{name}", "actions", "write")

    def _runs(self, runs: Sequence[WorkflowRun]) -> Response:
        chosen = [run for run in runs if _is_chosen(run)]
        return _listed("workflow_runs", chosen, lambda run: self._run(run, run.attempt))

    def _jobs(self, run: WorkflowRun, jobs: Sequence[JobRecord]) -> Response:
        return _listed("jobs", jobs, lambda job: self._job(run, job))

    def _run(self, run: WorkflowRun, attempt: Attempt) -> Payload:
        with self._service.engine.changed:
            return run_payload(run, attempt, self._base_url)

    def _job(self, run: WorkflowRun, job: JobRecord) -> Payload:
        with self._service.engine.changed:
            check_run_id = self._service.engine.outbox.check_run_id(job.id)
            return job_payload(run, job, check_run_id, self._base_url)


def _attempt(run: WorkflowRun, number: int) -> Attempt:
    if not 1 <= number <= len(run.attempts):
        raise not_found()
    return run.attempts[number - 1]


def _is_chosen(run: WorkflowRun) -> bool:
    facts = {
        "branch": run.head_branch,
        "event": run.event,
        "head_sha": run.head_sha,
        "actor": run.actor.login,
        "check_suite_id": str(run.check_suite_id),
    }
    for key, value in facts.items():
        if request.args.get(key) not in (None, "", value):
            return False
    status = request.args.get("status")
    if status and status not in (run.status, run.conclusion):
        return False
    return _created_between(run.created_at, request.args.get("created", ""))


def _listed(key: str, items: Sequence[_Item], payload: Callable[[_Item], Payload]) -> Response:
    page, headers = page_of(items)
    members: list[JsonValue] = [payload(item) for item in page]
    response = jsonify({"total_count": len(items), key: members})
    response.headers.update(headers)
    return response


def _created_between(at: datetime, wanted: str) -> bool:
    """GitHub's date search: `2026-01-31`, `>=…`, `<…`, `…..…`; an invalid one filters nothing."""
    if not wanted:
        return True
    if ".." in wanted:
        first, _, last = wanted.partition("..")
        return _created_between(at, f">={first}") and _created_between(at, f"<={last}")
    for sign in (">=", "<=", ">", "<"):
        if wanted.startswith(sign):
            return _compare(at, sign, wanted.removeprefix(sign))
    return _compare(at, ">=", wanted) and _compare(at, "<=", wanted)


def _compare(at: datetime, sign: str, text: str) -> bool:
    if text in ("", "*"):
        return True
    try:
        start = datetime.fromisoformat(text)
    except ValueError:
        return True
    start = start if start.tzinfo else start.replace(tzinfo=UTC)
    # A date without a time means the whole day, a time the whole second.
    end = start + (timedelta(days=1) if len(text) == len("2026-01-31") else timedelta(seconds=1))
    return {">=": at >= start, ">": at >= end, "<": at < start, "<=": at < end}[sign]
