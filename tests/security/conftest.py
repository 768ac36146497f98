"""Fixtures: a sandbox of each kind over a folder of its own; the real harness on the whole way."""

import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from action.harness.folder import OrderFolder, order_folder
from action.report import SandboxKind
from action.sandbox.sandbox import Command, CommandResult, ProxySocket, Sandbox, shell
from tests.action.fake_server import FakeServer, fake_server
from tests.action.kit import Harness, Project, make_project
from tests.needs import needs_bubblewrap


@dataclass(frozen=True)
class Cell:
    """A sandbox with its folder; `run` is what an attacker inside does."""

    folder: OrderFolder
    sandbox: Sandbox

    def run(
        self, line: str, timeout_seconds: float = 20.0, proxies: tuple[ProxySocket, ...] = ()
    ) -> CommandResult:
        """A shell line in the work tree."""
        return self.sandbox.run(
            Command(shell(line), self.folder.tree, timeout_seconds, proxies=proxies)
        )


@pytest.fixture(
    params=[pytest.param(SandboxKind.BUBBLEWRAP, marks=needs_bubblewrap), SandboxKind.UNSHARE]
)
def cell(request: pytest.FixtureRequest) -> Iterator[Cell]:
    outer = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    # Not below the tests' own temporary folder, so that paths are as short as on a runner.
    with order_folder({**outer, "RUNNER_TEMP": tempfile.gettempdir()}) as folder:
        sandbox = folder.make_sandbox(SandboxKind(request.param), outer)
        folder.give_to(sandbox)
        yield Cell(folder, sandbox)


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A file of the machine's, readable and writable by everybody."""
    secret = tmp_path / "outside.txt"
    secret.write_text("outside")
    secret.chmod(0o666)
    return secret


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return make_project(tmp_path / "project", {"shop.py": "x = 1\n"})


@pytest.fixture
def server(project: Project) -> Iterator[FakeServer]:
    with fake_server(project.bare) as fake:
        yield fake


@pytest.fixture
def harness(server: FakeServer) -> Iterator[Harness]:
    # Not below the tests' own temporary folder, so that paths are as short as on a runner.
    with tempfile.TemporaryDirectory(prefix="hg") as folder:
        yield Harness(server, Path(folder))
