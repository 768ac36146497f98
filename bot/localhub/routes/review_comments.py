"""Routes of comments of reviews, and of reactions to them."""

from flask import Blueprint, Response, request

from bot.localhub.errors import ApiError, not_found
from bot.localhub.review_comments import CommentDraft
from bot.localhub.review_model import ReviewComment
from bot.localhub.routes import api
from bot.localhub.routes.comments import react, reactions
from bot.localhub.routes.issues import require_unlocked

blueprint = Blueprint("review_comments", __name__)

_NOT_HERE = ("in_reply_to", "position", "start_line", "start_side")


def _find(owner: str, name: str, comment_id: int, level: str) -> ReviewComment:
    repository = api.repository(owner, name, "pull_requests", level)
    return api.hub().review_comments.find(repository, comment_id)


def _listed(found: list[ReviewComment]) -> Response:
    """Oldest first by id without `sort`, and `direction` counts only with it."""
    by = api.query_choice("sort", ("created", "updated", "created_at"), "created")
    order = api.query_choice("direction", ("asc", "desc"), "asc")
    since = api.query_time("since")
    kept = [one for one in found if since is None or one.updated_at >= since]

    def key(one: ReviewComment) -> tuple[float, int]:
        moment = one.updated_at if by == "updated" else one.created_at
        return moment.timestamp(), one.id

    if "sort" in request.args:
        kept.sort(key=key, reverse=order == "desc")
    return api.paged(kept, api.hub().review_comments.shape)


@blueprint.get("/repos/<owner>/<name>/pulls/comments")
def list_repository_review_comments(owner: str, name: str) -> Response:
    repository = api.repository(owner, name, "pull_requests", "read")
    return _listed(api.hub().review_comments.of_repository(repository))


@blueprint.get("/repos/<owner>/<name>/pulls/<int:number>/comments")
def list_review_comments(owner: str, name: str, number: int) -> Response:
    repository = api.repository(owner, name, "pull_requests", "read")
    issue, _ = api.hub().pulls.find(repository, number)
    every = api.hub().review_comments.of_repository(repository)
    return _listed([one for one in every if one.issue is issue])


@blueprint.post("/repos/<owner>/<name>/pulls/<int:number>/comments")
def add_review_comment(owner: str, name: str, number: int) -> Response:
    hub = api.hub()
    repository = api.repository(owner, name, "pull_requests", "write")
    issue, pull = hub.pulls.find(repository, number)
    require_unlocked(issue)
    asked = api.body("PullRequestReviewComment")
    if told := [field for field in _NOT_HERE if asked.has(field)]:
        raise ApiError(422, f"localhub's comments of reviews have no {told[0]}")
    is_of_file = asked.one_of("subject_type", ("line", "file")) == "file"
    draft = CommentDraft(
        body=asked.text("body"),
        commit_id=asked.text("commit_id"),
        path=asked.text("path"),
        side=asked.one_of("side", ("LEFT", "RIGHT")) or "RIGHT",
        line=None if is_of_file else asked.integer("line"),
    )
    comment = hub.review_comments.add(issue, pull, api.actor(), draft)
    return api.created(hub.review_comments.shape(comment))


@blueprint.post("/repos/<owner>/<name>/pulls/<int:number>/comments/<int:comment_id>/replies")
def reply_to_review_comment(owner: str, name: str, number: int, comment_id: int) -> Response:
    root = _find(owner, name, comment_id, "write")
    if root.issue.number != number:
        raise not_found()
    require_unlocked(root.issue)
    body = api.body("PullRequestReviewComment").text("body")
    reply = api.hub().review_comments.reply(root, api.actor(), body)
    return api.created(api.hub().review_comments.shape(reply))


@blueprint.get("/repos/<owner>/<name>/pulls/comments/<int:comment_id>")
def show_review_comment(owner: str, name: str, comment_id: int) -> Response:
    return api.answer(api.hub().review_comments.shape(_find(owner, name, comment_id, "read")))


@blueprint.get("/repos/<owner>/<name>/pulls/comments/<int:comment_id>/reactions")
def list_review_comment_reactions(owner: str, name: str, comment_id: int) -> Response:
    return reactions(_find(owner, name, comment_id, "read"))


@blueprint.post("/repos/<owner>/<name>/pulls/comments/<int:comment_id>/reactions")
def react_to_review_comment(owner: str, name: str, comment_id: int) -> Response:
    return react(_find(owner, name, comment_id, "write"))
