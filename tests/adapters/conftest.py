"""What git tests share: a remote with a work tree, and a `MirrorGit` on it without a server."""

from pathlib import Path

import pytest

from bot.adapters.git.mirror_git import MirrorGit
from bot.core.repository import RepositoryFacts
from tests.adapters.workshop import Workshop, facts_of


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    """A remote whose main has one commit."""
    return Workshop.opened(tmp_path / "remote")


@pytest.fixture
def facts(shop: Workshop) -> RepositoryFacts:
    """The remote's facts, reached without a server."""
    return facts_of(shop.file_url)


@pytest.fixture
def mirror(tmp_path: Path) -> MirrorGit:
    """Mirrors that speak the file protocol and know no token."""
    return MirrorGit(tmp_path / "mirrors", lambda _: "", protocols=("file",))
