"""Which commit of the action an installation proposes, and `headgate init`."""

import subprocess
from pathlib import Path

import pytest
from pydantic import ValidationError

from bot.entry import workflow_files as module
from bot.entry.commands.init import run_init
from bot.entry.settings import Settings
from bot.entry.workflow_files import action_source, workflow_files

SHA = "0123456789" * 4
OTHER = "abcdef0123" * 4


@pytest.fixture
def released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a release writes its commit; nothing else here knows one."""
    place = tmp_path / "released_sha.txt"
    monkeypatch.setattr(module, "RELEASED_SHA", place)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    return place


def said(sha: str = "", repository: str = "headgate/headgate") -> str | None:
    source = action_source(Settings(action_sha=sha, action_repository=repository))
    return f"{source.repository}@{source.sha}" if source else None


def test_the_setting_takes_precedence_over_the_release(released: Path) -> None:
    assert said() is None
    released.write_text(f"{SHA}\n")
    assert said() == f"headgate/headgate@{SHA}"
    assert said(OTHER, "me/gate") == f"me/gate@{OTHER}"


def test_without_a_repository_jobs_call_their_runners_own_program(released: Path) -> None:
    released.write_text(SHA)
    assert said("", "") is None
    texts = workflow_files(Settings(action_repository="")).values()
    assert all("uses:" not in t and "run: exec headgate-action" in t for t in texts)


def test_a_checkout_knows_its_own_commit(released: Path) -> None:
    folder = released.parent
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    for line in (("init", "-q"), (*who, "commit", "-q", "--allow-empty", "-m", "one")):
        subprocess.run(["git", *line], cwd=folder, check=True)
    head = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=folder, check=True, capture_output=True, text=True
    )
    assert said() == f"headgate/headgate@{head.stdout.strip()}"


def test_a_tag_in_place_of_a_commit_is_refused() -> None:
    with pytest.raises(ValidationError):
        Settings(action_sha="v1")


def test_init_writes_into_a_clone_and_keeps_existing_files(tmp_path: Path) -> None:
    assert run_init(tmp_path) == 2
    (tmp_path / ".git").mkdir()
    agent, gates = (tmp_path / path for path in workflow_files())
    gates.parent.mkdir(parents=True)
    gates.write_text("ours\n")
    assert run_init(tmp_path) == 0
    assert agent.read_text() == workflow_files()[str(agent.relative_to(tmp_path))]
    assert gates.read_text() == "ours\n"
