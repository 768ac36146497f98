"""The demo's processes (localhub, Headgate, runners, model), and what a person does with them.

A person's acts go through git, HTTP and the journal's database, as any person's would.
"""

import contextlib
import os
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx
from pydantic import BaseModel, ValidationError

from bot.adapters.store.engine import open_engine
from bot.adapters.store.journal import SqlJournal
from bot.core.journal.events import Event
from bot.core.journal.state import RepositoryState
from bot.core.talk.workflow_file import FOLDER, ActionSource, workflow_files
from bot.core.values.ids import RepositoryId
from bot.demo.material import story
from bot.demo.material.files import script_text
from bot.demo.processes import Processes
from bot.demo.scenario import HARNESS, OWNER, PERSON, DemoScenario, agent_files, write_seed
from bot.ports import UserError

# How long localhub waits for a silent runner; GitHub waits longer.
RUNNER_LOST_SECONDS = 12.0

# As many slots as agents may work at once; gates use them in turn.
RUNNERS = {"runner-1": 2, "runner-2": 1}

_AGAIN = "-again"

_POLL_SECONDS = 0.25
# Everything is on this machine: no proxy of the environment, and no authorities, which take 25 ms to read.
_HTTP = httpx.Client(trust_env=False, verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), timeout=20)
# How often a person's push is tried again because main has moved.
_PUSHES_MAX = 10
# A socket's path has 108 bytes (unix(7)); ours is `var/valkey.sock`, and Valkey adds a few.
_FOLDER_BYTES_MAX = 80


class _App(BaseModel):
    app_id: int
    private_key_pem: str
    webhook_secret: str


class _Credentials(BaseModel):
    tokens: dict[str, str]
    apps: dict[str, _App]


