"""Routes of comments on issues and pulls, and of reactions to both."""

from flask import Blueprint, Response, request

from bot.localhub.model import Comment, Issue, Role
from bot.localhub.review_model import ReviewComment
from bot.localhub.routes import api
from bot.localhub.routes.issues import find_issue, require_unlocked
from bot.localhub.shapes.issues import comment_shape, reaction_shape

blueprint = Blueprint("comments", __name__)


def _find(owner: str, name: str, comment_id: int, level: str) -> Comment:
    repository = api.repository(owner, name, "metadata", "read")
    comment = api.hub().comments.find(repository, comment_id)
    find_issue(owner, name, comment.issue.number, level)
    return comment


def _require_own(comment: Comment) -> None:
    if api.actor().account is not comment.user:
        api.hub().access.require_role(api.actor(), comment.issue.repository, Role.WRITE)


def _answer(comment: Comment, status: int = 200) -> Response:
    return api.answer(comment_shape(api.hub().state, comment), status)


def _listed(comments: list[Comment]) -> Response:
    since = api.query_time("since")
    found = [held for held in comments if since is None or held.updated_at >= since]
    return api.paged(found, lambda held: comment_shape(api.hub().state, held))


@blueprint.get("/repos/<owner>/<name>/issues/<int:number>/comments")
def list_issue_comments(owner: str, name: str, number: int) -> Response:
    return _listed(list(find_issue(owner, name, number, "read").comments))


@blueprint.post("/repos/<owner>/<name>/issues/<int:number>/comments")
def add_comment(owner: str, name: str, number: int) -> Response:
    issue = find_issue(owner, name, number, "write")
    require_unlocked(issue)
    text = api.body("IssueComment").text("body")
    return _answer(api.hub().comments.add(issue, api.actor(), text), 201)


@blueprint.get("/repos/<owner>/<name>/issues/comments")
def list_repository_comments(owner: str, name: str) -> Response:
    repository = api.repository(owner, name, "issues", "read")
    by = api.query_choice("sort", ("created", "updated"), "created")
    order = api.query_choice("direction", ("asc", "desc"), "asc")
    every = [held for issue in list(repository.issues.values()) for held in issue.comments]

    def key(held: Comment) -> tuple[float, int]:
        moment = held.created_at if by == "created" else held.updated_at
        return moment.timestamp(), held.id

    # Without `sort` GitHub orders by id and ignores `direction`.
    backwards = order == "desc" and "sort" in request.args
    return _listed(sorted(every, key=key, reverse=backwards))


@blueprint.get("/repos/<owner>/<name>/issues/comments/<int:comment_id>")
def show_comment(owner: str, name: str, comment_id: int) -> Response:
    return _answer(_find(owner, name, comment_id, "read"))


@blueprint.patch("/repos/<owner>/<name>/issues/comments/<int:comment_id>")
def edit_comment(owner: str, name: str, comment_id: int) -> Response:
    comment = _find(owner, name, comment_id, "write")
    _require_own(comment)
    text = api.body("IssueComment").text("body")
    api.hub().comments.edit(comment, api.actor(), text)
    return _answer(comment)


@blueprint.delete("/repos/<owner>/<name>/issues/comments/<int:comment_id>")
def delete_comment(owner: str, name: str, comment_id: int) -> Response:
    comment = _find(owner, name, comment_id, "write")
    _require_own(comment)
    api.hub().comments.delete(comment, api.actor())
    return api.nothing()


def react(thing: Issue | Comment | ReviewComment) -> Response:
    content = api.body("Reaction").text("content")
    reaction, is_new = api.hub().comments.react(thing, api.actor(), content)
    return api.answer(reaction_shape(api.hub().state, reaction), 201 if is_new else 200)


def reactions(thing: Issue | Comment | ReviewComment) -> Response:
    wanted = request.args.get("content")
    found = [held for held in thing.reactions if wanted in (None, held.content)]
    return api.paged(found, lambda held: reaction_shape(api.hub().state, held))


@blueprint.get("/repos/<owner>/<name>/issues/<int:number>/reactions")
def list_issue_reactions(owner: str, name: str, number: int) -> Response:
    return reactions(find_issue(owner, name, number, "read"))


@blueprint.post("/repos/<owner>/<name>/issues/<int:number>/reactions")
def react_to_issue(owner: str, name: str, number: int) -> Response:
    return react(find_issue(owner, name, number, "write"))


@blueprint.delete("/repos/<owner>/<name>/issues/<int:number>/reactions/<int:reaction_id>")
def withdraw_issue_reaction(owner: str, name: str, number: int, reaction_id: int) -> Response:
    issue = find_issue(owner, name, number, "write")
    api.hub().comments.withdraw_reaction(issue, api.actor(), reaction_id)
    return api.nothing()


@blueprint.get("/repos/<owner>/<name>/issues/comments/<int:comment_id>/reactions")
def list_comment_reactions(owner: str, name: str, comment_id: int) -> Response:
    return reactions(_find(owner, name, comment_id, "read"))


@blueprint.post("/repos/<owner>/<name>/issues/comments/<int:comment_id>/reactions")
def react_to_comment(owner: str, name: str, comment_id: int) -> Response:
    return react(_find(owner, name, comment_id, "write"))


@blueprint.delete(
    "/repos/<owner>/<name>/issues/comments/<int:comment_id>/reactions/<int:reaction_id>"
)
def withdraw_comment_reaction(owner: str, name: str, comment_id: int, reaction_id: int) -> Response:
    comment = _find(owner, name, comment_id, "write")
    api.hub().comments.withdraw_reaction(comment, api.actor(), reaction_id)
    return api.nothing()
