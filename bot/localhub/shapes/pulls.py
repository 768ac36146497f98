"""Shapes of pull requests and reviews."""

from dataclasses import dataclass

from bot.localhub.github_json import Json, iso, maybe_iso, node_id
from bot.localhub.model import Issue, Pull, Repository, Review
from bot.localhub.shapes.accounts import account_shape
from bot.localhub.shapes.issues import association, issue_html_url, issue_url, label_shape
from bot.localhub.shapes.repositories import repository_shape, repository_url
from bot.localhub.state import State


@dataclass(frozen=True)
class PullStats:
    mergeable: bool | None
    mergeable_state: str
    commits: int
    additions: int
    deletions: int
    changed_files: int


def _side(state: State, repository: Repository, ref: str, sha: str) -> Json:
    return {
        "label": f"{repository.owner.login}:{ref}",
        "ref": ref,
        "sha": sha,
        "user": account_shape(state, repository.owner),
        "repo": repository_shape(state, repository),
    }


def pull_shape(state: State, issue: Issue, pull: Pull) -> Json:
    """GitHub's `pull-request-simple`, as lists carry it."""
    repository = repository_url(state, issue.repository)
    url = f"{repository}/pulls/{issue.number}"
    html = issue_html_url(state, issue)
    links = {
        "self": url,
        "html": html,
        "issue": issue_url(state, issue),
        "comments": f"{issue_url(state, issue)}/comments",
        "review_comments": f"{url}/comments",
        "review_comment": f"{repository}/pulls/comments{{/number}}",
        "commits": f"{url}/commits",
        "statuses": f"{repository}/statuses/{pull.head_sha}",
    }
    assignees = [account_shape(state, account) for account in issue.assignees]
    return {
        "id": pull.id,
        "node_id": node_id("PR", pull.id),
        "url": url,
        "html_url": html,
        "diff_url": f"{html}.diff",
        "patch_url": f"{html}.patch",
        **{f"{key}_url": links[key] for key in links if key not in ("self", "html")},
        "number": issue.number,
        "state": issue.state,
        "locked": issue.locked,
        "active_lock_reason": issue.active_lock_reason,
        "title": issue.title,
        "user": account_shape(state, issue.user),
        "body": issue.body,
        "labels": [label_shape(state, issue.repository, label) for label in issue.labels],
        "milestone": None,
        "created_at": iso(issue.created_at),
        "updated_at": iso(issue.updated_at),
        "closed_at": maybe_iso(issue.closed_at),
        "merged_at": maybe_iso(pull.merged_at),
        "merge_commit_sha": pull.merge_commit_sha,
        "assignee": assignees[0] if assignees else None,
        "assignees": assignees,
        "requested_reviewers": [],
        "requested_teams": [],
        "draft": pull.draft,
        "head": _side(state, pull.fork or issue.repository, pull.head_ref, pull.head_sha),
        "base": _side(state, issue.repository, pull.base_ref, pull.base_sha),
        "author_association": association(issue.repository, issue.user),
        "auto_merge": None,
        "_links": {key: {"href": href} for key, href in links.items()},
    }


def full_pull_shape(state: State, issue: Issue, pull: Pull, stats: PullStats) -> Json:
    """GitHub's `pull-request`, as `GET /pulls/{number}` and webhooks carry it."""
    return {
        **pull_shape(state, issue, pull),
        "merged": pull.merged_at is not None,
        "mergeable": stats.mergeable,
        "rebaseable": stats.mergeable,
        "mergeable_state": stats.mergeable_state,
        "merged_by": None if pull.merged_by is None else account_shape(state, pull.merged_by),
        "comments": len(issue.comments),
        "review_comments": sum(
            held.issue is issue for held in list(state.review_comments.values())
        ),
        "maintainer_can_modify": False,
        "commits": stats.commits,
        "additions": stats.additions,
        "deletions": stats.deletions,
        "changed_files": stats.changed_files,
    }


def review_shape(state: State, issue: Issue, review: Review) -> Json:
    html = f"{issue_html_url(state, issue)}#pullrequestreview-{review.id}"
    pull_url = f"{repository_url(state, issue.repository)}/pulls/{issue.number}"
    return {
        "id": review.id,
        "node_id": node_id("PRR", review.id),
        "user": account_shape(state, review.user),
        "body": review.body,
        "state": review.state,
        "html_url": html,
        "pull_request_url": pull_url,
        "author_association": association(issue.repository, review.user),
        "_links": {"html": {"href": html}, "pull_request": {"href": pull_url}},
        "submitted_at": iso(review.submitted_at),
        "commit_id": review.commit_id,
    }
