"""Issues, and the part of a pull that is an issue."""

from collections.abc import Callable

from bot.localhub.github_json import iso, maybe_iso
from bot.localhub.graphql.accounts import nothing, reaction_groups
from bot.localhub.graphql.query_context import Arguments, QueryContext, page
from bot.localhub.graphql.resolvers import FieldResolvers
from bot.localhub.model import Issue
from bot.localhub.shapes.issues import association, issue_html_url, issue_node_id

# Fields that issues and pulls share.
SHARED: dict[str, Callable[[Issue], object]] = {
    "id": issue_node_id,
    "databaseId": lambda issue: issue.id,
    "number": lambda issue: issue.number,
    "title": lambda issue: issue.title,
    "body": lambda issue: issue.body or "",
    "author": lambda issue: issue.user,
    "authorAssociation": lambda issue: association(issue.repository, issue.user),
    "createdAt": lambda issue: iso(issue.created_at),
    "updatedAt": lambda issue: iso(issue.updated_at),
    "closed": lambda issue: issue.state == "closed",
    "closedAt": lambda issue: maybe_iso(issue.closed_at),
    "locked": lambda issue: issue.locked,
    "milestone": lambda _: None,
    "repository": lambda issue: issue.repository,
    "reactionGroups": lambda issue: reaction_groups(issue.reactions),
}
SHARED_ASKED: dict[str, Callable[[QueryContext, Issue, Arguments], object]] = {
    "url": lambda context, issue, _: issue_html_url(context.hub.state, issue),
    "labels": lambda _, issue, arguments: page(issue.labels, arguments),
    "assignees": lambda _, issue, arguments: page(issue.assignees, arguments),
    "comments": lambda _, issue, arguments: page(issue.comments, arguments),
    "projectCards": nothing,
}

ISSUE = FieldResolvers(
    "Issue",
    Issue,
    {
        **SHARED,
        "state": lambda issue: issue.state.upper(),
        "stateReason": lambda issue: issue.state_reason.upper() if issue.state_reason else None,
        "parent": lambda issue: issue.parent,
    },
    {
        **SHARED_ASKED,
        "subIssues": lambda _, issue, arguments: page(issue.sub_issues, arguments),
    },
)


def in_order(issues: list[Issue], arguments: Arguments) -> list[Issue]:
    """Sorted by `orderBy`; by default the oldest first."""
    order = arguments.part("orderBy")
    by = order.text("field")

    def key(issue: Issue) -> tuple[float, int]:
        match by:
            case "UPDATED_AT":
                return issue.updated_at.timestamp(), issue.number
            case "COMMENTS":
                return float(len(issue.comments)), issue.number
            case _:
                return issue.created_at.timestamp(), issue.number

    return sorted(issues, key=key, reverse=order.text("direction") == "DESC")
