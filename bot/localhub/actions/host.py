"""What the Actions service needs from the hub that it runs on.

The service calls its host without holding a lock of its own, except for `now`, so a host may call
back into the service under its own lock. Names of repositories are full names, `owner/name`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from bot.localhub.actions.runner_messages import Annotation


@dataclass(frozen=True)
class RepositoryFacts:
    """A repository; `payload` is its REST form, as webhooks carry it."""

    id: int
    owner: str
    owner_id: int
    name: str
    full_name: str
    default_branch: str
    private: bool
    clone_url: str
    payload: dict[str, object] = field(default_factory=dict)
    is_fork: bool = False


@dataclass(frozen=True)
class ActorFacts:
    """A user or bot; `payload` is GitHub's simple user."""

    id: int
    login: str
    payload: dict[str, object] = field(default_factory=dict)


class ActionsHost(Protocol):
    @property
    def base_url(self) -> str:
        """Where the hub is reached, without a slash at the end; API and pages share it."""

    def resolve(self, repository: str, ref: str) -> str | None:
        """The commit of a branch, tag, full ref or SHA; None if there is none."""

    def read_file(self, repository: str, sha: str, path: str) -> bytes | None: ...

    def commit_payload(self, repository: str, sha: str) -> dict[str, object] | None:
        """GitHub's simple commit: id, tree_id, message, timestamp, author, committer."""

    def changed_paths(self, repository: str, before: str, after: str) -> list[str]: ...

    def list_files(self, repository: str, sha: str, folder: str) -> list[str]:
        """The paths, from the root, of the files directly in a folder of a commit."""

    def repository_facts(self, repository: str) -> RepositoryFacts:
        """A repository. Raises KeyError if there is none."""

    def mint_job_token(self, repository: str, permissions: dict[str, str]) -> str:
        """A token for one job; permissions are named as the REST API names them."""

    def revoke_token(self, token: str) -> None:
        """End a job's token. Idempotent."""

    def mint_id_token(self, claims: dict[str, object]) -> str:
        """Sign claims as the hub's OIDC issuer."""

    def record_job_check(  # noqa: PLR0913 - the hub's signature
        self,
        repository: str,
        head_sha: str,
        name: str,
        job_id: int,
        status: str,
        conclusion: str | None,
        details_url: str,
        annotations: Sequence[Annotation] = (),
    ) -> int:
        """Create or update the check run of a job, found by `job_id`; its id.

        `annotations` are the job's own, once it has ended.
        """

    def emit(
        self,
        repository: str,
        event: str,
        action: str | None,
        body: dict[str, object],
        sender: dict[str, object],
    ) -> None:
        """Send a webhook; `body` holds the keys of this event, the host adds the common ones."""

    def now(self) -> datetime:
        """The hub's time. Takes no lock."""
