"""What GitHub holds before Headgate is installed: people, repositories, the App's permissions."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch

from bot.adapters.github.app_tokens import app_permissions
from bot.core.state.webhook import EVENTS as EVENTS
from bot.core.talk.workflow_file import ActionSource, workflow_files
from bot.localhub.hub import Hub
from bot.localhub.model import Role

_COMMITTED_AT = datetime(2026, 1, 1, tzinfo=UTC)

SECRET = "a secret between two programs"
# As the App of a set-up has them: every story shows that they are enough.
PERMISSIONS = app_permissions()

POLICY = """\
version: 1
quiet_seconds: 0
gates:
  test:
    run: sh gate.sh
    judges: tree
"""


def create_people_and_repositories(
    hub: Hub, files: Mapping[str, str | bytes], policy: str | None
) -> dict[str, str]:
    """Also the shop's repository with its first commit, and ours; returns each person's token."""
    tokens = {login: hub.add_user(login) for login in ("ada", "eve")}
    hub.add_organization("headgate")
    hub.add_repository("headgate", "headgate")
    source = commit_harness(hub)
    hub.add_organization("team")
    hub.add_repository("team", "shop")
    hub.add_collaborator("team/shop", "ada", Role.ADMIN)
    seed = {"gate.sh": "test ! -f broken\n", "README.md": "# Shop\n", **files}
    if policy is not None:
        seed[".github/headgate.yml"] = policy
    seed |= workflow_files(source)
    whole = {p: t.encode() if isinstance(t, str) else t for p, t in seed.items()}
    hub.commit_files("team/shop", whole, "A shop", "ada")
    return tokens


def commit_harness(hub: Hub) -> ActionSource:
    """Commit our action to the repository that a team's workflows take it from."""
    action = (Path(__file__).parents[2] / "action" / "action.yml").read_bytes()
    name = "headgate/headgate"
    # Always the same commit, so that localhub parses workflow files which name it once a process.
    with patch.object(hub.state, "clock", lambda: _COMMITTED_AT):
        sha = hub.commit_files(name, {"action/action.yml": action}, "Headgate", "headgate")
    return ActionSource(repository=name, sha=sha)
