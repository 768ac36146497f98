"""GitHub's JSON for runs, jobs, workflows and runners, as REST answers and webhooks carry it.

Every key that GitHub's description requires is present.
"""

from urllib.parse import quote

from pydantic import JsonValue, TypeAdapter

from bot.localhub.actions.records import Attempt, JobRecord, Runner, WorkflowFile, WorkflowRun
from bot.localhub.actions.runner_messages import Status, StepState
from bot.localhub.github_json import maybe_iso, node_id

Payload = dict[str, JsonValue]


def api_url(base_url: str) -> str:
    """The base of URLs in answers: as on GHES, so that clients of either base accept them."""
    return f"{base_url}/api/v3"


_JSON_OBJECT: TypeAdapter[Payload] = TypeAdapter(Payload)


def json_object(value: dict[str, object]) -> Payload:
    """The host's value, checked to be a JSON object. Raises ValidationError if it is none."""
    return _JSON_OBJECT.validate_python(value)


def workflow_payload(workflow: WorkflowFile, base_url: str) -> Payload:
    html = f"{base_url}/{workflow.repository}"
    created = maybe_iso(workflow.created_at)
    return {
        "id": workflow.id,
        "node_id": node_id("W", workflow.id),
        "name": workflow.name,
        "path": workflow.path,
        "state": workflow.state.value,
        "created_at": created,
        "updated_at": created,
        "url": f"{api_url(base_url)}/repos/{workflow.repository}/actions/workflows/{workflow.id}",
        "html_url": f"{html}/blob/{workflow.branch}/{workflow.path}",
        "badge_url": f"{html}/workflows/{quote(workflow.name)}/badge.svg",
    }


def run_payload(run: WorkflowRun, attempt: Attempt, base_url: str) -> Payload:
    repository = run.repository.full_name
    url = f"{api_url(base_url)}/repos/{repository}/actions/runs/{run.id}"
    suite = f"{api_url(base_url)}/repos/{repository}/check-suites/{run.check_suite_id}"
    previous = f"{url}/attempts/{attempt.number - 1}" if attempt.number > 1 else None
    return {
        "id": run.id,
        "name": run.workflow.name,
        "node_id": node_id("WFR", run.id),
        "head_branch": run.head_branch,
        "head_sha": run.head_sha,
        "path": run.workflow.path,
        "display_title": run.display_title,
        "run_number": run.number,
        "event": run.event,
        "status": attempt.status.value,
        "conclusion": attempt.conclusion.value if attempt.conclusion else None,
        "workflow_id": run.workflow.id,
        "check_suite_id": run.check_suite_id,
        "check_suite_node_id": node_id("CS", run.check_suite_id),
        "url": url,
        "html_url": f"{base_url}/{repository}/actions/runs/{run.id}",
        "pull_requests": [],
        "created_at": maybe_iso(run.created_at),
        "updated_at": maybe_iso(attempt.updated_at or attempt.started_at),
        "actor": json_object(run.actor.payload),
        "run_attempt": attempt.number,
        "referenced_workflows": [
            {"path": called.workflow_ref, "sha": called.sha, "ref": called.ref}
            for called in attempt.root.loaded.called.values()
        ],
        "run_started_at": maybe_iso(attempt.started_at),
        "triggering_actor": json_object(attempt.triggering_actor.payload),
        "jobs_url": f"{url}/jobs",
        "logs_url": f"{url}/logs",
        "check_suite_url": suite,
        "artifacts_url": f"{url}/artifacts",
        "cancel_url": f"{url}/cancel",
        "rerun_url": f"{url}/rerun",
        "previous_attempt_url": previous,
        "workflow_url": f"{api_url(base_url)}/repos/{repository}/actions/workflows/{run.workflow.id}",
        "head_commit": run.head_commit,
        "repository": _brief_repository(json_object(run.repository.payload)),
        "head_repository": _brief_repository(json_object(run.repository.payload)),
    }


# The repository keys in a run, besides URLs; GitHub leaves out the rest.
_BRIEF = {
    "id",
    "node_id",
    "name",
    "full_name",
    "private",
    "owner",
    "html_url",
    "description",
    "fork",
}
_NOT_BRIEF = {"clone_url", "git_url", "ssh_url", "svn_url", "mirror_url"}


def _brief_repository(repository: Payload) -> Payload:
    return {
        key: value
        for key, value in repository.items()
        if key in _BRIEF or (key.endswith("url") and key not in _NOT_BRIEF)
    }


def job_payload(
    run: WorkflowRun, job: JobRecord, check_run_id: int | None, base_url: str
) -> Payload:
    repository = run.repository.full_name
    api = f"{api_url(base_url)}/repos/{repository}"
    runner = job.runner
    return {
        "id": job.id,
        "run_id": run.id,
        "workflow_name": run.workflow.name,
        "head_branch": run.head_branch,
        "run_url": f"{api}/actions/runs/{run.id}",
        "run_attempt": job.run_attempt,
        "node_id": node_id("CR", job.id),
        "head_sha": run.head_sha,
        "url": f"{api}/actions/jobs/{job.id}",
        "html_url": f"{base_url}/{repository}/actions/runs/{run.id}/job/{job.id}",
        "status": job.status.value,
        "conclusion": job.conclusion.value if job.conclusion else None,
        "created_at": maybe_iso(job.created_at),
        # GitHub shows the time of queueing until the job has started.
        "started_at": maybe_iso(job.started_at or job.created_at),
        "completed_at": maybe_iso(job.completed_at),
        "name": job.name,
        "steps": [step_payload(step) for step in job.steps],
        "check_run_url": f"{api}/check-runs/{check_run_id or job.id}",
        "labels": list(job.labels),
        "runner_id": runner.id if runner else None,
        "runner_name": runner.name if runner else None,
        "runner_group_id": 1 if runner else None,
        "runner_group_name": runner.group if runner else None,
    }


def step_payload(step: StepState) -> Payload:
    return {
        "name": step.name,
        "status": step.status.value,
        "conclusion": step.conclusion.value if step.conclusion else None,
        "number": step.number,
        "started_at": maybe_iso(step.started_at),
        "completed_at": maybe_iso(step.completed_at),
    }


def runner_payload(runner: Runner, status: str) -> Payload:
    own = ("self-hosted", runner.os.lower(), "x64", "arm64")
    return {
        "id": runner.id,
        "runner_group_id": 1,
        "name": runner.name,
        "os": runner.os,
        "status": status,
        "busy": runner.job_id is not None,
        "ephemeral": runner.ephemeral,
        "labels": [
            {
                "id": number,
                "name": label,
                "type": "read-only" if label.lower() in own else "custom",
            }
            for number, label in enumerate(runner.labels, 1)
        ],
    }


def job_event(run: WorkflowRun, job: JobRecord, check_run_id: int, base_url: str) -> Payload:
    """The `workflow_job` of a webhook; a job in progress shows its current step."""
    payload = job_payload(run, job, check_run_id, base_url)
    if job.status is Status.IN_PROGRESS and not job.steps:
        first = StepState(
            number=1, name="Set up job", status=Status.IN_PROGRESS, started_at=job.started_at
        )
        payload["steps"] = [step_payload(first)]
    return payload
