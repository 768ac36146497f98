"""The demo's stage: localhub, Headgate, the runners and the model started; and a person's hands.

The rule: whoever plays here goes through git, HTTP and the journal's database like anybody.
Deliberately absent: what is played (`demo_seed`, `demo_incidents`), and what a process is.
"""

import contextlib
import os
import socket
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
from bot.core.values.ids import RepositoryId
from bot.entry.demo_material import material, story
from bot.entry.demo_processes import Processes
from bot.entry.demo_seed import HARNESS, PERSON, Play, agent_files, write_seed
from bot.ports import UserError

# How long localhub waits for a silent runner; GitHub waits longer, and a demo should not.
RUNNER_LOST_SECONDS = 12.0

# As many slots as the policy lets agents work at once; gates take their turn.
RUNNERS = {"runner-1": 2, "runner-2": 1}

_AGAIN = "-again"

_LOOK_SECONDS = 0.25
# Main moves this often, at the most, while a person commits.
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
class Stage:
    """What runs, where it is, and what a person does with it."""

    folder: Path
    play: Play
    processes: Processes
    hub_url: str = ""
    token: str = ""
    _journal: SqlJournal | None = None
    _repository_id: RepositoryId | None = None

    @property
    def repository(self) -> str:
        """The team's repository."""
        return self.play.full_name

    # A person's hands

    def git(self, folder: Path, *arguments: str, author: str = PERSON) -> str:
        """git as a person runs it."""
        return person_git(folder, *arguments, author=author)

    def clone(self, repository: str = "") -> Path:
        """A fresh clone."""
        target = Path(tempfile.mkdtemp(dir=self.folder, prefix="clone-"))
        url = self.hub_url.replace("://", f"://x-access-token:{self.token}@")
        name = repository or self.repository
        self.git(self.folder, "clone", "-q", f"{url}/{name}.git", str(target))
        return target

    def push(self, edit: Callable[[Path], None], message: str, author: str = PERSON) -> str:
        """Edit main in a fresh clone, commit and push; again where somebody was faster."""
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
        """The push that starts it all."""

        def edit(clone: Path) -> None:
            for path, content in self.play.spec.items():
                place = clone / path
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content)

        self.push(edit, self.play.spec_message)

    def push_as_person(self, push: story.Push) -> str:
        """A person's edits of files as they are now; the commit."""

        def edit(clone: Path) -> None:
            contents = {path: (clone / path).read_text() for path in push.paths}
            for path, text in story.contents_after(push, contents).items():
                (clone / path).write_text(text)

        return self.push(edit, push.message, push.author)

    def approve(self, issue: int) -> None:
        """The comment that starts the plan."""
        self.api("POST", f"/issues/{issue}/comments", {"body": "/headgate approve"})

    # A person's eyes

    def api(self, method: str, path: str, body: object = None) -> httpx.Response:
        """A REST call below the repository."""
        answer = httpx.request(
            method,
            f"{self.hub_url}/repos/{self.repository}{path}",
            json=body,
            headers={"Authorization": f"Bearer {self.token}"},
            timeout=20,
        )
        answer.raise_for_status()
        return answer

    def wait_for_tracking_issue(self, patience_seconds: float) -> int:
        """The number of the tracking issue, once the plan is in it. Raises UserError."""
        until = time.monotonic() + patience_seconds
        while time.monotonic() < until:
            self.processes.tend()
            state = self.state()
            for path, refusal in state.refusals.items():
                first = refusal.findings[0]
                raise UserError(f"{first.path or path}:{first.line} {first.question}")
            for run in state.spec_runs.values():
                if run.issue is not None and all(c.issue for c in state.changes.values()):
                    return run.issue
            time.sleep(_LOOK_SECONDS)
        raise UserError(
            f"No tracking issue was opened within {patience_seconds:.0f} s. "
            f"HEADGATE_VAR={self.folder}/var headgate journal says what happened."
        )

    def is_closed(self, issue: int) -> bool:
        """Whether an issue is closed."""
        return bool(self.api("GET", f"/issues/{issue}").json()["state"] == "closed")

    def state(self) -> RepositoryState:
        """What the journal amounts to, read from its database."""
        journal, id_ = self._opened()
        return journal.load(id_)

    def events(self) -> tuple[Event, ...]:
        """The whole journal."""
        journal, id_ = self._opened()
        return tuple(record.event for record in journal.records(id_, 0))

    def _opened(self) -> tuple[SqlJournal, RepositoryId]:
        if self._journal is None:
            self._journal = SqlJournal(open_engine(f"sqlite:///{self.folder}/var/journal.db"))
        if self._repository_id is None:
            self._repository_id = RepositoryId(self.api("GET", "").json()["id"])
        return self._journal, self._repository_id

    # A hand at the machines

    def runner_of(self, workflow_run: int) -> str:
        """Which runner has a workflow run's job in hand; empty where none has."""
        jobs = self.api("GET", f"/actions/runs/{workflow_run}/jobs").json()["jobs"]
        busy = [str(job["runner_name"]) for job in jobs if job["status"] == "in_progress"]
        # A slot of a runner with several is named after it.
        runners = [name for name in self.processes.names if name.startswith("runner-")]
        held = (n for n in runners for b in busy if b == n or b.startswith(f"{n}-"))
        return next(held, "")

    def replace_runner(self, name: str) -> None:
        """A runner's machine is gone; another takes its place."""
        self.processes.kill(name)
        self.start_runner(f"{name}{_AGAIN}", RUNNERS[name.split(_AGAIN)[0]])

    def start_runner(self, name: str, slots: int) -> None:
        """A runner with its slots; the demo's interpreter is the first on its PATH."""
        argv = (
            *(sys.executable, "-m", "bot.localhub.actions.runner", "--url", self.hub_url),
            *("--name", name, "--labels", "self-hosted,headgate", "--slots", str(slots)),
            *("--work", str(self.folder / name)),
        )
        environment = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
        shown, _ = agent_files(self.play.agent)
        if shown:
            environment["HEADGATE_SANDBOX_PATHS"] = os.pathsep.join(shown)
        self.processes.start(name, argv, environment)


