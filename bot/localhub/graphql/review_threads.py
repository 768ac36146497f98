"""Threads of comments of reviews, and the mutations that resolve one and open it again.

Both need write access to contents and to pulls of an App (GitHub says nothing of it in its
reference; community/discussions#44650, github/gh-aw#35726); of a person, to the repository.
"""

from bot.localhub.errors import ApiError
from bot.localhub.github_json import Json, iso, node_id
from bot.localhub.graphql.pulls import ThreadView, commit_view
from bot.localhub.graphql.query_context import Arguments, QueryContext, QueryError, page
from bot.localhub.graphql.resolvers import FieldResolvers
from bot.localhub.model import Issue
from bot.localhub.review_comments import thread_node_id
from bot.localhub.review_model import ReviewComment


def _comments(context: QueryContext, seen: ThreadView, arguments: Arguments) -> Json:
    return page(context.hub.review_comments.thread(seen.root), arguments)


def _may_resolve(context: QueryContext, issue: Issue) -> bool:
    try:
        _require(context, issue)
    except ApiError:
        return False
    return True


def _require(context: QueryContext, issue: Issue) -> None:
    for permission in ("contents", "pull_requests"):
        context.hub.access.require(context.actor, issue.repository, permission, "write")


def _can_resolve(context: QueryContext, seen: ThreadView, _asked: Arguments) -> bool:
    return seen.root.resolved_by is None and _may_resolve(context, seen.root.issue)


def _is_outdated(context: QueryContext, seen: ThreadView, _asked: Arguments) -> bool:
    return context.hub.review_comments.is_outdated(seen.root)


def _asked_for(context: QueryContext, arguments: Arguments) -> ReviewComment:
    wanted = arguments.part("input").text("threadId")
    access = context.hub.access
    for one in list(context.hub.state.review_comments.values()):
        is_it = one.reply_to is None and thread_node_id(one) == wanted
        if is_it and access.can_see(context.actor, one.issue.repository):
            _require(context, one.issue)
            return one
    raise QueryError("NOT_FOUND", f"Could not resolve to a node with the global id of '{wanted}'.")


def resolve(context: QueryContext, _root: object, arguments: Arguments) -> Json:
    thread = _asked_for(context, arguments)
    context.hub.review_comments.resolve(thread, context.actor)
    return _payload(thread, arguments)


def unresolve(context: QueryContext, _root: object, arguments: Arguments) -> Json:
    thread = _asked_for(context, arguments)
    context.hub.review_comments.unresolve(thread, context.actor)
    return _payload(thread, arguments)


def _payload(thread: ReviewComment, arguments: Arguments) -> Json:
    asked = arguments.part("input").values.get("clientMutationId")
    return {"clientMutationId": asked, "thread": ThreadView(thread)}


THREAD = FieldResolvers(
    "PullRequestReviewThread",
    ThreadView,
    {
        "id": lambda seen: thread_node_id(seen.root),
        "isResolved": lambda seen: seen.root.resolved_by is not None,
        "path": lambda seen: seen.root.path,
        "diffSide": lambda seen: seen.root.side,
        "originalLine": lambda seen: seen.root.line,
        "originalStartLine": lambda _: None,
    },
    {"comments": _comments, "viewerCanResolve": _can_resolve, "isOutdated": _is_outdated},
)

THREAD_COMMENT = FieldResolvers(
    "PullRequestReviewComment",
    ReviewComment,
    {
        "id": lambda comment: node_id("PRRC", comment.id),
        "databaseId": lambda comment: comment.id,
        "fullDatabaseId": lambda comment: str(comment.id),
        "author": lambda comment: comment.user,
        "body": lambda comment: comment.body,
        "createdAt": lambda comment: iso(comment.created_at),
        "originalCommit": lambda comment: commit_view(comment.issue.repository, comment.commit_id),
    },
    {"viewerDidAuthor": lambda context, comment, _: comment.user is context.actor.account},
)
