"""Pulls, their commits, reviews, and the check results of a commit."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.localhub.git_store import Commit
from bot.localhub.github_json import Json, iso, maybe_iso, node_id
from bot.localhub.graphql.accounts import nothing
from bot.localhub.graphql.issues import SHARED, SHARED_ASKED
from bot.localhub.graphql.query_context import Arguments, QueryContext, QueryError, page
from bot.localhub.graphql.resolvers import FieldResolvers
from bot.localhub.model import CheckRun, CommitStatus, Issue, Pull, Repository, Review
from bot.localhub.pull_stats import base_tip, commits_of
from bot.localhub.queue_model import QueueEntry, Removal
from bot.localhub.review_model import ReviewComment
from bot.localhub.rules import required_checks
from bot.localhub.shapes.commits import account_of
from bot.localhub.shapes.issues import association, issue_node_id
from bot.localhub.shapes.pulls import PullStats


@dataclass(frozen=True)
class PullView:
    issue: Issue
    pull: Pull


@dataclass(frozen=True)
class CommitView:
    repository: Repository
    commit: Commit


@dataclass(frozen=True)
class ReviewView:
    issue: Issue
    review: Review


@dataclass(frozen=True)
class ThreadView:
    root: ReviewComment


def view(issue: Issue) -> Issue | PullView:
    return issue if issue.pull is None else PullView(issue, issue.pull)


def commit_view(repository: Repository, sha: str) -> CommitView:
    return CommitView(repository, repository.git.commit(sha))


def _state(seen: PullView) -> str:
    return "MERGED" if seen.pull.merged_at is not None else seen.issue.state.upper()


def _stat(
    read: Callable[[PullStats], object],
) -> Callable[[QueryContext, PullView, Arguments], object]:
    return lambda context, seen, _: read(context.hub.pulls.stats(seen.issue, seen.pull))


def _mergeable(stats: PullStats) -> str:
    return {True: "MERGEABLE", False: "CONFLICTING", None: "UNKNOWN"}[stats.mergeable]


def _commits(_asking: QueryContext, seen: PullView, arguments: Arguments) -> Json:
    repository = seen.issue.repository
    found: list[Json] = [
        {"commit": commit_view(repository, sha)} for sha in commits_of(seen.issue, seen.pull)
    ]
    return page(found, arguments)


def _reviews(_asking: QueryContext, seen: PullView, arguments: Arguments) -> Json:
    return page([ReviewView(seen.issue, review) for review in seen.pull.reviews], arguments)


def _threads(context: QueryContext, seen: PullView, arguments: Arguments) -> Json:
    found = context.hub.state.threads_of(seen.issue)
    return page([ThreadView(root) for root in found], arguments)


def _merge_commit(seen: PullView) -> CommitView | None:
    sha = seen.pull.merge_commit_sha
    if seen.pull.merged_at is None or sha is None:
        return None
    return commit_view(seen.issue.repository, sha)


def entry_shape(context: QueryContext, entry: QueueEntry) -> Json:
    queue, group = context.hub.merge_queue, entry.group
    repository = entry.issue.repository
    is_there = queue.entry_of(entry.issue) is entry
    return {
        "id": node_id("MQE", entry.id),
        "state": entry.state.value,
        "position": queue.position(entry) if is_there else 0,
        "enqueuedAt": iso(entry.enqueued_at),
        "baseCommit": commit_view(repository, group.base_sha) if group else None,
        "headCommit": commit_view(repository, group.head_sha) if group else None,
    }


def _queue_entry(context: QueryContext, seen: PullView, _: Arguments) -> Json | None:
    entry = context.hub.merge_queue.entry_of(seen.issue)
    return None if entry is None else entry_shape(context, entry)


def _timeline(context: QueryContext, seen: PullView, arguments: Arguments) -> Json:
    """Only what left the merge queue; every other kind of item is left out."""
    asked = arguments.texts("itemTypes")
    if asked != ["REMOVED_FROM_MERGE_QUEUE_EVENT"]:
        raise QueryError("NOT_IMPLEMENTED", "localhub lists removals from the merge queue alone")
    return page(context.hub.merge_queue.removals(seen.issue), arguments)


def _of_issue(name: str) -> Callable[[PullView], object]:
    return lambda seen: SHARED[name](seen.issue)


def _asked_of_issue(name: str) -> Callable[[QueryContext, PullView, Arguments], object]:
    return lambda context, seen, arguments: SHARED_ASKED[name](context, seen.issue, arguments)


PULL = FieldResolvers(
    "PullRequest",
    PullView,
    {
        **{name: _of_issue(name) for name in SHARED},
        "state": _state,
        "isDraft": lambda seen: seen.pull.draft,
        "isCrossRepository": lambda seen: seen.pull.fork is not None,
        "maintainerCanModify": lambda _: False,
        "baseRefName": lambda seen: seen.pull.base_ref,
        "baseRefOid": lambda seen: base_tip(seen.issue.repository, seen.pull, seen.issue.state),
        "headRefName": lambda seen: seen.pull.head_ref,
        "headRefOid": lambda seen: seen.pull.head_sha,
        "headRepository": lambda seen: seen.pull.fork or seen.issue.repository,
        "headRepositoryOwner": lambda seen: (seen.pull.fork or seen.issue.repository).owner,
        "merged": lambda seen: seen.pull.merged_at is not None,
        "mergedAt": lambda seen: maybe_iso(seen.pull.merged_at),
        "mergedBy": lambda seen: seen.pull.merged_by,
        "mergeCommit": _merge_commit,
    },
    {
        **{name: _asked_of_issue(name) for name in SHARED_ASKED},
        "mergeable": _stat(_mergeable),
        "additions": _stat(lambda stats: stats.additions),
        "deletions": _stat(lambda stats: stats.deletions),
        "changedFiles": _stat(lambda stats: stats.changed_files),
        "commits": _commits,
        "reviews": _reviews,
        "reviewThreads": _threads,
        "reviewRequests": nothing,
        "mergeQueueEntry": _queue_entry,
        "timelineItems": _timeline,
    },
)

REMOVAL = FieldResolvers(
    "RemovedFromMergeQueueEvent",
    Removal,
    {
        "id": lambda removal: node_id("RFMQE", removal.id),
        "createdAt": lambda removal: iso(removal.at),
        "reason": lambda removal: removal.reason,
    },
)

REVIEW = FieldResolvers(
    "PullRequestReview",
    ReviewView,
    {
        "id": lambda seen: node_id("PRR", seen.review.id),
        "author": lambda seen: seen.review.user,
        "authorAssociation": lambda seen: association(seen.issue.repository, seen.review.user),
        "submittedAt": lambda seen: iso(seen.review.submitted_at),
        "body": lambda seen: seen.review.body,
        "state": lambda seen: seen.review.state,
        "commit": lambda seen: commit_view(seen.issue.repository, seen.review.commit_id),
        "reactionGroups": lambda _: [],
    },
)

# A run that has not ended, or a pending status, makes the rollup pending.
_BAD = {"failure", "timed_out", "cancelled", "action_required", "startup_failure", "stale", "error"}

CheckContext = CheckRun | CommitStatus


def _contexts(seen: CommitView) -> list[CheckContext]:
    """The newest of each check and of each status."""
    newest: dict[tuple[int, str], CheckContext] = {}
    for run in list(seen.repository.check_runs.values()):
        if run.suite.head_sha == seen.commit.sha:
            newest[run.suite.id, run.name] = run
    for status in list(seen.repository.statuses):
        if status.sha == seen.commit.sha:
            newest[0, status.context] = status
    return list(newest.values())


def _word(context: CheckContext) -> str:
    if isinstance(context, CommitStatus):
        return context.state
    return context.conclusion or "pending"


def _rollup(seen: CommitView) -> Json | None:
    contexts = _contexts(seen)
    words = {_word(context) for context in contexts}
    if not contexts:
        return None
    state = "FAILURE" if words & _BAD else "PENDING" if "pending" in words else "SUCCESS"
    return {"state": state, "contexts": contexts}


def _authors(context: QueryContext, seen: CommitView, arguments: Arguments) -> Json:
    signature = seen.commit.author
    who: Json = {
        "name": signature.name,
        "email": signature.email,
        "user": account_of(context.hub.state, signature),
    }
    return page([who], arguments)


COMMIT = FieldResolvers(
    "Commit",
    CommitView,
    {
        "id": lambda seen: f"C_{seen.commit.sha}",
        "oid": lambda seen: seen.commit.sha,
        "message": lambda seen: seen.commit.message.rstrip("\n"),
        "messageBody": lambda seen: seen.commit.message.partition("\n")[2].strip(),
        "messageHeadline": lambda seen: seen.commit.message.partition("\n")[0],
        "authoredDate": lambda seen: iso(seen.commit.author.at),
        "committedDate": lambda seen: iso(seen.commit.committer.at),
        "statusCheckRollup": _rollup,
    },
    {"authors": _authors},
)


def _is_required(
    repository: Repository, arguments: Arguments, name: str, app_id: int | None
) -> bool:
    """Whether the pull's base requires a check of this name."""
    number, node = arguments.number("pullRequestNumber"), arguments.text("pullRequestId")
    for issue in list(repository.issues.values()):
        if issue.pull is not None and (issue.number == number or issue_node_id(issue) == node):
            required = required_checks(repository, issue.pull.base_ref)
            return any(one.context == name and one.app_id in (None, app_id) for one in required)
    return False


