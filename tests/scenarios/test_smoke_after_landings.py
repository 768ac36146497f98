"""Smoke gates run on main after a landing: a red one freezes the queue and opens an incident."""

from bot.core.values.freeze import FreezeCause
from tests.scenarios.test_people_queue_pulls import open_pull
from tests.testkit.house import House

POLICY = ".github/headgate.yml"
SMOKE = "\nsmoke:\n  serves: {run: test ! -e broken.txt, repeat: 0}\n"


def _with_smoke(shop: House) -> None:
    shop.push({POLICY: shop.main_files()[POLICY] + SMOKE}, "Look at main after each landing")
    shop.settle()


def _land(shop: House, branch: str, files: dict[str, str]) -> tuple[int, str]:
    """The number of the pull, and the commit that main is then."""
    number, _ = open_pull(shop, branch, files)
    shop.settle()
    shop.ask(number, "/headgate queue")
    shop.work()
    return number, str(shop.state.main)


def test_a_landing_that_breaks_main_is_named_and_freezes_the_queue(shop: House) -> None:
    _with_smoke(shop)
    _, good = _land(shop, "docs", {"docs/read.md": "Read me.\n"})
    assert shop.checks(good)["headgate/smoke"].conclusion == "success"

    bad, tip = _land(shop, "bad", {"broken.txt": "It does not start.\n"})

    assert shop.checks(tip)["headgate/smoke"].conclusion == "failure"
    (issue,) = (i for i in shop.api("GET", shop.repo("/issues")).json() if "Smoke" in i["title"])
    assert issue["title"] == f"Smoke gates are red after the landing of pull request #{bad}"
    assert f"the landing of pull request #{bad}, queued by @ada" in issue["body"]
    assert tip[:10] in issue["body"]
    assert good[:10] not in issue["body"]

    mend, _ = open_pull(shop, "mend", {"desk.txt": "A desk.\n"})
    shop.settle()
    asked = shop.ask(mend, "/headgate queue")
    shop.work()
    assert "the smoke gates are red on main" in shop.reply(mend, asked)
    assert "desk.txt" not in shop.main_files()

    clone = shop.clone()
    shop.git(clone, "rm", "-q", "broken.txt")
    shop.git(clone, "commit", "-q", "-m", "Take it back")
    shop.git(clone, "push", "-q", "origin", "HEAD:main")
    shop.settle()
    shop.work()
    assert FreezeCause.SMOKE not in shop.state.freezes
    assert "desk.txt" in shop.main_files()
