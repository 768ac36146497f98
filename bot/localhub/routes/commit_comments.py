"""Routes of comments on commits. A commit is named by its full SHA, or a prefix that is unique."""

from flask import Blueprint, Response

from bot.localhub.commit_comments import CommitCommentDraft
from bot.localhub.errors import unprocessable
from bot.localhub.model import CommitComment, Repository, Role
from bot.localhub.routes import api
from bot.localhub.shapes.issues import commit_comment_shape

blueprint = Blueprint("commit_comments", __name__)


def _commit(repository: Repository, sha: str) -> str:
    full = repository.git.commit_sha(sha)
    if full is None:
        raise unprocessable(f"No commit found for SHA: {sha}")
    return full


def _shape(comment: CommitComment) -> dict[str, object]:
    return commit_comment_shape(api.hub().state, comment)


def _own(owner: str, name: str, comment_id: int) -> CommitComment:
    """A comment that the caller may change: their own, or any with write access."""
    repository = api.repository(owner, name, "contents", "read")
    comment = api.hub().commit_comments.find(repository, comment_id)
    if api.actor().account is not comment.user:
        api.repository(owner, name, "contents", "write")
        api.hub().access.require_role(api.actor(), repository, Role.WRITE)
    return comment


@blueprint.get("/repos/<owner>/<name>/comments")
def list_repository_commit_comments(owner: str, name: str) -> Response:
    repository = api.repository(owner, name, "metadata", "read")
    return api.paged(list(repository.commit_comments), _shape)


@blueprint.get("/repos/<owner>/<name>/commits/<sha>/comments")
def list_commit_comments(owner: str, name: str, sha: str) -> Response:
    repository = api.repository(owner, name, "contents", "read")
    found = api.hub().commit_comments.on_commit(repository, _commit(repository, sha))
    return api.paged(found, _shape)


@blueprint.post("/repos/<owner>/<name>/commits/<sha>/comments")
def add_commit_comment(owner: str, name: str, sha: str) -> Response:
    # GitHub requires read access to contents only.
    repository = api.repository(owner, name, "contents", "read")
    full = _commit(repository, sha)
    asked = api.body("CommitComment")
    draft = CommitCommentDraft(
        body=asked.text("body"),
        path=asked.maybe_text("path"),
        position=asked.maybe_integer("position"),
        line=asked.maybe_integer("line"),
    )
    return api.created(_shape(api.hub().commit_comments.add(repository, full, api.actor(), draft)))


@blueprint.get("/repos/<owner>/<name>/comments/<int:comment_id>")
def show_commit_comment(owner: str, name: str, comment_id: int) -> Response:
    repository = api.repository(owner, name, "contents", "read")
    return api.answer(_shape(api.hub().commit_comments.find(repository, comment_id)))


@blueprint.patch("/repos/<owner>/<name>/comments/<int:comment_id>")
def edit_commit_comment(owner: str, name: str, comment_id: int) -> Response:
    comment = _own(owner, name, comment_id)
    api.hub().commit_comments.edit(comment, api.body("CommitComment").text("body"))
    return api.answer(_shape(comment))


@blueprint.delete("/repos/<owner>/<name>/comments/<int:comment_id>")
def delete_commit_comment(owner: str, name: str, comment_id: int) -> Response:
    api.hub().commit_comments.delete(_own(owner, name, comment_id))
    return api.nothing()