def person_git(folder: Path, *arguments: str, author: str = PERSON) -> str:
    """git with a person's name and nobody's settings; its output."""
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
        # A terminal's Ctrl-C is for the demo, which decides what becomes of its git.
        start_new_session=True,
    )
    return done.stdout.strip()


@contextlib.contextmanager
def open_stage(folder: Path, play: Play) -> Iterator[Stage]:
    """Everything started, the repository seeded, Headgate installed; everything ended after."""
    if len(os.fsencode(folder)) > _FOLDER_BYTES_MAX:
        raise UserError(f"{folder} is too long a path for sockets; choose a shorter --folder.")
    processes = Processes(folder)
    try:
        yield _start_all(Stage(folder, play, processes))
    finally:
        processes.end()


def _start_all(stage: Stage) -> Stage:
    hub_port, bot_port = _free_port(), _free_port()
    credentials = _start_hub(stage, hub_port, f"http://127.0.0.1:{bot_port}")
    model = _start_model(stage) if stage.play.is_scripted else {}
    _start_bot(stage, credentials.apps["headgate"], bot_port, model)
    _publish_harness(stage)
    for name, slots in RUNNERS.items():
        stage.start_runner(name, slots)
    bot_url = f"http://127.0.0.1:{bot_port}"
    stage.processes.wait_until(lambda: _answers(f"{bot_url}/health"), "headgate")
    stage.processes.wait_until(lambda: stage.state().facts is not None, "headgate")
    return stage


def _free_port() -> int:
    try:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return int(probe.getsockname()[1])
    except OSError as failure:
        raise UserError(f"No port could be had on 127.0.0.1: {failure}.") from failure


def _start_hub(stage: Stage, port: int, bot_url: str) -> _Credentials:
    seed = write_seed(stage.folder / "seed", stage.play, bot_url)
    credentials = stage.folder / "credentials.json"
    argv = (
        *(sys.executable, "-m", "bot.entry.cli", "localhub", "--seed", str(seed)),
        *("--port", str(port), "--folder", str(stage.folder / "hub")),
        *("--credentials", str(credentials)),
        *("--runner-lost-seconds", str(RUNNER_LOST_SECONDS)),
    )
    stage.processes.start("localhub", argv, {})
    stage.hub_url = f"http://127.0.0.1:{port}"
    stage.processes.wait_until(lambda: _written(credentials) is not None, "localhub")
    written = _Credentials.model_validate_json(credentials.read_text())
    stage.token = written.tokens[PERSON]
    return written


def _written(credentials: Path) -> _Credentials | None:
    """What localhub writes once it answers and is planted; None until it is there and whole."""
    try:
        return _Credentials.model_validate_json(credentials.read_text())
    except (OSError, ValidationError):
        return None


def _publish_harness(stage: Stage) -> None:
    clone = stage.clone(HARNESS)
    stage.git(clone, "tag", "v1")
    stage.git(clone, "push", "-q", "origin", "v1")


def _start_model(stage: Stage) -> dict[str, str]:
    """The settings that lead to the scripted model; it takes any key."""
    script = stage.folder / "script.yaml"
    script.write_text(material.script_text())
    port = _free_port()
    argv = (
        *(sys.executable, "-m", "bot.localhub.model_server"),
        *("--script", str(script), "--port", str(port)),
    )
    stage.processes.start("model", argv, {})
    url = f"http://127.0.0.1:{port}"
    stage.processes.wait_until(lambda: _answers(url), "model")
    return {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "scripted"}


def _start_bot(stage: Stage, app: _App, port: int, model: Mapping[str, str]) -> None:
    key = stage.folder / "app.pem"
    key.touch(mode=0o600)
    key.write_text(app.private_key_pem)
    # A real agent asks the model that the user's own settings name.
    own = {k: v for k in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL") if (v := os.environ.get(k))}
    environment = {
        **(model or own),
        "HEADGATE_VAR": str(stage.folder / "var"),
        "HEADGATE_GITHUB_API_URL": f"{stage.hub_url}/api/v3",
        "HEADGATE_OIDC_ISSUER": f"{stage.hub_url}/_oidc",
        "HEADGATE_APP_ID": str(app.app_id),
        "HEADGATE_PRIVATE_KEY_FILE": str(key),
        "HEADGATE_WEBHOOK_SECRET": app.webhook_secret,
        "HEADGATE_PUBLIC_URL": f"http://127.0.0.1:{port}",
        "HEADGATE_PORT": str(port),
    }
    stage.processes.start("headgate", (sys.executable, "-m", "bot.entry.cli", "up"), environment)


def _answers(url: str) -> bool:
    try:
        return httpx.get(url, timeout=2).status_code < 500
    except httpx.HTTPError:
        return False
