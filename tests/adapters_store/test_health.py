"""`/healthz`, `/readyz`, `/metrics` and the webhook, while parts of Headgate are missing."""

import contextlib
import hashlib
import hmac
import json
import logging
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from flask.testing import FlaskClient
from pydantic import SecretStr
from werkzeug.test import TestResponse

from bot.adapters.store.engine import open_engine
from bot.adapters.store.tables import troubles
from bot.adapters.store.vitals import SqlVitals
from bot.core.journal.state import Away
from bot.core.talk.access_text import why_and_fix
from bot.core.values.repository import AwayReason
from bot.core.values.trouble import Trouble, TroubleKind
from bot.core.values.vitals import Count, Part, Pulse
from bot.entry.settings import Settings
from bot.entry.web.app import create_app
from bot.entry.wiring import make_ports, prepare_store
from bot.ports import Retryable
from bot.shell.process_ports import Ports
from tests.testkit.store_faults import StoreFault, plant_store_faults
from tests.testkit.valkey import valkey

pytestmark = pytest.mark.usefixtures("closing")

SECRET = "s3cret"
PUSH = {"ref": "refs/heads/main", "repository": {"id": 5, "name": "shop"}}


class Server:
    """A web app on a database of its own."""

    def __init__(self, settings: Settings, ports: Ports) -> None:
        self.ports = ports
        self.http: FlaskClient = create_app(settings, ports).test_client()

    def beat(self, *parts: Part, ago: float = 0) -> None:
        at = self.now() - timedelta(seconds=ago)
        for part in parts:
            self.ports.vitals.beat(Pulse(process=f"here/{part}", part=part, at=at))

    def now(self) -> datetime:
        return self.ports.clock.now()

    def ready(self) -> tuple[int, dict[str, str]]:
        answer = self.http.get("/readyz")
        parts: dict[str, str] = answer.get_json()["parts"]
        return answer.status_code, parts

    def deliver(self) -> TestResponse:
        body = json.dumps(PUSH).encode()
        signature = "sha256=" + hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
        return self.http.post(
            "/webhook",
            data=body,
            content_type="application/json",
            headers={
                "X-GitHub-Delivery": str(uuid.uuid4()),
                "X-GitHub-Event": "push",
                "X-Hub-Signature-256": signature,
            },
        )


@pytest.fixture(scope="module")
def redis_url() -> Iterator[str]:
    with valkey() as url:
        yield url


def settings_of(url: str, folder: Path, redis_url: str) -> Settings:
    return Settings(
        var=folder / "var",
        app_id=7,
        private_key=SecretStr("key"),
        webhook_secret=SecretStr(SECRET),
        database_url=url,
        redis_url=redis_url,
    )


@pytest.fixture
def server(url: str, tmp_path: Path, redis_url: str) -> Server:
    settings = settings_of(url, tmp_path, redis_url)
    prepare_store(settings)
    return Server(settings, make_ports(settings, "web"))


