"""The hub as the Actions service sees it: commits, tokens for jobs, check runs, webhooks.

Names of repositories are full names.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.localhub import keys
from bot.localhub.access import JOB_TOKEN_LIFETIME, Access
from bot.localhub.actions.host import ActorFacts, RepositoryFacts
from bot.localhub.actions.runner_messages import Annotation as JobAnnotation
from bot.localhub.apps import Apps
from bot.localhub.checks import CheckEdit, Checks
from bot.localhub.git_diff import changed_files
from bot.localhub.github_json import Json
from bot.localhub.model import Actor, Annotation, Token, TokenKind
from bot.localhub.refs import Refs
from bot.localhub.shapes.accounts import account_shape
from bot.localhub.shapes.commits import head_commit_shape
from bot.localhub.shapes.repositories import clone_url, repository_shape
from bot.localhub.state import State
from bot.localhub.webhooks import Announcement, Webhooks


def _annotation_of_check(note: JobAnnotation) -> Annotation:
    """As GitHub keeps it: what names no file is put at the first line of `.github`."""
    line = max(note.line, 1)
    return Annotation(
        path=note.path or ".github",
        start_line=line,
        end_line=max(note.end_line, line),
        level=note.level,
        message=note.message,
        title=note.title,
    )


@dataclass(frozen=True)
class HubActionsHost:
    state: State
    access: Access
    apps: Apps
    refs: Refs
    checks: Checks
    webhooks: Webhooks
    issuer: keys.Issuer

    @property
    def base_url(self) -> str:
        return self.state.base_url

    def now(self) -> datetime:
        return self.state.now()

    def resolve(self, repository: str, ref: str) -> str | None:
        return self.refs.resolve(self.state.repository(repository), ref)

    def read_file(self, repository: str, sha: str, path: str) -> bytes | None:
        return self.state.repository(repository).git.read_file(sha, path)

    def list_files(self, repository: str, sha: str, folder: str) -> list[str]:
        git = self.state.repository(repository).git
        place = folder.strip("/")
        names = git.names_in(sha, place) if git.commit_sha(sha) else []
        return [f"{place}/{name}" if place else name for name in names]

    def commit_payload(self, repository: str, sha: str) -> Json | None:
        git = self.state.repository(repository).git
        full = git.commit_sha(sha)
        return None if full is None else head_commit_shape(git.commit(full))

    def changed_paths(self, repository: str, before: str, after: str) -> list[str]:
        git = self.state.repository(repository).git
        known = git.commit_sha(before)
        return [file.path for file in changed_files(git, known, after)]

    def repository_facts(self, repository: str) -> RepositoryFacts:
        state = self.state
        found = state.repositories.get(repository.lower()) or state.moved(repository)
        if found is None:
            raise KeyError(repository)
        return RepositoryFacts(
            id=found.id,
            owner=found.owner.login,
            owner_id=found.owner.id,
            name=found.name,
            full_name=found.full_name,
            default_branch=found.default_branch,
            private=found.is_private,
            clone_url=clone_url(state, found),
            payload=repository_shape(state, found),
            is_fork=found.parent is not None,
        )

    def facts_of(self, actor: Actor) -> ActorFacts | None:
        account = actor.account
        if account is None:
            return None
        return ActorFacts(
            id=account.id,
            login=account.login,
            payload=account_shape(self.state, account),
        )

    def mint_job_token(self, repository: str, permissions: dict[str, str]) -> str:
        app = self.apps.actions_app
        found = self.state.repository(repository)
        secret = keys.installation_token(app.id)
        named = {name.replace("-", "_"): level for name, level in permissions.items()}
        actor = Actor(
            kind=TokenKind.JOB,
            account=app.bot,
            app=app,
            permissions={**named, "metadata": "read"},
            repository_ids=frozenset({found.id}),
            token=secret,
        )
        self.access.remember(secret, Token(actor, self.now() + JOB_TOKEN_LIFETIME))
        return secret

    def revoke_token(self, token: str) -> None:
        self.access.revoke(token)

    def mint_id_token(self, claims: Json) -> str:
        return self.issuer.sign(claims)

    def record_job_check(  # noqa: PLR0913 - the signature is agreed with the Actions service
        self,
        repository: str,
        head_sha: str,
        name: str,
        job_id: int,
        status: str,
        conclusion: str | None,
        details_url: str,
        annotations: Sequence[JobAnnotation] = (),
    ) -> int:
        found = self.state.repository(repository)
        app = self.apps.actions_app
        edit = CheckEdit(
            name=name,
            status=status,
            conclusion=conclusion,
            external_id=str(job_id),
            details_url=details_url,
            annotations=tuple(_annotation_of_check(one) for one in annotations),
        )
        with self.state.lock:
            known = [
                run
                for run in found.check_runs.values()
                if run.suite.app is app and run.external_id == str(job_id)
            ]
        # Without the lock: the merge queue looks then, and takes the repository's first.
        if not known:
            return self.checks.create(found, app, head_sha, edit, app.bot).id
        self.checks.update(known[0], app, edit, app.bot)
        return known[0].id

    def emit(
        self, repository: str, event: str, action: str | None, body: Json, sender: Json
    ) -> None:
        """Send a webhook; repository, sender, organization and installation are added here."""
        account = self.state.account(str(sender["login"]))
        found = self.state.repository(repository)
        self.webhooks.announce(Announcement(found, event, action, dict(body), account))
