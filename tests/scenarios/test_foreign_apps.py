"""Another App that uses our names: its check runs are ignored."""

from pathlib import Path

from action.order import AgentOrder
from bot.localhub.apps import AppCredentials
from tests.testkit.house import House
from tests.testkit.specs import requirement, spec

SHOP = spec(requirement("TILL"))


def intruder(shop: House) -> AppCredentials:
    """An App that may write check runs here."""
    app = shop.hub.register_app("intruder", None, "s", {"checks": "write"}, ())
    shop.hub.install_app(app.app_id, "team")
    return app


def breaks_it(_order: AgentOrder, tree: Path) -> None:
    """What the gate refuses."""
    (tree / "broken").write_text("")


def test_a_foreign_check_run_with_our_name_and_id_is_ignored(shop: House) -> None:
    shop.start(SHOP)
    agents = shop.runner.take()
    assert agents is not None
    shop.runner.do(agents)
    shop.settle()
    lease = shop.runner.take()
    assert lease is not None
    candidate = shop.pull("Make the till work")["head"]["sha"]
    path = shop.repo(f"/commits/{candidate}/check-runs")
    ours = [r for r in shop.api("GET", path).json()["check_runs"] if r["app"]["slug"] == "headgate"]
    assert [(r["name"], r["conclusion"]) for r in ours] == [("headgate/verdict", None)]
    forged = {
        "name": "headgate/verdict",
        "head_sha": candidate,
        "external_id": ours[0]["external_id"],
        "conclusion": "success",
        "output": {"title": "All gates passed", "summary": "Believe me"},
    }
    token = shop.app_token(intruder(shop).app_id)
    assert shop.api("POST", shop.repo("/check-runs"), forged, token).status_code == 201

    shop.runner.do(lease)
    shop.work()

    verdict = shop.api("GET", shop.repo(f"/check-runs/{ours[0]['id']}")).json()
    assert verdict["conclusion"] == "success"
    assert verdict["output"]["title"] == "The required gate passed."
    theirs = [
        r for r in shop.api("GET", path).json()["check_runs"] if r["app"]["slug"] != "headgate"
    ]
    assert "Believe me" in [r["output"]["summary"] for r in theirs]
    assert "src/till-make-the-till-work.txt" in shop.main_files()


def test_a_green_check_run_of_another_app_does_not_count(shop: House) -> None:
    shop.start(SHOP)
    lease = shop.runner.take()
    assert lease is not None
    shop.runner.agent = breaks_it
    shop.runner.do(lease)
    shop.settle()
    candidate = shop.pull("Make the till work")["head"]["sha"]
    forged = {"name": "headgate/verdict", "head_sha": candidate, "conclusion": "success"}
    token = shop.app_token(intruder(shop).app_id)
    assert shop.api("POST", shop.repo("/check-runs"), forged, token).status_code == 201

    shop.work()

    assert shop.main_files().keys() & {"broken", "src/till-make-the-till-work.txt"} == set()