class TestReady:
    def test_all_parts_work(self, server: Server) -> None:
        server.beat(Part.WORKER, Part.SWEEP, Part.GITHUB)
        assert server.ready() == (200, dict.fromkeys(Part, "ok"))

    def test_a_server_without_a_worker_names_the_command_to_start(self, server: Server) -> None:
        server.beat(Part.SWEEP, Part.GITHUB)
        status, parts = server.ready()
        assert status == 503
        assert parts["worker"] == "No worker has started yet. Start `headgate worker`."
        assert parts["sweep"] == "ok"

    def test_a_silent_worker_is_noticed_within_a_minute(self, server: Server) -> None:
        server.beat(Part.SWEEP, Part.GITHUB)
        server.beat(Part.WORKER, ago=55)
        assert server.ready()[0] == 200
        server.beat(Part.WORKER, ago=61)
        status, parts = server.ready()
        assert status == 503
        assert "for 61 s" in parts["worker"]

    def test_one_live_worker_is_enough(self, server: Server) -> None:
        server.beat(Part.WORKER, Part.SWEEP, Part.GITHUB)
        at = server.now() - timedelta(minutes=10)
        server.ports.vitals.beat(Pulse(process="other/worker", part=Part.WORKER, at=at))
        assert server.ready()[0] == 200
        assert "headgate_processes_silent 1.0" in scrape(server)

    def test_a_live_reader_does_not_replace_a_worker(self, server: Server) -> None:
        server.beat(Part.SWEEP, Part.GITHUB, Part.READER)
        server.beat(Part.WORKER, ago=61)
        status, parts = server.ready()
        assert (status, parts["reader"]) == (503, "ok")
        assert "`headgate worker`" in parts["worker"]

    def test_a_silent_reader_is_reported_but_a_missing_one_is_not(self, server: Server) -> None:
        server.beat(Part.WORKER, Part.SWEEP, Part.GITHUB)
        assert server.ready()[0] == 200
        server.beat(Part.READER, ago=61)
        status, parts = server.ready()
        assert (status, "`headgate worker readings`" in parts["reader"]) == (503, True)

    def test_a_process_that_is_silent_for_an_hour_is_forgotten(self, server: Server) -> None:
        server.beat(Part.WORKER, ago=3601)
        server.ready()
        assert [pulse.part for pulse in server.ports.vitals.pulses()] == [Part.DATABASE]

    def test_a_refusal_by_github_is_quoted(self, server: Server) -> None:
        server.beat(Part.WORKER, Part.SWEEP)
        says = "GitHub does not accept the App's key: 401 A JSON web token could not be decoded"
        server.ports.vitals.beat(
            Pulse(process="github", part=Part.GITHUB, at=server.now(), says=says)
        )
        status, parts = server.ready()
        assert (status, parts["github"]) == (503, says)

    def test_repeated_failures_are_shown_without_repository_names(self, server: Server) -> None:
        server.beat(Part.WORKER, Part.SWEEP, Part.GITHUB)
        now = server.now()
        trouble = Trouble(
            kind=TroubleKind.ENDED,
            about="42",
            since=now,
            at=now,
            tries=1,
            until=now,
            why="secret/shop is large",
        )
        server.ports.troubles.meet(trouble)
        answer = server.http.get("/readyz")
        (told,) = answer.get_json()["troubles"]
        assert answer.status_code == 200
        assert told.startswith("The work for repository 42 never completes")
        assert "secret" not in told

    @pytest.mark.parametrize(
        ("kind", "about", "why", "says"),
        [
            (
                TroubleKind.ACCESS,
                "42",
                why_and_fix(
                    Away(
                        reason=AwayReason.PERMISSIONS,
                        lacks=("checks: write",),
                        since=datetime.now(UTC),
                    )
                ),
                "lacks `checks: write`. An owner accepts the permissions on the installation's page",
            ),
            (TroubleKind.UNREACHABLE, "42", "no route", "Repository 42 cannot be reached"),
            (TroubleKind.UNREACHABLE, "42", "no route", "Check whether this server reaches GitHub"),
            (
                TroubleKind.SIGNATURE,
                "",
                "",
                "GitHub signs its webhook deliveries with another secret",
            ),
            (TroubleKind.SIGNATURE, "", "", "Run `headgate webhook"),
        ],
    )
    def test_a_trouble_for_the_operator_names_its_subject_and_the_fix(
        self, server: Server, kind: TroubleKind, about: str, why: str, says: str
    ) -> None:
        now = server.now()
        trouble = Trouble(kind=kind, about=about, since=now, at=now, tries=1, until=now, why=why)
        # An hour of it, met again and again.
        for minutes in (122, 61, 0):
            at = now - timedelta(minutes=minutes)
            server.ports.troubles.meet(trouble.replace(since=at, at=at, until=at))
        (told,) = server.http.get("/readyz").get_json()["troubles"]
        assert says in told

    def test_unknown_troubles_of_a_newer_release_are_ignored(
        self, url: str, tmp_path: Path
    ) -> None:
        settings = settings_of(url, tmp_path, "redis://127.0.0.1:1")
        prepare_store(settings)
        kept = make_ports(settings, "web").troubles
        now = datetime.now(UTC)
        one = Trouble(
            kind=TroubleKind.ENDED, about="42", since=now, at=now, tries=1, until=now, why=""
        )
        kept.meet(one)
        kept.meet(one.replace(about="43"))
        engine = open_engine(settings.inbox_url)
        with engine.begin() as connection:
            mine = troubles.c.about == "42"
            connection.execute(troubles.update().where(mine).values(kind="newer"))
        engine.dispose()
        assert [found.about for found in kept.all()] == ["43"]

    def test_a_database_that_takes_no_writes_is_not_ready(self, tmp_path: Path) -> None:
        """The disk is full or read-only: reads work, but no work continues."""
        settings = settings_of("", tmp_path, "redis://127.0.0.1:1")
        prepare_store(settings)
        engine = open_engine(settings.journal_url)
        faults = [None, None, None, None, StoreFault.FULL, None]
        plant_store_faults(engine, lambda: faults.pop(0))
        ports = make_ports(settings, "web")
        lone = Server(settings, Ports(**{**ports.__dict__, "vitals": SqlVitals(engine)}))
        lone.beat(Part.WORKER, Part.SWEEP, Part.GITHUB, ago=15)
        # The one that was written when the store was prepared.
        lone.ports.vitals.forget((Part.DATABASE,))
        status, parts = lone.ready()
        assert status == 503
        assert parts["database"].startswith("The database cannot be written")
        assert lone.ready()[1]["database"] == "ok"
        engine.dispose()

    def test_an_unreachable_redis_is_reported(self, url: str, tmp_path: Path) -> None:
        settings = settings_of(url, tmp_path, "redis://127.0.0.1:1")
        prepare_store(settings)
        lone = Server(settings, make_ports(settings, "web"))
        lone.beat(Part.WORKER, Part.SWEEP, Part.GITHUB)
        status, parts = lone.ready()
        assert status == 503
        assert "REDIS_URL" in parts["redis"]
        assert lone.http.get("/healthz").status_code == 200


