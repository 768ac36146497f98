"""A hub's initial state from one YAML or JSON file, and the credentials that are generated.

All secrets are generated here and written to one file that only its owner may read. The seed file
may hold a webhook secret, because both sides must share it.
"""

import json
import os
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from bot.localhub.apps import AppDraft
from bot.localhub.hub import Hub
from bot.localhub.model import Role, Visibility
from bot.localhub.rule_model import RefRule, RequiredCheck, Ruleset


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SeedRuleset(_Strict):
    """Rules for some branches of a repository; required checks are accepted from any App."""

    name: str
    branches: tuple[str, ...] = ("~DEFAULT_BRANCH",)
    rules: frozenset[RefRule] = frozenset()
    required_checks: tuple[str, ...] = ()
    approvals_min: int = 0
    dismisses_stale_reviews: bool = False
    needs_code_owners: bool = False
    needs_last_push: bool = False
    needs_resolution: bool = False


class SeedRepository(_Strict):
    """A repository; `directory` (relative to the seed file) becomes its first commit."""

    name: str = Field(pattern=r"^[\w.-]+/[\w.-]+$")
    visibility: Visibility = Visibility.PUBLIC
    description: str | None = None
    directory: str | None = None
    message: str = "Begin"
    collaborators: dict[str, Role] = Field(default_factory=dict)
    rulesets: tuple[SeedRuleset, ...] = ()


class SeedInstallation(_Strict):
    owner: str
    repositories: tuple[str, ...] | None = None


class SeedApp(_Strict):
    """An App to register; a missing webhook secret is generated."""

    name: str
    owner: str
    webhook_url: str | None = None
    webhook_secret: str | None = None
    permissions: dict[str, str]
    events: tuple[str, ...] = ()
    installations: tuple[SeedInstallation, ...] = ()


class Seed(_Strict):
    users: tuple[str, ...] = ()
    organizations: tuple[str, ...] = ()
    # The owners of organizations; people who push need no more than a role in the repository.
    owners: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    repositories: tuple[SeedRepository, ...] = ()
    apps: tuple[SeedApp, ...] = ()


class SeededApp(_Strict):
    """What was generated for an App; installation ids by owner."""

    app_id: int
    slug: str
    client_id: str
    client_secret: str
    private_key_pem: str
    webhook_secret: str
    installation_ids: dict[str, int]


class SeedOutcome(_Strict):
    tokens: dict[str, str]
    apps: dict[str, SeededApp]


class SeedError(ValueError):
    """A seed that cannot be read; a line `file: what` for each mistake."""


def load_seed(path: Path) -> Seed:
    try:
        loaded: object = YAML(typ="safe").load(path.read_text("utf-8", "replace"))
        seed = Seed.model_validate(loaded)
    except MarkedYAMLError as wrong:
        line = wrong.problem_mark.line + 1 if wrong.problem_mark else 1
        raise SeedError(f"{path}:{line}: {wrong.problem}") from wrong
    except YAMLError as wrong:
        raise SeedError(f"{path}: {wrong}") from wrong
    except ValidationError as wrong:
        lines = (
            f"{path}: {'.'.join(map(str, error['loc'])) or 'the file'}: {error['msg']}"
            for error in wrong.errors(include_url=False, include_context=False)
        )
        raise SeedError("\n".join(lines)) from wrong
    for one in seed.repositories:
        if one.directory is not None and not (path.parent / one.directory).is_dir():
            raise SeedError(f"{path}: {one.name}: there is no folder {path.parent / one.directory}")
    if unknown := sorted(_named(seed) - {*seed.users, *seed.organizations}):
        raise SeedError(f"{path}: {unknown[0]} is not among the `users` and `organizations`")
    return seed


def _named(seed: Seed) -> set[str]:
    """All accounts that something belongs to."""
    people = {login for logins in seed.owners.values() for login in logins}
    collaborators = {login for one in seed.repositories for login in one.collaborators}
    owners = {one.name.partition("/")[0] for one in seed.repositories}
    installed = {one.owner for app in seed.apps for one in app.installations}
    return people | collaborators | owners | installed | {app.owner for app in seed.apps}


def apply_seed(hub: Hub, seed: Seed, folder: Path) -> SeedOutcome:
    """Fill a new hub from the seed; directories are relative to `folder`."""
    tokens = {login: hub.add_user(login) for login in seed.users}
    for login in seed.organizations:
        hub.add_organization(login, seed.owners.get(login, ()))
    for repository in seed.repositories:
        _add_repository(hub, repository, folder)
    apps = [_register_app(hub, app) for app in seed.apps]
    return SeedOutcome(tokens=tokens, apps={app.slug: app for app in apps})


def _add_repository(hub: Hub, seed: SeedRepository, folder: Path) -> None:
    owner, _, name = seed.name.partition("/")
    repository = hub.add_repository(owner, name, seed.visibility)
    repository.description = seed.description
    for login, role in seed.collaborators.items():
        hub.add_collaborator(seed.name, login, role)
    if seed.directory is not None:
        hub.commit_files(seed.name, _files(folder / seed.directory), seed.message)
    for rules in seed.rulesets:
        ruleset = Ruleset(
            id=hub.state.next_id(),
            name=rules.name,
            branches=rules.branches,
            rules=rules.rules,
            required_checks=tuple(RequiredCheck(context) for context in rules.required_checks),
            approvals_min=rules.approvals_min,
            dismisses_stale_reviews=rules.dismisses_stale_reviews,
            needs_code_owners=rules.needs_code_owners,
            needs_last_push=rules.needs_last_push,
            needs_resolution=rules.needs_resolution,
        )
        hub.add_ruleset(seed.name, ruleset)


def _files(directory: Path) -> dict[str, bytes | None]:
    files: dict[str, bytes | None] = {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in sorted(directory.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(directory).parts
    }
    if not files:
        raise FileNotFoundError(f"{directory} holds no files to commit")
    return files


def _register_app(hub: Hub, seed: SeedApp) -> SeededApp:
    secret = seed.webhook_secret or hub.apps.new_secret()
    draft = AppDraft(seed.name, seed.webhook_url, secret, seed.permissions, seed.events)
    made = hub.apps.register(hub.account(seed.owner), draft)
    installation_ids = {
        where.owner: hub.install_app(made.app_id, where.owner, where.repositories)
        for where in seed.installations
    }
    return SeededApp(
        app_id=made.app_id,
        slug=made.slug,
        client_id=made.client_id,
        client_secret=made.client_secret,
        private_key_pem=made.private_key_pem,
        webhook_secret=made.webhook_secret,
        installation_ids=installation_ids,
    )


def write_credentials(path: Path, outcome: SeedOutcome, base_url: str) -> None:
    """Write everything generated as JSON, readable by its owner only."""
    # The mode applies to new files only: an existing one may be readable by others.
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump({"base_url": base_url, **outcome.model_dump()}, file, indent=2)
