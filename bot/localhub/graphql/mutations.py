"""The supported mutations: moving refs, several at once or none, threads of reviews, the merge queue."""

from bot.localhub.errors import ApiError
from bot.localhub.github_json import Json
from bot.localhub.graphql import review_threads
from bot.localhub.graphql.pulls import PullView, entry_shape
from bot.localhub.graphql.query_context import Arguments, QueryContext, QueryError
from bot.localhub.graphql.repositories import Root, by_id
from bot.localhub.graphql.resolvers import FieldResolvers
from bot.localhub.model import Repository
from bot.localhub.refs import RefRequest


def _update_refs(context: QueryContext, _root: Root, arguments: Arguments) -> Json:
    """Compare and swap: nothing moves if one `beforeOid` is not the ref's commit."""
    request = arguments.part("input")
    repository = by_id(context, request.text("repositoryId"))
    if not isinstance(repository, Repository):
        raise QueryError("NOT_FOUND", "The node is not a repository")
    context.hub.access.require(context.actor, repository, "contents", "write")
    requests = [
        RefRequest(
            ref=one.text("name"),
            after=one.text("afterOid"),
            before=one.text("beforeOid") or None,
            is_forced=one.values.get("force") is True,
        )
        for one in request.parts("refUpdates")
    ]
    try:
        context.hub.refs.move_together(repository, context.actor, requests)
    except ApiError as error:
        raise QueryError("UNPROCESSABLE", error.message) from error
    return {"clientMutationId": request.values.get("clientMutationId")}


def _pull(context: QueryContext, wanted: str) -> PullView:
    """A pull that the caller may put into the merge queue, or take out of it."""
    found = by_id(context, wanted)
    if not isinstance(found, PullView):
        raise QueryError("NOT_FOUND", "The node is not a pull request")
    # An App needs both permissions: only of one with both it is known that GitHub let it.
    for permission in ("pull_requests", "merge_queues"):
        context.hub.access.require(context.actor, found.issue.repository, permission, "write")
    return found


def _enqueue(context: QueryContext, _root: Root, arguments: Arguments) -> Json:
    request = arguments.part("input")
    seen = _pull(context, request.text("pullRequestId"))
    expected = request.text("expectedHeadOid") or None
    entry = context.hub.merge_queue.enqueue(seen.issue, seen.pull, context.actor, expected)
    return {
        "clientMutationId": request.values.get("clientMutationId"),
        "mergeQueueEntry": entry_shape(context, entry),
    }


def _dequeue(context: QueryContext, _root: Root, arguments: Arguments) -> Json:
    request = arguments.part("input")
    seen = _pull(context, request.text("id"))
    context.hub.merge_queue.dequeue(seen.issue)
    return {
        "clientMutationId": request.values.get("clientMutationId"),
        "mergeQueueEntry": None,
    }


MUTATION = FieldResolvers(
    "Mutation",
    Root,
    {},
    {
        "updateRefs": _update_refs,
        "resolveReviewThread": review_threads.resolve,
        "unresolveReviewThread": review_threads.unresolve,
        "enqueuePullRequest": _enqueue,
        "dequeuePullRequest": _dequeue,
    },
)
