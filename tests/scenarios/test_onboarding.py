"""A repository's first pull: what it proposes, what is missing, and what its merge starts."""

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.localhub.model import Role
from tests.scenarios.test_selftest import LISTED, later
from tests.testkit.house import House, house
from tests.testkit.specs import requirement, spec

TITLE = "Set up Headgate"
CHECK = "headgate/onboarding"
PACKAGE = json.dumps({"scripts": {"lint": "eslint .", "test": "node --test"}})
LINK = re.compile(r"\[Add `([^`]+)`\]\((\S+)\)")


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[House]:
    """A house whose App is installed in a repository that knows nothing of Headgate."""
    with house(tmp_path) as made:
        hub = made.hub
        fresh = hub.add_repository("team", "fresh")
        hub.add_collaborator("team/fresh", "ada", Role.ADMIN)
        files = {"package.json": PACKAGE.encode(), "package-lock.json": b"{}\n"}
        hub.commit_files("team/fresh", dict(files), "Begin", "ada")
        made.full_name = "team/fresh"
        installation = next(iter(hub.state.installations.values()))
        hub.apps.add_repositories(installation, [fresh])
        made.settle()
        yield made


def links(text: str) -> dict[str, str]:
    """The pages of new files that a text links to, by path."""
    return dict(LINK.findall(text))


def follow(shop: House, url: str, login: str = "ada") -> None:
    """Open the page of a link in a browser, and commit what it shows."""
    client = shop.http
    client.post(f"{shop.url}/login", data={"login": login, "password": shop.tokens[login]})
    page = client.get(url, follow_redirects=True)
    assert page.status_code == 200, page.text
    path = re.search(r'name="filename"[^>]* value="([^"]*)"', page.text)
    text = re.search(r"<textarea[^>]*>\n(.*)</textarea>", page.text, re.DOTALL)
    assert path
    assert text
    form = {"filename": path[1], "value": html.unescape(text[1])}
    done = client.post(str(page.url).partition("?")[0], data=form)
    assert done.status_code == 302, done.text
    client.cookies.clear()


def check(shop: House, number: int) -> tuple[str, str | None, str]:
    """Status, conclusion and title of the check on a pull's head."""
    head = shop.api("GET", shop.repo(f"/pulls/{number}")).json()["head"]["sha"]
    runs = shop.api("GET", shop.repo(f"/commits/{head}/check-runs")).json()["check_runs"]
    (run,) = (run for run in runs if run["name"] == CHECK)
    return run["status"], run["conclusion"], run["output"]["title"]


def merge(shop: House, number: int) -> None:
    assert shop.api("PUT", shop.repo(f"/pulls/{number}/merge"), {}).status_code == 200
    shop.settle()
    shop.sweep()


def test_merging_the_first_pull_starts_only_a_self_test(
    shop: House,
) -> None:
    pull = shop.pull(TITLE)
    number = int(pull["number"])
    git = shop.hub.repository("team/fresh").git
    entry = git.entry(pull["head"]["sha"], ".github/headgate.yml")
    assert entry
    text = git.blob(entry.sha).decode()
    assert "npm ci" in text
    assert "registry.npmjs.org" in text
    assert "npm run lint" in text
    assert "npm run build" not in text
    assert check(shop, number) == ("in_progress", None, "2 files missing")

    found = links(pull["body"])
    assert list(found) == [
        ".github/workflows/headgate-agent.yml",
        ".github/workflows/headgate-gates.yml",
    ]
    follow(shop, found[".github/workflows/headgate-agent.yml"])
    shop.settle()
    assert check(shop, number) == ("in_progress", None, "1 file missing")
    follow(shop, found[".github/workflows/headgate-gates.yml"])
    shop.settle()
    assert check(shop, number) == ("completed", "success", "All files are there")

    merge(shop, number)

    later(shop, LISTED)
    hello, tried = shop.comments(number)
    assert "Headgate is ready here" in hello
    assert "self-test" in hello
    assert "All checks passed." in tried
    path = ".github/workflows/headgate-agent.yml"
    assert shop.main_files()[path].strip() == shop.ports.workflow_files[path].strip()
    assert shop.runner.take() is None
    assert [i["title"] for i in shop.api("GET", shop.repo("/issues")).json()] == []
    shop.sweep()
    assert len(shop.comments(number)) == 2


def test_a_first_pull_merged_too_early_lists_missing_files(shop: House) -> None:
    number = int(shop.pull(TITLE)["number"])
    merge(shop, number)
    (lacks,) = shop.comments(number)
    found = links(lacks)
    assert len(found) == 2
    assert all("/new/main?" in url for url in found.values())
    for url in found.values():
        follow(shop, url)
    shop.settle()
    shop.sweep()
    later(shop, LISTED)
    _, hello, tried = shop.comments(number)
    assert "Headgate is ready here" in hello
    assert "All checks passed." in tried


def test_a_closed_first_pull_stays_closed(shop: House) -> None:
    number = int(shop.pull(TITLE)["number"])
    shop.api("PATCH", shop.repo(f"/pulls/{number}"), {"state": "closed"})
    shop.settle()
    shop.push({"specs/till.md": spec(requirement("TILL"))}, "Ask for a till")
    shop.settle()
    shop.forward(seconds=400)
    shop.sweep()
    assert shop.pulls("open") == []
    assert shop.comments(number) == []


def test_a_repository_with_a_policy_gets_no_pull(tmp_path: Path) -> None:
    with house(tmp_path) as made:
        made.sweep()
        assert made.pulls("open") == []


def test_a_policy_in_another_place_is_named_in_the_first_pull(tmp_path: Path) -> None:
    with house(tmp_path) as shop:
        hub = shop.hub
        fresh = hub.add_repository("team", "fresh")
        hub.commit_files("team/fresh", {".github/headgate.yaml": b"version: 1\n"}, "Begin", "ada")
        shop.full_name = "team/fresh"
        installation = next(iter(hub.state.installations.values()))
        hub.apps.add_repositories(installation, [fresh])
        shop.settle()
        (pull,) = shop.pulls()
        assert str(pull["body"]).startswith(
            "**`.github/headgate.yaml` is not read.** Headgate reads"
        )