@dataclass
class DemoSystem:
    folder: Path
    scenario: DemoScenario
    processes: Processes
    hub_url: str = ""
    token: str = ""
    _journal: SqlJournal | None = None
    _repository_id: RepositoryId | None = None

    @property
    def repository(self) -> str:
        return self.scenario.full_name

    def git(self, folder: Path, *arguments: str, author: str = PERSON) -> str:
        return person_git(folder, *arguments, author=author)

    def clone(self, repository: str = "") -> Path:
        target = Path(tempfile.mkdtemp(dir=self.folder, prefix="clone-"))
        url = self.hub_url.replace("://", f"://x-access-token:{self.token}@")
        name = repository or self.repository
        self.git(self.folder, "clone", "-q", f"{url}/{name}.git", str(target))
        return target

    def push(self, edit: Callable[[Path], None], message: str, author: str = PERSON) -> str:
        """Edit main in a fresh clone, commit and push; again if main has moved. The commit."""
        for _ in range(_PUSHES_MAX):
            clone = self.clone()
            edit(clone)
            self.git(clone, "add", "-A")
            self.git(clone, "commit", "-q", "-m", message, author=author)
            with contextlib.suppress(subprocess.CalledProcessError):
                self.git(clone, "push", "-q", "origin", "HEAD:main")
                return self.git(clone, "rev-parse", "HEAD")
        raise UserError(f"main moved {_PUSHES_MAX} times while a person tried to push")

    def push_spec(self) -> None:
        def edit(clone: Path) -> None:
            for path, content in self.scenario.spec.items():
                place = clone / path
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content)

        self.push(edit, self.scenario.spec_message)

    def push_as_person(self, push: story.Push) -> str:
        """Make a person's edits in the files as they are now; the commit."""

        def edit(clone: Path) -> None:
            contents = {path: (clone / path).read_text() for path in push.paths}
            for path, text in story.contents_after(push, contents).items():
                (clone / path).write_text(text)

        return self.push(edit, push.message, push.author)

    def approve(self, issue: int) -> None:
        self.api("POST", f"/issues/{issue}/comments", {"body": "/headgate approve"})

    def api(self, method: str, path: str, body: object = None) -> httpx.Response:
        answer = _HTTP.request(
            method,
            f"{self.hub_url}/repos/{self.repository}{path}",
            json=body,
            headers={"Authorization": f"Bearer {self.token}"},
        )
        answer.raise_for_status()
        return answer

    def wait_for_tracking_issue(self, timeout_seconds: float) -> int:
        """Wait until the plan is in the tracking issue; its number. Raises UserError."""
        until = time.monotonic() + timeout_seconds
        while time.monotonic() < until:
            self.processes.check()
            state = self.state()
            for path, refusal in state.refusals.items():
                first = refusal.findings[0]
                raise UserError(f"{first.path or path}:{first.line} {first.question}")
            for run in state.spec_runs.values():
                if run.issue is not None:
                    return run.issue
            time.sleep(_POLL_SECONDS)
        raise UserError(
            f"No tracking issue was opened within {timeout_seconds:.0f} s. "
            f"`HEADGATE_VAR={self.folder}/var headgate journal` shows what happened."
        )

    def is_closed(self, issue: int) -> bool:
        return bool(self.api("GET", f"/issues/{issue}").json()["state"] == "closed")

    def state(self) -> RepositoryState:
        journal, id_ = self._opened()
        return journal.load(id_)

    def events(self) -> tuple[Event, ...]:
        journal, id_ = self._opened()
        return tuple(record.event for record in journal.records(id_, 0))

    def _opened(self) -> tuple[SqlJournal, RepositoryId]:
        if self._journal is None:
            self._journal = SqlJournal(open_engine(f"sqlite:///{self.folder}/var/journal.db"))
        if self._repository_id is None:
            self._repository_id = RepositoryId(self.api("GET", "").json()["id"])
        return self._journal, self._repository_id

    def runner_of(self, workflow_run: int) -> str:
        jobs = self.api("GET", f"/actions/runs/{workflow_run}/jobs").json()["jobs"]
        busy = [str(job["runner_name"]) for job in jobs if job["status"] == "in_progress"]
        # A slot of a runner with several is named after it.
        runners = [name for name in self.processes.names if name.startswith("runner-")]
        held = (n for n in runners for b in busy if b == n or b.startswith(f"{n}-"))
        return next(held, "")

    def replace_runner(self, name: str) -> None:
        self.processes.kill(name)
        self.start_runner(f"{name}{_AGAIN}", RUNNERS[name.split(_AGAIN)[0]])

    def start_runner(self, name: str, slots: int) -> None:
        """Start a runner; the demo's Python comes first on its PATH."""
        argv = (
            *(sys.executable, "-m", "bot.localhub.actions.runner", "--url", self.hub_url),
            *("--name", name, "--labels", "self-hosted,headgate", "--slots", str(slots)),
            *("--work", str(self.folder / name)),
        )
        environment = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
        shown, _ = agent_files(self.scenario.agent)
        if shown:
            environment["HEADGATE_SANDBOX_PATHS"] = os.pathsep.join(shown)
        self.processes.start(name, argv, environment)


def person_git(folder: Path, *arguments: str, author: str = PERSON) -> str:
    """Run git with a person's name and no settings of the machine; its output."""
    email = f"{author.lower()}@example.com"
    done = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env={
            **{"PATH": os.environ["PATH"], "HOME": str(folder)},
            **{"GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0"},
            **{"GIT_AUTHOR_NAME": author, "GIT_AUTHOR_EMAIL": email},
            **{"GIT_COMMITTER_NAME": author, "GIT_COMMITTER_EMAIL": email},
        },
        check=True,
        capture_output=True,
        text=True,
        # Ctrl-C in the terminal is for the demo, not for its git.
        start_new_session=True,
    )
    return done.stdout.strip()


@contextlib.contextmanager
def running_system(
    folder: Path, scenario: DemoScenario, say: Callable[[str], None] = print
) -> Iterator[DemoSystem]:
    """Start everything, seed the repository, install Headgate; end everything afterwards."""
    if len(os.fsencode(folder)) > _FOLDER_BYTES_MAX:
        raise UserError(
            f"{folder} is too long for the path of a socket; choose a shorter --folder."
        )
    processes = Processes(folder, say)
    try:
        yield _start_all(DemoSystem(folder, scenario, processes))
    finally:
        processes.end()


