"""Helpers of localhub's tests: a served hub, a receiver of webhooks, and a real git client.

Nothing is patched: clients use HTTP and git against a hub in this process. Waiting is for
conditions.
"""

import hashlib
import hmac
import json
import os
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
from github import Auth, Github, GithubIntegration

from bot.localhub.app import Extension
from bot.localhub.apps import AppCredentials
from bot.localhub.hub import Hub
from bot.localhub.model import Visibility
from bot.localhub.mount import actions_of, extension
from bot.localhub.server import running

ALL_PERMISSIONS = {
    "contents": "write",
    "issues": "write",
    "pull_requests": "write",
    "checks": "write",
    "statuses": "write",
    "actions": "write",
}
ALL_EVENTS = (
    "push",
    "create",
    "delete",
    "commit_comment",
    "issues",
    "issue_comment",
    "label",
    "sub_issues",
    "issue_dependencies",
    "pull_request",
    "pull_request_review",
    "pull_request_review_comment",
    "pull_request_review_thread",
    "status",
    "check_suite",
    "check_run",
    "workflow_run",
    "workflow_job",
)
SECRET = "correct horse battery staple"
# No authorities: nothing here speaks TLS, and reading them takes 30 ms for each client.
_NOBODY = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


@dataclass(frozen=True)
class Received:
    """One webhook as it arrived."""

    event: str
    guid: str
    payload: dict[str, object]
    headers: dict[str, str]
    is_signed: bool

    @property
    def name(self) -> str:
        """`event.action`, or the event alone."""
        action = self.payload.get("action")
        return f"{self.event}.{action}" if action else self.event


@dataclass
class Receiver:
    """The webhooks received so far, and the status of the answers."""

    url: str = ""
    status: int = 202
    received: list[Received] = field(default_factory=list)

    def names(self) -> list[str]:
        """The names of everything received so far, in order."""
        return [one.name for one in self.received]

    def payloads(self, name: str) -> list[dict[str, object]]:
        """The payloads of all webhooks of one name."""
        return [one.payload for one in self.received if one.name == name]


class _QuietServer(ThreadingHTTPServer):
    daemon_threads = True


@contextmanager
def receiving(secret: str = SECRET) -> Iterator[Receiver]:
    """A receiver of webhooks on loopback."""
    receiver = Receiver()

    class Connection(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["Content-Length"]))
            wanted = "sha256=" + hmac.new(secret.encode(), raw, hashlib.sha256).hexdigest()
            receiver.received.append(
                Received(
                    event=self.headers["X-GitHub-Event"],
                    guid=self.headers["X-GitHub-Delivery"],
                    payload=json.loads(raw),
                    headers=dict(self.headers.items()),
                    is_signed=self.headers["X-Hub-Signature-256"] == wanted,
                )
            )
            self.send_response(receiver.status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing."""

    server = _QuietServer(("127.0.0.1", 0), Connection)
    receiver.url = f"http://127.0.0.1:{server.server_address[1]}/webhook"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


@dataclass
class Box:
    """A hub with `octo/demo` (one commit), the user octo, an installed App, and a receiver."""

    hub: Hub
    url: str
    receiver: Receiver
    user_token: str
    app: AppCredentials
    installation_id: int
    folder: Path
    clients: list[Github] = field(default_factory=list)

    def as_user(self, token: str = "") -> Github:
        """PyGithub as a person."""
        return self._client(Auth.Token(token or self.user_token))

    def as_app(self, **permissions: str) -> Github:
        """PyGithub as the installation, with all permissions or just these."""
        return self._client(Auth.Token(self.installation_token(**permissions)))

    def _client(self, auth: Auth.Auth) -> Github:
        client = Github(
            base_url=f"{self.url}/api/v3",
            auth=auth,
            retry=None,
            seconds_between_requests=None,
            seconds_between_writes=None,
        )
        self.clients.append(client)
        return client

    def integration(self) -> GithubIntegration:
        """PyGithub as the App itself."""
        auth = Auth.AppAuth(self.app.app_id, self.app.private_key_pem)
        return GithubIntegration(auth=auth, base_url=f"{self.url}/api/v3", retry=None)

    def installation_token(self, **permissions: str) -> str:
        installation = self.hub.state.installations[self.installation_id]
        return self.hub.apps.mint_token(installation, None, permissions or None).secret

    def rest(self, token: str | None = None) -> httpx.Client:
        """A plain HTTP client for what PyGithub does not show."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return httpx.Client(
            base_url=self.url, headers=headers, trust_env=False, verify=_NOBODY, timeout=30
        )

    @contextmanager
    def browser(self, login: str = "octo", token: str = "") -> Iterator[httpx.Client]:
        """A person's browser, signed in."""
        with self.rest() as client:
            form = {"login": login, "password": token or self.user_token}
            assert client.post("/login", data=form).status_code == 302
            yield client

    def settle(self) -> None:
        """Wait until every webhook has arrived."""
        if not self.hub.wait_until_delivered(15):
            raise AssertionError("webhooks are still under way")

    def clone(self, token: str = "", repository: str = "octo/demo") -> "Clone":
        """A clone made by the real git client."""
        host = self.url.removeprefix("http://")
        secret = token or self.user_token
        folder = self.folder / f"clone-{len(list(self.folder.glob('clone-*')))}"
        url = f"http://x-access-token:{secret}@{host}/{repository}.git"
        git(self.folder, "clone", "--quiet", url, str(folder))
        return Clone(folder)


