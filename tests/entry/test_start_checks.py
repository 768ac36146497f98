"""`headgate up` checks before it starts: each mistake is reported with its fix."""

import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import ValidationError

from bot.core.talk.start_text import address
from bot.entry.commands import before_start
from bot.entry.commands.before_start import port_troubles, redis_trouble, store_trouble
from bot.entry.settings import Settings, told_of_settings
from tests.entry.setup_kit import own_environment
from tests.testkit.ports import free_port


@pytest.fixture
def taken() -> Iterator[int]:
    """A port where somebody listens."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen(1)
        yield server.getsockname()[1]


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(before_start, "_PORT_SECONDS", 0.1)


def settings(**values: object) -> Settings:
    return Settings.model_validate(values)


def test_a_port_in_use_is_reported_with_its_setting(taken: int) -> None:
    (one,) = port_troubles(settings(port=taken))
    assert f"Port {taken} at 127.0.0.1 is already in use" in one.sentence
    assert "set HEADGATE_PORT to a free port" in one.sentence
    (one,) = port_troubles(settings(port=free_port(), gateway_port=taken, model_key="k"))
    assert "set HEADGATE_GATEWAY_PORT to a free port" in one.sentence
    assert list(port_troubles(settings(port=free_port(), gateway_port=taken))) == []


def test_an_address_of_another_machine_is_named() -> None:
    (one,) = port_troubles(settings(host="192.0.2.1"))
    assert "HEADGATE_HOST" in one.sentence


def test_a_folder_and_a_database_that_refuse_are_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said = store_trouble(settings(var=tmp_path / "file" / "var"))
    assert said is not None
    assert "HEADGATE_VAR" in said.sentence
    for url, why in (
        ("postgres://nobody@127.0.0.1:1/none", "Connection refused"),
        ("mysql://nobody@127.0.0.1/none", "no driver MySQLdb"),
        ("not the address", "does not name a database that Headgate can use"),
    ):
        said = store_trouble(settings(var=tmp_path, database_url=url))
        assert said is not None
        assert why in said.sentence
        assert "DATABASE_URL" in said.sentence
    assert store_trouble(settings(var=tmp_path)) is None


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1", "not the address"])
def test_an_unreachable_redis_is_reported_with_its_setting(url: str) -> None:
    said = redis_trouble(settings(redis_url=url))
    assert said is not None
    assert "REDIS_URL" in said.sentence


def test_settings_that_cannot_be_read_are_named_without_their_values(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HEADGATE_PORT", "s3cret")
    with pytest.raises(ValidationError) as refused:
        Settings(_env_file=None)
    said = told_of_settings(refused.value)
    assert "HEADGATE_PORT: " in said
    assert "s3cret" not in said
    assert "HEADGATE_PUBLIC_URL" not in said


def test_runners_reach_a_server_at_its_own_port() -> None:
    assert settings(port=9000).public_url == "http://127.0.0.1:9000"
    assert settings(port=9000, public_url="https://e.example").public_url == "https://e.example"


def test_the_printed_address_includes_the_ones_for_runners_and_models() -> None:
    here = "http://127.0.0.1:8460"
    assert address(here, here, "") == f"Headgate's address: {here}"
    assert address(here, "https://e.example", "https://e.example/model").endswith(
        "runners reach it at https://e.example; models at https://e.example/model"
    )


def test_up_starts_no_process_if_a_check_fails(tmp_path: Path, taken: int) -> None:
    values = {
        "HEADGATE_SETTINGS": str(tmp_path / "none"),
        "HEADGATE_VAR": str(tmp_path / "var"),
        "HEADGATE_PORT": str(taken),
        "REDIS_URL": "redis://127.0.0.1:1",
    }
    ended = subprocess.run(
        (sys.executable, "-m", "bot.entry.cli", "up"),
        env=own_environment(values),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert ended.returncode == 2
    assert "Traceback" not in ended.stderr
    first, second = ended.stderr.splitlines()
    assert (f"Port {taken}" in first, "REDIS_URL" in second) == (True, True)


@pytest.mark.parametrize("command", ["up", "doctor"])
def test_a_full_disk_is_detected_by_writing(tmp_path: Path, command: str) -> None:
    """Everything can be read, but no file may grow, as on a full disk."""
    values = {
        "HEADGATE_SETTINGS": str(tmp_path / "none"),
        "HEADGATE_VAR": str(tmp_path / "var"),
        "HEADGATE_PORT": str(free_port()),
    }
    assert store_trouble(settings(var=tmp_path / "var")) is None
    # Who has them open keeps the files that a reader would make.
    readers = [sqlite3.connect(place) for place in (tmp_path / "var").glob("*.db")]
    assert [one.execute("SELECT count(*) FROM sqlite_master").fetchone() for one in readers]
    ended = subprocess.run(
        (
            "bash",
            "-c",
            'ulimit -f 0; exec "$@"',
            "-",
            sys.executable,
            "-m",
            "bot.entry.cli",
            command,
        ),
        env=own_environment(values),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    for one in readers:
        one.close()
    said = " ".join((ended.stdout + ended.stderr).split())
    assert ended.returncode != 0
    assert "Traceback" not in said
    assert f"The database in {tmp_path / 'var'} cannot be written" in said
    assert "free some disk space" in said
