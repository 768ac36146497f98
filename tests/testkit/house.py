"""A whole Headgate beside a whole localhub, in one process, for stories.

Everything is real (web app, jobs, SQLite, git, HTTP both ways) but for two things: the doorbell is a
list that `settle` empties, so that a story decides when work is done, and the clock can be put forward.
"""

import contextlib
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx
from pydantic import SecretStr
from werkzeug.serving import make_server

from bot.core.journal.events import Event
from bot.core.journal.state import RepositoryState
from bot.core.spec.model_choice import ServerModels
from bot.core.values.ids import EffectKey, RepositoryId
from bot.core.values.wanted_reading import Reading
from bot.entry.settings import Settings
from bot.entry.web.app import create_app
from bot.entry.wiring import make_ports
from bot.localhub.actions.service import ActionsService
from bot.localhub.hub import Hub
from bot.localhub.mount import actions_of, extension
from bot.localhub.server import running
from bot.shell import intake, model_calls, self_tests
from bot.shell.observe import Observer
from bot.shell.process_ports import Ports
from bot.shell.reconcile import reconcile
from tests.testkit.hub_setup import (
    EVENTS,
    PERMISSIONS,
    POLICY,
    SECRET,
    create_people_and_repositories,
)
from tests.testkit.people import People
from tests.testkit.prepared_store import prepare_store_by_copy
from tests.testkit.runner import Runner

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication


class TestClock:
    """The machine's time plus `ahead`."""

    __test__ = False

    def __init__(self) -> None:
        self.ahead = timedelta()
        self._stopped_at: datetime | None = None

    def now(self) -> datetime:
        return (self._stopped_at or datetime.now(UTC)) + self.ahead

    def stop(self) -> None:
        """From now on the time changes only by `ahead`."""
        self._stopped_at = datetime.now(UTC)

    def __call__(self) -> datetime:
        """localhub calls its clock."""
        return self.now()


class RecordingDoorbell:
    """A doorbell that records the rings."""

    def __init__(self) -> None:
        self.deliveries: list[str] = []
        self.repositories: list[RepositoryId] = []
        self.prompts: list[tuple[RepositoryId, EffectKey]] = []
        self.readings: list[tuple[RepositoryId, Reading]] = []
        self.self_tests: list[tuple[RepositoryId, EffectKey]] = []

    def ring_delivery(self, delivery_id: str) -> None:
        self.deliveries.append(delivery_id)

    def ring_repository(self, repository: RepositoryId) -> None:
        self.repositories.append(repository)

    def ring_prompt(self, repository: RepositoryId, effect: EffectKey) -> None:
        self.prompts.append((repository, effect))

    def ring_reading(self, repository: RepositoryId, reading: Reading) -> None:
        self.readings.append((repository, reading))

    def ring_self_test(self, repository: RepositoryId, effect: EffectKey) -> None:
        self.self_tests.append((repository, effect))

    # One item at a time, because the web app rings from its own threads: a ring on a list that was
    # read and is then replaced would be lost.

    def take_deliveries(self) -> list[str]:
        return [self.deliveries.pop(0) for _ in range(len(self.deliveries))]

    def take_repositories(self) -> list[RepositoryId]:
        return [self.repositories.pop(0) for _ in range(len(self.repositories))]

    def take_prompts(self) -> list[tuple[RepositoryId, EffectKey]]:
        return [self.prompts.pop(0) for _ in range(len(self.prompts))]

    def take_readings(self) -> list[tuple[RepositoryId, Reading]]:
        return [self.readings.pop(0) for _ in range(len(self.readings))]

    def take_self_tests(self) -> list[tuple[RepositoryId, EffectKey]]:
        return [self.self_tests.pop(0) for _ in range(len(self.self_tests))]

    def lose_all(self) -> int:
        """Every ring that was not taken is lost; how many there were."""
        jobs = len(self.take_deliveries()) + len(self.take_repositories())
        asked = len(self.take_prompts()) + len(self.take_readings()) + len(self.take_self_tests())
        return jobs + asked


