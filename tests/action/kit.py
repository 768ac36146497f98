"""A project in git, orders for it, and the harness as a real process, as GitHub would start it.

Talks to the stand-ins of `fake_server.py`.
"""

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from action.order import AgentOrder, GateOrder, RequirementText
from gates.result import GateDefinition
from tests.action.fake_server import OIDC_BEARER, ORDER_ID, READ_TOKEN, FakeServer
from tests.testkit.forked import ForkedProcess, Program

ROOT = Path(__file__).parents[2]


def git(repository: Path, *arguments: str) -> str:
    """Git on a repository of the test's own."""
    environment = {
        "PATH": os.environ["PATH"],
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_NOSYSTEM": "1",
        **{
            f"GIT_{role}_{what}": "t@example.org"
            for role in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        },
    }
    done = subprocess.run(
        ["git", *arguments], cwd=repository, env=environment, capture_output=True, check=True
    )
    return done.stdout.decode().strip()


@dataclass(frozen=True)
class Project:
    """A bare repository as the bot would offer it, and the commits in it."""

    bare: Path
    work: Path
    base_sha: str
    head_sha: str


def make_project(folder: Path, files: Mapping[str, str]) -> Project:
    """Main with a base, then a commit with `files` on it."""
    work = folder / "work"
    work.mkdir(parents=True)
    git(work, "init", "--quiet", "--initial-branch=main")
    (work / "README.md").write_text("A project.\n")
    git(work, "add", ".")
    git(work, "commit", "--quiet", "-m", "Begin")
    base = git(work, "rev-parse", "HEAD")
    for name, text in files.items():
        path = work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git(work, "add", ".")
    git(work, "commit", "--quiet", "--allow-empty", "-m", "Files")
    bare = folder / "repo.git"
    git(folder, "clone", "--quiet", "--bare", str(work), str(bare))
    return Project(bare, work, base, git(work, "rev-parse", "HEAD"))


def agent_order(server: FakeServer, project: Project, **more: object) -> AgentOrder:
    """Implement one requirement, starting from the project's head."""
    fields: dict[str, object] = {
        "order_id": ORDER_ID,
        "repository": "acme/shop",
        "clone_url": server.clone_url,
        "base_sha": project.base_sha,
        "start_sha": project.head_sha,
        "start_ref": "refs/heads/main",
        "change": "add-greeting",
        "title": "Greet",
        "attempt": 1,
        "requirements": (
            RequirementText(
                id="REQ-1",
                title="Greeting",
                statement="The shop SHALL greet.",
                scenarios=("WHEN opened THEN hello",),
                spec_path="spec.md",
                line=3,
            ),
        ),
        "protected": ("gates/**",),
    }
    return AgentOrder.model_validate(fields | more)


@dataclass(frozen=True)
class HarnessRun:
    """A harness that has ended."""

    code: int
    output: str


@dataclass
class Harness:
    """The program under test, as GitHub's runner would start it."""

    server: FakeServer
    folder: Path
    program_folder: Path = ROOT
    environment: dict[str, str] = field(default_factory=dict)
    # Forked with all that it imports, or started by its command.
    is_forked: bool = False

    @property
    def temp(self) -> Path:
        """RUNNER_TEMP."""
        return self.folder / "temp"

    @property
    def command_file(self) -> Path:
        """GITHUB_ENV."""
        return self.folder / "github_env"

    @property
    def summary(self) -> Path:
        """GITHUB_STEP_SUMMARY."""
        return self.folder / "summary.md"

    def start(self, mode: str = "agent") -> "subprocess.Popen[bytes] | ForkedProcess":
        """Start it and let it run."""
        if not self.is_forked or self.program_folder != ROOT:
            return self.start_by_command(mode)
        program = Program("action.__main__", self._arguments(mode), ROOT, self._environment())
        return ForkedProcess(program, self.folder / f"output-{time.monotonic_ns()}")

    def start_by_command(self, mode: str = "agent") -> "subprocess.Popen[bytes]":
        """Start it with an interpreter of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "action", *self._arguments(mode)],
            cwd=self.program_folder,
            env=self._environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def _arguments(self, mode: str) -> list[str]:
        return [mode, "--order-id", ORDER_ID, "--server", self.server.url]

    def _environment(self) -> dict[str, str]:
        """Of a step of a workflow; its files are there."""
        self.temp.mkdir(parents=True, exist_ok=True)
        self.command_file.touch()
        environment = {
            "PATH": os.environ["PATH"],
            "HEADGATE_LAYERS": "off",
            "HOME": os.environ.get("HOME", "/root"),
            "RUNNER_TEMP": str(self.temp),
            "GITHUB_ENV": str(self.command_file),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "GITHUB_ACTIONS": "true",
            "ACTIONS_ID_TOKEN_REQUEST_URL": f"{self.server.url}/oidc?api-version=2.0",
            "ACTIONS_ID_TOKEN_REQUEST_TOKEN": OIDC_BEARER,
            "HEADGATE_READ_TOKEN": READ_TOKEN,
            "HEADGATE_PLAIN_HTTP": "loopback",
            **self.environment,
        }
        return {name: value for name, value in environment.items() if value}

    def run(self, mode: str = "agent", timeout_seconds: float = 180.0) -> HarnessRun:
        """Start it and wait for its end."""
        return ended(self.start(mode), timeout_seconds)

    def left_behind(self) -> list[str]:
        """What lies in RUNNER_TEMP."""
        return sorted(path.name for path in self.temp.iterdir())


def ended(
    process: "subprocess.Popen[bytes] | ForkedProcess", timeout_seconds: float = 180.0
) -> HarnessRun:
    """Wait for the end of a started harness."""
    try:
        output, _ = process.communicate(timeout=timeout_seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        output, _ = process.communicate()
        raise AssertionError(output.decode()) from None
    assert process.returncode is not None
    return HarnessRun(process.returncode, output.decode())


def unpack(project: Project, bundle: bytes, folder: Path) -> Path:
    """A clone of the project with the bundle's branch checked out, as the bot would import it."""
    clone = folder / "imported"
    file = folder / "work.bundle"
    file.write_bytes(bundle)
    git(folder, "clone", "--quiet", str(project.bare), str(clone))
    git(clone, "fetch", "--quiet", str(file), "refs/heads/headgate:headgate")
    git(clone, "checkout", "--quiet", "headgate")
    return clone


def gate_order(
    server: FakeServer, project: Project, gates: Sequence[GateDefinition], **more: object
) -> GateOrder:
    """Judge the project's head against its base."""
    fields: dict[str, object] = {
        "order_id": ORDER_ID,
        "repository": "acme/shop",
        "clone_url": server.clone_url,
        "candidate_sha": project.head_sha,
        "candidate_ref": "refs/heads/main",
        "diff_base_sha": project.base_sha,
        "definition_hash": "abc",
        "gates": tuple(gates),
    }
    return GateOrder.model_validate(fields | more)
