"""Fixtures: a project, a fake server over it, and a harness that talks to it."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.action.fake_server import FakeServer, fake_server
from tests.action.kit import Harness, Project, make_project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return make_project(tmp_path / "project", {"shop.py": "def hello():\n    return ''\n"})


@pytest.fixture
def server(project: Project) -> Iterator[FakeServer]:
    with fake_server(project.bare) as fake:
        yield fake


@pytest.fixture
def harness(server: FakeServer) -> Iterator[Harness]:
    # Not below the tests' own temporary folder, so that paths are as short as on a runner.
    with tempfile.TemporaryDirectory(prefix="hg") as folder:
        yield Harness(server, Path(folder), is_forked=True)
