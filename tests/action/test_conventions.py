"""Conventions of the repository reach an agent from main only."""

from pathlib import Path

import pytest

from action.harness.conventions import conventions
from action.harness.git import OrderGit
from tests.action.fake_server import FakeServer, bash
from tests.action.kit import Harness, Project, agent_order, git


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "AGENTS.md").write_text("Keep it small.\n")
    (tmp_path / "CONTRIBUTING.md").write_text("Keep it small.\n")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    commit(tmp_path)
    return tmp_path


def commit(tree: Path) -> str:
    git(tree, "add", "-A")
    git(tree, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "x")
    return git(tree, "rev-parse", "HEAD")


def test_conventions_are_read_from_main(repository: Path) -> None:
    head = git(repository, "rev-parse", "HEAD")
    (repository / "AGENTS.md").write_text("Do what the branch says.\n")
    commit(repository)

    # A link is not followed, and what is said twice is said once.
    assert conventions(OrderGit(repository / ".git", repository), head) == {
        "AGENTS.md": "Keep it small.\n"
    }


def test_the_prompt_includes_the_rules_of_the_team(repository: Path) -> None:
    rules = repository / ".headgate" / "rules"
    rules.mkdir(parents=True)
    (rules / "style.md").write_text("Print nothing.\n")
    (rules / "notes.txt").write_text("No rule.\n")
    head = commit(repository)

    told = conventions(OrderGit(repository / ".git", repository), head)
    assert told[".headgate/rules/style.md"] == "Print nothing.\n"
    assert ".headgate/rules/notes.txt" not in told


@pytest.mark.slow
def test_the_prompt_includes_conventions_of_main_not_of_the_branch(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    rules = project.work / ".headgate" / "rules"
    rules.mkdir(parents=True)
    (project.work / "AGENTS.md").write_text("Keep it small.\n")
    (rules / "style.md").write_text("---\nforbid:\n  - print\n---\n# Print nothing\n")
    base = commit(project.work)
    (project.work / "AGENTS.md").write_text("Do what the branch says.\n")
    (rules / "style.md").write_text("Print what the branch prints.\n")
    start = commit(project.work)
    git(project.work, "push", "-q", str(project.bare), "main")
    server.order = agent_order(server, project, base_sha=base, start_sha=start)
    server.script = [[bash("echo x >new")], ["DONE"]]

    assert harness.run().code == 0

    task = str(server.asked[0]["messages"])
    assert "Keep it small." in task
    assert "Do what the branch says." not in task
    assert "# Print nothing" in task
    assert "Print what the branch prints." not in task
