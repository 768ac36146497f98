"""Routes of issues: open, list, show, edit, label, assign, lock."""

from urllib.parse import unquote

from flask import Blueprint, Response, request

from bot.localhub.errors import ApiError, invalid, unprocessable
from bot.localhub.issues import IssueDraft, IssueEdit
from bot.localhub.model import Issue, Repository, Role, TokenKind
from bot.localhub.request_body import TITLE_MAX, Body
from bot.localhub.routes import api
from bot.localhub.shapes.issues import issue_shape, label_event_shape, label_shape

blueprint = Blueprint("issues", __name__)

LOCK_REASONS = ("off-topic", "too heated", "resolved", "spam")
# GitHub, "Managing labels": at most 100 on an issue or pull.
LABELS_MAX = 100
STATE_REASONS = ("completed", "not_planned", "duplicate", "reopened")


def find_issue(owner: str, name: str, number: int, level: str) -> Issue:
    """The issue of a route's path. For a pull, either permission is enough."""
    hub, actor = api.hub(), api.actor()
    repository = api.repository(owner, name, "metadata", "read")
    issue = repository.issues.get(number)
    permission = "issues"
    if issue is not None and issue.pull is not None and actor.permissions.get("pull_requests"):
        permission = "pull_requests"
    hub.access.require(actor, repository, permission, level)
    return hub.issues.find(repository, number)


def _require_triage(repository: Repository) -> None:
    """403 for people who may open issues but not label or assign them."""
    api.hub().access.require_role(api.actor(), repository, Role.TRIAGE)


def find_to_triage(owner: str, name: str, number: int) -> Issue:
    issue = find_issue(owner, name, number, "write")
    _require_triage(issue.repository)
    return issue


def _may_triage(repository: Repository) -> bool:
    actor = api.actor()
    if actor.kind is not TokenKind.USER or actor.account is None:
        return True
    return api.hub().access.has_role(actor.account, repository, Role.TRIAGE)


def _few_labels(names: list[str]) -> list[str]:
    if len({name.lower() for name in names}) > LABELS_MAX:
        raise unprocessable(f"An issue may only have {LABELS_MAX} labels")
    return names


def _refuse_milestone(asked: Body) -> None:
    """There are no milestones here, so every number is unknown."""
    if asked.has("milestone"):
        raise invalid("Issue", "milestone", "invalid")


def answer_issue(issue: Issue, status: int = 200) -> Response:
    return api.answer(issue_shape(api.hub().state, issue), status)


@blueprint.post("/repos/<owner>/<name>/issues")
def open_issue(owner: str, name: str) -> Response:
    repository = api.repository(owner, name, "issues", "write")
    if not repository.has_issues:
        raise ApiError(410, "Issues has been disabled in this repository.")
    asked = api.body("Issue")
    # Labels and assignees from people without triage are ignored silently, as on GitHub.
    arranges = _may_triage(repository)
    _refuse_milestone(asked)
    draft = IssueDraft(
        title=asked.text("title", TITLE_MAX),
        body=asked.maybe_text("body"),
        labels=_few_labels(asked.texts("labels")) if arranges else (),
        assignees=_assignees(asked) if arranges else (),
    )
    return answer_issue(api.hub().issues.open(repository, api.actor(), draft), 201)


def _assignees(asked: Body) -> list[str]:
    alone = asked.maybe_text("assignee")
    return [*asked.texts("assignees"), *([alone] if alone else [])]


@blueprint.get("/repos/<owner>/<name>/issues")
def list_issues(owner: str, name: str) -> Response:
    repository = api.repository(owner, name, "issues", "read")
    state = api.query_choice("state", ("open", "closed", "all"), "open")
    labels = {label.lower() for label in request.args.get("labels", "").split(",") if label}
    creator, assignee = request.args.get("creator"), request.args.get("assignee")
    since = api.query_time("since")
    found = []
    for issue in list(repository.issues.values()):
        own_labels = {label.name.lower() for label in issue.labels}
        assigned = {account.login.lower() for account in issue.assignees}
        if (
            state in ("all", issue.state)
            and labels <= own_labels
            and (creator is None or issue.user.login.lower() == creator.lower())
            and _is_assigned(assigned, assignee)
            and (since is None or issue.updated_at >= since)
        ):
            found.append(issue)
    return api.paged(_sorted(found), lambda issue: issue_shape(api.hub().state, issue))


def _is_assigned(assigned: set[str], wanted: str | None) -> bool:
    match wanted:
        case None:
            return True
        case "none":
            return not assigned
        case "*":
            return bool(assigned)
        case _:
            return wanted.lower() in assigned


def _sorted(issues: list[Issue]) -> list[Issue]:
    by = api.query_choice("sort", ("created", "updated", "comments"), "created")
    newest_first = api.query_choice("direction", ("asc", "desc"), "desc") == "desc"

    def key(issue: Issue) -> tuple[float, int]:
        figure = {
            "created": issue.created_at.timestamp(),
            "updated": issue.updated_at.timestamp(),
            "comments": float(len(issue.comments)),
        }[by]
        return figure, issue.number

    return sorted(issues, key=key, reverse=newest_first)


@blueprint.get("/repos/<owner>/<name>/issues/<int:number>")
def show_issue(owner: str, name: str, number: int) -> Response:
    return answer_issue(find_issue(owner, name, number, "read"))


