"""A person at a real browser, and commands of ours as real processes.

What is counted are a person's clicks; they are signed in already.
"""

import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from playwright.sync_api import Browser, Page, sync_playwright

from bot.localhub.sessions import COOKIE
from tests.entry.setup_kit import Town, own_environment
from tests.localhub.kit import git
from tests.needs import program

PATIENCE_SECONDS = 120
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
def chromium() -> Iterator[Browser]:
    """For several visitors, who know nothing of one another."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program("chromium"), headless=True, args=list(_FLAGS)
        )
        yield browser
        browser.close()


@contextmanager
def visitor(place: Town, browser: Browser) -> Iterator[Visitor]:
    with browser.new_context() as context:
        context.set_default_timeout(1000 * PATIENCE_SECONDS)
        cookie = place.hub.sessions.sign_in("ada", place.tokens["ada"])
        context.add_cookies([{"name": COOKIE, "value": cookie, "url": place.url}])
        yield Visitor(context.new_page())


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
            until = time.monotonic() + PATIENCE_SECONDS
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
    until = time.monotonic() + PATIENCE_SECONDS
    while text not in page.content():
        assert time.monotonic() < until, page.inner_text("body")[-3000:]
        time.sleep(1)
        page.reload()


def from_a_link_to_a_greeting(place: Town, ada: Visitor, link: str) -> None:
    """Make the App, install it, merge the first pull with the workflows that `headgate init` writes."""
    ada.page.goto(link)
    ada.click("#create")
    ada.click("button:has-text('Create GitHub App')")
    ada.click("button:has-text('Install')")
    ada.click("#pull")
    wait_for_text(ada.page, "2 files missing")
    _init_in_a_clone(place)
    wait_for_text(ada.page, "All files are there")
    ada.click("button:has-text('Merge')")
    wait_for_text(ada.page, "Headgate is ready here")


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
