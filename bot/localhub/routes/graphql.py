"""The one route of GraphQL, at GitHub's address and at the one of GitHub Enterprise Server."""

from flask import Blueprint, Response

from bot.localhub.errors import ApiError
from bot.localhub.graphql.query_context import QueryContext
from bot.localhub.graphql.schema import ask
from bot.localhub.model import TokenKind
from bot.localhub.routes import api

blueprint = Blueprint("graphql", __name__)


@blueprint.post("/graphql")
@blueprint.post("/api/graphql")
def ask_graphql() -> Response:
    if api.actor().kind in (TokenKind.ANONYMOUS, TokenKind.APP_JWT):
        # GraphQL allows no anonymous reading, not even of public data.
        raise ApiError(401, "This endpoint requires you to be authenticated.")
    asked = api.body("Query")
    query = asked.maybe_text("query")
    if query is None:
        return api.answer({"errors": [{"message": "A query attribute must be specified"}]})
    variables = asked.json("variables")
    operation = asked.maybe_text("operationName")
    return api.answer(ask(QueryContext(api.hub(), api.actor()), query, variables, operation))
