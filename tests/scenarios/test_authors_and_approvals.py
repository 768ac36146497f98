"""The author of a spec is read from GitHub: the pusher of main, or the opener of the merged pull."""

import base64
from pathlib import Path

import pytest

from tests.testkit.house import House
from tests.testkit.specs import requirement, spec

ONE = spec(requirement("TILL"))
TWO = spec(requirement("TILL"), requirement("DOOR"))


def others_only(shop: House) -> None:
    shop.hire("dora")
    policy = shop.main_files()[".github/headgate.yml"]
    text = f"{policy}\nauthor_may_approve: false\n"
    shop.push({".github/headgate.yml": text}, "Nobody approves alone what they wrote")
    shop.settle()


@pytest.mark.attack(
    "Whoever pushes a spec writes somebody else's name into the commit, and approves it alone",
    held="`bot.shell.observe_authors`: who wrote it is what GitHub says of the push",
)
def test_the_commit_author_is_not_taken_for_the_pusher(shop: House) -> None:
    others_only(shop)
    clone = shop.clone()
    Path(clone, "specs").mkdir(exist_ok=True)
    Path(clone, "specs/shop.md").write_text(ONE)
    shop.git(clone, "add", "-A")
    shop.git(clone, "commit", "-qm", "Ask for work", "--author", "Dora <dora@example.com>")
    shop.git(clone, "push", "-q", "origin", "HEAD:main")
    shop.settle()
    shop.judge_main()
    tracking = int(shop.tracking()["number"])

    alone = shop.ask(tracking, "/headgate approve")

    assert "Approved by @ada, who wrote this version of the spec." in shop.reply(tracking, alone)
    assert shop.runner.take() is None
    shop.ask(tracking, "/headgate approve", "dora")
    assert "Approved by @ada, @dora." in shop.body(tracking)
    assert shop.runner.take() is not None


def test_the_opener_of_a_pull_is_its_author_and_the_merger_may_approve(shop: House) -> None:
    others_only(shop)
    dora = shop.tokens["dora"]
    tip = {"ref": "refs/heads/wish", "sha": shop.ref()}
    shop.api("POST", shop.repo("/git/refs"), tip, dora).raise_for_status()
    text = base64.b64encode(ONE.encode()).decode()
    file = {"message": "Ask for work", "content": text, "branch": "wish"}
    shop.api("PUT", shop.repo("/contents/specs/shop.md"), file, dora).raise_for_status()
    draft = {"title": "Ask for work", "head": "wish", "base": "main"}
    number = shop.api("POST", shop.repo("/pulls"), draft, dora).json()["number"]
    shop.api("PUT", shop.repo(f"/pulls/{number}/merge"), {}).raise_for_status()
    shop.settle()
    shop.judge_main()
    tracking = int(shop.tracking()["number"])

    alone = shop.ask(tracking, "/headgate approve", "dora")

    assert "Approved by @dora, who wrote this version of the spec." in shop.reply(tracking, alone)
    shop.ask(tracking, "/headgate approve")
    assert "Approved by @dora, @ada." in shop.body(tracking)

    # What dora's version is edited to by ada is ada's, and no more dora's.
    shop.plan(TWO)
    shop.forward(seconds=10)
    edited = shop.ask(tracking, "/headgate approve")
    assert "Approved by @ada, who wrote this version of the spec." in shop.reply(tracking, edited)
    shop.ask(tracking, "/headgate approve", "dora")
    assert not any(run.proposed_edit for run in shop.state.spec_runs.values())
