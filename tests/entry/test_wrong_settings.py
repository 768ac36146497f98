"""A setting that is wrong is named in a sentence by every command, and nothing runs with it."""

import json
import time
from pathlib import Path

import pytest

from bot.entry.settings import Settings
from bot.entry.settings_file import settings_with_app
from tests.test_command_line import headgate


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HEADGATE_PROXIES", "192.0.2.1"),
        ("HEADGATE_MODEL_PROVIDERS", '{"mine": s3cret'),
        ("HEADGATE_PORT", "99999999"),
        ("HEADGATE_GATEWAY_PORT", "-1"),
        ("HEADGATE_WORKERS", "0"),
    ],
)
@pytest.mark.parametrize("command", ["doctor", "up", "queue"])
def test_an_invalid_value_is_reported_with_its_setting(
    command: str, name: str, value: str, tmp_path: Path
) -> None:
    done = headgate(command, cwd=tmp_path, **{name: value})
    assert done.returncode == 1
    assert done.stderr.startswith(f"Settings that cannot be read:\n  {name}: ")
    assert len(done.stderr.splitlines()) == 2
    assert "s3cret" not in done.stderr


@pytest.mark.parametrize(
    "url",
    ["nonsense", "mysql://a/b", "postgresql://a:none/b"],
    ids=["not the address", "no driver", "no port"],
)
def test_commands_that_read_the_journal_report_an_invalid_database_address(
    url: str, tmp_path: Path
) -> None:
    for command in (("queue",), ("journal",), ("explain", "x"), ("restored",)):
        done = headgate(*command, cwd=tmp_path, DATABASE_URL=url)
        assert (done.returncode, "Traceback" in done.stderr) == (1, False), done.stderr
        assert done.stderr.startswith("DATABASE_URL does not name a database")


def test_the_doctor_continues_without_a_database(tmp_path: Path) -> None:
    done = headgate("doctor", "--json", cwd=tmp_path, DATABASE_URL="nonsense")
    assert done.returncode == 1
    found = {f["name"]: f for f in json.loads(done.stdout)["findings"]}
    assert "DATABASE_URL" in found["database"]["says"]
    for name in ("journal", "troubles", "repositories"):
        assert found[name]["how"] == "see the database above"


def test_an_app_without_its_key_is_not_a_server_without_an_app(tmp_path: Path) -> None:
    wrong = {"HEADGATE_APP_ID": "7", "HEADGATE_PRIVATE_KEY_FILE": str(tmp_path / "gone.pem")}
    for command in ("serve", "worker", "sweep", "gateway"):
        done = headgate(command, cwd=tmp_path, **wrong)
        assert done.returncode == 1
        assert done.stderr.startswith("There is no private key for App 7: ")
        assert f"{tmp_path / 'gone.pem'} does not exist" in done.stderr
        assert ": set HEADGATE_PRIVATE" in done.stderr
    findings = json.loads(headgate("doctor", "--json", cwd=tmp_path, **wrong).stdout)["findings"]
    (found,) = [f for f in findings if f["name"] == "GitHub App"]
    assert found["says"].startswith("there is no private key for App 7: ")
    assert "gone.pem does not exist" in found["says"]
    assert "HEADGATE_PRIVATE_KEY_FILE" in found["how"]
    nameless = json.loads(headgate("doctor", "--json", cwd=tmp_path, HEADGATE_APP_ID="7").stdout)[
        "findings"
    ]
    (found,) = [f for f in nameless if f["name"] == "GitHub App"]
    assert found["says"] == "there is no private key for App 7"


def test_an_invalid_key_is_reported_in_full_sentences(tmp_path: Path) -> None:
    (tmp_path / "app.pem").write_text("no key")
    wrong = {"HEADGATE_APP_ID": "7", "HEADGATE_PRIVATE_KEY_FILE": str(tmp_path / "app.pem")}
    findings = json.loads(headgate("doctor", "--json", cwd=tmp_path, **wrong).stdout)["findings"]
    (found,) = [f for f in findings if f["name"] == "rules of repositories"]
    assert found["how"] == "see the GitHub App above"
    assert found["says"].endswith((".", "…")), found["says"]


def test_the_restored_command_fails_without_a_restored_copy(tmp_path: Path) -> None:
    done = headgate("restored", cwd=tmp_path)
    assert (done.returncode, "Start the server now" in done.stderr) == (1, False)
    assert f"{tmp_path / 'var'} has no repository" in done.stderr
    assert "set HEADGATE_VAR" in done.stderr


@pytest.mark.parametrize(("slot", "is_told"), [("", True), ("worker-1", False)])
def test_a_worker_started_alone_prints_that_it_waits_for_an_app(
    slot: str,
    is_told: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HEADGATE_SETTINGS", str(tmp_path / "none"))
    monkeypatch.setenv("HEADGATE_APP_ID", "0")
    monkeypatch.setenv("HEADGATE_SLOT", slot)

    def made(_seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(time, "sleep", made)
    with pytest.raises(KeyboardInterrupt):
        settings_with_app()
    assert ("Run `headgate setup` to create one" in capsys.readouterr().err) is is_told


def test_an_unreadable_key_file_counts_as_no_key(tmp_path: Path) -> None:
    assert Settings(_env_file=None, private_key_file=tmp_path).app_key() == ""
    (tmp_path / "app.der").write_bytes(b"\x30\x82\xff")
    assert Settings(_env_file=None, private_key_file=tmp_path / "app.der").app_key() != ""
