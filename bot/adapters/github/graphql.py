"""GraphQL, for what REST lacks: moving a ref only from the commit that is expected there.

`GraphQLUnavailable` says that GraphQL is not available to us, which is not a refusal: the caller has another
way. GitHub returns errors with status 200. Sources: GraphQL, "Rate limits and query limits", the
mutation `updateRefs`.
"""

from datetime import timedelta

from bot.adapters.github.classify import names_limit
from bot.adapters.github.shapes import AnswerPart
from bot.ports import Limited, Retryable

MOVE_REF = """\
mutation($wish: UpdateRefsInput!) {
  updateRefs(input: $wish) { clientMutationId }
}"""

QUEUE_STANDING = """\
query($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      id
      mergeQueueEntry { position }
      timelineItems(last: 1, itemTypes: [REMOVED_FROM_MERGE_QUEUE_EVENT]) {
        nodes { ... on RemovedFromMergeQueueEvent { createdAt reason } }
      }
    }
  }
}"""
ENQUEUE = """\
mutation($pull: ID!, $head: GitObjectID!) {
  enqueuePullRequest(input: {pullRequestId: $pull, expectedHeadOid: $head}) { clientMutationId }
}"""
DEQUEUE = """\
mutation($pull: ID!) {
  dequeuePullRequest(input: {id: $pull}) { clientMutationId }
}"""

# Errors which say that this server, or this App, lacks the query; none of them is a refusal.
_CANNOT_TYPES = frozenset({"FORBIDDEN", "NOT_FOUND", "INSUFFICIENT_SCOPES"})
_CANNOT_CODES = frozenset({"undefinedField", "undefinedType", "argumentNotAccepted"})
_LIMIT_TYPES = frozenset({"RATE_LIMITED", "RATE_LIMIT"})

# GitHub, "Exceeding the rate limit": wait for at least one minute if no time is given.
_LIMIT_WAIT = timedelta(seconds=60)


class GraphQLUnavailable(Exception):
    """An old server, a missing permission, or GraphQL is switched off."""


class _Extensions(AnswerPart):
    code: str | None = None


class _Complaint(AnswerPart):
    message: str = ""
    type: str | None = None
    extensions: _Extensions | None = None

    @property
    def code(self) -> str:
        return (self.extensions.code if self.extensions else None) or ""


class GraphQLAnswer(AnswerPart):
    """The body of a response; it can hold data and errors at once."""

    data: dict[str, object] | None = None
    errors: list[_Complaint] = []

    @property
    def complaint(self) -> str:
        return self.errors[0].message if self.errors else ""

    @property
    def is_out_of_points(self) -> bool:
        return any(one.type in _LIMIT_TYPES for one in self.errors)


def limit_of(answer: GraphQLAnswer) -> Limited | None:
    """The rate limit that an answer of status 200 speaks of: by its type, or by GitHub's words alone
    where it is a secondary one.
    """
    for one in answer.errors:
        if one.type in _LIMIT_TYPES or names_limit(one.message):
            return Limited(f"GitHub answers: {one.message}", _LIMIT_WAIT)
    return None


def complaint_of(answer: GraphQLAnswer) -> str:
    """GitHub's message where it refused; empty if it succeeded.

    Raises `GraphQLUnavailable`, `Limited`, and `Retryable` for a failure of the server.
    """
    if not answer.errors:
        return ""
    first = answer.errors[0]
    message = f"GitHub answers: {first.message}"
    if limit := limit_of(answer):
        raise limit
    if first.type in _CANNOT_TYPES or first.code in _CANNOT_CODES:
        raise GraphQLUnavailable(message)
    if first.type is None:
        # "Something went wrong while executing your query": it may have been carried out.
        raise Retryable(message)
    return first.message
