"""The proxy of the compose file before a server and a gateway, all three real: what passes, and what does not."""

import contextlib
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from bot.adapters.github.app_tokens import app_permissions
from bot.core.state.webhook import EVENTS
from tests.entry.browser_kit import free_port, headgate
from tests.entry.setup_kit import Town, town
from tests.needs import needs_caddy

pytestmark = [pytest.mark.slow, needs_caddy]

CADDYFILE = Path(__file__).parents[2] / "deploy/Caddyfile"
PATIENCE_SECONDS = 60
# A certificate of its own in place of one from Let's Encrypt, and no port that only root may open.
GLOBAL = """\
{
	admin off
	skip_install_trust
	auto_https disable_redirects
}
"""


@contextlib.contextmanager
def caddy(folder: Path, domain: str, web: str, gateway: str) -> Iterator[httpx.Client]:
    """The file as it is, but for the two hosts; the client takes the proxy's own authority only."""
    text = CADDYFILE.read_text()
    for name, port in (("web:8460", web), ("gateway:8461", gateway)):
        assert text.count(name) == 1
        text = text.replace(name, f"127.0.0.1:{port}")
    file = folder / "Caddyfile"
    file.write_text(f"{GLOBAL}{text}")
    data = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "HOME": str(folder)}
    argv = ("caddy", "run", "--config", str(file), "--adapter", "caddyfile")
    with (folder / "caddy.log").open("wb") as log:
        process = subprocess.Popen(
            argv, env={**data, "HEADGATE_DOMAIN": domain}, stdout=log, stderr=log
        )
    authority = folder / "caddy/pki/authorities/local/root.crt"
    try:
        wait_until(authority.is_file, lambda: (folder / "caddy.log").read_text())
        trusted = ssl.create_default_context(cafile=authority)
        address = f"https://{domain}"
        with httpx.Client(base_url=address, verify=trusted, trust_env=False, timeout=30) as client:
            yield client
    finally:
        process.terminate()
        process.wait(30)


def wait_until(is_so: Callable[[], bool], why: Callable[[], str]) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < until, why()
        time.sleep(0.1)


def answers(client: httpx.Client, path: str) -> bool:
    try:
        return client.get(path).status_code == 200
    except httpx.TransportError:
        return False


def variables(place: Town) -> dict[str, str]:
    made = place.hub.register_app("headgate", None, "secret", app_permissions(), EVENTS)
    return {
        "HEADGATE_APP_ID": str(made.app_id),
        "HEADGATE_PRIVATE_KEY": made.private_key_pem,
        "HEADGATE_WEBHOOK_SECRET": "secret",
        "HEADGATE_OWNERS": "ada",
        "ANTHROPIC_API_KEY": "a-key",
    }


def test_the_proxy_forwards_requests_but_hides_readiness_and_metrics(
    tmp_path: Path,
) -> None:
    web, gateway, domain = free_port(), free_port(), f"localhost:{free_port()}"
    with town(tmp_path) as place:
        given = variables(place)
        ports = {"HEADGATE_PORT": web, "HEADGATE_GATEWAY_PORT": gateway}
        with (
            headgate(place, "serve", **given, **ports),
            headgate(place, "gateway", **given, **ports),
            caddy(tmp_path, domain, web, gateway) as client,
        ):
            logs = [tmp_path / f"{name}.log" for name in ("serve", "gateway", "caddy")]

            def log() -> str:
                return "".join(path.read_text()[-1500:] for path in logs)

            wait_until(lambda: answers(client, "/healthz"), log)
            wait_until(lambda: answers(client, "/model/healthz"), log)
            assert client.get("/metrics").status_code == 404
            assert client.get("/readyz").status_code == 404
            unsigned = client.post("/webhook", json={})
            assert unsigned.status_code == 401
            assert "signature" in unsigned.json()["message"]
            too_large = client.post("/webhook", content=b"x" * (65 * 1000 * 1000))
            # The server answers before it has read all; the proxy may only see that it hangs up.
            assert too_large.status_code in (413, 502)
            assert answers(client, "/healthz")
            without_token = client.post("/model/v1/messages", json={})
            assert without_token.status_code == 401
