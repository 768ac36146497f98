"""Routes of comments on commits: create and list. Each is announced as `commit_comment`."""

from flask import Blueprint, Response

from bot.localhub.errors import ApiError
from bot.localhub.model import CommitComment, Repository
from bot.localhub.routes import door
from bot.localhub.shapes.accounts import account_shape
from bot.localhub.shapes.issues import association, reaction_rollup
from bot.localhub.shapes.repositories import repository_html_url, repository_url
from bot.localhub.webhooks import Announcement
from bot.localhub.wire import Json, iso, node_id

blueprint = Blueprint("commit_comments", __name__)


@blueprint.post("/repos/<owner>/<name>/commits/<sha>/comments")
def comment_on_commit(owner: str, name: str, sha: str) -> Response:
    hub = door.hub()
    repository = door.repository(owner, name, "contents", "write")
    if repository.git.commit_sha(sha) != sha:
        raise ApiError(422, f"No commit found for SHA: {sha}")
    text = door.body("CommitComment").text("body")
    with hub.state.lock:
        comment = CommitComment(
            hub.state.next_id(), sha, door.writer(), text, created_at=hub.state.now()
        )
        repository.commit_comments.append(comment)
        shape = _shape(repository, comment)
        body: Json = {"comment": shape}
        sender = door.writer()
        hub.webhooks.announce(Announcement(repository, "commit_comment", "created", body, sender))
    return door.answer(shape, 201)


@blueprint.get("/repos/<owner>/<name>/commits/<path:ref>/comments")
def list_commit_comments(owner: str, name: str, ref: str) -> Response:
    repository = door.repository(owner, name, "contents", "read")
    sha = door.hub().refs.resolve(repository, ref)
    found = [held for held in repository.commit_comments if held.sha == sha]
    return door.paged(found, lambda held: _shape(repository, held))


def _shape(repository: Repository, comment: CommitComment) -> Json:
    """GitHub's `commit-comment`."""
    state = door.hub().state
    url = f"{repository_url(state, repository)}/comments/{comment.id}"
    html = f"{repository_html_url(state, repository)}/commit/{comment.sha}"
    return {
        "id": comment.id,
        "node_id": node_id("CC", comment.id),
        "url": url,
        "html_url": f"{html}#commitcomment-{comment.id}",
        "body": comment.body,
        "path": None,
        "position": None,
        "line": None,
        "commit_id": comment.sha,
        "user": account_shape(state, comment.user),
        "created_at": iso(comment.created_at),
        "updated_at": iso(comment.created_at),
        "author_association": association(repository, comment.user),
        "reactions": reaction_rollup(url, ()),
    }
