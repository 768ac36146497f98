"""A public App without named owners is not served: anyone could spend the server's model key."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from pydantic import SecretStr

from bot.entry.commands.processes import open_to_all, run_up
from bot.entry.settings import Settings
from bot.localhub import keys

APP = b'{"id": 1, "slug": "gate", "html_url": "https://e.example", "name": "gate", "owner": {"login": "mona", "type": "User"}, "permissions": {}, "events": []}'


class GitHub(BaseHTTPRequestHandler):
    is_public = True

    def do_GET(self) -> None:
        is_known = "Authorization" in self.headers
        shown = self.path == "/app" if is_known else self.path == "/apps/gate" and self.is_public
        self.send_response(200 if shown else 404)
        self.send_header("Content-Length", str(len(APP)))
        self.end_headers()
        self.wfile.write(APP)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing."""


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Settings]:
    pem = keys.new_key().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    server = ThreadingHTTPServer(("127.0.0.1", 0), GitHub)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    monkeypatch.setattr(GitHub, "is_public", True)
    yield Settings(
        _env_file=None,
        var=tmp_path / "var",
        github_api_url=f"http://127.0.0.1:{server.server_port}",
        app_id=1,
        private_key=SecretStr(pem.decode()),
        model_key=SecretStr("k"),
    )
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_public_app_needs_owners(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "HEADGATE_OWNERS" in open_to_all(settings)
    assert open_to_all(settings.model_copy(update={"owners": "mona"})) == ""
    monkeypatch.setattr(GitHub, "is_public", False)
    assert open_to_all(settings) == ""


def test_a_server_without_a_key_or_without_github_starts(settings: Settings) -> None:
    assert open_to_all(settings.model_copy(update={"model_key": None})) == ""
    away = settings.model_copy(update={"github_api_url": "http://127.0.0.1:1"})
    assert open_to_all(away) == ""


def test_up_refuses_with_the_sentence(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("bot.entry.commands.processes.Settings", lambda: settings)
    assert run_up() == 2
    assert "The App gate is public" in capsys.readouterr().err


def test_owners_are_read_as_people_write_them() -> None:
    assert Settings(_env_file=None, owners=" Mona, team ,").served_owners == {"mona", "team"}
    assert Settings(_env_file=None).served_owners == frozenset()
