"""A git remote with a `MirrorGit` on it, and localhub with a `GitHubForge`."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.adapters.git.mirror_git import MirrorGit
from bot.core.values.repository import RepositoryFacts
from tests.adapters.hub_stage import HubStage, staged
from tests.adapters.workshop import Workshop, facts_of


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    """A remote whose main has one commit."""
    return Workshop.opened(tmp_path / "remote")


@pytest.fixture
def facts(shop: Workshop) -> RepositoryFacts:
    """The remote's facts, with a file URL."""
    return facts_of(shop.file_url)


@pytest.fixture
def mirror(tmp_path: Path) -> MirrorGit:
    """Mirrors that use the file protocol and no token."""
    return MirrorGit(tmp_path / "mirrors", lambda _: "", protocols=("file",))


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[HubStage]:
    """localhub with our App installed, and a forge that talks to it."""
    with staged(tmp_path) as made:
        yield made