def _start_all(system: DemoSystem) -> DemoSystem:
    hub_port, bot_port = _free_port(), _free_port()
    credentials = _start_hub(system, hub_port, f"http://127.0.0.1:{bot_port}")
    model = _start_model(system) if system.scenario.is_scripted else {}
    _install_workflows(system)
    _start_bot(system, credentials.apps["headgate"], bot_port, model)
    for name, slots in RUNNERS.items():
        system.start_runner(name, slots)
    bot_url = f"http://127.0.0.1:{bot_port}"
    system.processes.wait_until(lambda: _answers(f"{bot_url}/readyz"), "headgate")
    system.processes.wait_until(lambda: system.state().facts is not None, "headgate")
    return system


def _free_port() -> int:
    try:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return int(probe.getsockname()[1])
    except OSError as failure:
        raise UserError(f"There is no free port on 127.0.0.1: {failure}.") from failure


def _start_hub(system: DemoSystem, port: int, bot_url: str) -> _Credentials:
    seed = write_seed(system.folder / "seed", system.scenario, bot_url)
    credentials = system.folder / "credentials.json"
    argv = (
        *(sys.executable, "-m", "bot.entry.cli", "localhub", "--seed", str(seed)),
        *("--port", str(port), "--folder", str(system.folder / "hub")),
        *("--credentials", str(credentials)),
        *("--runner-lost-seconds", str(RUNNER_LOST_SECONDS)),
    )
    system.processes.start("localhub", argv, {})
    system.hub_url = f"http://127.0.0.1:{port}"
    system.processes.wait_until(lambda: _written(credentials) is not None, "localhub")
    written = _Credentials.model_validate_json(credentials.read_text())
    system.token = written.tokens[PERSON]
    return written


def _written(credentials: Path) -> _Credentials | None:
    """What localhub writes once it is seeded and answers; None until the file is complete."""
    try:
        return _Credentials.model_validate_json(credentials.read_text())
    except (OSError, ValidationError):
        return None


def _install_workflows(system: DemoSystem) -> None:
    """Put the workflows on the team's main, as a person of the team does once."""
    sha = system.git(system.clone(HARNESS), "rev-parse", "HEAD")
    files = workflow_files(ActionSource(repository=HARNESS, sha=sha))

    def edit(clone: Path) -> None:
        (clone / FOLDER).mkdir(parents=True, exist_ok=True)
        for path, text in files.items():
            (clone / path).write_text(text)

    system.push(edit, "Add Headgate's workflows")


def _start_model(system: DemoSystem) -> dict[str, str]:
    """Start the scripted model; the settings that lead to it."""
    script = system.folder / "script.yaml"
    script.write_text(script_text())
    port = _free_port()
    argv = (
        *(sys.executable, "-m", "bot.localhub.model_server"),
        *("--script", str(script), "--port", str(port)),
    )
    system.processes.start("model", argv, {})
    url = f"http://127.0.0.1:{port}"
    system.processes.wait_until(lambda: _answers(url), "model")
    return {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "scripted"}


def _start_bot(system: DemoSystem, app: _App, port: int, model: Mapping[str, str]) -> None:
    key = system.folder / "app.pem"
    key.touch(mode=0o600)
    key.write_text(app.private_key_pem)
    # A real agent uses the model of the user's own settings.
    own = {k: v for k in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL") if (v := os.environ.get(k))}
    environment = {
        **(model or own),
        "HEADGATE_VAR": str(system.folder / "var"),
        "HEADGATE_GITHUB_API_URL": f"{system.hub_url}/api/v3",
        "HEADGATE_OIDC_ISSUER": f"{system.hub_url}/_oidc",
        "HEADGATE_APP_ID": str(app.app_id),
        "HEADGATE_PRIVATE_KEY_FILE": str(key),
        "HEADGATE_WEBHOOK_SECRET": app.webhook_secret,
        "HEADGATE_OWNERS": OWNER,
        "HEADGATE_PUBLIC_URL": f"http://127.0.0.1:{port}",
        "HEADGATE_PORT": str(port),
        "HEADGATE_GATEWAY_PORT": str(_free_port()),
    }
    system.processes.start("headgate", (sys.executable, "-m", "bot.entry.cli", "up"), environment)


def _answers(url: str) -> bool:
    try:
        return _HTTP.get(url, timeout=2).status_code < 500
    except httpx.HTTPError:
        return False
