"""Shapes of repositories and branches."""

from bot.localhub.github_json import Json, iso, node_id
from bot.localhub.model import AccountType, Repository
from bot.localhub.rule_model import MergeMethod
from bot.localhub.shapes.accounts import account_shape
from bot.localhub.state import State

# The URL templates of a repository, below its own API URL, as GitHub lists them.
_TEMPLATES = {
    "archive_url": "/{archive_format}{/ref}",
    "assignees_url": "/assignees{/user}",
    "blobs_url": "/git/blobs{/sha}",
    "branches_url": "/branches{/branch}",
    "collaborators_url": "/collaborators{/collaborator}",
    "comments_url": "/comments{/number}",
    "commits_url": "/commits{/sha}",
    "compare_url": "/compare/{base}...{head}",
    "contents_url": "/contents/{+path}",
    "contributors_url": "/contributors",
    "deployments_url": "/deployments",
    "downloads_url": "/downloads",
    "events_url": "/events",
    "forks_url": "/forks",
    "git_commits_url": "/git/commits{/sha}",
    "git_refs_url": "/git/refs{/sha}",
    "git_tags_url": "/git/tags{/sha}",
    "hooks_url": "/hooks",
    "issue_comment_url": "/issues/comments{/number}",
    "issue_events_url": "/issues/events{/number}",
    "issues_url": "/issues{/number}",
    "keys_url": "/keys{/key_id}",
    "labels_url": "/labels{/name}",
    "languages_url": "/languages",
    "merges_url": "/merges",
    "milestones_url": "/milestones{/number}",
    "notifications_url": "/notifications{?since,all,participating}",
    "pulls_url": "/pulls{/number}",
    "releases_url": "/releases{/id}",
    "stargazers_url": "/stargazers",
    "statuses_url": "/statuses/{sha}",
    "subscribers_url": "/subscribers",
    "subscription_url": "/subscription",
    "tags_url": "/tags",
    "teams_url": "/teams",
    "trees_url": "/git/trees{/sha}",
}


def repository_url(state: State, repository: Repository) -> str:
    return f"{state.api_url}/repos/{repository.full_name}"


def repository_html_url(state: State, repository: Repository) -> str:
    return f"{state.base_url}/{repository.full_name}"


def clone_url(state: State, repository: Repository) -> str:
    return f"{state.base_url}/{repository.full_name}.git"


def brief_repository_shape(repository: Repository) -> Json:
    """The five keys in installation webhooks."""
    return {
        "id": repository.id,
        "node_id": node_id("R", repository.id),
        "name": repository.name,
        "full_name": repository.full_name,
        "private": repository.is_private,
    }


def repository_shape(state: State, repository: Repository) -> Json:
    """GitHub's `repository`, as lists, pulls and webhooks carry it."""
    api = repository_url(state, repository)
    html = repository_html_url(state, repository)
    open_issues = sum(1 for issue in repository.issues.values() if issue.state == "open")
    host = state.base_url.partition("://")[2]
    return {
        **brief_repository_shape(repository),
        "owner": account_shape(state, repository.owner),
        "html_url": html,
        "description": repository.description,
        "fork": repository.parent is not None,
        "url": api,
        **{key: api + tail for key, tail in _TEMPLATES.items()},
        "git_url": f"git://{host}/{repository.full_name}.git",
        "ssh_url": f"git@{host}:{repository.full_name}.git",
        "clone_url": clone_url(state, repository),
        "svn_url": html,
        "mirror_url": None,
        "homepage": None,
        "language": None,
        "forks_count": len(repository.forks),
        "forks": len(repository.forks),
        "stargazers_count": 0,
        "watchers_count": 0,
        "watchers": 0,
        "size": 0,
        "default_branch": repository.default_branch,
        "open_issues_count": open_issues,
        "open_issues": open_issues,
        "is_template": False,
        "topics": [],
        "has_issues": repository.has_issues,
        "has_projects": True,
        "has_wiki": False,
        "has_pages": False,
        "has_downloads": True,
        "has_discussions": False,
        "archived": repository.is_archived,
        "disabled": False,
        "license": None,
        "allow_forking": True,
        "web_commit_signoff_required": False,
        "visibility": repository.visibility.value,
        "pushed_at": iso(repository.pushed_at),
        "created_at": iso(repository.created_at),
        "updated_at": iso(repository.pushed_at),
    }


def full_repository_shape(state: State, repository: Repository) -> Json:
    """GitHub's `full-repository`, as `GET /repos/{owner}/{repo}` answers."""
    full: Json = {
        **repository_shape(state, repository),
        "allow_rebase_merge": MergeMethod.REBASE in repository.merge_methods,
        "allow_squash_merge": MergeMethod.SQUASH in repository.merge_methods,
        "allow_merge_commit": MergeMethod.MERGE in repository.merge_methods,
        "allow_auto_merge": False,
        "allow_update_branch": False,
        "delete_branch_on_merge": False,
        "subscribers_count": 0,
        "network_count": 0,
    }
    if repository.parent is not None:
        above = repository_shape(state, repository.parent)
        full |= {"parent": above, "source": above}
    if repository.owner.type is AccountType.ORGANIZATION:
        full["organization"] = account_shape(state, repository.owner)
    return full
