"""GitHub's schema, reduced to what the resolvers answer, and the execution of queries.

The reduced schema is a data file beside this one, with its licence; `SERVED` says what it must
hold. The rule that overlapping fields must be mergeable is not applied: GitHub's own clients break
it, and GitHub answers them.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from graphql import (
    ExecutionResult,
    GraphQLError,
    GraphQLResolveInfo,
    GraphQLSchema,
    OverlappingFieldsCanBeMergedRule,
    build_schema,
    execute_sync,
    get_named_type,
    parse,
    specified_rules,
    validate,
)

from bot.localhub.errors import ApiError
from bot.localhub.github_json import Json
from bot.localhub.graphql.accounts import ACCOUNTS, COMMENT, LABEL
from bot.localhub.graphql.issues import ISSUE
from bot.localhub.graphql.mutations import MUTATION
from bot.localhub.graphql.pulls import (
    CHECK_RUN,
    COMMIT,
    PULL,
    REMOVAL,
    REVIEW,
    STATUS,
    CommitView,
    PullView,
    ReviewView,
    ThreadView,
)
from bot.localhub.graphql.query_context import Arguments, QueryContext, QueryError, page
from bot.localhub.graphql.query_size import NODES_MAX, nodes_and_points
from bot.localhub.graphql.repositories import QUERY, REF, REPOSITORY, RefView, Root
from bot.localhub.graphql.resolvers import TypeResolver
from bot.localhub.graphql.review_threads import THREAD, THREAD_COMMENT
from bot.localhub.model import Account, CheckRun, Comment, CommitStatus, Issue, Label, Repository
from bot.localhub.queue_model import Removal
from bot.localhub.review_model import ReviewComment

SCHEMA = Path(__file__).with_name("github_schema_slice.graphql")

_TABLES: tuple[TypeResolver, ...] = (
    QUERY,
    MUTATION,
    REPOSITORY,
    REF,
    ISSUE,
    PULL,
    REMOVAL,
    REVIEW,
    THREAD,
    THREAD_COMMENT,
    COMMIT,
    CHECK_RUN,
    STATUS,
    COMMENT,
    LABEL,
    *ACCOUNTS,
)
RESOLVERS = {table.type_name: table for table in _TABLES}

_CONNECTION = {"totalCount", "nodes", "pageInfo"}

# Types whose objects are plain mappings, made by the field that returns them.
PLAIN_TYPES: dict[str, set[str]] = {
    "PageInfo": {"hasNextPage", "hasPreviousPage", "startCursor", "endCursor"},
    "IssueConnection": _CONNECTION,
    "PullRequestConnection": _CONNECTION,
    "PullRequestCommitConnection": _CONNECTION,
    "PullRequestReviewConnection": _CONNECTION,
    "ReviewRequestConnection": _CONNECTION,
    "IssueCommentConnection": _CONNECTION,
    "LabelConnection": _CONNECTION,
    "UserConnection": _CONNECTION,
    "ProjectCardConnection": _CONNECTION,
    "StatusCheckRollupContextConnection": _CONNECTION,
    "SearchResultItemConnection": {"issueCount", "nodes", "pageInfo"},
    "PullRequestCommit": {"commit"},
    "GitActorConnection": _CONNECTION,
    "GitActor": {"name", "email", "user"},
    "ReactionGroup": {"content", "users"},
    "ReactingUserConnection": {"totalCount"},
    "StatusCheckRollup": {"state", "contexts"},
    "CheckSuite": {"id", "workflowRun"},
    "WorkflowRun": {"id", "workflow"},
    "Workflow": {"id", "name"},
    "ReviewRequest": {"id", "requestedReviewer"},
    "Team": {"id", "name", "slug", "organization"},
    "Milestone": {"id", "number", "title", "description", "dueOn"},
    "ProjectCard": {"id", "project", "column"},
    "Project": {"id", "name"},
    "ProjectColumn": {"id", "name"},
    "UpdateRefsPayload": {"clientMutationId"},
    "PullRequestReviewThreadConnection": _CONNECTION,
    "PullRequestReviewCommentConnection": _CONNECTION,
    "ResolveReviewThreadPayload": {"clientMutationId", "thread"},
    "UnresolveReviewThreadPayload": {"clientMutationId", "thread"},
    "EnqueuePullRequestPayload": {"clientMutationId", "mergeQueueEntry"},
    "DequeuePullRequestPayload": {"clientMutationId", "mergeQueueEntry"},
    "MergeQueueEntry": {"id", "state", "position", "enqueuedAt", "baseCommit", "headCommit"},
    "PullRequestTimelineItemsConnection": {"totalCount", "nodes", "pageInfo"},
}

SERVED: dict[str, set[str]] = {
    **{name: table.fields() for name, table in RESOLVERS.items()},
    **PLAIN_TYPES,
}

_TYPE_OF_SOURCE: dict[type, str] = {
    Repository: "Repository",
    RefView: "Ref",
    Issue: "Issue",
    PullView: "PullRequest",
    ReviewView: "PullRequestReview",
    ThreadView: "PullRequestReviewThread",
    ReviewComment: "PullRequestReviewComment",
    CommitView: "Commit",
    CheckRun: "CheckRun",
    CommitStatus: "StatusContext",
    Comment: "IssueComment",
    Label: "Label",
    Removal: "RemovedFromMergeQueueEvent",
}

_RULES = [rule for rule in specified_rules if rule is not OverlappingFieldsCanBeMergedRule]


@cache
def schema() -> GraphQLSchema:
    return build_schema(SCHEMA.read_text(encoding="utf-8"), assume_valid=True, no_location=True)


def ask(context: QueryContext, query: str, variables: Json, operation: str | None) -> Json:
    try:
        document = parse(query)
    except GraphQLError as error:
        return {"errors": [_shown(error)]}
    errors = validate(schema(), document, _RULES)
    if errors:
        return {"errors": [_shown(error) for error in errors]}
    nodes, points = nodes_and_points(document, variables)
    if nodes > NODES_MAX:
        message = (
            f"This query requests up to {nodes:,} possible nodes which exceeds the maximum limit "
            f"of {NODES_MAX:,}."
        )
        return {"errors": [{"type": "MAX_NODE_LIMIT_EXCEEDED", "message": message}]}
    try:
        context.hub.limits.spend_points(context.actor, points)
    except ApiError as error:
        refusal = {"type": "RATE_LIMIT", "code": "graphql_rate_limit", "message": error.message}
        return {"errors": [refusal]}
    result = execute_sync(
        schema(),
        document,
        root_value=Root(),
        context_value=context,
        variable_values=variables,
        operation_name=operation,
        field_resolver=_field,
        type_resolver=_type,
    )
    return _answer(result)


def _answer(result: ExecutionResult) -> Json:
    answer: Json = {"data": result.data}
    if result.errors:
        answer["errors"] = [_shown(error) for error in result.errors]
    return answer


def _field(source: object, info: GraphQLResolveInfo[QueryContext], **values: object) -> object:
    arguments = Arguments(values)
    resolvers = RESOLVERS.get(info.parent_type.name)
    if resolvers is not None and not isinstance(source, Mapping):
        return resolvers.answer(info.context, source, info.field_name, arguments)
    value = source.get(info.field_name) if isinstance(source, Mapping) else None
    if isinstance(value, list) and get_named_type(info.return_type).name.endswith("Connection"):
        return page(value, arguments)
    return value


def _type(source: object, _info: GraphQLResolveInfo[QueryContext], _abstract: object) -> str:
    if isinstance(source, Account):
        return source.type.value
    return _TYPE_OF_SOURCE[type(source)]


def _shown(error: GraphQLError) -> Json:
    shape: Json = {"message": error.message}
    cause = error.original_error
    if isinstance(cause, QueryError):
        shape["type"] = cause.kind
    elif isinstance(cause, ApiError):
        shape["type"] = {401: "FORBIDDEN", 403: "FORBIDDEN", 404: "NOT_FOUND"}.get(
            cause.status, "UNPROCESSABLE"
        )
    elif cause is not None:
        raise cause
    if error.path:
        shape["path"] = list(error.path)
    if error.locations:
        shape["locations"] = [
            {"line": place.line, "column": place.column} for place in error.locations
        ]
    return shape
