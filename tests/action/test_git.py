"""Fetching with as little history as possible, and never with less than a bundle needs."""

from pathlib import Path

import pytest

from action.harness.git import BRANCH, FETCH_DEPTH, START_REF, GitRefusedError, OrderGit, Source
from tests.action.fake_server import READ_TOKEN, fake_server
from tests.action.kit import Project, git, make_project

pytestmark = pytest.mark.slow


@pytest.fixture
def long_project(tmp_path: Path) -> Project:
    """More commits than are fetched at first."""
    project = make_project(tmp_path / "project", {"a": "a"})
    for number in range(FETCH_DEPTH + 5):
        git(project.work, "commit", "--quiet", "--allow-empty", "-m", str(number))
    git(project.work, "push", "--quiet", str(project.bare), "HEAD:main")
    head = git(project.work, "rev-parse", "HEAD")
    return Project(project.bare, project.work, project.base_sha, head)


def fetched(project: Project, folder: Path, base_sha: str) -> OrderGit:
    tree, git_dir = folder / "tree", folder / "git"
    tree.mkdir()
    own = OrderGit(git_dir, tree)
    own.create()
    with fake_server(project.bare) as server:
        source = Source(server.clone_url, READ_TOKEN, plain_http=True)
        own.fetch(source, "refs/heads/main", project.head_sha, START_REF)
        own.fetch_history_between(source, base_sha, project.head_sha)
    own.check_out(project.head_sha)
    return own


def history_length(own: OrderGit) -> int:
    return int(git(own.git_dir, "rev-list", "--count", BRANCH))


def test_a_recent_base_needs_little_history(long_project: Project, tmp_path: Path) -> None:
    own = fetched(long_project, tmp_path, git(long_project.work, "rev-parse", "HEAD~3"))

    assert history_length(own) == FETCH_DEPTH


def test_an_old_base_fetches_all_history_and_the_bundle_is_complete(
    long_project: Project, tmp_path: Path
) -> None:
    own = fetched(long_project, tmp_path, long_project.base_sha)
    own.bundle(long_project.base_sha, tmp_path / "bundle")

    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", "--depth=1", "--branch=main", str(long_project.bare), "clone")
    git(clone, "fetch", "--quiet", str(long_project.bare), long_project.base_sha)
    git(clone, "fetch", "--quiet", str(tmp_path / "bundle"), f"{BRANCH}:got")
    assert git(clone, "rev-list", "--count", f"{long_project.base_sha}..got") == str(
        FETCH_DEPTH + 6
    )


def test_a_base_that_is_not_an_ancestor_is_refused(long_project: Project, tmp_path: Path) -> None:
    git(long_project.work, "checkout", "--quiet", "--orphan", "other")
    git(long_project.work, "commit", "--quiet", "-m", "other")
    git(long_project.work, "push", "--quiet", str(long_project.bare), "HEAD:other")
    other = git(long_project.work, "rev-parse", "HEAD")

    with pytest.raises(GitRefusedError, match="ancestor"):
        fetched(long_project, tmp_path, other)


def test_the_ordered_commit_is_fetched_after_its_ref_has_moved(
    long_project: Project, tmp_path: Path
) -> None:
    ordered = git(long_project.work, "rev-parse", f"HEAD~{FETCH_DEPTH + 2}")
    moved = Project(long_project.bare, long_project.work, long_project.base_sha, ordered)

    own = fetched(moved, tmp_path, long_project.base_sha)

    assert git(own.git_dir, "rev-parse", BRANCH) == ordered


def test_a_missing_commit_is_reported(long_project: Project, tmp_path: Path) -> None:
    with pytest.raises(GitRefusedError, match="fetch"):
        fetched(Project(long_project.bare, long_project.work, "", "1" * 40), tmp_path, "1" * 40)
