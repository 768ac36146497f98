"""From nothing to a greeting, in a real browser: once by `headgate up`, once by `headgate setup`."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from bot.adapters.github.app_tokens import app_permissions
from bot.core.state.webhook import EVENTS
from bot.localhub.model import TokenKind
from tests.entry.browser_kit import (
    PATIENCE_SECONDS,
    chromium,
    free_port,
    from_a_link_to_a_greeting,
    headgate,
    visitor,
    wait_for_text,
)
from tests.entry.setup_kit import town
from tests.needs import needs_chromium

pytestmark = [pytest.mark.slow, needs_chromium]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


def test_setup_takes_five_clicks_without_a_public_address_or_a_restart(
    tmp_path: Path, browser: Browser
) -> None:
    with town(tmp_path) as place, headgate(place, "up", HEADGATE_PORT=free_port()) as output:
        link = output(r"http://\S+/setup\?code=\S+")
        with visitor(place, browser) as ada:
            from_a_link_to_a_greeting(place, ada, link)
        assert len(ada.clicks) == 5
        assert place.hub.state.deliveries == []
        pushed = [e for e in place.hub.exchanges if e.token_kind is TokenKind.INSTALLATION]
        assert pushed
        assert "restarting" not in (place.folder / "up.log").read_text()


def test_the_command_makes_an_app_of_an_organisation(tmp_path: Path, browser: Browser) -> None:
    with town(tmp_path) as place, visitor(place, browser) as ada:
        arguments = ("setup", "--organization", "team", "--name", "headgate-of-team")
        with headgate(place, *arguments, HEADGATE_PORT=free_port()) as output:
            ada.page.goto(output(r"http://\S+/setup\?code=\S+"))
            ada.click("#create")
            ada.click("button:has-text('Create GitHub App')")
            ada.click("button:has-text('Install')")
            output("The App headgate-of-team was created")
            output("Installed in team/shop")
            output("Next, run `headgate up`")
        assert "GET /setup" not in (place.folder / "setup.log").read_text()
        app = next(a for a in place.hub.state.apps.values() if a.slug == "headgate-of-team")
        assert app.owner.login == "team"
        kept = dict(line.split("=", 1) for line in place.settings_file.read_text().splitlines())
        assert kept["HEADGATE_APP_ID"].strip("'\"") == str(app.id)


def test_workflow_files_come_by_the_links_of_the_first_pull(
    tmp_path: Path, browser: Browser
) -> None:
    with town(tmp_path) as place, visitor(place, browser) as ada:
        made = place.hub.register_app("headgate", None, "", app_permissions(), EVENTS)
        place.hub.install_app(made.app_id, "team")
        variables = {
            "HEADGATE_APP_ID": str(made.app_id),
            "HEADGATE_PRIVATE_KEY": made.private_key_pem,
            "HEADGATE_OWNERS": "team",
        }
        with headgate(place, "up", HEADGATE_PORT=free_port(), **variables):
            ada.page.goto(f"{place.url}/team/shop/pulls")
            wait_for_text(ada.page, "Set up Headgate")
            ada.page.locator("text=Set up Headgate").first.click()
            ada.page.wait_for_url("**/pull/*")
            address = ada.page.url
            for path in ("headgate-agent.yml", "headgate-gates.yml"):
                ada.page.goto(address)
                ada.click(f"a:has-text('{path}')")
                ada.click("button:has-text('Commit')")
            ada.page.goto(address)
            wait_for_text(ada.page, "All files are there")
            ada.click("button:has-text('Merge')")
            wait_for_text(ada.page, "Headgate is ready here")


def test_a_webhook_is_added_with_one_command_while_the_server_runs(
    tmp_path: Path, browser: Browser
) -> None:
    port = free_port()
    with town(tmp_path) as place, visitor(place, browser) as ada:
        with headgate(place, "up", HEADGATE_PORT=port) as output:
            ada.page.goto(output(r"http://\S+/setup\?code=\S+"))
            ada.click("#create")
            ada.click("button:has-text('Create GitHub App')")
            ada.click("button:has-text('Install')")
            ada.click("#pull")
            with headgate(place, "webhook", f"http://127.0.0.1:{port}") as said:
                page = said(r"http://\S+/settings/apps/\S+?(?=,)")
            ada.page.goto(page)
            ada.click("input[name=active]")
            ada.click("button:has-text('Save')")
            issues = f"{place.url}/api/v3/repos/ada/shop/issues"
            with place.browser() as client:
                client.headers["Authorization"] = f"Bearer {place.tokens['ada']}"
                made = client.post(issues, json={"title": "A plan"}).json()
                client.patch(f"{issues}/{made['number']}", json={"state": "closed"})
            assert place.hub.wait_until_delivered(PATIENCE_SECONDS)
        statuses = {d.status_code for d in place.hub.state.deliveries}
        assert statuses == {202}
