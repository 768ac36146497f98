"""From nothing to a greeting, in a real browser: once by `headgate up`, once by `headgate setup`.

Every process is real. What is counted are a person's clicks; they are signed in already.
"""

import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

from bot.localhub.model import TokenKind
from bot.localhub.sessions import COOKIE
from tests.entry.setup_kit import Town, own_environment, town
from tests.localhub.kit import git
from tests.needs import needs_chromium

pytestmark = [pytest.mark.slow, needs_chromium]

_PATIENCE_SECONDS = 120
_FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


@dataclass
class Visitor:
    """A person at a browser, and how often they clicked."""

    page: Page
    clicks: list[str] = field(default_factory=list)

    def click(self, what: str) -> None:
        self.page.locator(what).first.click()
        self.clicks.append(what)


@contextmanager
def visitor(place: Town) -> Iterator[Visitor]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", headless=True, args=list(_FLAGS)
        )
        context = browser.new_context()
        context.set_default_timeout(1000 * _PATIENCE_SECONDS)
        cookie = place.hub.sessions.sign_in("ada", place.tokens["ada"])
        context.add_cookies([{"name": COOKIE, "value": cookie, "url": place.url}])
        yield Visitor(context.new_page())
        browser.close()


@contextmanager
def headgate(place: Town, *arguments: str, **variables: str) -> Iterator[Callable[[str], str]]:
    """A command of ours as a process; the function waits for a pattern in its output."""
    log = place.folder / f"{arguments[0]}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            (sys.executable, "-m", "bot.entry.cli", *arguments),
            env=own_environment(place.environment(**variables)),
            stdout=output,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
        )

        def wait_for(pattern: str) -> str:
            until = time.monotonic() + _PATIENCE_SECONDS
            while time.monotonic() < until:
                if found := re.search(pattern, log.read_text()):
                    return found[0]
                time.sleep(0.1)
            raise AssertionError(f"{arguments} did not say {pattern}: {log.read_text()[-3000:]}")

        try:
            yield wait_for
        finally:
            process.terminate()
            process.wait(30)


def free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def wait_for_text(page: Page, text: str) -> None:
    """Load a page again until it says so."""
    until = time.monotonic() + _PATIENCE_SECONDS
    while text not in page.content():
        assert time.monotonic() < until, page.inner_text("body")[-3000:]
        time.sleep(0.5)
        page.reload()


def test_five_clicks_lead_to_a_greeting_without_a_public_address_or_a_restart(
    tmp_path: Path,
) -> None:
    with town(tmp_path) as place, headgate(place, "up", HEADGATE_PORT=free_port()) as output:
        link = output(r"http://\S+/setup\?code=\S+")
        began = time.monotonic()
        with visitor(place) as ada:
            ada.page.goto(link)
            ada.click("#create")
            ada.click("button:has-text('Create GitHub App')")
            ada.click("button:has-text('Install')")
            ada.click("#pull")
            wait_for_text(ada.page, "2 files missing")
            _init_in_a_clone(place)
            wait_for_text(ada.page, "All is there")
            ada.click("button:has-text('Merge')")
            wait_for_text(ada.page, "Headgate is ready here")
        took = time.monotonic() - began
        assert len(ada.clicks) == 5
        # A quiet machine needs half of it; the machine of CI is not always quiet.
        assert took < 120, took
        assert place.hub.state.deliveries == []
        pushed = [e for e in place.hub.exchanges if e.token_kind is TokenKind.INSTALLATION]
        assert pushed
        assert "restarting" not in (place.folder / "up.log").read_text()


def _init_in_a_clone(place: Town) -> None:
    """`headgate init` on the pull's branch, with the person's own rights."""
    clone = place.folder / "clone"
    address = place.url.replace("://", f"://x-access-token:{place.tokens['ada']}@")
    git(place.folder, "clone", "-q", f"{address}/ada/shop.git", str(clone))
    git(clone, "switch", "-q", "headgate/first-gates")
    done = subprocess.run(
        (sys.executable, "-m", "bot.entry.cli", "init", str(clone)),
        env=own_environment(place.environment()),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "is there: .github/headgate.yml" in done.stderr
    assert "written: .github/workflows/headgate-agent.yml" in done.stderr
    git(clone, "add", "-A")
    git(clone, "commit", "-q", "-m", "Add Headgate's workflows")
    git(clone, "push", "-q", "origin", "headgate/first-gates")


def test_the_command_makes_an_app_of_an_organisation_and_files_come_by_links(
    tmp_path: Path,
) -> None:
    port = free_port()
    with town(tmp_path) as place, visitor(place) as ada:
        arguments = ("setup", "--organization", "team", "--name", "headgate-of-team")
        with headgate(place, *arguments, HEADGATE_PORT=port) as output:
            ada.page.goto(output(r"http://\S+/setup\?code=\S+"))
            ada.click("#create")
            ada.click("button:has-text('Create GitHub App')")
            ada.click("button:has-text('Install')")
            output("The App headgate-of-team is made")
            output("Installed in team/shop")
            output("Next: `headgate up`")
        with headgate(place, "up", HEADGATE_PORT=port):
            ada.page.goto(f"{place.url}/team/shop/pulls")
            wait_for_text(ada.page, "Begin with Headgate")
            ada.page.locator("text=Begin with Headgate").first.click()
            ada.page.wait_for_url("**/pull/*")
            address = ada.page.url
            for path in ("headgate-agent.yml", "headgate-gates.yml"):
                ada.page.goto(address)
                ada.click(f"a:has-text('{path}')")
                ada.click("button:has-text('Commit')")
            ada.page.goto(address)
            wait_for_text(ada.page, "All is there")
            ada.click("button:has-text('Merge')")
            wait_for_text(ada.page, "Headgate is ready here")
        app = next(a for a in place.hub.state.apps.values() if a.slug == "headgate-of-team")
        assert app.owner.login == "team"


def test_a_webhook_is_added_with_one_command_while_the_server_runs(tmp_path: Path) -> None:
    port = free_port()
    with town(tmp_path) as place, visitor(place) as ada:
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
            assert place.hub.wait_until_delivered(_PATIENCE_SECONDS)
        statuses = {d.status_code for d in place.hub.state.deliveries}
        assert statuses == {202}