@dataclass(frozen=True)
class Clone:
    """A working copy."""

    folder: Path

    def git(self, *arguments: str) -> str:
        """git's output; raises `GitError` if it fails."""
        return git(self.folder, *arguments)

    def commit(self, path: str, content: str, message: str = "Change a file") -> str:
        """Write a file, commit it, and return the commit."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)
        return self.git("rev-parse", "HEAD")


class GitError(Exception):
    """git ended with an error; the text is its output."""


def git(folder: Path, *arguments: str) -> str:
    """Run git as a developer would, without the machine's configuration."""
    environment = {
        **{key: os.environ[key] for key in ("PATH",) if key in os.environ},
        "HOME": str(folder),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_AUTHOR_NAME": "Mona",
        "GIT_AUTHOR_EMAIL": "mona@example.org",
        "GIT_COMMITTER_NAME": "Mona",
        "GIT_COMMITTER_EMAIL": "mona@example.org",
    }
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env=environment, capture_output=True, check=False
    )
    if done.returncode != 0:
        raise GitError(done.stderr.decode())
    return done.stdout.decode().strip()


@contextmanager
def served_box(
    folder: Path,
    visibility: Visibility = Visibility.PRIVATE,
    extensions: Sequence[Extension] = (),
) -> Iterator[Box]:
    hub = Hub(folder / "hub")
    service = actions_of(hub)
    mounted = [extension(service), *extensions]
    with receiving() as receiver, running(hub, extensions=mounted) as url:
        token = hub.add_user("octo")
        hub.add_repository("octo", "demo", visibility)
        hub.commit_files("octo/demo", {"README.md": b"# Demo\n"}, "Begin")
        app = hub.register_app("Headgate Test", receiver.url, SECRET, ALL_PERMISSIONS, ALL_EVENTS)
        installation_id = hub.install_app(app.app_id, "octo", ["octo/demo"])
        one = Box(hub, url, receiver, token, app, installation_id, folder)
        try:
            one.settle()
            receiver.received.clear()
            yield one
        finally:
            for client in one.clients:
                client.close()
            service.close()


def wait_for(condition: Callable[[], bool], timeout_seconds: float = 60.0) -> None:
    """Return as soon as the condition holds; fail after the time limit."""
    pause = threading.Event()
    waited = 0.0
    while not condition():
        if waited >= timeout_seconds:
            raise AssertionError("the condition did not come true in time")
        pause.wait(0.02)
        waited += 0.02


def at(value: object, *path: str | int) -> object:
    """The value at a path of keys and indexes inside decoded JSON."""
    for step in path:
        if isinstance(value, dict):
            value = value[step]
        elif isinstance(value, list):
            value = value[int(step)]
        else:
            raise AssertionError(f"there is no {step!r} in {value!r}")
    return value
