"""Shapes of check runs, check suites and commit statuses."""

from bot.localhub.github_json import Json, iso, maybe_iso, node_id
from bot.localhub.model import Annotation, CheckRun, CheckSuite, CommitStatus, Repository
from bot.localhub.shapes.accounts import account_shape, app_shape
from bot.localhub.shapes.commits import head_commit_shape
from bot.localhub.shapes.repositories import repository_html_url, repository_shape, repository_url
from bot.localhub.state import State

# Worst first: a suite has the conclusion of its worst check run.
_CONCLUSIONS_BY_WEIGHT = (
    "action_required",
    "timed_out",
    "cancelled",
    "failure",
    "startup_failure",
    "stale",
    "success",
    "neutral",
    "skipped",
)


def _pulls_at(state: State, repository: Repository, sha: str) -> list[Json]:
    """The open pulls whose head is this commit; as on GitHub, none from forks."""
    url = repository_url(state, repository)
    brief: Json = {"id": repository.id, "url": url, "name": repository.name}
    return [
        {
            "id": issue.pull.id,
            "number": issue.number,
            "url": f"{url}/pulls/{issue.number}",
            "head": {"ref": issue.pull.head_ref, "sha": issue.pull.head_sha, "repo": brief},
            "base": {"ref": issue.pull.base_ref, "sha": issue.pull.base_sha, "repo": brief},
        }
        for issue in list(repository.issues.values())
        if issue.pull is not None
        and issue.state == "open"
        and issue.pull.head_sha == sha
        and issue.pull.fork is None
    ]


def runs_of(suite: CheckSuite) -> list[CheckRun]:
    return [run for run in list(suite.repository.check_runs.values()) if run.suite is suite]


def suite_status(suite: CheckSuite) -> tuple[str, str | None]:
    newest: dict[str, CheckRun] = {run.name: run for run in runs_of(suite)}
    if not newest:
        return "queued", None
    statuses = {run.status for run in newest.values()}
    if statuses != {"completed"}:
        return ("queued", None) if statuses == {"queued"} else ("in_progress", None)
    found = {run.conclusion for run in newest.values()}
    return "completed", next(name for name in _CONCLUSIONS_BY_WEIGHT if name in found)


def check_run_shape(state: State, run: CheckRun) -> Json:
    repository = run.suite.repository
    url = f"{repository_url(state, repository)}/check-runs/{run.id}"
    html = f"{repository_html_url(state, repository)}/runs/{run.id}"
    return {
        "id": run.id,
        "name": run.name,
        "node_id": node_id("CR", run.id),
        "head_sha": run.suite.head_sha,
        "external_id": run.external_id,
        "url": url,
        "html_url": html,
        "details_url": run.details_url or html,
        "status": run.status,
        "conclusion": run.conclusion,
        "started_at": iso(run.started_at),
        "completed_at": maybe_iso(run.completed_at),
        "output": {
            "title": run.title,
            "summary": run.summary,
            "text": run.text,
            "annotations_count": len(run.annotations),
            "annotations_url": f"{url}/annotations",
        },
        "check_suite": {"id": run.suite.id},
        "app": app_shape(state, run.suite.app),
        "pull_requests": _pulls_at(state, repository, run.suite.head_sha),
    }


def check_run_event_shape(state: State, run: CheckRun) -> Json:
    """A check run as webhooks carry it, with part of its suite."""
    return {
        **check_run_shape(state, run),
        "check_suite": _brief_suite_shape(state, run.suite),
    }


def _brief_suite_shape(state: State, suite: CheckSuite) -> Json:
    status, conclusion = suite_status(suite)
    return {
        "id": suite.id,
        "node_id": node_id("CS", suite.id),
        "head_branch": suite.head_branch,
        "head_sha": suite.head_sha,
        "status": status,
        "conclusion": conclusion,
        "url": f"{repository_url(state, suite.repository)}/check-suites/{suite.id}",
        "before": suite.before,
        "after": suite.after,
        "pull_requests": _pulls_at(state, suite.repository, suite.head_sha),
        "app": app_shape(state, suite.app),
        "created_at": iso(suite.created_at),
        "updated_at": iso(suite.updated_at),
    }


def suite_event_shape(state: State, suite: CheckSuite) -> Json:
    """A check suite as webhooks carry it: the repository is beside it."""
    brief = _brief_suite_shape(state, suite)
    return {
        **brief,
        "rerequestable": True,
        "runs_rerequestable": True,
        "latest_check_runs_count": len(runs_of(suite)),
        "check_runs_url": f"{brief['url']}/check-runs",
        "head_commit": head_commit_shape(suite.repository.git.commit(suite.head_sha)),
    }


def suite_shape(state: State, suite: CheckSuite) -> Json:
    return {
        **suite_event_shape(state, suite),
        "repository": repository_shape(state, suite.repository),
    }


def annotation_shape(state: State, run: CheckRun, annotation: Annotation) -> Json:
    html = repository_html_url(state, run.suite.repository)
    return {
        "path": annotation.path,
        "start_line": annotation.start_line,
        "end_line": annotation.end_line,
        "start_column": annotation.start_column,
        "end_column": annotation.end_column,
        "annotation_level": annotation.level,
        "title": annotation.title,
        "message": annotation.message,
        "raw_details": annotation.raw_details,
        "blob_href": f"{html}/blob/{run.suite.head_sha}/{annotation.path}",
    }


def status_shape(state: State, repository: Repository, status: CommitStatus) -> Json:
    return {
        **_bare_status_shape(state, repository, status),
        "creator": account_shape(state, status.creator),
    }


def brief_status_shape(state: State, repository: Repository, status: CommitStatus) -> Json:
    """GitHub's `simple-commit-status`, as the combined status lists it."""
    return {**_bare_status_shape(state, repository, status), "required": False}


def _bare_status_shape(state: State, repository: Repository, status: CommitStatus) -> Json:
    return {
        "url": f"{repository_url(state, repository)}/statuses/{status.sha}",
        "avatar_url": f"{state.base_url}/avatars/u/{status.creator.id}?v=4",
        "id": status.id,
        "node_id": node_id("SC", status.id),
        "state": status.state,
        "description": status.description,
        "target_url": status.target_url,
        "context": status.context,
        "created_at": iso(status.created_at),
        "updated_at": iso(status.created_at),
    }
