"""Where a query begins: the viewer, a repository, its refs, issues and pulls, and a search."""

from dataclasses import dataclass

from bot.localhub.access import Access
from bot.localhub.errors import ApiError
from bot.localhub.github_json import Json, iso, node_id
from bot.localhub.graphql.issues import in_order
from bot.localhub.graphql.pulls import CommitView, PullView, view
from bot.localhub.graphql.query_context import Arguments, QueryContext, QueryError, page
from bot.localhub.graphql.resolvers import FieldResolvers
from bot.localhub.graphql.search import matches_search
from bot.localhub.model import Account, Actor, Issue, Repository, TokenKind
from bot.localhub.shapes.issues import issue_node_id
from bot.localhub.shapes.repositories import repository_html_url

_MISSING = "Could not resolve to a Repository with the name '{}'."


@dataclass(frozen=True)
class Root:
    """Where every query and mutation starts."""


@dataclass(frozen=True)
class RefView:
    repository: Repository
    name: str


def readable(context: QueryContext, full_name: str, permission: str) -> Repository:
    """A repository that the caller may read; NOT_FOUND if they may not see it."""
    try:
        repository = context.hub.repository(full_name)
        context.hub.access.require(context.actor, repository, permission, "read")
    except ApiError as error:
        if error.status == 404:
            raise QueryError("NOT_FOUND", _MISSING.format(full_name)) from error
        raise
    return repository


def _repository(context: QueryContext, _root: Root, arguments: Arguments) -> Repository:
    asked = f"{arguments.text('owner')}/{arguments.text('name')}"
    found = readable(context, asked, "metadata")
    if arguments.values.get("followRenames") is False and context.hub.state.moved(asked):
        raise QueryError("NOT_FOUND", _MISSING.format(asked))
    return found


def by_id(context: QueryContext, wanted: str) -> Repository | Issue | PullView:
    """The object of a node id that the caller may see."""
    state, access = context.hub.state, context.hub.access
    for repository in list(state.repositories.values()):
        if access.can_see(context.actor, repository):
            if node_id("R", repository.id) == wanted:
                return repository
            for issue in list(repository.issues.values()):
                if issue_node_id(issue) == wanted:
                    permission = "issues" if issue.pull is None else "pull_requests"
                    access.require(context.actor, repository, permission, "read")
                    return view(issue)
    raise QueryError("NOT_FOUND", f"Could not resolve to a node with the global id of '{wanted}'")


def _node(
    context: QueryContext, _root: Root, arguments: Arguments
) -> Repository | Issue | PullView:
    return by_id(context, arguments.text("id"))


def _viewer(context: QueryContext, _root: Root, _asked: Arguments) -> Account:
    account = context.actor.account
    if account is None:
        raise QueryError("FORBIDDEN", "Resource not accessible")
    return account


def _search(context: QueryContext, _root: Root, arguments: Arguments) -> Json:
    hub = context.hub
    visible = [
        repository
        for repository in list(hub.state.repositories.values())
        if hub.access.can_see(context.actor, repository)
    ]
    found = [issue for one in visible for issue in list(one.issues.values())]
    matching = [issue for issue in found if matches_search(arguments.text("query"), issue)]
    newest_first = sorted(matching, key=lambda issue: issue.id, reverse=True)
    # GitHub pages a search from its first result, for `last` too.
    size = arguments.number("first") or arguments.number("last") or 0
    window = {"first": size, "after": arguments.text("after")}
    answer = page([view(issue) for issue in newest_first], Arguments(window))
    return {**answer, "issueCount": len(newest_first)}


QUERY = FieldResolvers(
    "Query",
    Root,
    {},
    {"repository": _repository, "viewer": _viewer, "search": _search, "node": _node},
)


def _permission(access: Access, actor: Actor, repository: Repository) -> str | None:
    if actor.kind is not TokenKind.USER or actor.account is None:
        return None
    role = access.role(actor.account, repository)
    return None if role is None else role.value.upper()


def _default_branch(context: QueryContext, repository: Repository, _: Arguments) -> RefView | None:
    return _ref(context, repository, f"refs/heads/{repository.default_branch}")


def _ref(context: QueryContext, repository: Repository, *names: str) -> RefView | None:
    """The first of these refs that is there; an App needs leave to read contents."""
    context.hub.access.require(context.actor, repository, "contents", "read")
    return next((RefView(repository, name) for name in names if name in repository.refs), None)


def _held(context: QueryContext, repository: Repository, permission: str) -> list[Issue]:
    context.hub.access.require(context.actor, repository, permission, "read")
    return list(repository.issues.values())


