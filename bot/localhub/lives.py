"""The life of a repository: it gets another name, owner or default branch, is archived or deleted.

As on GitHub the id stays, and the former name leads to the new one (REST 301 or 307, git 301) until
another repository takes it. After a transfer an App sees the repository only if the new owner
installed it there.
"""

from collections.abc import Callable

from bot.localhub.apps import Apps
from bot.localhub.errors import unprocessable
from bot.localhub.github_json import Json
from bot.localhub.issues import author
from bot.localhub.model import Account, AccountType, Actor, Repository
from bot.localhub.pulls import Pulls
from bot.localhub.refs import Refs
from bot.localhub.shapes.accounts import account_shape, organization_shape
from bot.localhub.state import State
from bot.localhub.webhooks import Announcement, Webhooks, short_installation

# Called with the former full name, after a repository has another one.
RenameListener = Callable[[Repository, str], None]


class Lives:
    def __init__(
        self, state: State, webhooks: Webhooks, apps: Apps, refs: Refs, pulls: Pulls
    ) -> None:
        self._state = state
        self._webhooks = webhooks
        self._apps = apps
        self._refs = refs
        self._pulls = pulls
        self.listeners: list[RenameListener] = []

    def rename(self, repository: Repository, actor: Actor, name: str) -> None:
        """422 if the owner has a repository of this name."""
        with self._state.lock:
            former = repository.name
            self._move(repository, repository.owner, name)
            changes: Json = {"repository": {"name": {"from": former}}}
            self._announce(repository, "renamed", actor, {"changes": changes})

    def transfer(self, repository: Repository, actor: Actor, owner: Account) -> None:
        """At once; GitHub asks a new owner first. 422 if they have a repository of this name."""
        with self._state.lock:
            former, lost = repository.owner, self._state.installations_on(repository)
            self._move(repository, owner, repository.name)
            for installation in lost:
                self._apps.remove_repositories(installation, [repository])
            for installation in self._state.installations_on(repository):
                self._apps.add_repositories(installation, [repository])
            changes: Json = {"owner": {"from": _owner(former, self._state)}}
            self._announce(repository, "transferred", actor, {"changes": changes})

    def rename_account(self, account: Account, login: str) -> None:
        """Every repository of the account gets another full name. Its webhook must be subscribed."""
        with self._state.lock:
            if login.lower() in self._state.accounts:
                raise unprocessable("The login is taken")
            former = account.login
            owned = [r for r in self._state.repositories.values() if r.owner is account]
            del self._state.accounts[former.lower()]
            self._state.accounts[login.lower()] = account
            names = [(repository, repository.full_name) for repository in owned]
            account.login = login
            for repository, full_name in names:
                self._rekey(repository, full_name)
            body: Json = {
                "action": "renamed",
                "account": account_shape(self._state, account),
                "changes": {"login": {"from": former}},
                "target_type": account.type.value,
            }
            for installation in self._state.installations.values():
                if (
                    installation.account is account
                    and installation.suspended_at is None
                    and "installation_target" in installation.app.events
                ):
                    self._webhooks.send_installation_event(
                        installation,
                        "installation_target",
                        {**body, "installation": short_installation(installation)},
                        account,
                    )

    def set_default_branch(self, repository: Repository, actor: Actor, branch: str) -> None:
        """Open pulls keep their base. 422 if there is no such branch."""
        if f"refs/heads/{branch}" not in repository.refs:
            raise unprocessable("The branch does not exist")
        with repository.push_lock, self._state.lock:
            self._point_head(repository, actor, branch)

    def rename_branch(self, repository: Repository, actor: Actor, old: str, new: str) -> None:
        """Pulls into the branch get the new one as their base; 422 if it exists."""
        with repository.push_lock:
            sha = repository.refs.get(f"refs/heads/{old}")
            if sha is None or f"refs/heads/{new}" in repository.refs:
                raise unprocessable("The branch cannot be renamed")
            self._refs.create(repository, actor, f"refs/heads/{new}", sha)
            with self._state.lock:
                if repository.default_branch == old:
                    self._point_head(repository, actor, new)
                for issue, pull in self._pulls.open_pulls(repository):
                    if pull.base_ref == old:
                        self._pulls.set_base(issue, pull, actor, new)
            self._refs.delete(repository, actor, f"refs/heads/{old}")

    def archive(self, repository: Repository, actor: Actor) -> None:
        """Nothing but reading is allowed any more."""
        with self._state.lock:
            repository.is_archived = True
            self._announce(repository, "archived", actor, {})

    def unarchive(self, repository: Repository, actor: Actor) -> None:
        with self._state.lock:
            repository.is_archived = False
            self._announce(repository, "unarchived", actor, {})

    def delete(self, repository: Repository, actor: Actor) -> None:
        with self._state.lock:
            self._announce(repository, "deleted", actor, {})
            del self._state.repositories[repository.full_name.lower()]

    def _point_head(self, repository: Repository, actor: Actor, branch: str) -> None:
        former, repository.default_branch = repository.default_branch, branch
        repository.git.run(["symbolic-ref", "HEAD", f"refs/heads/{branch}"])
        changes: Json = {"default_branch": {"from": former}}
        self._announce(repository, "edited", actor, {"changes": changes})

    def _move(self, repository: Repository, owner: Account, name: str) -> None:
        former = repository.full_name
        if f"{owner.login}/{name}".lower() in self._state.repositories:
            raise unprocessable("name already exists on this account")
        repository.owner, repository.name = owner, name
        self._rekey(repository, former)

    def _rekey(self, repository: Repository, former: str) -> None:
        """The folder on the disk keeps its place."""
        del self._state.repositories[former.lower()]
        self._state.repositories[repository.full_name.lower()] = repository
        self._state.former_names.pop(repository.full_name.lower(), None)
        self._state.former_names[former.lower()] = repository
        for listener in self.listeners:
            listener(repository, former)

    def _announce(self, repository: Repository, action: str, actor: Actor, body: Json) -> None:
        self._webhooks.announce(Announcement(repository, "repository", action, body, author(actor)))


def _owner(account: Account, state: State) -> Json:
    if account.type is AccountType.ORGANIZATION:
        return {"organization": organization_shape(state, account)}
    return {"user": account_shape(state, account)}
