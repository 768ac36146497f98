"""Where a question begins: the viewer, a repository, its refs, issues and pulls, and a search."""

from dataclasses import dataclass

from bot.localhub.access import Access
from bot.localhub.errors import ApiError
from bot.localhub.graphql.asking import Arguments, Asking, Refusal, page
from bot.localhub.graphql.issues import in_order
from bot.localhub.graphql.pulls import CommitView, PullView, view
from bot.localhub.graphql.search import found_by
from bot.localhub.graphql.tables import Table
from bot.localhub.model import Account, Actor, Issue, Repository, TokenKind
from bot.localhub.shapes.issues import issue_node_id
from bot.localhub.shapes.repositories import repository_html_url
from bot.localhub.wire import Json, iso, node_id


@dataclass(frozen=True)
class Root:
    """Where every query and mutation starts."""


@dataclass(frozen=True)
class RefView:
    """A ref that is there."""

    repository: Repository
    name: str


def readable(asking: Asking, full_name: str, permission: str) -> Repository:
    """A repository for somebody who may read this of it; NOT_FOUND where they may not know of it."""
    missing = f"Could not resolve to a Repository with the name '{full_name}'."
    try:
        repository = asking.hub.repository(full_name)
        asking.hub.access.require(asking.actor, repository, permission, "read")
    except ApiError as error:
        if error.status == 404:
            raise Refusal("NOT_FOUND", missing) from error
        raise
    return repository


def _repository(asking: Asking, _root: Root, asked: Arguments) -> Repository:
    return readable(asking, f"{asked.text('owner')}/{asked.text('name')}", "metadata")


def by_id(asking: Asking, wanted: str) -> Repository | Issue | PullView:
    """The thing of a node id, for somebody who may know of it."""
    state, access = asking.hub.state, asking.hub.access
    for repository in list(state.repositories.values()):
        if access.can_see(asking.actor, repository):
            if node_id("R", repository.id) == wanted:
                return repository
            for issue in list(repository.issues.values()):
                if issue_node_id(issue) == wanted:
                    permission = "issues" if issue.pull is None else "pull_requests"
                    access.require(asking.actor, repository, permission, "read")
                    return view(issue)
    raise Refusal("NOT_FOUND", f"Could not resolve to a node with the global id of '{wanted}'")


def _node(asking: Asking, _root: Root, asked: Arguments) -> Repository | Issue | PullView:
    return by_id(asking, asked.text("id"))


def _viewer(asking: Asking, _root: Root, _asked: Arguments) -> Account:
    account = asking.actor.account
    if account is None:
        raise Refusal("FORBIDDEN", "Resource not accessible")
    return account


def _search(asking: Asking, _root: Root, asked: Arguments) -> Json:
    hub = asking.hub
    visible = [
        repository
        for repository in list(hub.state.repositories.values())
        if hub.access.can_see(asking.actor, repository)
    ]
    found = [issue for one in visible for issue in list(one.issues.values())]
    matching = [issue for issue in found if found_by(asked.text("query"), issue)]
    newest_first = sorted(matching, key=lambda issue: issue.id, reverse=True)
    # GitHub pages a search from its first result whichever end is asked for.
    size = asked.number("first") or asked.number("last") or 0
    window = {"first": size, "after": asked.text("after")}
    answer = page([view(issue) for issue in newest_first], Arguments(window))
    return {**answer, "issueCount": len(newest_first)}


QUERY = Table(
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


def _default_branch(repository: Repository) -> RefView | None:
    return _ref(repository, f"refs/heads/{repository.default_branch}")


def _ref(repository: Repository, name: str) -> RefView | None:
    return RefView(repository, name) if name in repository.refs else None


def _held(asking: Asking, repository: Repository, permission: str) -> list[Issue]:
    asking.hub.access.require(asking.actor, repository, permission, "read")
    return list(repository.issues.values())


def _issues(asking: Asking, repository: Repository, asked: Arguments) -> Json:
    wanted, wish = asked.texts("states"), asked.part("filterBy")
    labels = {name.lower() for name in [*asked.texts("labels"), *wish.texts("labels")]}
    creator, assignee = wish.text("createdBy").lower(), wish.text("assignee").lower()
    found = [
        issue
        for issue in _held(asking, repository, "issues")
        if issue.pull is None
        and (not wanted or issue.state.upper() in wanted)
        and labels <= {label.name.lower() for label in issue.labels}
        and creator in ("", issue.user.login.lower())
        and (not assignee or assignee in {one.login.lower() for one in issue.assignees})
    ]
    return page(in_order(found, asked), asked)


def _pulls(asking: Asking, repository: Repository, asked: Arguments) -> Json:
    wanted = asked.texts("states")
    found = [
        issue
        for issue in _held(asking, repository, "pull_requests")
        if issue.pull is not None
        and (not wanted or _pull_state(issue) in wanted)
        and asked.text("headRefName") in ("", issue.pull.head_ref)
        and asked.text("baseRefName") in ("", issue.pull.base_ref)
    ]
    return page([view(issue) for issue in in_order(found, asked)], asked)


def _pull_state(issue: Issue) -> str:
    is_merged = issue.pull is not None and issue.pull.merged_at is not None
    return "MERGED" if is_merged else issue.state.upper()


def _numbered(asking: Asking, repository: Repository, asked: Arguments, what: str) -> Issue:
    permission = "pull_requests" if what == "PullRequest" else "issues"
    number = asked.number("number")
    for issue in _held(asking, repository, permission):
        is_asked_for = what == "issue or pull request" or (what == "Issue") == (issue.pull is None)
        if issue.number == number and is_asked_for:
            return issue
    raise Refusal("NOT_FOUND", f"Could not resolve to an {what} with the number of {number}.")


def _issue(asking: Asking, repository: Repository, asked: Arguments) -> Issue:
    return _numbered(asking, repository, asked, "Issue")


def _pull(asking: Asking, repository: Repository, asked: Arguments) -> Issue | PullView:
    return view(_numbered(asking, repository, asked, "PullRequest"))


def _either(asking: Asking, repository: Repository, asked: Arguments) -> Issue | PullView:
    return view(_numbered(asking, repository, asked, "issue or pull request"))


def _named_ref(_asking: Asking, repository: Repository, asked: Arguments) -> RefView | None:
    name = asked.text("qualifiedName")
    full = (name, f"refs/heads/{name}", f"refs/tags/{name}")
    return next((RefView(repository, one) for one in full if one in repository.refs), None)


REPOSITORY = Table(
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
        "isArchived": lambda _: False,
        "parent": lambda _: None,
        "hasIssuesEnabled": lambda _: True,
        "hasWikiEnabled": lambda _: False,
        "mergeCommitAllowed": lambda _: True,
        "rebaseMergeAllowed": lambda _: True,
        "squashMergeAllowed": lambda _: True,
        "createdAt": lambda repository: iso(repository.created_at),
        "pushedAt": lambda repository: iso(repository.pushed_at),
        "defaultBranchRef": _default_branch,
    },
    {
        "url": lambda asking, repository, _: repository_html_url(asking.hub.state, repository),
        "viewerPermission": lambda asking, repository, _: _permission(
            asking.hub.access, asking.actor, repository
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


REF = Table(
    "Ref",
    RefView,
    {
        "id": lambda ref: f"REF_{ref.repository.id}_{ref.name}",
        "name": lambda ref: ref.name.split("/", 2)[2],
        "prefix": lambda ref: "/".join(ref.name.split("/", 2)[:2]) + "/",
        "target": _target,
    },
)
