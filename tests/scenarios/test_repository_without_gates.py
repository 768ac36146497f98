"""A repository without gates: nothing lands, and Headgate proposes the first ones."""

import shutil
from pathlib import Path

import pytest

from tests.testkit.house import house
from tests.testkit.hub_setup import POLICY
from tests.testkit.plugins import put_plugin
from tests.testkit.specs import requirement, spec

OFFER = "Set up Headgate"
MAKEFILE = "test:\n\tsh gate.sh\n"


def test_without_gates_no_work_starts_until_the_proposed_policy_is_merged(tmp_path: Path) -> None:
    with house(tmp_path, {"Makefile": MAKEFILE}, policy=None) as shop:
        shop.forward(seconds=10)
        shop.push({"specs/shop.md": spec(requirement("TILL"))}, "Ask for a till")
        shop.settle()
        shop.forward(seconds=10)
        shop.sweep()
        tracking = int(shop.tracking()["number"])
        assert "This repository has no required gate, so no change can land" in (
            shop.body(tracking)
        )
        offer = shop.pull(OFFER)
        assert "No other work starts, and no money is spent" in offer["body"]

        approval = shop.ask(tracking, "/headgate approve")

        assert "this repository has no required gate" in shop.reply(tracking, approval)
        assert shop.runner.take() is None
        assert [p["title"] for p in shop.pulls("open")] == [OFFER]

        merged = shop.api("PUT", shop.repo(f"/pulls/{offer['number']}/merge"), {})
        assert merged.status_code == 200
        shop.settle()
        shop.work()

        assert shop.issue(tracking)["state"] == "closed"
        assert "src/till-make-the-till-work.txt" in shop.main_files()
        assert "make test" in shop.main_files()[".github/headgate.yml"]
        assert [line.kind for line in shop.state.ledger][-1] == "landed"


def test_a_failing_plugin_is_reported_and_no_policy_is_proposed_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    put_plugin(tmp_path / "site", "raise SystemError('broken')")
    with house(tmp_path, {"Makefile": MAKEFILE}, policy=None) as shop:
        shop.forward(seconds=10)
        shop.sweep()
        assert shop.pulls("all") == []
        (delay,) = shop.state.delays.values()
        assert "The profile `elixir` of the package" in delay.sentence

        shutil.rmtree(tmp_path / "site")
        shop.forward(minutes=2)
        shop.sweep()

        assert [p["title"] for p in shop.pulls("open")] == [OFFER]


def test_a_policy_written_by_a_person_starts_the_work(tmp_path: Path) -> None:
    with house(tmp_path, policy="version: 1\nquiet_seconds: 0\n") as shop:
        tracking = shop.start(spec(requirement("TILL")))
        assert shop.runner.take() is None

        shop.push({".github/headgate.yml": POLICY}, "Name a gate")
        shop.work()

        assert shop.issue(tracking)["state"] == "closed"


def test_a_change_does_not_land_if_gates_are_removed_during_its_run(tmp_path: Path) -> None:
    with house(tmp_path) as shop:
        tracking = shop.start(spec(requirement("TILL")))
        lease = shop.runner.take()
        assert lease is not None
        shop.push({".github/headgate.yml": "version: 1\nquiet_seconds: 0\n"}, "Drop the gates")
        shop.settle()

        shop.runner.do(lease)
        shop.work()

        assert "src/till-make-the-till-work.txt" not in shop.main_files()
        assert "Approved by @ada. This repository has no required gate" in shop.body(tracking)

        shop.push({".github/headgate.yml": POLICY}, "Name the gates again")
        shop.work()

        assert "src/till-make-the-till-work.txt" in shop.main_files()
        assert "Agent runs: 1;" in shop.comments(tracking)[-1]
