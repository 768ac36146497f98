"""The demo's stage: every process of it, and a person's hands: git, comments, a look.

The rule: processes are started and ended here and nowhere else; whoever plays on the stage goes
through git, HTTP and the journal's database like anybody. Deliberately absent: what is played.
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from ruamel.yaml import YAML

from bot.adapters.store.engine import open_engine
from bot.adapters.store.journal import SqlJournal
from bot.core.change.lifecycle import ChangeState
from bot.core.ids import RepositoryId
from bot.core.journal.state import RepositoryState
from bot.entry.demo_material import material, story
from bot.ports import UserError

OWNER = "coast"
PERSON = "marta"
HARNESS = "headgate/headgate"

# How long localhub waits for a silent runner; GitHub waits longer, and a demo should not.
RUNNER_LOST_SECONDS = 12.0

# Headgate's own checkout: what the workflows of a team lead to.
_ROOT = Path(__file__).resolve().parents[2]

_START_SECONDS = 60
_STOP_SECONDS = 10


@dataclass
class Stage:
    """What runs, where it is, and what a person does with it."""

    folder: Path
    hub_url: str = ""
    token: str = ""
    repository: str = f"{OWNER}/{story.REPOSITORY}"
    person: str = PERSON
    runners: list[subprocess.Popen[bytes]] = field(default_factory=list)
    _processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    _journal: SqlJournal | None = None
    _repository_id: RepositoryId | None = None

    # A person's hands

    def git(self, folder: Path, *arguments: str, author: str = PERSON) -> str:
        """git as a person runs it."""
        email = f"{author.lower()}@example.com"
        done = subprocess.run(
            ["git", *arguments],
            cwd=folder,
            env={
                **{"PATH": os.environ["PATH"], "HOME": str(self.folder)},
                **{"GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0"},
                **{"GIT_AUTHOR_NAME": author, "GIT_AUTHOR_EMAIL": email},
                **{"GIT_COMMITTER_NAME": author, "GIT_COMMITTER_EMAIL": email},
            },
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def clone(self, repository: str = "") -> Path:
        """A fresh clone."""
        target = Path(tempfile.mkdtemp(dir=self.folder, prefix="clone-"))
        url = self.hub_url.replace("://", f"://x-access-token:{self.token}@")
        self.git(
            self.folder, "clone", "-q", f"{url}/{repository or self.repository}.git", str(target)
        )
        return target

    def push(self, files: Mapping[str, bytes], message: str, author: str = PERSON) -> None:
        """Commit files on main and push; again on a fresh clone where somebody was faster."""
        for _ in range(10):
            clone = self.clone()
            for path, content in files.items():
                place = clone / path
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content)
            self.git(clone, "add", "-A")
            self.git(clone, "commit", "-q", "-m", message, author=author)
            with contextlib.suppress(subprocess.CalledProcessError):
                self.git(clone, "push", "-q", "origin", "HEAD:main")
                return
        raise UserError("main moved ten times while a person tried to push")

    def push_spec(self, files: Mapping[str, bytes]) -> None:
        """The push that starts it all."""
        self.push(files, story.SPEC_MESSAGE)

    def push_as_person(self, push: story.Push) -> None:
        """A person's edits of files as they are now."""
        clone = self.clone()
        contents = {path: (clone / path).read_text() for path in push.paths}
        edited = story.contents_after(push, contents)
        files = {path: text.encode() for path, text in edited.items()}
        self.push(files, push.message, push.author)

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
        """The number of the tracking issue, once every change has its own."""
        until = time.monotonic() + patience_seconds
        while time.monotonic() < until:
            found = self.api("GET", "/issues?labels=headgate:spec&state=all").json()
            changes = self.api("GET", "/issues?labels=headgate:change&state=all").json()
            if found and changes:
                return int(found[0]["number"])
            self._complain_if_refused()
            time.sleep(0.1)
        raise UserError("No tracking issue was opened; `headgate journal` may say why.")

    def _complain_if_refused(self) -> None:
        for path, refusal in self.state().refusals.items():
            first = refusal.findings[0]
            raise UserError(f"{first.path or path}:{first.line} {first.question}")

    def is_closed(self, issue: int) -> bool:
        """Whether an issue is closed."""
        return bool(self.api("GET", f"/issues/{issue}").json()["state"] == "closed")

    def state(self) -> RepositoryState:
        """What the journal amounts to, read from its database."""
        if self._journal is None:
            self._journal = SqlJournal(open_engine(f"sqlite:///{self.folder}/var/journal.db"))
        if self._repository_id is None:
            self._repository_id = RepositoryId(self.api("GET", "").json()["id"])
        return self._journal.load(self._repository_id)

    def is_judging(self, state: RepositoryState) -> bool:
        """Whether gates are at work on some candidate."""
        return any(c.state is ChangeState.JUDGING for c in state.changes.values())

    def kill_a_busy_runner(self) -> str:
        """SIGKILL for a runner that has an agent's order in hand; what it was doing, or nothing."""
        working = [c for c in self.state().changes.values() if c.state is ChangeState.WORKING]
        if len(working) < len(self.runners):
            return ""
        runner = self.runners.pop()
        runner.send_signal(signal.SIGKILL)
        runner.wait()
        self.runners.append(self._start_runner("runner-3"))
        return " or ".join(c.slug for c in working)

    # Processes

    def start(self, name: str, argv: tuple[str, ...], environment: Mapping[str, str]) -> None:
        """Start a process with its log in a file."""
        self._processes.append(self._popen(name, argv, environment))

    def _popen(
        self, name: str, argv: tuple[str, ...], environment: Mapping[str, str]
    ) -> subprocess.Popen[bytes]:
        log = (self.folder / f"{name}.log").open("ab")
        with log:
            return subprocess.Popen(
                argv,
                env={**_clean_environment(), **environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                start_new_session=True,
            )

    def start_runners(self) -> None:
        """Two runners with two slots each."""
        self.runners = [self._start_runner("runner-1"), self._start_runner("runner-2")]

    def _start_runner(self, name: str) -> subprocess.Popen[bytes]:
        argv = (
            *(sys.executable, "-m", "bot.localhub.actions.runner", "--url", self.hub_url),
            *("--name", name, "--labels", "self-hosted,headgate", "--slots", "2"),
            *("--work", str(self.folder / name)),
        )
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        return self._popen(name, argv, {"PATH": path})

    def end(self) -> None:
        """End every process, the last started first."""
        running = [*self._processes, *self.runners]
        for process in reversed(running):
            if process.poll() is None:
                process.terminate()
        until = time.monotonic() + _STOP_SECONDS
        for process in running:
            try:
                process.wait(max(0.1, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _clean_environment() -> dict[str, str]:
    """Ours without settings of another Headgate or another model."""
    prefixes = ("HEADGATE_", "ANTHROPIC_", "DATABASE_URL", "REDIS_URL", "GITHUB_")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(prefixes)}
    # The package may be run from a checkout that is not installed.
    return {**kept, "PYTHONPATH": str(_ROOT), "PYTHONUNBUFFERED": "1"}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def open_stage(folder: Path, agent: str) -> Iterator[Stage]:
    """Everything started, the repository seeded, Headgate installed; everything ended after."""
    folder.mkdir(parents=True, exist_ok=True)
    stage = Stage(folder)
    try:
        hub_port, bot_port = _free_port(), _free_port()
        bot_url = f"http://127.0.0.1:{bot_port}"
        credentials = _start_hub(stage, hub_port, bot_url, agent)
        _publish_harness(stage)
        model_url = "" if agent else _start_model(stage)
        _start_bot(stage, credentials, bot_port, model_url)
        stage.start_runners()
        _wait_until_installed(stage)
        yield stage
    finally:
        stage.end()


def _start_hub(stage: Stage, port: int, bot_url: str, agent: str) -> dict[str, object]:
    seed = stage.folder / "seed"
    _write(seed / "repository", {f.path: f.content for f in material.seed_files()})
    _write(seed / "repository", _callers())
    if agent:
        policy = seed / "repository" / ".github" / "headgate.yml"
        entry = json.dumps({"kind": "command", "command": agent})
        policy.write_text(policy.read_text() + f"agent: {entry}\n")
    _write(seed / "harness", _harness_files())
    with (seed / "seed.yaml").open("w") as file:
        YAML(typ="safe").dump(_seed(bot_url), file)
    credentials = stage.folder / "credentials.json"
    argv = (
        *(sys.executable, "-m", "bot.entry.cli", "localhub", "--seed", str(seed / "seed.yaml")),
        *("--port", str(port), "--folder", str(stage.folder / "hub")),
        *("--credentials", str(credentials)),
        *("--runner-lost-seconds", str(RUNNER_LOST_SECONDS)),
    )
    stage.start("localhub", argv, {})
    stage.hub_url = f"http://127.0.0.1:{port}"
    _wait(lambda: credentials.is_file() and _answers(f"{stage.hub_url}/meta"), "localhub")
    written: dict[str, object] = json.loads(credentials.read_text())
    tokens = written["tokens"]
    assert isinstance(tokens, dict)  # noqa: S101 - our own file, a moment old
    stage.token = str(tokens[PERSON])
    return written


def _seed(bot_url: str) -> dict[str, object]:
    write = ("contents", "issues", "pull_requests", "checks", "statuses", "actions")
    return {
        "users": [PERSON],
        "organizations": [OWNER, "headgate"],
        "repositories": [
            {
                "name": f"{OWNER}/{story.REPOSITORY}",
                "directory": "repository",
                "message": story.SEED_MESSAGE,
                "collaborators": {PERSON: "admin"},
            },
            {
                "name": HARNESS,
                "directory": "harness",
                "message": "Headgate",
                "collaborators": {PERSON: "admin"},
            },
        ],
        "apps": [
            {
                "name": "headgate",
                "owner": "headgate",
                "webhook_url": f"{bot_url}/webhook",
                "permissions": dict.fromkeys(write, "write"),
                "events": [
                    *("push", "issues", "issue_comment", "pull_request", "check_run"),
                    *("check_suite", "workflow_run", "workflow_job"),
                ],
                "installations": [{"owner": OWNER}],
            }
        ],
    }


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    for path, content in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)


def _callers() -> dict[str, bytes]:
    """The two small workflows that a team copies into its repository."""
    folder = _ROOT / "action" / "install"
    names = ("headgate-agent.yml", "headgate-gates.yml")
    return {f".github/workflows/{n}": (folder / n).read_bytes() for n in names}


def _harness_files() -> dict[str, bytes]:
    """What `uses: headgate/headgate/…@v1` leads to: our workflows, the action and the gates."""
    workflows = sorted((_ROOT / ".github" / "workflows").glob("*.yml"))
    if not workflows:
        raise UserError("The demo needs Headgate's own workflows: run it from a checkout.")
    found = {f".github/workflows/{p.name}": p.read_bytes() for p in workflows}
    for package in ("action", "gates"):
        for path in sorted((_ROOT / package).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                found[str(path.relative_to(_ROOT))] = path.read_bytes()
    return found


def _publish_harness(stage: Stage) -> None:
    clone = stage.clone(HARNESS)
    stage.git(clone, "tag", "v1")
    stage.git(clone, "push", "-q", "origin", "v1")


def _start_model(stage: Stage) -> str:
    script = stage.folder / "script.yaml"
    script.write_text(material.script_text())
    port = _free_port()
    argv = (
        *(sys.executable, "-m", "bot.localhub.model_server"),
        *("--script", str(script), "--port", str(port)),
    )
    stage.start("model", argv, {})
    url = f"http://127.0.0.1:{port}"
    _wait(lambda: _answers(url), "the scripted model")
    return url


def _start_bot(stage: Stage, credentials: dict[str, object], port: int, model_url: str) -> None:
    apps = credentials["apps"]
    assert isinstance(apps, dict)  # noqa: S101 - our own file, a moment old
    app = apps["headgate"]
    key = stage.folder / "app.pem"
    key.touch(mode=0o600)
    key.write_text(app["private_key_pem"])
    environment = {
        "HEADGATE_VAR": str(stage.folder / "var"),
        "HEADGATE_GITHUB_API_URL": f"{stage.hub_url}/api/v3",
        "HEADGATE_OIDC_ISSUER": f"{stage.hub_url}/_oidc",
        "HEADGATE_APP_ID": str(app["app_id"]),
        "HEADGATE_PRIVATE_KEY_FILE": str(key),
        "HEADGATE_WEBHOOK_SECRET": str(app["webhook_secret"]),
        "HEADGATE_PUBLIC_URL": f"http://127.0.0.1:{port}",
        "HEADGATE_PORT": str(port),
    }
    if model_url:
        # The scripted model takes any key; a real agent command brings its own.
        environment |= {"ANTHROPIC_BASE_URL": model_url, "ANTHROPIC_API_KEY": "scripted"}
    elif "ANTHROPIC_API_KEY" in os.environ:
        environment["ANTHROPIC_API_KEY"] = os.environ["ANTHROPIC_API_KEY"]
    stage.start("headgate", (sys.executable, "-m", "bot.entry.cli", "up"), environment)
    _wait(lambda: _answers(f"http://127.0.0.1:{port}/health"), "headgate")


def _wait_until_installed(stage: Stage) -> None:
    _wait(lambda: stage.state().facts is not None, "the installation")


def _answers(url: str) -> bool:
    try:
        return httpx.get(url, timeout=2).status_code < 500
    except httpx.HTTPError:
        return False


def _wait(is_there: Callable[[], bool], what: str) -> None:
    until = time.monotonic() + _START_SECONDS
    while time.monotonic() < until:
        if is_there():
            return
        time.sleep(0.05)
    raise UserError(f"{what} did not start within {_START_SECONDS} s; see its log in the folder.")
