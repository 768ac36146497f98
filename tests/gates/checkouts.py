"""Real git checkouts for the stories of the gates, and a short way to judge them."""

import os
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

from pydantic import TypeAdapter

from gates.judge import Subject, judge
from gates.result import Ending, GateDefinition, GateReport, GateResult, Judges
from gates.settings import JudgeSettings
from tests.testkit.gate_lines import judge_one


class Repository:
    """A git repository with a working folder, built one commit at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        self.git("init", "--quiet", "--initial-branch=main")
        self.base_sha = self.commit({"README.md": "# A project\n", "src/calc.py": "ONE = 1\n"})

    def git(self, *arguments: str) -> str:
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": "/nonexistent",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "Ada",
            "GIT_AUTHOR_EMAIL": "ada@example.com",
            "GIT_COMMITTER_NAME": "Ada",
            "GIT_COMMITTER_EMAIL": "ada@example.com",
        }
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.folder,
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def write(self, path: str, content: str | bytes) -> None:
        place = self.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(self, files: dict[str, str] | None = None) -> str:
        for path, content in (files or {}).items():
            self.write(path, content)
        self.git("add", "--all", "--force")
        self.git("commit", "--quiet", "--allow-empty", "--message", "Work")
        return self.git("rev-parse", "HEAD")


def gate(name: str, command: str, **settings: object) -> GateDefinition:
    """A gate that is a command and judges the tree."""
    fields = {"name": name, "judges": Judges.TREE, "command": command, **settings}
    return TypeAdapter(GateDefinition).validate_python(fields)


SCOPE_CHECK = GateDefinition(name="scope", judges=Judges.DIFF, builtin="scope_check")


def report_on(
    repository: Repository, *definitions: GateDefinition, settings: JudgeSettings | None = None
) -> GateReport:
    """What the gates say of the repository's HEAD against its first commit."""
    subject = Subject(repository.folder, repository.base_sha)
    return judge(subject, definitions, settings or JudgeSettings(), lambda _sentence: None)


def judged(repository: Repository, command: str, **settings: object) -> GateResult:
    """What one command says of the repository's HEAD."""
    subject = Subject(repository.folder, repository.base_sha)
    return judge_one(subject, gate("tests", command, **settings))


def endings(report: GateReport) -> dict[str, Ending]:
    """The endings by name, in the order in which the gates ran."""
    return {result.gate: result.ending for result in report.results}


def eventually(condition: Callable[[], bool], seconds: float = 60.0) -> bool:
    """Whether a condition comes true in time."""
    deadline = time.monotonic() + seconds
    pause = threading.Event()
    while not condition():
        if time.monotonic() > deadline:
            return False
        pause.wait(0.02)
    return True
