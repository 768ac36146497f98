"""Routes of commit statuses: create, list, and the combined answer."""

from flask import Blueprint, Response

from bot.localhub.errors import ApiError, invalid
from bot.localhub.model import CommitStatus, Repository
from bot.localhub.pages import page_of
from bot.localhub.routes import api
from bot.localhub.shapes.checks import brief_status_shape, status_shape
from bot.localhub.shapes.repositories import repository_shape, repository_url

blueprint = Blueprint("statuses", __name__)

STATES = ("error", "failure", "pending", "success")

# GitHub does not cut a longer description; it refuses it.
DESCRIPTION_MAX = 140


@blueprint.post("/repos/<owner>/<name>/statuses/<sha>")
def create_status(owner: str, name: str, sha: str) -> Response:
    hub = api.hub()
    repository = api.repository(owner, name, "statuses", "write")
    if repository.git.commit_sha(sha) != sha:
        raise ApiError(422, f"No commit found for SHA: {sha}")
    asked = api.body("Status")
    state = asked.one_of("state", STATES)
    if state is None:
        raise invalid("Status", "state", "missing_field")
    status = CommitStatus(
        id=hub.state.next_id(),
        sha=sha,
        state=state,
        context=asked.maybe_text("context", 255) or "default",
        description=asked.maybe_text("description", DESCRIPTION_MAX),
        target_url=asked.maybe_text("target_url"),
        creator=api.writer(),
        created_at=hub.state.now(),
    )
    hub.statuses.create(repository, api.actor(), sha, status)
    return api.answer(status_shape(hub.state, repository, status), 201)


def _newest_first(repository: Repository, ref: str) -> tuple[str, list[CommitStatus]]:
    sha = api.hub().refs.resolve(repository, ref)
    if sha is None:
        raise ApiError(404, f"No commit found for SHA: {ref}")
    return sha, [held for held in reversed(repository.statuses) if held.sha == sha]


@blueprint.get("/repos/<owner>/<name>/commits/<path:ref>/statuses")
@blueprint.get("/repos/<owner>/<name>/statuses/<path:ref>")
def list_statuses(owner: str, name: str, ref: str) -> Response:
    repository = api.repository(owner, name, "statuses", "read")
    _, found = _newest_first(repository, ref)
    state = api.hub().state
    return api.paged(found, lambda held: status_shape(state, repository, held))


@blueprint.get("/repos/<owner>/<name>/commits/<path:ref>/status")
def show_combined_status(owner: str, name: str, ref: str) -> Response:
    state = api.hub().state
    repository = api.repository(owner, name, "statuses", "read")
    sha, found = _newest_first(repository, ref)
    newest: dict[str, CommitStatus] = {}
    for held in found:
        newest.setdefault(held.context, held)
    states = {held.state for held in newest.values()}
    combined = "success"
    if states & {"error", "failure"}:
        combined = "failure"
    elif "pending" in states or not states:
        combined = "pending"
    page, headers = page_of(list(newest.values()))
    url = repository_url(state, repository)
    response = api.answer(
        {
            "state": combined,
            "statuses": [brief_status_shape(state, repository, held) for held in page],
            "sha": sha,
            "total_count": len(newest),
            "repository": repository_shape(state, repository),
            "commit_url": f"{url}/commits/{sha}",
            "url": f"{url}/commits/{sha}/status",
        }
    )
    response.headers.update(headers)
    return response
