"""Routes of pulls: open, list, show, edit, files, commits, reviews, merge."""

from flask import Blueprint, Response, request

from bot.localhub.errors import ApiError, not_found
from bot.localhub.git_diff import unified_diff
from bot.localhub.issues import IssueEdit
from bot.localhub.merging import MergeRequest
from bot.localhub.model import Issue, Pull, Review, Role
from bot.localhub.pull_stats import base_tip, commits_of, files_of
from bot.localhub.pulls import REVIEW_STATES, PullDraft, ReviewDraft
from bot.localhub.request_body import TITLE_MAX
from bot.localhub.routes import api
from bot.localhub.rule_model import MergeMethod
from bot.localhub.shapes.commits import commit_shape, file_shape
from bot.localhub.shapes.pulls import full_pull_shape, pull_shape, review_shape

blueprint = Blueprint("pulls", __name__)

# GitHub, "List commits on a pull request" and "List pull requests files".
COMMITS_MAX = 250
FILES_MAX = 3000


def _find(owner: str, name: str, number: int, level: str) -> tuple[Issue, Pull]:
    repository = api.repository(owner, name, "pull_requests", level)
    return api.hub().pulls.find(repository, number)


def _answer(issue: Issue, pull: Pull, status: int = 200) -> Response:
    stats = api.hub().pulls.stats(issue, pull)
    return api.answer(full_pull_shape(api.hub().state, issue, pull, stats), status)


@blueprint.post("/repos/<owner>/<name>/pulls")
def open_pull(owner: str, name: str) -> Response:
    repository = api.repository(owner, name, "pull_requests", "write")
    asked = api.body("PullRequest")
    draft = PullDraft(
        title=asked.text("title", TITLE_MAX),
        body=asked.maybe_text("body"),
        head=asked.text("head"),
        base=asked.text("base"),
        draft=asked.flag("draft"),
    )
    issue = api.hub().pulls.open(repository, api.actor(), draft)
    return api.answer(api.hub().pulls.payload(issue), 201)


@blueprint.get("/repos/<owner>/<name>/pulls")
def list_pulls(owner: str, name: str) -> Response:
    repository = api.repository(owner, name, "pull_requests", "read")
    state = api.query_choice("state", ("open", "closed", "all"), "open")
    by = api.query_choice("sort", ("created", "updated"), "created")
    order = api.query_choice("direction", ("asc", "desc"), "desc")
    base, head = request.args.get("base"), request.args.get("head")
    head_owner, _, head_branch = (head or "").rpartition(":")
    found = []
    for issue in list(repository.issues.values()):
        pull = issue.pull
        if pull is None or state not in ("all", issue.state):
            continue
        # GitHub ignores a `head` without an owner.
        home = pull.fork or repository
        if head_owner and (head_owner.lower(), head_branch) != (
            home.owner.login.lower(),
            pull.head_ref,
        ):
            continue
        if base in (None, pull.base_ref):
            found.append((issue, pull))
    found.sort(
        key=lambda one: (
            one[0].created_at if by == "created" else one[0].updated_at,
            one[0].number,
        ),
        reverse=order == "desc",
    )
    return api.paged(found, lambda one: pull_shape(api.hub().state, *one))


@blueprint.get("/repos/<owner>/<name>/pulls/<int:number>")
def show_pull(owner: str, name: str, number: int) -> Response:
    issue, pull = _find(owner, name, number, "read")
    if "diff" in request.headers.get("Accept", ""):
        git = issue.repository.git
        base = git.merge_base(base_tip(issue.repository, pull, issue.state), pull.head_sha)
        text = unified_diff(git, base or pull.base_sha, pull.head_sha)
        return Response(text, content_type="application/vnd.github.diff; charset=utf-8")
    return _answer(issue, pull)


@blueprint.patch("/repos/<owner>/<name>/pulls/<int:number>")
def edit_pull(owner: str, name: str, number: int) -> Response:
    hub, actor = api.hub(), api.actor()
    issue, pull = _find(owner, name, number, "write")
    if actor.account is not issue.user:
        hub.access.require_role(actor, issue.repository, Role.WRITE)
    asked = api.body("PullRequest")
    state = asked.one_of("state", ("open", "closed"))
    edit = IssueEdit(
        title=asked.maybe_text("title", TITLE_MAX),
        body=(asked.maybe_text("body") or "") if "body" in asked else None,
        state="closed" if state == "closed" else None,
    )
    base = asked.maybe_text("base")
    if base is not None and base != pull.base_ref:
        hub.pulls.set_base(issue, pull, actor, base)
    if state == "open" and issue.state == "closed":
        hub.pulls.reopen(issue, pull, actor)
    hub.issues.edit(issue, actor, edit)
    return _answer(issue, pull)


