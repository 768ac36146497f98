"""What GitHub holds before Headgate is installed: people, repositories, the App's permissions."""

from collections.abc import Mapping
from pathlib import Path

from bot.adapters.github.app_tokens import app_permissions
from bot.core.state.webhook import EVENTS as EVENTS
from bot.localhub.hub import Hub
from bot.localhub.model import Role

SECRET = "a secret between two programs"
# As the App of a set-up has them: every story shows that they are enough.
PERMISSIONS = app_permissions()
INSTALL = Path(__file__).parents[2] / "action" / "install"

POLICY = """\
version: 1
quiet_seconds: 0
gates:
  test:
    run: sh gate.sh
    judges: tree
"""


def create_people_and_repositories(
    hub: Hub, files: Mapping[str, str], policy: str | None
) -> dict[str, str]:
    """Also the shop's repository with its first commit, and ours; returns each person's token."""
    tokens = {login: hub.add_user(login) for login in ("ada", "eve")}
    hub.add_organization("team")
    hub.add_repository("team", "shop")
    hub.add_collaborator("team/shop", "ada", Role.ADMIN)
    seed = {"gate.sh": "test ! -f broken\n", "README.md": "# Shop\n", **files}
    if policy is not None:
        seed[".github/headgate.yml"] = policy
    for caller in ("headgate-agent.yml", "headgate-gates.yml"):
        seed[f".github/workflows/{caller}"] = (INSTALL / caller).read_text()
    hub.commit_files("team/shop", {p: t.encode() for p, t in seed.items()}, "A shop", "ada")
    hub.add_organization("headgate")
    hub.add_repository("headgate", "headgate")
    commit_harness(hub)
    return tokens


def commit_harness(hub: Hub) -> None:
    """Commit our workflows to the repository that the callers' `uses:` name."""
    root = Path(__file__).parents[2]
    paths = [*(root / ".github/workflows").glob("*.yml"), root / "action" / "action.yml"]
    files = {str(p.relative_to(root)): p.read_bytes() for p in paths if p.name != "ci.yml"}
    sha = hub.commit_files("headgate/headgate", files, "Headgate", "headgate")
    repository = hub.repository("headgate/headgate")
    hub.refs.create(repository, hub.as_user("headgate"), "refs/tags/v1", sha)
