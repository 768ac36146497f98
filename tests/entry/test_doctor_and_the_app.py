"""What `headgate doctor` says of the App: a sentence with the fix for each mistake."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr

from bot.adapters.github.app_tokens import app_permissions
from bot.core.state.webhook import EVENTS
from bot.entry.commands.doctor import Finding, Health, examine
from bot.entry.commands.webhook import run_webhook
from bot.entry.settings import Settings
from bot.localhub import keys
from bot.localhub.apps import AppCredentials
from tests.entry.setup_kit import Town, town


class Office:
    """A town with an App that is installed nowhere yet, and its settings."""

    def __init__(self, place: Town) -> None:
        self.town = place
        self.hub = place.hub
        self.app: AppCredentials = self.hub.register_app(
            "headgate", None, "", app_permissions(), EVENTS
        )

    def settings(self, **changed: object) -> Settings:
        values: dict[str, object] = {
            "var": self.town.folder / "var",
            "github_api_url": f"{self.town.url}/api/v3",
            "app_id": self.app.app_id,
            "private_key": SecretStr(self.app.private_key_pem),
            "webhook_secret": SecretStr(""),
            "owners": "ada",
        }
        return Settings.model_validate({**values, **changed})

    def finding(self, name: str, **changed: object) -> Finding:
        return next(f for f in examine(self.settings(**changed)) if f.name == name)


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Office]:
    with town(tmp_path) as place:
        monkeypatch.setenv("HEADGATE_SETTINGS", str(place.settings_file))
        yield Office(place)


def said(office: Office, **changed: object) -> tuple[str, str]:
    """What is missing about the App, and how to mend it."""
    found = office.finding("GitHub App", **changed)
    assert found.health is Health.MISSING
    return found.says, found.how


def test_each_mistake_has_its_sentence_and_its_fix(office: Office) -> None:
    assert "headgate setup" in said(office, app_id=0)[1]
    other = SecretStr(keys.private_key_pem(keys.new_key()))
    says, how = said(office, private_key=other)
    assert "does not accept the key for App" in says
    assert "generate a private key" in how
    says, how = said(office, private_key=SecretStr("not a key"))
    assert "not an RSA key in PEM format" in says
    says, how = said(office, app_id=424242)
    assert "has no App with the id 424242" in says
    says, how = said(office, github_api_url="http://127.0.0.1:1/api/v3")
    assert "cannot be reached" in says
    says, how = said(office)
    assert "installed in no repository" in says
    assert how == f"open {office.town.url}/apps/headgate/installations/new"


@pytest.mark.parametrize(("minutes", "word"), [(10, "behind"), (-10, "ahead")])
def test_a_wrong_clock_is_reported(office: Office, minutes: int, word: str) -> None:
    office.hub.state.drift = timedelta(minutes=minutes)
    says, how = said(office)
    assert "this machine's clock is" in says
    assert word in says
    assert "timedatectl" in how


def test_a_missing_app_permission_is_named(office: Office) -> None:
    app = office.hub.state.apps[office.app.app_id]
    del app.permissions["checks"]
    says, how = said(office)
    assert says == "lacks checks: write"
    assert how.startswith(f"grant it at {office.town.url}/organizations/github/settings/apps/")


def test_an_app_that_is_installed_is_fine(office: Office) -> None:
    office.hub.install_app(office.app.app_id, "ada")
    found = office.finding("GitHub App")
    assert (found.health, found.says) == (Health.FINE, "headgate, installed in 1 repositories")
    assert office.finding("webhook").health is Health.ABSENT


def test_an_offline_runner_is_reported(office: Office) -> None:
    installation = office.hub.install_app(office.app.app_id, "ada")
    assert office.finding("rules of repositories").says == "no rule refuses a landing"
    held = office.hub.state.installations[installation]
    held.permissions = {**held.permissions, "administration": "read"}
    found = office.finding("rules of repositories")
    assert found.health is Health.FINE
    assert "No runner of this repository with the label `headgate` is online" in found.says


def test_a_wrong_webhook_secret_is_detected_from_deliveries(office: Office) -> None:
    app = office.hub.state.apps[office.app.app_id]
    app.webhook_url, app.webhook_secret = "http://127.0.0.1:1/webhook", "one"
    office.hub.install_app(app.id, "ada")
    assert office.hub.wait_until_delivered(30)
    ours = SecretStr("another")
    assert office.finding("webhook", webhook_secret=ours).health is Health.FINE
    office.hub.state.deliveries[-1].status_code = 401
    found = office.finding("webhook", webhook_secret=ours)
    assert found.health is Health.MISSING
    assert "headgate webhook" in found.how


def test_one_command_gives_both_sides_one_secret(
    office: Office, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_webhook("https://headgate.example.org") == 1
    assert "headgate setup" in capsys.readouterr().err
    monkeypatch.setenv("HEADGATE_GITHUB_API_URL", f"{office.town.url}/api/v3")
    monkeypatch.setenv("HEADGATE_APP_ID", str(office.app.app_id))
    monkeypatch.setenv("HEADGATE_PRIVATE_KEY", office.app.private_key_pem)
    assert run_webhook("not the address") == 2
    assert run_webhook("https://headgate.example.org") == 0
    app = office.hub.state.apps[office.app.app_id]
    assert app.webhook_url == "https://headgate.example.org/webhook"
    assert Settings().webhook_secret.get_secret_value() == app.webhook_secret != ""
    assert "If `Active` is not ticked at" in capsys.readouterr().err
    with httpx.Client(trust_env=False) as client:
        page = client.get(f"{office.town.url}/settings/apps/headgate")
        assert page.status_code == 302
