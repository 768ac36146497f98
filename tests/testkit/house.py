"""A whole Headgate beside a whole localhub, in one process, for stories.

Everything is real: the web app behind a socket, the jobs, SQLite, git, the GitHub client, HTTP both
ways. Two things are the test's own: the doorbell is a list that `settle` empties, so that a story
decides when work is done, and the clock can be put forward. Deliberately absent: assertions.
"""

import contextlib
import os
import subprocess
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
from pydantic import SecretStr
from werkzeug.serving import make_server

from bot.core.ids import RepositoryId
from bot.core.journal.events import Event
from bot.core.journal.state import RepositoryState
from bot.entry.settings import Settings
from bot.entry.web.app import create_app
from bot.entry.wiring import make_bench, prepare_store
from bot.localhub.hub import Hub
from bot.localhub.model import Role
from bot.localhub.mount import actions_of, extension
from bot.localhub.server import running
from bot.shell import intake
from bot.shell.bench import Bench
from bot.shell.observe import Observer
from bot.shell.reconcile import reconcile
from tests.testkit.ground import EVENTS, PERMISSIONS, POLICY, SECRET, settle_people
from tests.testkit.runner import Runner

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

# An answer of GitHub's REST API, as a person's script would see it.
Json = dict[str, Any]


class TestClock:
    """The machine's time plus what the story has put it forward by."""

    __test__ = False

    def __init__(self) -> None:
        self.ahead = timedelta()

    def now(self) -> datetime:
        """The time of the story."""
        return datetime.now(UTC) + self.ahead

    def __call__(self) -> datetime:
        """The same, as localhub asks for it."""
        return self.now()


class BellRope:
    """A doorbell that only notes who rang."""

    def __init__(self) -> None:
        self.deliveries: list[str] = []
        self.repositories: list[RepositoryId] = []

    def ring_delivery(self, delivery_id: str) -> None:
        """Note a delivery."""
        self.deliveries.append(delivery_id)

    def ring_repository(self, repository: RepositoryId) -> None:
        """Note a repository."""
        self.repositories.append(repository)


@dataclass(frozen=True)
class SeenCheck:
    """A check run as its page shows it; a remark is `path:line message`."""

    conclusion: str | None
    title: str
    summary: str
    text: str
    remarks: tuple[str, ...]


