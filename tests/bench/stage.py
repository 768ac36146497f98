"""localhub and `headgate up` as real processes, and what a person does with them.

Only this module starts and ends processes; a bench reads over HTTP and from the journal's database.
"""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import sqlalchemy as sa
from pydantic import BaseModel

from bot.adapters.store.engine import open_engine
from bot.adapters.store.journal import SqlJournal
from bot.core.journal.state import RepositoryState
from bot.core.values.ids import RepositoryId
from bot.entry.die_with_parent import die_with_parent
from bot.entry.valkey import valkey_argv, valkey_program
from bot.ports import Record
from tests.bench.hub import ANSWERS, EXCHANGES, REPOSITORY
from tests.testkit.hub_setup import SECRET
from tests.testkit.ports import free_port

_ROOT = Path(__file__).resolve().parents[2]
_START_SECONDS = 60.0
_STOP_SECONDS = 10.0
_POLL_SECONDS = 0.02
# Whoever looks leaves most of a processor to those who work: a fold of the journal is a long look.
_PAUSE_PER_LOOK = 9
_PAUSE_SECONDS_MAX = 0.3


class BenchFailed(Exception):
    """Something did not happen in time; the logs are in the named folder."""


class Credentials(BaseModel):
    """The person's token and the App, as the hub wrote them."""

    token: str
    app_id: int


class WriteExchange(BaseModel):
    """One write to the hub; `by` is the kind of token."""

    method: str
    path: str
    status: int
    by: str


class Answered(BaseModel):
    """The time in which the hub handled one request of the App, in seconds since 1970."""

    what: str
    begin: float
    end: float


def wait_until(
    is_there: Callable[[], bool], what: str, timeout_seconds: float = _START_SECONDS
) -> None:
    """Poll until it is there; raises `BenchFailed` at the timeout."""
    pause = threading.Event()
    began = time.monotonic()
    until = began + timeout_seconds
    while not is_there():
        ended = time.monotonic()
        if ended > until:
            raise BenchFailed(f"{what} did not happen within {timeout_seconds:.0f} s")
        pause.wait(max(_POLL_SECONDS, min((ended - began) * _PAUSE_PER_LOOK, _PAUSE_SECONDS_MAX)))
        began = time.monotonic()