@dataclass
class House(People):
    """The world of a story: people, their repository `full_name`, Headgate and its runners."""

    hub: Hub
    url: str
    folder: Path
    settings: Settings
    ports: Ports
    bell: RecordingDoorbell
    clock: TestClock
    tokens: dict[str, str]
    http: httpx.Client
    runner: Runner
    actions: ActionsService
    full_name: str = "team/shop"
    # The ports of a thread that calls a model; a story may inject a crash (`SystemExit`).
    wrap_model_ports: Callable[[Ports], Ports] = lambda ports: ports
    observer: Observer = field(init=False)

    def __post_init__(self) -> None:
        self.observer = Observer(self.ports)

    # What the bot does

    def settle(self, rounds: int = 60) -> None:
        """Deliver webhooks and run jobs until nothing is left to do."""
        for _ in range(rounds):
            if not self.hub.wait_until_delivered(60):
                raise AssertionError("webhooks do not arrive")
            if not self._work_once():
                return
        raise AssertionError("the work does not end")

    def _work_once(self) -> bool:
        deliveries = self.bell.take_deliveries()
        if deliveries:
            intake.digest(self.ports, *dict.fromkeys(deliveries))
        repositories = self.bell.take_repositories()
        for repository in dict.fromkeys(repositories):
            reconcile(self.ports, self.observer, repository)
        # What people wait for comes first, as in the queues of `bot.entry.rq_worker`.
        readings = [] if self.bell.repositories else self.bell.take_readings()
        for repository, reading in dict.fromkeys(readings):
            intake.read_text(self.ports, self.observer, repository, reading)
        for repository, effect in dict.fromkeys(self.bell.take_self_tests()):
            self_tests.make(self.ports, self.observer, repository, effect, self._wait_for_runner)
        prompts = dict.fromkeys(self.bell.take_prompts())
        threads = [threading.Thread(target=self._send_prompt, args=prompt) for prompt in prompts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return bool(deliveries or repositories or readings or prompts)

    def _wait_for_runner(self, seconds: float) -> None:
        self.runner.do_all()
        self.clock.ahead += timedelta(seconds=seconds)

    def _send_prompt(self, repository: RepositoryId, effect: EffectKey) -> None:
        """Runs in a thread, with ports of its own."""
        ports = self.wrap_model_ports(make_house_ports(self.settings, self.bell, self.clock))
        with contextlib.suppress(SystemExit):
            model_calls.ask(ports, Observer(ports), repository, effect)

    def work(self, rounds: int = 60) -> None:
        """Settle and let the runner do every waiting order, until nothing is left."""
        for _ in range(rounds):
            self.settle()
            if not self.runner.do_all():
                return
        raise AssertionError("the orders do not end")

    def sweep(self) -> None:
        """The sweep's full look at everything, then settle."""
        intake.look_at(self.ports, self.ports.journal.repositories())
        self.settle()

    def ring_due(self) -> None:
        """The sweep's quick beat for what is due by now, then settle."""
        for repository in self.ports.journal.due(self.clock.now()):
            self.bell.ring_repository(repository)
        self.settle()

    def restart(self, ports: Ports | None = None) -> None:
        """A new worker process: it knows only what is stored."""
        self.ports = ports or make_house_ports(self.settings, self.bell, self.clock)
        self.observer = Observer(self.ports)

    @property
    def state(self) -> RepositoryState:
        repository = self.hub.repository(self.full_name)
        return self.ports.journal.load(RepositoryId(repository.id))

    def events(self, kind: str) -> list[Event]:
        """The journal's events of one type."""
        return [event for event in self._journal() if event.type == kind]

    def every_event(self) -> list[str]:
        """Every event of the journal as JSON, as `headgate journal export` writes it."""
        return [event.model_dump_json() for event in self._journal()]

    def _journal(self) -> list[Event]:
        repository = RepositoryId(self.hub.repository(self.full_name).id)
        return [record.event for record in self.ports.journal.records(repository, 0)]

    # What people do

    def plan(self, spec: str, path: str = "specs/shop.md") -> int:
        """Push a spec and let it be planned, main judged; the number of its tracking issue."""
        self.push({path: spec}, "Ask for work")
        self.settle()
        self.judge_main()
        return int(self.tracking()["number"])

    def judge_main(self) -> None:
        """Main is judged once, with the first plan."""
        if any(a.is_first and a.green is None for a in self.state.adoptions.values()):
            self.runner.do_all()
            self.settle()

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

    def hold_deliveries(self) -> list[str]:
        """Wait for the webhooks so far, and take their rings without working on them."""
        self.hub.wait_until_delivered(20)
        return self.bell.take_deliveries()

    def forward(self, **delta: float) -> None:
        self.clock.ahead += timedelta(**delta)


def make_house_ports(settings: Settings, bell: RecordingDoorbell, clock: TestClock) -> Ports:
    """Real adapters, with the story's doorbell and clock."""
    ports = make_ports(settings, "worker", bell)
    parts = {**ports.__dict__, "clock": clock}
    if _is_loopback(settings.model_base_url):
        return Ports(**parts)
    # Without a scripted model there is none; the key is for agents.
    return Ports(**{**parts, "model": None, "models": ServerModels()})


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    return host == "localhost" or host.startswith("127.") or host == "::1"


@contextlib.contextmanager
def house(
    folder: Path,
    files: Mapping[str, str | bytes] | None = None,
    policy: str | None = POLICY,
    model_url: str = "",
    owners: str = "",
) -> Iterator[House]:
    """A house whose repository holds the caller workflows, a policy, a gate and `files`.

    `model_url` is a scripted model for Headgate; `owners` those that it serves.
    """
    clock = TestClock()
    hub = Hub(folder / "hub", clock)
    service = actions_of(hub)
    (folder / "clones").mkdir(parents=True)
    with running(hub, extensions=[extension(service)]) as url, contextlib.ExitStack() as stack:
        stack.callback(service.close)
        tokens = create_people_and_repositories(hub, files or {}, policy)
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
            model_base_url=model_url or "https://api.anthropic.com",
            # The gateway has tests of its own.
            model_gateway=False,
            owners=owners,
        )
        prepare_store_by_copy(settings)
        bell = RecordingDoorbell()
        public_url = stack.enter_context(serving(settings, bell, clock))
        settings = settings.model_copy(update={"public_url": public_url})
        hub.set_webhook_url(app.app_id, f"{public_url}/webhook")
        ports = make_house_ports(settings, bell, clock)
        # No authorities: nothing here speaks TLS, and reading them takes 25 ms.
        nobody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        http = stack.enter_context(httpx.Client(trust_env=False, verify=nobody, timeout=30))
        runner = Runner(
            url,
            folder / "runner",
            http,
            objects_of=lambda name: hub.repository(name).git.folder / "objects",
        )
        story = House(hub, url, folder, settings, ports, bell, clock, tokens, http, runner, service)
        hub.install_app(app.app_id, "team")
        story.settle()
        yield story


@contextlib.contextmanager
def serving(settings: Settings, bell: RecordingDoorbell, clock: TestClock) -> Iterator[str]:
    """The web app behind a socket; the OIDC audience is the address that it gets."""
    holder: list[WSGIApplication] = []
    server = make_server("127.0.0.1", 0, lambda e, s: holder[0](e, s), threaded=True)
    url = f"http://127.0.0.1:{server.server_port}"
    settings = settings.model_copy(update={"public_url": url})
    holder.append(create_app(settings, make_house_ports(settings, bell, clock)))
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield url
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
