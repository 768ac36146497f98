"""The supported mutations: moving refs, several at once or none, and resolving threads of reviews."""

from bot.localhub.errors import ApiError
from bot.localhub.github_json import Json
from bot.localhub.graphql import review_threads
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


MUTATION = FieldResolvers(
    "Mutation",
    Root,
    {},
    {
        "updateRefs": _update_refs,
        "resolveReviewThread": review_threads.resolve,
        "unresolveReviewThread": review_threads.unresolve,
    },
)
