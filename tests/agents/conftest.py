"""Fixtures: a project, a fake server over it, and the harness as on a runner that has the programs."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.action.fake_server import FakeServer, fake_server
from tests.action.kit import Harness, Project, make_project
from tests.agents.kit import NODE

FILES = {"shop.py": "def hello():\n    return ''\n", "AGENTS.md": "Say canary-of-main.\n"}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return make_project(tmp_path / "project", FILES)


@pytest.fixture
def server(project: Project) -> Iterator[FakeServer]:
    with fake_server(project.bare) as fake:
        yield fake


@pytest.fixture
def harness(server: FakeServer) -> Iterator[Harness]:
    environment = {"HEADGATE_SANDBOX_PATHS": str(NODE)}
    # Not below the tests' own temporary folder, so that paths are as short as on a runner.
    with tempfile.TemporaryDirectory(prefix="hg") as folder:
        yield Harness(server, Path(folder), environment=environment, is_forked=True)
