"""Shapes of accounts, Apps and installations."""

from urllib.parse import quote

from bot.localhub.github_json import Json, iso, maybe_iso, node_id
from bot.localhub.model import Account, AccountType, App, Installation
from bot.localhub.state import State

NODE_PREFIXES = {
    AccountType.USER: "U",
    AccountType.ORGANIZATION: "O",
    AccountType.BOT: "BOT",
}


def account_shape(state: State, account: Account) -> Json:
    """GitHub's `simple-user`."""
    login = account.login
    # GitHub escapes a bot's brackets: `/users/headgate%5Bbot%5D`.
    api = f"{state.api_url}/users/{quote(login)}"
    html = (
        f"{state.base_url}/apps/{login.removesuffix('[bot]')}"
        if account.type is AccountType.BOT
        else f"{state.base_url}/{login}"
    )
    return {
        "login": login,
        "id": account.id,
        "node_id": node_id(NODE_PREFIXES[account.type], account.id),
        "avatar_url": f"{state.base_url}/avatars/u/{account.id}?v=4",
        "gravatar_id": "",
        "url": api,
        "html_url": html,
        "followers_url": f"{api}/followers",
        "following_url": f"{api}/following{{/other_user}}",
        "gists_url": f"{api}/gists{{/gist_id}}",
        "starred_url": f"{api}/starred{{/owner}}{{/repo}}",
        "subscriptions_url": f"{api}/subscriptions",
        "organizations_url": f"{api}/orgs",
        "repos_url": f"{api}/repos",
        "events_url": f"{api}/events{{/privacy}}",
        "received_events_url": f"{api}/received_events",
        "type": account.type.value,
        "site_admin": False,
    }


def full_account_shape(state: State, account: Account) -> Json:
    """GitHub's `public-user`, as `/users/{login}` answers."""
    return {
        **account_shape(state, account),
        "name": account.login,
        "company": None,
        "blog": "",
        "location": None,
        "email": None,
        "hireable": None,
        "bio": None,
        "public_repos": 0,
        "public_gists": 0,
        "followers": 0,
        "following": 0,
        "created_at": iso(account.created_at),
        "updated_at": iso(account.created_at),
    }


def organization_shape(state: State, account: Account) -> Json:
    """GitHub's `organization-simple`, as webhooks carry it."""
    api = f"{state.api_url}/orgs/{account.login}"
    return {
        "login": account.login,
        "id": account.id,
        "node_id": node_id("O", account.id),
        "url": api,
        "repos_url": f"{api}/repos",
        "events_url": f"{api}/events",
        "hooks_url": f"{api}/hooks",
        "issues_url": f"{api}/issues",
        "members_url": f"{api}/members{{/member}}",
        "public_members_url": f"{api}/public_members{{/member}}",
        "avatar_url": f"{state.base_url}/avatars/u/{account.id}?v=4",
        "description": "",
    }


def full_organization_shape(state: State, account: Account) -> Json:
    """GitHub's `organization-full`, as `/orgs/{org}` answers a stranger."""
    held = sum(1 for repository in state.repositories.values() if repository.owner is account)
    return {
        **organization_shape(state, account),
        "html_url": f"{state.base_url}/{account.login}",
        "name": account.login,
        "has_organization_projects": False,
        "has_repository_projects": True,
        "public_repos": held,
        "public_gists": 0,
        "followers": 0,
        "following": 0,
        "type": account.type.value,
        "created_at": iso(account.created_at),
        "updated_at": iso(account.created_at),
        "archived_at": None,
    }


def app_shape(state: State, app: App) -> Json:
    """GitHub's `integration`."""
    return {
        "id": app.id,
        "slug": app.slug,
        "client_id": app.client_id,
        "node_id": node_id("A", app.id),
        "owner": account_shape(state, app.owner),
        "name": app.name,
        "description": app.description,
        "external_url": app.external_url,
        "html_url": f"{state.base_url}/apps/{app.slug}",
        "created_at": iso(app.created_at),
        "updated_at": iso(app.created_at),
        "permissions": dict(app.permissions),
        "events": list(app.events),
    }


def own_app_shape(state: State, app: App) -> Json:
    """`GET /app`: the App as it sees itself."""
    count = sum(1 for held in state.installations.values() if held.app is app)
    return {**app_shape(state, app), "installations_count": count}


def installation_shape(state: State, installation: Installation) -> Json:
    """GitHub's `installation`."""
    account = installation.account
    kind = "Organization" if account.type is AccountType.ORGANIZATION else "User"
    return {
        "id": installation.id,
        "client_id": installation.app.client_id,
        "account": account_shape(state, account),
        "repository_selection": "all" if installation.repository_ids is None else "selected",
        "access_tokens_url": f"{state.api_url}/app/installations/{installation.id}/access_tokens",
        "repositories_url": f"{state.api_url}/installation/repositories",
        "html_url": f"{state.base_url}/settings/installations/{installation.id}",
        "app_id": installation.app.id,
        "app_slug": installation.app.slug,
        "target_id": account.id,
        "target_type": kind,
        "permissions": dict(installation.permissions),
        "events": list(installation.app.events),
        "created_at": iso(installation.created_at),
        "updated_at": iso(installation.updated_at),
        "single_file_name": None,
        "has_multiple_single_files": False,
        "single_file_paths": [],
        "suspended_by": None,
        "suspended_at": maybe_iso(installation.suspended_at),
    }
