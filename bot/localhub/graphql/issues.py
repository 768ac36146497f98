"""Issues, and the half of a pull that is an issue."""

from collections.abc import Callable

from bot.localhub.graphql.accounts import nothing, reaction_groups
from bot.localhub.graphql.asking import Arguments, Asking, page
from bot.localhub.graphql.tables import Table
from bot.localhub.model import Issue
from bot.localhub.shapes.issues import association, issue_html_url, issue_node_id
from bot.localhub.wire import iso, maybe_iso

# What issues and pulls answer alike.
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
SHARED_ASKED: dict[str, Callable[[Asking, Issue, Arguments], object]] = {
    "url": lambda asking, issue, _: issue_html_url(asking.hub.state, issue),
    "labels": lambda _, issue, asked: page(issue.labels, asked),
    "assignees": lambda _, issue, asked: page(issue.assignees, asked),
    "comments": lambda _, issue, asked: page(issue.comments, asked),
    "projectCards": nothing,
}

ISSUE = Table(
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
        "subIssues": lambda _, issue, asked: page(issue.sub_issues, asked),
    },
)


def in_order(issues: list[Issue], asked: Arguments) -> list[Issue]:
    """As `orderBy` asks; the oldest first where it does not."""
    order = asked.part("orderBy")
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