def _is_required_run(_asking: QueryContext, run: CheckRun, arguments: Arguments) -> bool:
    return _is_required(run.suite.repository, arguments, run.name, run.suite.app.id)


def _is_required_status(context: QueryContext, status: CommitStatus, arguments: Arguments) -> bool:
    for repository in list(context.hub.state.repositories.values()):
        if status in repository.statuses:
            return _is_required(repository, arguments, status.context, None)
    return False


CHECK_RUN = FieldResolvers(
    "CheckRun",
    CheckRun,
    {
        "id": lambda run: node_id("CR", run.id),
        "databaseId": lambda run: run.id,
        "name": lambda run: run.name,
        "status": lambda run: run.status.upper(),
        "conclusion": lambda run: run.conclusion.upper() if run.conclusion else None,
        "startedAt": lambda run: iso(run.started_at),
        "completedAt": lambda run: maybe_iso(run.completed_at),
        "detailsUrl": lambda run: run.details_url,
        # Only the Actions service knows the workflow of a suite.
        "checkSuite": lambda run: {"id": node_id("CS", run.suite.id), "workflowRun": None},
    },
    {"isRequired": _is_required_run},
)

STATUS = FieldResolvers(
    "StatusContext",
    CommitStatus,
    {
        "id": lambda status: node_id("SC", status.id),
        "context": lambda status: status.context,
        "state": lambda status: status.state.upper(),
        "description": lambda status: status.description,
        "targetUrl": lambda status: status.target_url,
        "createdAt": lambda status: iso(status.created_at),
    },
    {"isRequired": _is_required_status},
)