@dataclass
class House:
    """A story's world. Ada maintains the repository `full_name`; eve has no role there."""

    hub: Hub
    url: str
    folder: Path
    settings: Settings
    bench: Bench
    bell: BellRope
    clock: TestClock
    tokens: dict[str, str]
    runner: Runner
    full_name: str = "team/shop"
    observer: Observer = field(init=False)

    def __post_init__(self) -> None:
        self.observer = Observer(self.bench)

    @property
    def token(self) -> str:
        """The maintainer's token."""
        return self.tokens["ada"]

    # What the bot does

    def settle(self, rounds: int = 60) -> None:
        """Let webhooks arrive and jobs run until nothing is left to do."""
        for _ in range(rounds):
            self.hub.wait_until_delivered(20)
            if not self._work_once():
                return
        raise AssertionError("the house does not come to rest")

    def _work_once(self) -> bool:
        deliveries, self.bell.deliveries = self.bell.deliveries, []
        for delivery_id in dict.fromkeys(deliveries):
            intake.digest(self.bench, delivery_id)
        repositories, self.bell.repositories = self.bell.repositories, []
        for repository in dict.fromkeys(repositories):
            reconcile(self.bench, self.observer, repository)
        return bool(deliveries or repositories)

    def work(self, rounds: int = 60) -> None:
        """Settle, let the runner do every order that waits, and so on until nothing happens."""
        for _ in range(rounds):
            self.settle()
            if not self.runner.do_all():
                return
        raise AssertionError("there is no end to the orders")

    def sweep(self) -> None:
        """The sweep's slow beat: look at everything, then settle."""
        intake.look_at_everything(self.bench)
        self.settle()

    def ring_due(self) -> None:
        """The sweep's quick beat: whatever has run out by now, then settle."""
        for repository in self.bench.journal.due(self.clock.now()):
            self.bell.ring_repository(repository)
        self.settle()

    def restart(self, bench: Bench | None = None) -> None:
        """A fresh worker process: nothing remembered but what was written down."""
        self.bench = bench or make_house_bench(self.settings, self.bell, self.clock)
        self.observer = Observer(self.bench)

    @property
    def state(self) -> RepositoryState:
        """What the journal amounts to."""
        repository = self.hub.repository(self.full_name)
        return self.bench.journal.load(RepositoryId(repository.id))

    def events(self, kind: str) -> list[Event]:
        """The journal's events of one kind, as `headgate journal` prints them."""
        repository = RepositoryId(self.hub.repository(self.full_name).id)
        records = self.bench.journal.records(repository, 0)
        return [r.event for r in records if r.event.type == kind]

    # What people do

    def api(self, method: str, path: str, body: object = None, token: str = "") -> httpx.Response:
        """A person's REST call."""
        return self.runner.http.request(
            method,
            f"{self.url}{path}",
            json=body,
            headers={"Authorization": f"Bearer {token or self.token}"},
        )

    def repo(self, path: str) -> str:
        """A path below the repository's API."""
        return f"/repos/{self.full_name}{path}"

    def push(self, files: Mapping[str, str | None], message: str = "A person's push") -> str:
        """A real clone, commit and push to the default branch; the new commit."""
        clone = self.clone()
        for path, text in files.items():
            place = clone / path
            if text is None:
                place.unlink()
            else:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(text)
        self.git(clone, "add", "-A")
        self.git(clone, "commit", "-q", "-m", message)
        self.git(clone, "push", "-q", "origin", "HEAD:main")
        return self.git(clone, "rev-parse", "HEAD")

    def clone(self) -> Path:
        """A person's fresh clone."""
        target = self.folder / "clones" / str(len(list((self.folder / "clones").glob("*"))))
        url = self.url.replace("http://", f"http://x-access-token:{self.token}@")
        self.git(self.folder, "clone", "-q", f"{url}/{self.full_name}.git", str(target))
        return target

    def git(self, folder: Path, *arguments: str) -> str:
        """A person's git."""
        done = subprocess.run(
            ["git", *arguments],
            cwd=folder,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(self.folder),
                "GIT_CONFIG_NOSYSTEM": "1",
                "GIT_AUTHOR_NAME": "Ada",
                "GIT_AUTHOR_EMAIL": "ada@example.com",
                "GIT_COMMITTER_NAME": "Ada",
                "GIT_COMMITTER_EMAIL": "ada@example.com",
            },
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def comment(self, issue: int, text: str, token: str = "") -> int:
        """A person's comment; its id."""
        answer = self.api("POST", self.repo(f"/issues/{issue}/comments"), {"body": text}, token)
        answer.raise_for_status()
        return int(answer.json()["id"])

    def plan(self, spec: str, path: str = "specs/shop.md") -> int:
        """Push a spec and let it be planned; the number of its tracking issue."""
        self.push({path: spec}, "Ask for work")
        self.settle()
        return int(self.tracking()["number"])

    def start(self, spec: str, path: str = "specs/shop.md") -> int:
        """Plan a spec and approve the plan, up to the first orders; the tracking issue."""
        tracking = self.plan(spec, path)
        self.ask(tracking, "/headgate approve")
        return tracking

    def ask(self, issue: int, text: str, login: str = "ada") -> int:
        """Comment as somebody, and let it be answered; the comment's id."""
        comment = self.comment(issue, text, self.tokens[login])
        self.settle()
        return comment

    def hire(self, login: str, role: Role = Role.WRITE) -> str:
        """A new person with a role in the repository; their token."""
        self.tokens[login] = self.hub.add_user(login)
        self.hub.add_collaborator(self.full_name, login, role)
        return self.tokens[login]

    def hold_deliveries(self) -> list[str]:
        """Wait for the webhooks so far, and take what they rang for off the bell."""
        self.hub.wait_until_delivered(20)
        held, self.bell.deliveries = self.bell.deliveries, []
        return held

    # What a person sees

    def reply(self, issue: int, comment: int) -> str:
        """What our bot answered to a comment in words; empty where a reaction was enough."""
        mark = f"<!-- headgate:reply {comment} -->"
        return next((c.partition("\n")[2] for c in self.comments(issue) if mark in c), "")

    def body(self, issue: int) -> str:
        """An issue's or pull's text."""
        return str(self.issue(issue)["body"])

    def number(self, title: str) -> int:
        """The number of the issue with a title."""
        return next(int(i["number"]) for i in self.issues() if i["title"] == title)

    def pull(self, title: str) -> Json:
        """The newest pull with a title."""
        return [p for p in self.pulls() if p["title"] == title][-1]

    def issues(self) -> list[Json]:
        """All issues (not pulls), oldest first."""
        path = self.repo("/issues?state=all&direction=asc&per_page=100")
        return [i for i in self.api("GET", path).json() if "pull_request" not in i]

    def tracking(self) -> Json:
        """The newest tracking issue."""
        labelled = [i for i in self.issues() if "headgate:spec" in [x["name"] for x in i["labels"]]]
        return labelled[-1]

    def issue(self, number: int) -> Json:
        """One issue."""
        return dict(self.api("GET", self.repo(f"/issues/{number}")).json())

    def comments(self, issue: int) -> list[str]:
        """The bodies of an issue's comments."""
        path = self.repo(f"/issues/{issue}/comments?per_page=100")
        return [c["body"] for c in self.api("GET", path).json()]

    def reactions(self, comment: int) -> list[str]:
        """What our bot answered to a comment."""
        path = self.repo(f"/issues/comments/{comment}/reactions")
        return [r["content"] for r in self.api("GET", path).json()]

    def pulls(self, state: str = "all") -> list[Json]:
        """All pulls."""
        path = self.repo(f"/pulls?state={state}&direction=asc&per_page=100")
        return list(self.api("GET", path).json())

    def check_runs(self, sha: str) -> dict[str, str | None]:
        """Our check runs at a commit, by name: the conclusion."""
        return {name: seen.conclusion for name, seen in self.checks(sha).items()}

    def checks(self, sha: str) -> dict[str, SeenCheck]:
        """Our check runs at a commit, by name, with all that they show."""
        path = self.repo(f"/commits/{sha}/check-runs?per_page=100")
        runs = self.api("GET", path).json()["check_runs"]
        return {r["name"]: self._seen(r) for r in runs if r["app"]["slug"] == "headgate"}

    def _seen(self, run: Json) -> SeenCheck:
        path = self.repo(f"/check-runs/{run['id']}/annotations")
        remarks = self.api("GET", path).json() if run["output"]["annotations_count"] else []
        return SeenCheck(
            conclusion=run["conclusion"],
            title=run["output"]["title"] or "",
            summary=run["output"]["summary"] or "",
            text=run["output"]["text"] or "",
            remarks=tuple(f"{a['path']}:{a['start_line']} {a['message']}" for a in remarks),
        )

    def commit_comments(self, sha: str) -> list[str]:
        """The comments at a commit."""
        return [c["body"] for c in self.api("GET", self.repo(f"/commits/{sha}/comments")).json()]

    def pushes(self) -> int:
        """How often anybody has pushed to GitHub."""
        return sum(1 for e in self.hub.exchanges if e.path.endswith("/git-receive-pack"))

    def ref(self, name: str = "main") -> str:
        """The commit of a branch or ref."""
        git = self.hub.repository(self.full_name).git
        return self.git(git.folder, "rev-parse", name)

    def history(self) -> list[str]:
        """Main's subjects, oldest first."""
        git = self.hub.repository(self.full_name).git
        return self.git(git.folder, "log", "--reverse", "--format=%s", "main").splitlines()

    def main_files(self) -> dict[str, str]:
        """Main's files with their texts."""
        git = self.hub.repository(self.full_name).git
        names = self.git(git.folder, "ls-tree", "-r", "--name-only", "main").splitlines()
        return {n: self.git(git.folder, "show", f"main:{n}") for n in names}

    def forward(self, **delta: float) -> None:
        """Put the clock forward."""
        self.clock.ahead += timedelta(**delta)


