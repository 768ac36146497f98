"""What `headgate doctor` says about the model gateway."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from pydantic import SecretStr

from bot.entry.commands.doctor import Finding, Health, examine
from bot.entry.settings import Settings


class _Door(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/healthz" else 404)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@pytest.fixture
def address() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), _Door) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def gateway(folder: Path, **given: object) -> Finding:
    values = {"var": folder / "var", "model_key": SecretStr("sk-ant-x"), **given}
    settings = Settings.model_validate(values)
    return next(f for f in examine(settings) if f.name == "model gateway")


def test_a_gateway_that_answers_is_fine(tmp_path: Path, address: str) -> None:
    found = gateway(tmp_path, gateway_url=address)
    assert (found.health, found.says) == (Health.FINE, f"{address} answers 200")


def test_a_proxy_without_the_gateway_route_is_reported_with_the_fix(
    tmp_path: Path, address: str
) -> None:
    found = gateway(tmp_path, gateway_url=f"{address}/model")
    assert found.health is Health.ABSENT
    assert found.says == f"{address}/model answers 404"
    assert "forward /model/ to port 8461, or set HEADGATE_GATEWAY_URL" in found.how


def test_a_stopped_gateway_is_reported(tmp_path: Path) -> None:
    found = gateway(tmp_path, gateway_url="http://127.0.0.1:1")
    assert found.health is Health.ABSENT
    assert "does not answer (ConnectError)" in found.says


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"model_gateway": False}, "off: agent runs get the key itself"),
        ({"model_key": None}, "no model key"),
    ],
)
def test_without_a_gateway_no_request_is_sent(
    tmp_path: Path, given: dict[str, object], says: str
) -> None:
    assert gateway(tmp_path, **given).says == says