class TestDatabaseAway:
    def test_deliveries_are_refused_with_503_and_one_line_each_way(
        self,
        postgres: str,
        tmp_path: Path,
        redis_url: str,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        with database(postgres) as (name, admin):
            # As a hosting service writes it.
            url = postgres_url(postgres, name)
            settings = settings_of(url, tmp_path, redis_url)
            prepare_store(settings)
            web = Server(settings, make_ports(settings, "web"))
            web.beat(Part.WORKER, Part.SWEEP, Part.GITHUB)
            assert web.deliver().status_code == 202
            with caplog.at_level(logging.WARNING, logger="bot.entry.web.webhook"):
                rename(admin, name, f"{name}_away")
                answers = [web.deliver() for _ in range(3)]
                status, parts = web.ready()
                rename(admin, f"{name}_away", name)
                assert web.deliver().status_code == 202
            assert [a.status_code for a in answers] == [503] * 3
            assert "not stored" in answers[0].get_json()["message"]
            assert (status, "DATABASE_URL" in parts["database"]) == (503, True)
            lines = [r.getMessage() for r in caplog.records if r.name.endswith("webhook")]
            assert lines == ["database_away", "database_back"]
            assert web.ready()[0] == 200

    def test_metrics_are_served_without_the_database(self, tmp_path: Path) -> None:
        settings = settings_of(
            "postgres://nobody@127.0.0.1:1/none", tmp_path, "redis://127.0.0.1:1"
        )
        lost = Server(settings, make_ports(settings, "web"))
        assert 'headgate_part_ready{part="database"} 0.0' in scrape(lost)

    def test_an_unreachable_store_is_retryable(self) -> None:
        with pytest.raises(Retryable, match="The database fails"):
            open_engine("postgresql://nobody@127.0.0.1:1/none").connect()


class TestMetrics:
    def test_counts_of_processes_are_shown_as_metrics(self, server: Server) -> None:
        server.ports.vitals.add({Count("tokens", (("model", "m"), ("kind", "input"))): 1200})
        server.ports.vitals.add({Count("changes_landed"): 2})
        text = scrape(server)
        assert 'headgate_tokens_total{kind="input",model="m"} 1200.0' in text
        assert "headgate_changes_landed_total 2.0" in text

    def test_unread_deliveries_are_counted(self, server: Server) -> None:
        assert server.deliver().status_code == 202
        assert "headgate_deliveries_unread 1.0" in scrape(server)


def scrape(server: Server) -> str:
    answer = server.http.get("/metrics")
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


@contextlib.contextmanager
def database(server: str) -> Iterator[tuple[str, sa.Engine]]:
    """A database of its own, and an engine to rename it with."""
    name = f"test_{uuid.uuid4().hex}"
    admin = sa.create_engine(server, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(sa.text(f'CREATE DATABASE "{name}"'))
    yield name, admin
    admin.dispose()


def postgres_url(server: str, name: str) -> str:
    url = sa.make_url(server).set(database=name, drivername="postgresql")
    return url.render_as_string(hide_password=False).replace("postgresql://", "postgres://")


def rename(admin: sa.Engine, old: str, new: str) -> None:
    with admin.connect() as connection:
        connection.execute(
            sa.text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :d"),
            {"d": old},
        )
        connection.execute(sa.text(f'ALTER DATABASE "{old}" RENAME TO "{new}"'))