def make_house_bench(settings: Settings, bell: BellRope, clock: TestClock) -> Bench:
    """A bench on real adapters, with the story's bell and clock."""
    bench = make_bench(settings, "worker", bell)
    return Bench(**{**bench.__dict__, "clock": clock})


@contextlib.contextmanager
def house(
    folder: Path,
    files: Mapping[str, str] | None = None,
    policy: str | None = POLICY,
) -> Iterator[House]:
    """A house whose repository holds the caller workflows, a policy, a gate and `files`."""
    clock = TestClock()
    hub = Hub(folder / "hub", clock)
    service = actions_of(hub)
    (folder / "clones").mkdir(parents=True)
    with running(hub, extensions=[extension(service)]) as url, contextlib.ExitStack() as stack:
        stack.callback(service.close)
        tokens = settle_people(hub, files or {}, policy)
        app = hub.register_app("headgate", None, SECRET, PERMISSIONS, EVENTS)
        settings = Settings(
            var=folder / "var",
            github_api_url=f"{url}/api/v3",
            oidc_issuer=hub.oidc_issuer,
            app_id=app.app_id,
            private_key=SecretStr(app.private_key_pem),
            webhook_secret=SecretStr(SECRET),
            public_url="http://127.0.0.1:1",
            model_key=SecretStr("model-key-of-the-house"),
        )
        prepare_store(settings)
        bell = BellRope()
        public_url = stack.enter_context(_serving(settings, bell, clock))
        settings = settings.model_copy(update={"public_url": public_url})
        hub.set_webhook_url(app.app_id, f"{public_url}/webhook")
        bench = make_house_bench(settings, bell, clock)
        runner = Runner(url, folder / "runner")
        stack.callback(runner.http.close)
        story = House(hub, url, folder, settings, bench, bell, clock, tokens, runner)
        hub.install_app(app.app_id, "team")
        story.settle()
        yield story


@contextlib.contextmanager
def _serving(settings: Settings, bell: BellRope, clock: TestClock) -> Iterator[str]:
    """The web app behind a socket; the audience it expects is the address that it gets."""
    holder: list[WSGIApplication] = []
    server = make_server("127.0.0.1", 0, lambda e, s: holder[0](e, s), threaded=True)
    url = f"http://127.0.0.1:{server.server_port}"
    settings = settings.model_copy(update={"public_url": url})
    holder.append(create_app(settings, make_house_bench(settings, bell, clock)))
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield url
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
