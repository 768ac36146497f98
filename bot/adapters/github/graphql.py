"""GraphQL, for what REST cannot do: move a ref from exactly the commit that is expected there.

The rule: "it cannot be asked for here" is an answer of its own (`CannotAsk`), told apart from a
refusal of what was asked; whoever asks has another way then. GitHub answers errors with status 200.
Sources: GraphQL, "Rate limits and query limits", the mutation `updateRefs`.
"""

from datetime import timedelta

from pydantic import BaseModel, ConfigDict

from bot.adapters.github.shapes import read
from bot.ports import Limited, Retryable

REPOSITORY_ID = """\
query($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) { id }
}"""

MOVE_REF = """\
mutation($wish: UpdateRefsInput!) {
  updateRefs(input: $wish) { clientMutationId }
}"""

# What says that this server, or this App, has no such question; never that the deed was refused.
_CANNOT_TYPES = frozenset({"FORBIDDEN", "NOT_FOUND", "INSUFFICIENT_SCOPES"})
_CANNOT_CODES = frozenset({"undefinedField", "undefinedType", "argumentNotAccepted"})
_LIMIT_TYPES = frozenset({"RATE_LIMITED", "RATE_LIMIT"})

# GitHub, "Exceeding the rate limit": wait for at least one minute where nothing is said.
_LIMIT_WAIT = timedelta(seconds=60)


class CannotAsk(Exception):
    """GraphQL does not serve us here: an old server, a missing permission, a switched-off door."""


class _Extensions(BaseModel):
    model_config = ConfigDict(extra="ignore")

    code: str | None = None


class _Complaint(BaseModel):
    model_config = ConfigDict(extra="ignore")

    message: str = ""
    type: str | None = None
    extensions: _Extensions | None = None

    @property
    def code(self) -> str:
        """What a validation error is called; empty for others."""
        return (self.extensions.code if self.extensions else None) or ""


class GraphQLAnswer(BaseModel):
    """The body of an answer, with an error instead of, or beside, the data."""

    model_config = ConfigDict(extra="ignore")

    data: dict[str, object] | None = None
    errors: list[_Complaint] = []


class _Named(BaseModel):
    model_config = ConfigDict(extra="ignore")

    id: str


class _FoundRepository(BaseModel):
    model_config = ConfigDict(extra="ignore")

    repository: _Named | None = None


def complaint_of(answer: GraphQLAnswer) -> str:
    """GitHub's own words where it refused what was asked; empty where it did it.

    Raises `CannotAsk`, `Limited`, and `Retryable` for trouble of the server's own.
    """
    if not answer.errors:
        return ""
    first = answer.errors[0]
    said = f"GitHub answers: {first.message}"
    if first.type in _LIMIT_TYPES:
        raise Limited(said, _LIMIT_WAIT)
    if first.type in _CANNOT_TYPES or first.code in _CANNOT_CODES:
        raise CannotAsk(said)
    if first.type is None:
        # "Something went wrong while executing your query": whether it was done is not known.
        raise Retryable(said)
    return first.message


def repository_id_of(answer: GraphQLAnswer) -> str:
    """The node id in an answer to `REPOSITORY_ID`. Raises `CannotAsk` where we may not know it."""
    said = complaint_of(answer)
    found = read(_FoundRepository, answer.data or {}).repository
    if said or found is None:
        raise CannotAsk(said or "GraphQL knows no such repository.")
    return found.id