def _issues(context: QueryContext, repository: Repository, arguments: Arguments) -> Json:
    wanted, filters = arguments.texts("states"), arguments.part("filterBy")
    labels = {name.lower() for name in [*arguments.texts("labels"), *filters.texts("labels")]}
    creator, assignee = filters.text("createdBy").lower(), filters.text("assignee").lower()
    found = [
        issue
        for issue in _held(context, repository, "issues")
        if issue.pull is None
        and (not wanted or issue.state.upper() in wanted)
        and labels <= {label.name.lower() for label in issue.labels}
        and creator in ("", issue.user.login.lower())
        and (not assignee or assignee in {one.login.lower() for one in issue.assignees})
    ]
    return page(in_order(found, arguments), arguments)


def _pulls(context: QueryContext, repository: Repository, arguments: Arguments) -> Json:
    wanted = arguments.texts("states")
    found = [
        issue
        for issue in _held(context, repository, "pull_requests")
        if issue.pull is not None
        and (not wanted or _pull_state(issue) in wanted)
        and arguments.text("headRefName") in ("", issue.pull.head_ref)
        and arguments.text("baseRefName") in ("", issue.pull.base_ref)
    ]
    return page([view(issue) for issue in in_order(found, arguments)], arguments)


def _pull_state(issue: Issue) -> str:
    is_merged = issue.pull is not None and issue.pull.merged_at is not None
    return "MERGED" if is_merged else issue.state.upper()


def _numbered(
    context: QueryContext, repository: Repository, arguments: Arguments, what: str
) -> Issue:
    permission = "pull_requests" if what == "PullRequest" else "issues"
    number = arguments.number("number")
    for issue in _held(context, repository, permission):
        is_asked_for = what == "issue or pull request" or (what == "Issue") == (issue.pull is None)
        if issue.number == number and is_asked_for:
            return issue
    raise QueryError("NOT_FOUND", f"Could not resolve to an {what} with the number of {number}.")


def _issue(context: QueryContext, repository: Repository, arguments: Arguments) -> Issue:
    return _numbered(context, repository, arguments, "Issue")


def _pull(context: QueryContext, repository: Repository, arguments: Arguments) -> Issue | PullView:
    return view(_numbered(context, repository, arguments, "PullRequest"))


def _either(
    context: QueryContext, repository: Repository, arguments: Arguments
) -> Issue | PullView:
    return view(_numbered(context, repository, arguments, "issue or pull request"))


def _named_ref(
    context: QueryContext, repository: Repository, arguments: Arguments
) -> RefView | None:
    name = arguments.text("qualifiedName")
    return _ref(context, repository, name, f"refs/heads/{name}", f"refs/tags/{name}")


REPOSITORY = FieldResolvers(
    "Repository",
    Repository,
    {
        "id": lambda repository: node_id("R", repository.id),
        "databaseId": lambda repository: repository.id,
        "name": lambda repository: repository.name,
        "nameWithOwner": lambda repository: repository.full_name,
        "owner": lambda repository: repository.owner,
        "description": lambda repository: repository.description,
        "isPrivate": lambda repository: repository.is_private,
        "isFork": lambda _: False,
        "isArchived": lambda repository: repository.is_archived,
        "parent": lambda _: None,
        "hasIssuesEnabled": lambda _: True,
        "hasWikiEnabled": lambda _: False,
        "mergeCommitAllowed": lambda _: True,
        "rebaseMergeAllowed": lambda _: True,
        "squashMergeAllowed": lambda _: True,
        "createdAt": lambda repository: iso(repository.created_at),
        "pushedAt": lambda repository: iso(repository.pushed_at),
    },
    {
        "defaultBranchRef": _default_branch,
        "url": lambda context, repository, _: repository_html_url(context.hub.state, repository),
        "viewerPermission": lambda context, repository, _: _permission(
            context.hub.access, context.actor, repository
        ),
        "issues": _issues,
        "pullRequests": _pulls,
        "issue": _issue,
        "pullRequest": _pull,
        "issueOrPullRequest": _either,
        "ref": _named_ref,
    },
)


def _target(ref: RefView) -> CommitView | None:
    git = ref.repository.git
    sha = git.commit_sha(ref.repository.refs[ref.name])
    return None if sha is None else CommitView(ref.repository, git.commit(sha))


REF = FieldResolvers(
    "Ref",
    RefView,
    {
        "id": lambda ref: f"REF_{ref.repository.id}_{ref.name}",
        "name": lambda ref: ref.name.split("/", 2)[2],
        "prefix": lambda ref: "/".join(ref.name.split("/", 2)[:2]) + "/",
        "target": _target,
    },
)
