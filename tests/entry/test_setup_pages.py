"""`/setup`: a code that works once, an App of a manifest, keys that only their owner may read."""

import re
import stat
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from werkzeug.serving import make_server

from bot.adapters.github.app_tokens import app_permissions
from bot.core.state.webhook import EVENTS
from bot.core.talk import setup_text
from bot.entry.app_manifest import AppOptions
from bot.entry.settings import Settings
from bot.entry.web.setup_pages import Setup, kept_link
from bot.entry.web.until_set_up import UntilSetUp
from bot.localhub.model import App
from tests.entry.setup_kit import Town, town

HIDDEN = re.compile(r'name="manifest" value="([^"]*)"')


class Site:
    """A server that waits to be set up; `served` are the settings that it was made with since."""

    def __init__(self, place: Town) -> None:
        self.town = place
        self.served: list[Settings] = []
        self.setup = Setup(Settings(), AppOptions(), list)
        app = UntilSetUp(self.setup, self._make)
        self.server = make_server("127.0.0.1", 0, app, threaded=True)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.link = self.setup.link(self.url)

    def _make(self, settings: Settings):  # type: ignore[no-untyped-def]  # noqa: ANN202
        self.served.append(settings)

        def app(_environ: object, start_response):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
            start_response("200 OK", [("Content-Length", "4")])
            return [b"here"]

        return app

    def made_app(self) -> App:
        apps = self.town.hub.state.apps.values()
        return next(app for app in apps if app.name.startswith("headgate"))


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    with town(tmp_path) as place:
        for name, value in place.environment().items():
            monkeypatch.setenv(name, value)
        for name in ("HEADGATE_APP_ID", "HEADGATE_PRIVATE_KEY", "HEADGATE_PRIVATE_KEY_FILE"):
            monkeypatch.delenv(name, raising=False)
        made = Site(place)
        thread = threading.Thread(target=made.server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield made
        finally:
            made.server.shutdown()
            made.server.server_close()
            thread.join(5)


def begin(site: Site, client: httpx.Client) -> None:
    """Open the link."""
    sent = client.get(site.link)
    assert (sent.status_code, sent.headers["Location"]) == (303, "/setup")


def to_github(site: Site, client: httpx.Client, **chosen: str) -> str:
    """Create the App; where GitHub sends the browser back to."""
    page = client.post(f"{site.url}/setup/start", data=chosen)
    assert page.status_code == 200, page.text
    action = re.search(r'action="([^"]*)"', page.text)
    manifest = HIDDEN.search(page.text)
    assert action
    assert manifest
    raw = manifest[1].replace("&#34;", '"')
    confirm = client.post(action[1], data={"manifest": raw})
    assert confirm.status_code == 200, confirm.text
    form = dict(re.findall(r'name="(\w+)" value="([^"]*)"', confirm.text))
    form = {name: value.replace("&#34;", '"') for name, value in form.items()}
    back = client.post(f"{site.town.url}/settings/apps/confirm", data=form)
    assert back.status_code == 302, back.text
    return str(back.headers["Location"])


def test_the_setup_link_creates_an_app_with_only_the_needed_permissions(site: Site) -> None:
    with site.town.browser() as client:
        begin(site, client)
        assert client.get(f"{site.url}/anything").status_code == 503
        back = to_github(site, client)
        sent = client.get(back)
    app = site.made_app()
    assert sent.headers["Location"] == f"{site.town.url}/apps/{app.slug}/installations/new"
    assert app.permissions == app_permissions()
    assert set(app.events) == set(EVENTS)
    assert (app.is_hook_active, app.is_public, app.owner.login) == (False, False, "ada")
    settings = Settings()
    assert (settings.app_id, settings.has_webhook) == (app.id, False)
    assert settings.app_key().startswith("-----BEGIN RSA PRIVATE KEY-----\n")
    assert settings.public_url == site.url
    assert stat.S_IMODE(site.town.settings_file.stat().st_mode) == 0o600
    assert stat.S_IMODE(site.town.settings_file.parent.stat().st_mode) == 0o700


def test_the_server_continues_after_setup_without_a_restart(site: Site) -> None:
    with site.town.browser() as client:
        assert client.get(f"{site.url}/healthz").json()["status"] == "waits"
        begin(site, client)
        client.get(to_github(site, client))
        assert client.get(f"{site.url}/healthz").text == "here"
        assert client.get(f"{site.url}/healthz").text == "here"
        assert [one.app_id for one in site.served] == [site.made_app().id]
        over = client.get(f"{site.url}/setup")
        assert over.status_code == 410
        assert setup_text.ALREADY_SET_UP in over.text
        assert client.post(f"{site.url}/setup/start").status_code == 410


def test_a_code_opens_one_browser_once(site: Site) -> None:
    assert kept_link(Settings(), site.url) == site.link
    with site.town.browser() as first, site.town.browser("eve") as second:
        assert first.get(f"{site.url}/setup?code=guessed").status_code == 403
        begin(site, first)
        assert first.get(f"{site.url}/setup").status_code == 200
        late = second.get(site.link)
        assert late.status_code == 403
        assert "its code works only once" in late.text
        for path in ("/setup", "/setup/created?code=a&state=b"):
            assert second.get(f"{site.url}{path}").status_code == 403
        assert second.post(f"{site.url}/setup/start").status_code == 403
        assert kept_link(Settings(), site.url) is None


def test_the_state_parameter_must_match(site: Site) -> None:
    with site.town.browser() as client:
        begin(site, client)
        assert client.get(f"{site.url}/setup/created?code=x").status_code == 403
        back = to_github(site, client)
        other = f"{site.url}/setup/created?code={parse_qs(urlsplit(back).query)['code'][0]}&state=x"
        refused = client.get(other)
        assert refused.status_code == 403
        assert "Start again" in refused.text
        assert not Settings().has_app
        assert client.get(back).status_code == 303
        assert Settings().has_app


def test_a_used_or_expired_github_code_is_answered_with_the_next_step(site: Site) -> None:
    with site.town.browser() as client:
        begin(site, client)
        back = to_github(site, client)
        code = parse_qs(urlsplit(back).query)["code"][0]
        client.post(f"{site.town.url}/app-manifests/{code}/conversions")
        used = client.get(back)
        assert used.status_code == 502
        assert "it works once, within an hour" in used.text
        again = to_github(site, client, name="headgate-again")
        site.town.hub.state.clock = lambda: datetime.now(UTC) + timedelta(minutes=61)
        assert "it works once, within an hour" in client.get(again).text
    assert not Settings().has_app


def test_an_organisation_and_a_webhook_can_be_chosen(site: Site) -> None:
    with site.town.browser() as client:
        begin(site, client)
        wrong = client.post(f"{site.url}/setup/start", data={"webhook": "my server"})
        assert wrong.status_code == 422
        assert "is not the address of a server" in wrong.text
        chosen = {"organization": "team", "webhook": "https://headgate.example.org"}
        back = to_github(site, client, public_url="http://runners.example.org/", **chosen)
        client.get(back)
    app = site.made_app()
    assert app.owner.login == "team"
    assert (app.webhook_url, app.is_hook_active) == ("https://headgate.example.org/webhook", True)
    settings = Settings()
    assert settings.webhook_secret.get_secret_value() == app.webhook_secret
    assert settings.public_url == "http://runners.example.org"


def test_other_lines_of_the_settings_file_stay(site: Site) -> None:
    site.town.settings_file.parent.mkdir(parents=True)
    site.town.settings_file.write_text("HEADGATE_WORKERS=5\nHEADGATE_APP_ID=0\n# mine\n")
    with site.town.browser() as client:
        begin(site, client)
        client.get(to_github(site, client))
    assert Settings().workers == 5
    assert Settings().app_id == site.made_app().id
    assert "# mine" in site.town.settings_file.read_text()


def test_repository_names_are_shown_only_to_the_browser_of_the_setup(site: Site) -> None:
    with site.town.browser("eve") as stranger:
        page = stranger.get(f"{site.url}/setup/installed?installation_id=1")
    assert page.status_code == 200
    assert setup_text.INSTALLED in page.text