@blueprint.get("/repos/<owner>/<name>/pulls/<int:number>/files")
def list_pull_files(owner: str, name: str, number: int) -> Response:
    issue, pull = _find(owner, name, number, "read")
    files = files_of(issue, pull)[:FILES_MAX]
    state = api.hub().state
    return api.paged(files, lambda file: file_shape(state, issue.repository, pull.head_sha, file))


@blueprint.get("/repos/<owner>/<name>/pulls/<int:number>/commits")
def list_pull_commits(owner: str, name: str, number: int) -> Response:
    issue, pull = _find(owner, name, number, "read")
    repository = issue.repository
    state = api.hub().state
    return api.paged(
        commits_of(issue, pull)[:COMMITS_MAX],
        lambda sha: commit_shape(state, repository, repository.git.commit(sha)),
    )


@blueprint.get("/repos/<owner>/<name>/pulls/<int:number>/merge")
def check_merged(owner: str, name: str, number: int) -> Response:
    _, pull = _find(owner, name, number, "read")
    if pull.merged_at is None:
        raise not_found()
    return api.nothing()


@blueprint.put("/repos/<owner>/<name>/pulls/<int:number>/merge")
def merge_pull(owner: str, name: str, number: int) -> Response:
    hub = api.hub()
    repository = api.repository(owner, name, "contents", "write")
    issue, pull = hub.pulls.find(repository, number)
    asked = api.body("PullRequest")
    method = asked.one_of("merge_method", list(MergeMethod)) or "merge"
    asked_for = MergeRequest(
        method=MergeMethod(method),
        sha=asked.maybe_text("sha"),
        title=asked.maybe_text("commit_title"),
        message=asked.maybe_text("commit_message"),
    )
    sha = hub.merging.merge_pull(issue, pull, api.actor(), asked_for)
    return api.answer({"sha": sha, "merged": True, "message": "Pull Request successfully merged"})


@blueprint.get("/repos/<owner>/<name>/pulls/<int:number>/reviews")
def list_reviews(owner: str, name: str, number: int) -> Response:
    issue, pull = _find(owner, name, number, "read")
    state = api.hub().state
    return api.paged(list(pull.reviews), lambda held: review_shape(state, issue, held))


@blueprint.post("/repos/<owner>/<name>/pulls/<int:number>/reviews")
def create_review(owner: str, name: str, number: int) -> Response:
    hub = api.hub()
    issue, pull = _find(owner, name, number, "write")
    asked = api.body("PullRequestReview")
    event = asked.one_of("event", list(REVIEW_STATES))
    if event is None:
        raise ApiError(422, "localhub keeps no pending reviews: `event` is required")
    commit_id = asked.maybe_text("commit_id")
    if commit_id is not None and commit_id not in commits_of(issue, pull):
        raise ApiError(422, "Unprocessable Entity", ["commit_id is not part of the pull request"])
    draft = ReviewDraft(event, asked.maybe_text("body") or "", commit_id)
    review = hub.pulls.review(issue, pull, api.actor(), draft)
    return api.answer(review_shape(hub.state, issue, review))


def _review(pull: Pull, review_id: int) -> Review:
    for held in pull.reviews:
        if held.id == review_id:
            return held
    raise not_found()


@blueprint.get("/repos/<owner>/<name>/pulls/<int:number>/reviews/<int:review_id>")
def show_review(owner: str, name: str, number: int, review_id: int) -> Response:
    issue, pull = _find(owner, name, number, "read")
    return api.answer(review_shape(api.hub().state, issue, _review(pull, review_id)))


@blueprint.put("/repos/<owner>/<name>/pulls/<int:number>/reviews/<int:review_id>/dismissals")
def dismiss_review(owner: str, name: str, number: int, review_id: int) -> Response:
    hub, actor = api.hub(), api.actor()
    issue, pull = _find(owner, name, number, "write")
    hub.access.require_role(actor, issue.repository, Role.WRITE)
    api.body("PullRequestReview").text("message")
    review = _review(pull, review_id)
    hub.pulls.dismiss(issue, pull, actor, review)
    return api.answer(review_shape(hub.state, issue, review))


@blueprint.get("/repos/<owner>/<name>/commits/<sha>/pulls")
def list_pulls_of_commit(owner: str, name: str, sha: str) -> Response:
    repository = api.repository(owner, name, "pull_requests", "read")
    found = [
        (issue, issue.pull)
        for issue in list(repository.issues.values())
        if issue.pull is not None
        and (sha == issue.pull.merge_commit_sha or sha in commits_of(issue, issue.pull))
    ]
    return api.paged(found, lambda one: pull_shape(api.hub().state, *one))
