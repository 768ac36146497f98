"""A small hub for the tests of Actions: real git repositories, in-memory tokens and webhooks.

It implements the `ActionsHost` protocol like the real hub, so that tests go over HTTP and through a
runner process. Waiting is for conditions.
"""

import itertools
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import httpx
import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from flask import Flask
from pydantic import JsonValue
from werkzeug.serving import make_server

from bot.localhub.actions.engine import Settings
from bot.localhub.actions.host import ActorFacts, RepositoryFacts
from bot.localhub.actions.records import WorkflowRun
from bot.localhub.actions.routes import actions_blueprint
from bot.localhub.actions.runner_messages import Annotation, Status
from bot.localhub.actions.runner_routes import runner_blueprint
from bot.localhub.actions.service import ActionsService
from bot.localhub.errors import not_found

ROOT = Path(__file__).parents[2]
ALICE = ActorFacts(7, "alice", payload={"login": "alice", "id": 7, "type": "User"})
_Found = TypeVar("_Found")


def eventually(look: Callable[[], _Found], timeout_seconds: float = 60.0) -> _Found:
    """The first truthy answer; fails with the last one after the time limit."""
    pause = threading.Event()
    deadline = datetime.now(UTC).timestamp() + timeout_seconds
    while True:
        found = look()
        if found:
            return found
        assert datetime.now(UTC).timestamp() < deadline, f"never became true: {found!r}"
        pause.wait(0.02)


@dataclass(frozen=True)
class Webhook:
    """A webhook that the hub would send."""

    event: str
    action: str | None
    body: dict[str, object]
    sender: dict[str, object]


@dataclass(frozen=True)
class JobCheck:
    """A check run that the service has recorded."""

    id: int
    name: str
    head_sha: str
    status: str
    conclusion: str | None