@dataclass
class Stage:
    """The processes, their addresses, and a person's actions."""

    folder: Path
    hub_url: str
    bot_url: str
    credentials: Credentials = field(default_factory=lambda: Credentials(token="", app_id=0))
    http: httpx.Client = field(default_factory=lambda: httpx.Client(trust_env=False, timeout=30))
    bot: subprocess.Popen[bytes] | None = None
    database_url: str = ""
    _processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    _engine: sa.Engine | None = None
    _journal: SqlJournal | None = None
    _repository: RepositoryId | None = None

    # A person's actions

    def api(self, method: str, path: str, body: object = None) -> httpx.Response:
        """A person's REST call below the repository."""
        answer = self.http.request(
            method,
            f"{self.hub_url}/repos/{REPOSITORY}{path}",
            json=body,
            headers={"Authorization": f"Bearer {self.credentials.token}"},
        )
        answer.raise_for_status()
        return answer

    def push(self, files: Mapping[str, str], message: str) -> None:
        """Clone, commit and push to main."""
        clone = Path(tempfile.mkdtemp(dir=self.folder, prefix="clone-"))
        url = self.hub_url.replace("://", f"://x-access-token:{self.credentials.token}@")
        self._git(self.folder, "clone", "-q", f"{url}/{REPOSITORY}.git", str(clone))
        for path, text in files.items():
            place = clone / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
        self._git(clone, "add", "-A")
        self._git(clone, "commit", "-q", "-m", message)
        self._git(clone, "push", "-q", "origin", "HEAD:main")

    def _git(self, folder: Path, *arguments: str) -> None:
        who = {
            f"GIT_{role}_{part}": value
            for role in ("AUTHOR", "COMMITTER")
            for part, value in (("NAME", "Ada"), ("EMAIL", "ada@example.com"))
        }
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), **who}
        subprocess.run(
            ["git", *arguments], cwd=folder, env=environment, check=True, capture_output=True
        )

    def plan(self, spec: str, path: str = "specs/shop.md") -> int:
        """Push a spec and wait for its plan; the tracking issue."""
        self.push({path: spec}, "Ask for work")

        def is_planned() -> bool:
            runs = self.state().spec_runs.values()
            return any(r.issue is not None and r.revisions_shown for r in runs)

        wait_until(is_planned, "the plan")
        wait_until(lambda: not self.state().open_effects, "quiet after the plan")
        return next(int(r.issue) for r in self.state().spec_runs.values() if r.issue is not None)

    def approve(self, issue: int) -> None:
        """Comment `/headgate approve`."""
        self.api("POST", f"/issues/{issue}/comments", {"body": "/headgate approve"})

    # Reads

    def _open_journal(self) -> tuple[SqlJournal, RepositoryId]:
        if self._journal is None:
            url = self.database_url or f"sqlite:///{self.folder}/var/journal.db"
            self._engine = open_engine(url)
            self._journal = SqlJournal(self._engine)
        if self._repository is None:
            self._repository = RepositoryId(int(self.api("GET", "").json()["id"]))
        return self._journal, self._repository

    def state(self) -> RepositoryState:
        journal, repository = self._open_journal()
        return journal.load(repository)

    def records(self) -> tuple[Record, ...]:
        journal, repository = self._open_journal()
        return tuple(journal.records(repository, 0))

    def is_over(self) -> bool:
        """Whether every spec run has ended and its issue is closed."""
        runs = self.state().spec_runs.values()
        return bool(runs) and all(not r.is_open and r.issue_closed for r in runs)

    def writes(self) -> list[WriteExchange]:
        """Every write that the hub has received."""
        found = self.http.get(f"{self.hub_url}{EXCHANGES}").json()
        return [WriteExchange.model_validate(one) for one in found]

    def answers(self) -> list[Answered]:
        """The times in which the hub handled requests of the App."""
        found = self.http.get(f"{self.hub_url}{ANSWERS}").json()
        return [Answered.model_validate(one) for one in found]

    # Processes

    def start(
        self, name: str, argv: tuple[str, ...], environment: Mapping[str, str]
    ) -> subprocess.Popen[bytes]:
        """Start a process with its log in a file."""
        prefixes = ("HEADGATE_", "ANTHROPIC_", "DATABASE_URL", "REDIS_URL", "GITHUB_")
        kept = {k: v for k, v in os.environ.items() if not k.startswith(prefixes)}
        ours = {"PYTHONPATH": str(_ROOT), "PYTHONUNBUFFERED": "1", **environment}
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                argv,
                env={**kept, **ours},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                start_new_session=True,
                preexec_fn=lambda: die_with_parent(signal.SIGTERM),
            )
        self._processes.append(process)
        return process

    def end(self) -> None:
        """End every process, the last started first."""
        for process in reversed(self._processes):
            if process.poll() is None:
                process.terminate()
        until = time.monotonic() + _STOP_SECONDS
        for process in self._processes:
            try:
                process.wait(max(0.1, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.http.close()
        if self._engine is not None:
            self._engine.dispose()


@contextlib.contextmanager
def bare_stage() -> Iterator[Stage]:
    """A folder and two addresses, nothing started; everything ended and removed after.

    Where a bench fails, the folder with the logs stays, and its name is in the failure.
    """
    folder = Path(tempfile.mkdtemp(prefix="headgate-bench-"))
    stage = Stage(folder, f"http://127.0.0.1:{free_port()}", f"http://127.0.0.1:{free_port()}")
    try:
        yield stage
    except BenchFailed as failed:
        raise BenchFailed(f"{failed}; logs in {folder}") from failed
    else:
        stage.end()
        shutil.rmtree(folder)
    finally:
        stage.end()


@contextlib.contextmanager
def open_stage(max_parallel: int = 3) -> Iterator[Stage]:
    """Everything is started and installed, and ended after."""
    with bare_stage() as stage:
        start_hub(stage, max_parallel)
        _start_bot(stage)
        wait_until(lambda: stage.state().facts is not None, "the installation")
        yield stage


def start_doors(stage: Stage) -> "subprocess.Popen[bytes]":
    """The web and its doorbell alone, as a container would start them; the web's process."""
    var = stage.folder / "var"
    var.mkdir()
    (stage.folder / "app.pem").write_text("a key that nothing is signed with")
    server = valkey_program()
    if server is None:
        raise BenchFailed("there is no Valkey on this machine")
    stage.start("doorbell", valkey_argv(server, var), {})
    argv = (sys.executable, "-m", "bot.entry.cli", "serve")
    # Without an App the web serves the pages of a set-up alone.
    web = stage.start("web", argv, {**environment(stage), "HEADGATE_APP_ID": "1"})
    wait_until(lambda: answers(f"{stage.bot_url}/healthz"), "the web")
    return web


def start_hub(stage: Stage, max_parallel: int) -> None:
    """localhub with a repository where the App is installed."""
    port = stage.hub_url.rpartition(":")[2]
    argv = (
        *(sys.executable, "-m", "tests.bench.hub", "--folder", str(stage.folder), "--port", port),
        *("--webhook-url", f"{stage.bot_url}/webhook", "--max-parallel", str(max_parallel)),
    )
    stage.start("localhub", argv, {})
    written = stage.folder / "credentials.json"
    wait_until(lambda: written.is_file() and answers(f"{stage.hub_url}/meta"), "localhub")
    stage.credentials = Credentials.model_validate(json.loads(written.read_text()))


def environment(stage: Stage) -> dict[str, str]:
    """Of every process of this Headgate."""
    return {
        "HEADGATE_VAR": str(stage.folder / "var"),
        "HEADGATE_GITHUB_API_URL": f"{stage.hub_url}/api/v3",
        "HEADGATE_OIDC_ISSUER": f"{stage.hub_url}/_oidc",
        "HEADGATE_APP_ID": str(stage.credentials.app_id),
        "HEADGATE_PRIVATE_KEY_FILE": str(stage.folder / "app.pem"),
        "HEADGATE_WEBHOOK_SECRET": SECRET,
        "HEADGATE_PUBLIC_URL": stage.bot_url,
        "HEADGATE_PORT": stage.bot_url.rpartition(":")[2],
        "ANTHROPIC_API_KEY": "no model is asked",
        "HEADGATE_MODEL_GATEWAY": "off",
        "HEADGATE_OWNERS": "team",
    }


def _start_bot(stage: Stage) -> None:
    stage.bot = stage.start(
        "headgate", (sys.executable, "-m", "bot.entry.cli", "up"), environment(stage)
    )
    wait_until(lambda: answers(f"{stage.bot_url}/healthz"), "headgate")


def answers(url: str) -> bool:
    """Whether somebody answers there, with anything but trouble."""
    try:
        return httpx.get(url, timeout=2, trust_env=False).status_code < 500
    except httpx.HTTPError:
        return False