@blueprint.patch("/repos/<owner>/<name>/issues/<int:number>")
def edit_issue(owner: str, name: str, number: int) -> Response:
    issue = find_issue(owner, name, number, "write")
    actor = api.actor()
    if actor.account is not issue.user:
        _require_triage(issue.repository)
    asked = api.body("Issue")
    arranges = _may_triage(issue.repository)
    _refuse_milestone(asked)
    if "title" in asked and not asked.has("title"):
        raise asked.missing("title")
    edit = IssueEdit(
        title=asked.maybe_text("title", TITLE_MAX),
        body=(asked.maybe_text("body") or "") if "body" in asked else None,
        state=asked.one_of("state", ("open", "closed")),
        state_reason=asked.one_of("state_reason", STATE_REASONS),
        labels=_few_labels(asked.texts("labels")) if arranges and asked.has("labels") else None,
        assignees=asked.texts("assignees") if arranges and asked.has("assignees") else None,
    )
    if edit.state == "open" and issue.pull is not None and issue.state == "closed":
        api.hub().pulls.reopen(issue, issue.pull, actor)
    api.hub().issues.edit(issue, actor, edit)
    return answer_issue(issue)


@blueprint.put("/repos/<owner>/<name>/issues/<int:number>/lock")
def lock_issue(owner: str, name: str, number: int) -> Response:
    issue = find_issue(owner, name, number, "write")
    api.hub().access.require_role(api.actor(), issue.repository, Role.WRITE)
    reason = api.body("Issue").one_of("lock_reason", LOCK_REASONS)
    api.hub().issues.lock(issue, api.actor(), reason)
    return api.nothing()


@blueprint.delete("/repos/<owner>/<name>/issues/<int:number>/lock")
def unlock_issue(owner: str, name: str, number: int) -> Response:
    issue = find_issue(owner, name, number, "write")
    api.hub().access.require_role(api.actor(), issue.repository, Role.WRITE)
    api.hub().issues.unlock(issue, api.actor())
    return api.nothing()


@blueprint.get("/repos/<owner>/<name>/issues/<int:number>/events")
def list_issue_events(owner: str, name: str, number: int) -> Response:
    """Only the label events of GitHub's many kinds."""
    issue = find_issue(owner, name, number, "read")
    state = api.hub().state
    events = list(issue.label_events)
    return api.paged(events, lambda event: label_event_shape(state, issue, event))


def _labels(issue: Issue) -> Response:
    state = api.hub().state
    return api.paged(list(issue.labels), lambda label: label_shape(state, issue.repository, label))


def _label_names() -> list[str]:
    raw = request.get_data()
    # GitHub takes a bare array here as well as an object with `labels`.
    if raw.lstrip().startswith(b"["):
        return Body.parse(b'{"labels":' + raw + b"}", "Label").texts("labels")
    return api.body("Label").texts("labels")


@blueprint.get("/repos/<owner>/<name>/issues/<int:number>/labels")
def list_issue_labels(owner: str, name: str, number: int) -> Response:
    return _labels(find_issue(owner, name, number, "read"))


@blueprint.post("/repos/<owner>/<name>/issues/<int:number>/labels")
def add_issue_labels(owner: str, name: str, number: int) -> Response:
    issue = find_to_triage(owner, name, number)
    names = _label_names()
    _few_labels([*(label.name for label in issue.labels), *names])
    api.hub().issues.add_labels(issue, api.actor(), names)
    return _labels(issue)


@blueprint.put("/repos/<owner>/<name>/issues/<int:number>/labels")
def replace_issue_labels(owner: str, name: str, number: int) -> Response:
    issue = find_to_triage(owner, name, number)
    api.hub().issues.replace_labels(issue, api.actor(), _few_labels(_label_names()))
    return _labels(issue)


@blueprint.delete("/repos/<owner>/<name>/issues/<int:number>/labels")
def clear_issue_labels(owner: str, name: str, number: int) -> Response:
    issue = find_to_triage(owner, name, number)
    api.hub().issues.replace_labels(issue, api.actor(), [])
    return api.nothing()


@blueprint.delete("/repos/<owner>/<name>/issues/<int:number>/labels/<path:label>")
def remove_issue_label(owner: str, name: str, number: int, label: str) -> Response:
    issue = find_to_triage(owner, name, number)
    api.hub().issues.remove_label(issue, api.actor(), unquote(label))
    return _labels(issue)


@blueprint.post("/repos/<owner>/<name>/issues/<int:number>/assignees")
def add_assignees(owner: str, name: str, number: int) -> Response:
    issue = find_to_triage(owner, name, number)
    held = [account.login for account in issue.assignees]
    wanted = list(dict.fromkeys([*held, *api.body("Issue").texts("assignees")]))
    api.hub().issues.edit(issue, api.actor(), IssueEdit(assignees=wanted))
    return answer_issue(issue, 201)


@blueprint.delete("/repos/<owner>/<name>/issues/<int:number>/assignees")
def remove_assignees(owner: str, name: str, number: int) -> Response:
    issue = find_to_triage(owner, name, number)
    gone = {login.lower() for login in api.body("Issue").texts("assignees")}
    kept = [account.login for account in issue.assignees if account.login.lower() not in gone]
    api.hub().issues.edit(issue, api.actor(), IssueEdit(assignees=kept))
    return answer_issue(issue)


def require_unlocked(issue: Issue) -> None:
    """403 at a locked conversation for Apps, and for people who may not write here."""
    actor, access = api.actor(), api.hub().access
    account = actor.account if actor.kind is TokenKind.USER else None
    may_write = account is not None and access.has_role(account, issue.repository, Role.WRITE)
    if issue.locked and not may_write:
        raise ApiError(403, "Unable to create comment because issue is locked.")
