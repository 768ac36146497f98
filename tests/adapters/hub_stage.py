"""localhub with a repository, people and our App, and a real `GitHubForge` that talks to it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import httpx

from bot.adapters.github.forge import GitHubForge
from bot.core.values.ids import InstallationId, RepositoryId, Sha
from bot.core.values.repository import RepositoryFacts
from bot.localhub.hub import Hub
from bot.localhub.model import Role, Visibility
from bot.localhub.server import running

PERMISSIONS = {
    **{"contents": "write", "issues": "write", "pull_requests": "write", "checks": "write"},
    **{"actions": "write", "workflows": "write", "metadata": "read"},
}
REPOSITORY = "octo/shop"


@dataclass
class HubStage:
    """`ada` owns the repository, `bob` may write to it, `eve` may not."""

    hub: Hub
    base_url: str
    app_id: int
    private_key: str
    installation: InstallationId
    forge: GitHubForge
    facts: RepositoryFacts
    tokens: dict[str, str]

    def as_person(self, login: str, path: str, body: dict[str, object]) -> dict[str, object]:
        """A person's POST over REST."""
        headers = {"Authorization": f"token {self.tokens[login]}"}
        url = f"{self.base_url}/repos/{REPOSITORY}{path}"
        answer = httpx.post(url, json=body, headers=headers)
        assert answer.status_code < 300, answer.text
        found: dict[str, object] = answer.json()
        return found

    def head(self) -> Sha:
        """The tip of main."""
        sha = self.hub.repository(REPOSITORY).git.commit_sha("main")
        assert sha is not None
        return Sha(sha)

    def requests_since(self, count: int) -> list[str]:
        """`METHOD path` of the requests after the first `count`."""
        return [f"{one.method} {one.path}" for one in self.hub.exchanges[count:]]


@contextmanager
def staged(folder: Path) -> Iterator[HubStage]:
    with Hub(folder / "hub") as hub, running(hub) as base_url:
        tokens = {login: hub.add_user(login) for login in ("octo", "ada", "bob", "eve")}
        hub.add_repository("octo", "shop", Visibility.PRIVATE)
        hub.commit_files(REPOSITORY, {"README.md": b"# Shop\n"}, "Begin")
        hub.add_collaborator(REPOSITORY, "ada", Role.MAINTAIN)
        hub.add_collaborator(REPOSITORY, "bob", Role.WRITE)
        app = hub.register_app("headgate", None, "secret", PERMISSIONS, ["push"])
        installation = InstallationId(hub.install_app(app.app_id, "octo", [REPOSITORY]))
        forge = GitHubForge(f"{base_url}/api/v3", app.app_id, app.private_key_pem)
        facts = forge.repository(installation, RepositoryId(hub.repository(REPOSITORY).id))
        assert facts is not None
        yield HubStage(
            hub,
            base_url,
            app.app_id,
            app.private_key_pem,
            installation,
            forge,
            facts,
            tokens,
        )


def long_ago() -> datetime:
    """Before anything else on the stage."""
    return datetime(2020, 1, 1, tzinfo=UTC)
