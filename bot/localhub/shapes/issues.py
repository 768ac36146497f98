"""Shapes of issues, comments (on commits too), labels and reactions."""

from collections import Counter
from collections.abc import Sequence

from bot.localhub.github_json import Json, iso, maybe_iso, node_id
from bot.localhub.model import (
    Account,
    AccountType,
    Comment,
    CommitComment,
    Issue,
    Label,
    LabelEvent,
    Reaction,
    Repository,
)
from bot.localhub.shapes.accounts import account_shape, app_shape
from bot.localhub.shapes.repositories import repository_html_url, repository_url
from bot.localhub.state import State

REACTIONS = ("+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes")


def issue_url(state: State, issue: Issue) -> str:
    return f"{repository_url(state, issue.repository)}/issues/{issue.number}"


def issue_html_url(state: State, issue: Issue) -> str:
    kind = "pull" if issue.pull is not None else "issues"
    return f"{repository_html_url(state, issue.repository)}/{kind}/{issue.number}"


def issue_node_id(issue: Issue) -> str:
    return node_id("I", issue.id) if issue.pull is None else node_id("PR", issue.pull.id)


def label_shape(state: State, repository: Repository, label: Label) -> Json:
    return {
        "id": label.id,
        "node_id": node_id("LA", label.id),
        "url": f"{repository_url(state, repository)}/labels/{label.name.replace(' ', '%20')}",
        "name": label.name,
        "color": label.color,
        "default": False,
        "description": label.description,
    }


def label_event_shape(state: State, issue: Issue, event: LabelEvent) -> Json:
    """GitHub's `labeled-issue-event` and `unlabeled-issue-event`."""
    kind = "LE" if event.event == "labeled" else "UNLE"
    return {
        "id": event.id,
        "node_id": node_id(kind, event.id),
        "url": f"{repository_url(state, issue.repository)}/issues/events/{event.id}",
        "actor": account_shape(state, event.actor),
        "event": event.event,
        "commit_id": None,
        "commit_url": None,
        "created_at": iso(event.created_at),
        "performed_via_github_app": app_shape(state, event.app) if event.app else None,
        "label": {"name": event.label.name, "color": event.label.color},
    }


def reaction_shape(state: State, reaction: Reaction) -> Json:
    return {
        "id": reaction.id,
        "node_id": node_id("REA", reaction.id),
        "user": account_shape(state, reaction.user),
        "content": reaction.content,
        "created_at": iso(reaction.created_at),
    }


def reaction_rollup(url: str, reactions: Sequence[Reaction]) -> Json:
    """The counts in issues and comments."""
    counts = Counter(reaction.content for reaction in reactions)
    return {
        "url": f"{url}/reactions",
        "total_count": len(reactions),
        **{content: counts[content] for content in REACTIONS},
    }


def association(repository: Repository, account: Account) -> str:
    """GitHub's `author_association`."""
    if account is repository.owner:
        return "OWNER"
    if account.login.lower() in repository.collaborators:
        return "COLLABORATOR"
    return "NONE" if account.type is AccountType.USER else "CONTRIBUTOR"


def issue_shape(state: State, issue: Issue) -> Json:
    """GitHub's `issue`; a pull has the key `pull_request`."""
    url = issue_url(state, issue)
    html = issue_html_url(state, issue)
    assignees = [account_shape(state, account) for account in issue.assignees]
    done = sum(1 for child in issue.sub_issues if child.state == "closed")
    shape: Json = {
        "id": issue.id,
        "node_id": issue_node_id(issue),
        "url": url,
        "repository_url": repository_url(state, issue.repository),
        "labels_url": f"{url}/labels{{/name}}",
        "comments_url": f"{url}/comments",
        "events_url": f"{url}/events",
        "timeline_url": f"{url}/timeline",
        "html_url": html,
        "number": issue.number,
        "title": issue.title,
        "body": issue.body,
        "user": account_shape(state, issue.user),
        "labels": [label_shape(state, issue.repository, label) for label in issue.labels],
        "state": issue.state,
        "state_reason": issue.state_reason,
        "locked": issue.locked,
        "active_lock_reason": issue.active_lock_reason,
        "assignee": assignees[0] if assignees else None,
        "assignees": assignees,
        "milestone": None,
        "comments": len(issue.comments),
        "created_at": iso(issue.created_at),
        "updated_at": iso(issue.updated_at),
        "closed_at": maybe_iso(issue.closed_at),
        "closed_by": None if issue.closed_by is None else account_shape(state, issue.closed_by),
        "author_association": association(issue.repository, issue.user),
        "reactions": reaction_rollup(url, issue.reactions),
        "performed_via_github_app": None if issue.app is None else app_shape(state, issue.app),
        "sub_issues_summary": {
            "total": len(issue.sub_issues),
            "completed": done,
            "percent_completed": done * 100 // len(issue.sub_issues) if issue.sub_issues else 0,
        },
        "issue_dependencies_summary": {
            "blocked_by": sum(1 for other in issue.blocked_by if other.state == "open"),
            "blocking": sum(1 for other in issue.blocking if other.state == "open"),
            "total_blocked_by": len(issue.blocked_by),
            "total_blocking": len(issue.blocking),
        },
    }
    if issue.parent is not None:
        shape["parent_issue_url"] = issue_url(state, issue.parent)
    if issue.pull is not None:
        shape["draft"] = issue.pull.draft
        shape["pull_request"] = {
            "url": f"{repository_url(state, issue.repository)}/pulls/{issue.number}",
            "html_url": html,
            "diff_url": f"{html}.diff",
            "patch_url": f"{html}.patch",
            "merged_at": maybe_iso(issue.pull.merged_at),
        }
    return shape


def announced_issue_shape(state: State, issue: Issue) -> Json:
    """An issue as webhooks carry it: without REST-only keys, and with less of the App."""
    shape = issue_shape(state, issue)
    del shape["closed_by"]
    shape.pop("parent_issue_url", None)
    app = shape["performed_via_github_app"]
    if isinstance(app, dict):
        shape["performed_via_github_app"] = {k: v for k, v in app.items() if k != "client_id"}
    return shape


def comment_shape(state: State, comment: Comment) -> Json:
    issue = comment.issue
    url = f"{repository_url(state, issue.repository)}/issues/comments/{comment.id}"
    return {
        "id": comment.id,
        "node_id": node_id("IC", comment.id),
        "url": url,
        "html_url": f"{issue_html_url(state, issue)}#issuecomment-{comment.id}",
        "issue_url": issue_url(state, issue),
        "user": account_shape(state, comment.user),
        "created_at": iso(comment.created_at),
        "updated_at": iso(comment.updated_at),
        "body": comment.body,
        "author_association": association(issue.repository, comment.user),
        "reactions": reaction_rollup(url, comment.reactions),
        "performed_via_github_app": None if comment.app is None else app_shape(state, comment.app),
    }


def commit_comment_shape(state: State, comment: CommitComment) -> Json:
    repository = comment.repository
    url = f"{repository_url(state, repository)}/comments/{comment.id}"
    page = f"{repository_html_url(state, repository)}/commit/{comment.sha}"
    return {
        "id": comment.id,
        "node_id": node_id("CC", comment.id),
        "url": url,
        "html_url": f"{page}#commitcomment-{comment.id}",
        "commit_id": comment.sha,
        "user": account_shape(state, comment.user),
        "body": comment.body,
        "path": comment.path,
        "position": comment.position,
        "line": comment.line,
        "created_at": iso(comment.created_at),
        "updated_at": iso(comment.updated_at),
        "author_association": association(repository, comment.user),
        "reactions": reaction_rollup(url, comment.reactions),
    }
