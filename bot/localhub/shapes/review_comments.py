"""Shape of comments of reviews."""

from bot.localhub.github_json import Json, iso, node_id
from bot.localhub.review_model import ReviewComment
from bot.localhub.shapes.accounts import account_shape
from bot.localhub.shapes.issues import association, issue_html_url, reaction_rollup
from bot.localhub.shapes.repositories import repository_url
from bot.localhub.state import State


def review_comment_shape(state: State, comment: ReviewComment, *, is_outdated: bool) -> Json:
    """GitHub's `pull-request-review-comment`, with the nulls that webhooks and REST have in fact."""
    issue, head = comment.issue, comment.pull.head_sha
    pulls = f"{repository_url(state, issue.repository)}/pulls"
    url = f"{pulls}/comments/{comment.id}"
    html = f"{issue_html_url(state, issue)}#discussion_r{comment.id}"
    pull_url = f"{pulls}/{issue.number}"
    of_thread = {} if comment.reply_to is None else {"in_reply_to_id": comment.reply_to.id}
    return {
        **of_thread,
        "id": comment.id,
        "node_id": node_id("PRRC", comment.id),
        "url": url,
        "html_url": html,
        "pull_request_url": pull_url,
        "pull_request_review_id": comment.review.id,
        "user": account_shape(state, comment.user),
        "body": comment.body,
        "diff_hunk": comment.diff_hunk,
        "path": comment.path,
        "commit_id": comment.commit_id if is_outdated else head,
        "original_commit_id": comment.commit_id,
        "position": None if is_outdated else comment.position or 1,
        "original_position": comment.position or 1,
        "line": None if is_outdated else comment.line,
        "original_line": comment.line,
        "side": comment.side,
        "start_line": None,
        "original_start_line": None,
        "start_side": None,
        "subject_type": "file" if comment.line is None else "line",
        "created_at": iso(comment.created_at),
        "updated_at": iso(comment.updated_at),
        "author_association": association(issue.repository, comment.user),
        "reactions": reaction_rollup(url, comment.reactions),
        "_links": {
            "self": {"href": url},
            "html": {"href": html},
            "pull_request": {"href": pull_url},
        },
    }
