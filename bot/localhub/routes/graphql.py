"""The one route of GraphQL, at GitHub's address and at the one of GitHub Enterprise Server."""

from flask import Blueprint, Response

from bot.localhub.errors import ApiError
from bot.localhub.graphql.asking import Asking
from bot.localhub.graphql.schema import ask
from bot.localhub.model import TokenKind
from bot.localhub.routes import door

blueprint = Blueprint("graphql", __name__)


@blueprint.post("/graphql")
@blueprint.post("/api/graphql")
def ask_graphql() -> Response:
    if door.actor().kind in (TokenKind.ANONYMOUS, TokenKind.APP_JWT):
        # GraphQL has no anonymous reading, not even of what is public.
        raise ApiError(401, "This endpoint requires you to be authenticated.")
    asked = door.body("Query")
    question = asked.maybe_text("query")
    if question is None:
        return door.answer({"errors": [{"message": "A query attribute must be specified"}]})
    variables = asked.json("variables")
    operation = asked.maybe_text("operationName")
    return door.answer(ask(Asking(door.hub(), door.actor()), question, variables, operation))