class FakeHost:
    """A hub with only what Actions need."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.base_url = "http://127.0.0.1:0"
        self.webhooks: list[Webhook] = []
        self.checks: dict[int, JobCheck] = {}
        self.job_tokens: dict[str, dict[str, str]] = {}
        self.all_token_permissions: list[dict[str, str]] = []
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self._repositories: dict[str, RepositoryFacts] = {}
        self._owner_ids: dict[str, int] = {}
        self._ids = itertools.count(501)
        self._lock = threading.Lock()
        self.hub_lock = threading.RLock()

    def add_repository(
        self, full_name: str, files: Mapping[str, str], *, private: bool = False
    ) -> str:
        """A repository with one commit on main; its SHA."""
        owner, name = full_name.split("/")
        path = self.folder / f"{full_name}.git"
        path.mkdir(parents=True)
        git(path, "init", "-q", "-b", "main")
        git(path, "config", "uploadpack.allowAnySHA1InWant", "true")
        self._repositories[full_name] = RepositoryFacts(
            id=next(self._ids),
            owner=owner,
            owner_id=self._owner_ids.setdefault(owner, 42 + len(self._owner_ids)),
            name=name,
            full_name=full_name,
            default_branch="main",
            private=private,
            clone_url=path.as_uri(),
            payload={"full_name": full_name},
        )
        return self.commit(full_name, files)

    def make_fork(self, full_name: str) -> None:
        known = self._repositories[full_name]
        self._repositories[full_name] = replace(known, is_fork=True)

    def commit(self, full_name: str, files: Mapping[str, str], branch: str = "main") -> str:
        """One more commit on a branch; its SHA."""
        path = self.folder / f"{full_name}.git"
        if git(path, "branch", "--show-current") != branch:
            git(path, "switch", "-q", "-c", branch)
        for name, text in files.items():
            target = path / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        git(path, "add", "-A")
        git(path, "commit", "-q", "--allow-empty", "-m", f"Change {' '.join(files)}")
        return git(path, "rev-parse", "HEAD")

    def tag(self, full_name: str, name: str) -> None:
        """Tag the newest commit."""
        git(self.folder / f"{full_name}.git", "tag", "-f", name)

    def resolve(self, repository: str, ref: str) -> str | None:
        path = self.folder / f"{repository}.git"
        for candidate in (ref, f"refs/heads/{ref}", f"refs/tags/{ref}"):
            done = subprocess.run(
                ["git", "rev-parse", "-q", "--verify", f"{candidate}^{{commit}}"],
                cwd=path,
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode == 0:
                return done.stdout.strip()
        return None

    def read_file(self, repository: str, sha: str, path: str) -> bytes | None:
        done = subprocess.run(
            ["git", "cat-file", "blob", f"{sha}:{path}"],
            cwd=self.folder / f"{repository}.git",
            capture_output=True,
            check=False,
        )
        return done.stdout if done.returncode == 0 else None

    def list_files(self, repository: str, sha: str, folder: str) -> list[str]:
        path = self.folder / f"{repository}.git"
        return git(path, "ls-tree", "--name-only", sha, f"{folder}/").splitlines()

    def repository_facts(self, repository: str) -> RepositoryFacts:
        return self._repositories[repository]

    def mint_job_token(self, repository: str, permissions: dict[str, str]) -> str:
        token = f"ghs_job_{next(self._ids)}_{repository.replace('/', '-')}"
        self.job_tokens[token] = permissions
        self.all_token_permissions.append(permissions)
        return token

    def revoke_token(self, token: str) -> None:
        self.job_tokens.pop(token, None)

    def mint_id_token(self, claims: dict[str, object]) -> str:
        return jwt.encode(claims, self.key, algorithm="RS256", headers={"kid": "one"})

    def record_job_check(
        self,
        repository: str,
        head_sha: str,
        name: str,
        job_id: int,
        status: str,
        conclusion: str | None,
        details_url: str,
        annotations: Sequence[Annotation] = (),
    ) -> int:
        assert details_url.startswith(f"{self.base_url}/{repository}/actions/runs/")
        with self.hub_lock, self._lock:
            known = self.checks.get(job_id)
            check_id = known.id if known else next(self._ids)
            self.checks[job_id] = JobCheck(check_id, name, head_sha, status, conclusion)
            return check_id

    def emit(
        self,
        repository: str,
        event: str,
        action: str | None,
        body: dict[str, object],
        sender: dict[str, object],
    ) -> None:
        """Record a webhook."""
        assert repository in self._repositories
        # The real hub does all of its work under one lock.
        with self.hub_lock:
            self.webhooks.append(Webhook(event, action, body, sender))

    def commit_payload(self, repository: str, sha: str) -> dict[str, object] | None:
        path = self.folder / f"{repository}.git"
        message, tree, at = git(path, "show", "-s", "--format=%B%x00%T%x00%cI", sha).split("\0")
        person = {"name": "Alice", "email": "alice@example.org"}
        return {
            "id": sha,
            "tree_id": tree,
            "message": message.strip(),
            "timestamp": at,
            "author": person,
            "committer": person,
        }

    def changed_paths(self, repository: str, before: str, after: str) -> list[str]:
        path = self.folder / f"{repository}.git"
        return git(path, "diff", "--name-only", before, after).splitlines()

    def now(self) -> datetime:
        return datetime.now(UTC)


@dataclass
class Box:
    """A hub with Actions, reachable over HTTP."""

    host: FakeHost
    service: ActionsService
    http: httpx.Client

    def dispatch(
        self, repository: str, workflow: str, inputs: Mapping[str, JsonValue] | None = None
    ) -> WorkflowRun:
        """Start a workflow on main through the REST API."""
        answer = self.http.post(
            f"/repos/{repository}/actions/workflows/{workflow}/dispatches",
            json={"ref": "main", "inputs": inputs or {}, "return_run_details": True},
        )
        assert answer.status_code == 200, answer.text
        return self.service.run(repository, answer.json()["workflow_run_id"])

    def finished(self, run: WorkflowRun, timeout_seconds: float = 60.0) -> WorkflowRun:
        """The run when it is over."""
        eventually(lambda: run.status is Status.COMPLETED, timeout_seconds)
        return run

    def log(self, run: WorkflowRun, name: str | None = None) -> str:
        """The log of a run's job, by name, through the REST API."""
        job = next(job for job in run.attempt.jobs if name in (None, job.name))
        path = f"/repos/{run.repository.full_name}/actions/jobs/{job.id}/logs"
        return self.http.get(path, follow_redirects=True).text

    def conclusions(self, run: WorkflowRun) -> dict[str, str]:
        """How each job ended, by name."""
        answer = self.http.get(f"/repos/{run.repository.full_name}/actions/runs/{run.id}/jobs")
        return {job["name"]: job["conclusion"] for job in answer.json()["jobs"]}


@contextmanager
def box(folder: Path, settings: Settings | None = None) -> Iterator[Box]:
    """A served hub."""
    host = FakeHost(folder / "repositories")
    app = Flask("box")
    server = make_server("127.0.0.1", 0, app, threaded=True)
    service = ActionsService(host, settings)

    def authorise(repository: str, permission: str, level: str) -> ActorFacts:
        assert permission in ("actions", "administration")
        assert level in ("read", "write")
        if repository not in host._repositories:
            raise not_found()
        return ALICE

    app.register_blueprint(actions_blueprint(service, authorise))
    app.register_blueprint(
        actions_blueprint(service, authorise), url_prefix="/api/v3", name="actions_v3"
    )
    app.register_blueprint(runner_blueprint(service))
    host.base_url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        with httpx.Client(base_url=host.base_url, trust_env=False) as http:
            yield Box(host, service, http)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
        service.close()


@contextmanager
def runner(
    served: Box, work: Path, *arguments: str, labels: str = "self-hosted,headgate"
) -> Iterator["subprocess.Popen[str]"]:
    """A runner process that is listening."""
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "bot.localhub.actions.runner", "--url", served.host.base_url),
            *("--labels", labels, "--work", str(work), "--name", work.name, *arguments),
        ],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert "listening" in line, line + process.stdout.read()
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=60)


def git(folder: Path, *arguments: str) -> str:
    """Run git in a repository of the test."""
    identity = ["-c", "user.name=Alice", "-c", "user.email=alice@example.org"]
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()
