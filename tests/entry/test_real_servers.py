"""PostgreSQL and Redis from the distribution, with a password and TLS: mistakes, and two machines."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from bot.adapters.blobs.folder import FolderBlobs
from bot.adapters.store.blobs import SqlBlobs
from bot.adapters.store.engine import open_engine
from bot.adapters.store.tables import blob_parts
from bot.adapters.store.vitals import SqlVitals
from bot.core.values.vitals import Part
from bot.entry.commands.before_start import redis_trouble, store_trouble
from bot.entry.settings import Settings
from tests.bench.stage import Stage, bare_stage, environment, start_hub, wait_until
from tests.entry.documented import run
from tests.needs import needs_postgres, needs_redis
from tests.testkit.real_servers import PASSWORD, Server, real_postgres, real_redis
from tests.testkit.specs import requirement, spec

pytestmark = [needs_postgres, needs_redis, pytest.mark.slow]


@pytest.fixture(scope="module")
def database() -> Iterator[Server]:
    with real_postgres() as server:
        yield server


@pytest.fixture(scope="module")
def bell() -> Iterator[Server]:
    with real_redis() as server:
        yield server


def told(database_url: str = "", redis_url: str = "") -> str:
    """What is said before the start."""
    settings = Settings(_env_file=None, database_url=database_url, redis_url=redis_url)
    trouble = store_trouble(settings) if database_url else redis_trouble(settings)
    said = trouble.sentence if trouble else ""
    assert PASSWORD not in said
    return said


def test_a_refused_database_connection_says_why(
    database: Server, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("HEADGATE_VAR", str(tmp_path_factory.mktemp("var")))
    assert told(database.url) == ""
    other = database.url.replace("p%40", "q%40")
    assert "password authentication failed" in told(other)
    plain = database.url.partition("?")[0] + "?sslmode=disable"
    assert "no encryption" in told(plain)
    system = database.url.partition("?")[0] + "?sslmode=verify-full&sslrootcert=system"
    assert "certificate" in told(system)
    assert "does not exist" in told(database.url.replace("/postgres?", "/none?"))
    for said in (told(other), told(plain), told(system)):
        assert said.endswith("check DATABASE_URL, and check that the database server is running.")


def test_a_refused_redis_connection_says_why(bell: Server) -> None:
    assert told(redis_url=bell.url) == ""
    assert "invalid username-password pair" in told(redis_url=bell.url.replace("p%40", "q%40"))
    assert "requires a password" in told(redis_url=bell.url.replace(":p%40ss%2Fw%3Ard@", ""))
    assert "CERTIFICATE_VERIFY_FAILED" in told(redis_url=bell.url.partition("?")[0])
    assert "REDIS_URL" in told(redis_url=bell.url.replace("rediss", "redis"))


def test_two_machines_of_one_host_name_work_on_one_database(database: Server, bell: Server) -> None:
    with bare_stage() as stage:
        stage.database_url = database.url
        start_hub(stage, 1)
        start(stage, bell, "web", "serve")
        first = start(stage, bell, "first", "worker")
        start(stage, bell, "second", "worker")
        start(stage, bell, "sweep", "sweep")
        # The tables are there before it listens.
        wait_until(lambda: bool(readiness(stage)), "the web server")
        wait_until(lambda: stage.state().facts is not None, "the installation")
        wait_until(lambda: len(workers(database)) == 2, "two workers")
        assert {name.split("/")[0] for name in workers(database)} == {os.uname().nodename}
        wait_until(lambda: readiness(stage) == dict.fromkeys(Part, "ok"), "readiness")
        issue = stage.plan(spec(requirement("TILL")))
        os.kill(first, signal.SIGKILL)
        stage.approve(issue)
        wait_until(lambda: bool(stage.state().orders), "work that goes on")
        numbers = [record.number for record in stage.records()]
        assert numbers == list(range(1, len(numbers) + 1))


def start(stage: Stage, bell: Server, machine: str, command: str) -> int:
    """A process on a machine of its own: nothing of its folder is another's."""
    settings = {
        **environment(stage),
        "DATABASE_URL": stage.database_url,
        "REDIS_URL": bell.url,
        "HEADGATE_VAR": str(stage.folder / machine),
    }
    argv = (sys.executable, "-m", "bot.entry.cli", command)
    return stage.start(machine, argv, settings).pid


def workers(database: Server) -> list[str]:
    """The processes that work, by name."""
    engine = open_engine(database.url)
    pulses = SqlVitals(engine).pulses()
    engine.dispose()
    return [pulse.process for pulse in pulses if pulse.part is Part.WORKER]


def readiness(stage: Stage) -> dict[str, str]:
    try:
        parts: dict[str, str] = httpx.get(f"{stage.bot_url}/readyz", trust_env=False).json()[
            "parts"
        ]
    except httpx.HTTPError:
        return {}
    return parts


# As docs/operate.md has them; tests/entry/test_documented_commands.py compares.
DUMP = 'pg_dump --format=custom --file=/srv/headgate.dump "$DATABASE_URL"'
RESTORE = 'pg_restore --clean --if-exists --dbname="$DATABASE_URL" /srv/headgate.dump'


def test_a_dump_is_a_whole_backup(database: Server, tmp_path: Path) -> None:
    settings = Settings(_env_file=None, var=tmp_path / "var", database_url=database.url)
    assert store_trouble(settings) is None
    engine = open_engine(database.url)
    blobs = SqlBlobs(engine, FolderBlobs(tmp_path / "none"))
    digest = blobs.put(b"an agent's work")
    environment = {"DATABASE_URL": database.url}
    assert run(DUMP, tmp_path, environment).stderr == ""
    with engine.begin() as connection:
        connection.execute(blob_parts.delete())
    assert blobs.get(digest) is None
    assert run(RESTORE, tmp_path, environment).stderr == ""
    assert blobs.get(digest) == b"an agent's work"
    engine.dispose()
