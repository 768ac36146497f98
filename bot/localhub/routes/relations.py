"""Routes of relations between issues: sub-issues, parents and dependencies."""

from flask import Blueprint, Response

from bot.localhub.errors import not_found
from bot.localhub.model import Issue
from bot.localhub.routes import api
from bot.localhub.routes.issues import answer_issue, find_issue, find_to_triage
from bot.localhub.shapes.issues import issue_shape

blueprint = Blueprint("relations", __name__)


def _listed(issues: list[Issue]) -> Response:
    return api.paged(issues, lambda issue: issue_shape(api.hub().state, issue))


def _other(issue_id: int) -> Issue:
    """The other issue of a relation; the caller must be able to write there too."""
    found = api.hub().relations.issue_by_id(issue_id)
    if not api.hub().access.can_see(api.actor(), found.repository):
        raise not_found()
    return found


@blueprint.get("/repos/<owner>/<name>/issues/<int:number>/sub_issues")
def list_sub_issues(owner: str, name: str, number: int) -> Response:
    return _listed(list(find_issue(owner, name, number, "read").sub_issues))


@blueprint.post("/repos/<owner>/<name>/issues/<int:number>/sub_issues")
def add_sub_issue(owner: str, name: str, number: int) -> Response:
    parent = find_to_triage(owner, name, number)
    asked = api.body("SubIssue")
    child = _other(asked.integer("sub_issue_id"))
    relations = api.hub().relations
    join = relations.replace_parent if asked.flag("replace_parent") else relations.add_sub_issue
    join(parent, child, api.actor())
    return answer_issue(child, 201)


@blueprint.delete("/repos/<owner>/<name>/issues/<int:number>/sub_issue")
def remove_sub_issue(owner: str, name: str, number: int) -> Response:
    parent = find_to_triage(owner, name, number)
    child = _other(api.body("SubIssue").integer("sub_issue_id"))
    api.hub().relations.remove_sub_issue(parent, child, api.actor())
    return answer_issue(child)


@blueprint.get("/repos/<owner>/<name>/issues/<int:number>/parent")
def show_parent(owner: str, name: str, number: int) -> Response:
    parent = find_issue(owner, name, number, "read").parent
    if parent is None:
        raise not_found()
    return answer_issue(parent)


@blueprint.get("/repos/<owner>/<name>/issues/<int:number>/dependencies/blocked_by")
def list_blocked_by(owner: str, name: str, number: int) -> Response:
    return _listed(list(find_issue(owner, name, number, "read").blocked_by))


@blueprint.get("/repos/<owner>/<name>/issues/<int:number>/dependencies/blocking")
def list_blocking(owner: str, name: str, number: int) -> Response:
    return _listed(list(find_issue(owner, name, number, "read").blocking))


@blueprint.post("/repos/<owner>/<name>/issues/<int:number>/dependencies/blocked_by")
def add_blocked_by(owner: str, name: str, number: int) -> Response:
    blocked = find_to_triage(owner, name, number)
    blocker = _other(api.body("IssueDependency").integer("issue_id"))
    api.hub().relations.add_blocked_by(blocked, blocker, api.actor())
    return answer_issue(blocked, 201)


@blueprint.delete(
    "/repos/<owner>/<name>/issues/<int:number>/dependencies/blocked_by/<int:issue_id>"
)
def remove_blocked_by(owner: str, name: str, number: int, issue_id: int) -> Response:
    blocked = find_to_triage(owner, name, number)
    api.hub().relations.remove_blocked_by(blocked, _other(issue_id), api.actor())
    return answer_issue(blocked)
