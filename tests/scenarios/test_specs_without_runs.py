"""Specs and policies that cannot be used: shown at the line, fixed by a push."""

from pathlib import Path

import pytest

from tests.testkit.house import House, house
from tests.testkit.hub_setup import POLICY
from tests.testkit.specs import requirement, spec

GOOD = spec(requirement("TILL"))
CYCLE = spec(
    *(
        requirement(area, after=after)
        for area, after in (
            ("A1", "A9"),
            ("A2", "A1"),
            ("A3", "A2"),
            ("A4", "A3"),
            ("A5", "A4"),
            ("A6", "A5"),
            ("A7", "A6"),
            ("A8", "A7"),
            ("A9", "A8"),
        )
    )
)
NOTHING_ASKED = "# Notes\n\nWe met on Tuesday and had cake.\n"


def test_specs_from_before_the_installation_start_no_work(tmp_path: Path) -> None:
    with house(tmp_path, {"specs/old.md": GOOD}) as shop:
        shop.push({"README.md": "# Our shop\n"}, "Be proud")
        shop.work()
        assert shop.issues() == []

        elsewhere = int(
            shop.api("POST", shop.repo("/issues"), {"title": "Start", "body": ""}).json()["number"]
        )
        asked = shop.ask(elsewhere, "/headgate run specs/old.md")

        assert shop.reactions(asked) == ["eyes", "rocket"]
        assert "Headgate plans `specs/old.md` and opens its tracking issue." in shop.reply(
            elsewhere, asked
        )
        tracking = int(shop.tracking()["number"])
        shop.ask(tracking, "/headgate approve")
        shop.work()
        assert shop.issue(tracking)["state"] == "closed"
        assert "src/till-make-the-till-work.txt" in shop.main_files()


def test_a_draft_starts_only_when_its_status_is_removed(shop: House) -> None:
    decision = spec(requirement("TILL"), front="status: draft")
    commit = shop.push({"specs/shop.md": decision}, "Think aloud")
    shop.settle()
    lunch = shop.api("POST", shop.repo("/issues"), {"title": "Go", "body": ""}).json()["number"]

    asked = shop.ask(lunch, "/headgate run specs/shop.md")

    assert shop.reply(lunch, asked) == ("`specs/shop.md` says `status: draft`, so no work starts.")
    assert [i["title"] for i in shop.issues()] == ["Go"]
    assert shop.check_runs(commit) == {}
    assert "revision 1" in shop.body(shop.plan(GOOD))


def test_a_burst_of_pushes_is_planned_once(tmp_path: Path) -> None:
    with house(tmp_path, policy=POLICY.replace("quiet_seconds: 0", "quiet_seconds: 60")) as shop:
        for count in range(1, 5):
            areas = ("TILL", "DOOR", "CART", "LIGHT")[:count]
            shop.push({"specs/shop.md": spec(*map(requirement, areas))}, f"Draft {count}")
            shop.settle()
            shop.forward(seconds=20)
        assert shop.issues() == []

        shop.forward(seconds=60)
        shop.sweep()

        body = shop.body(int(shop.tracking()["number"]))
        assert "revision 1" in body
        assert "4 requirements in 4 changes" in body
        assert len(shop.issues()) == 1


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        (NOTHING_ASKED, 1, "No requirement was recognised"),
        (CYCLE, 5, "wait for each other"),
        (f"# Shop\n\n```\n\n{GOOD}", 3, "This code block is never closed and hides 1 req"),
        ("# Shop\0\n", 1, "The file has NUL bytes"),
    ],
    ids=["no requirement", "a cycle", "an open code block", "no text"],
)
def test_a_spec_that_cannot_be_planned_is_refused_at_its_line_until_it_is_fixed(
    shop: House, text: str, line: int, says: str
) -> None:
    commit = shop.push({"specs/shop.md": text}, "Ask for the impossible")
    shop.settle()
    shop.sweep()

    check = shop.checks(commit)["headgate/spec"]
    assert check.conclusion == "failure"
    assert any(r.startswith(f"specs/shop.md:{line} ") and says in r for r in check.remarks)
    comments = shop.commit_comments(commit)
    assert len(comments) == 1
    assert "Headgate cannot use `specs/shop.md` until this is fixed" in comments[0]
    assert f"`specs/shop.md:{line}`" in comments[0]
    assert shop.issues() == []
    assert shop.runner.take() is None

    mended = shop.push({"specs/shop.md": GOOD}, "Ask for a till")
    shop.settle()

    assert shop.commit_comments(mended) == []
    assert "revision 1" in shop.body(int(shop.tracking()["number"]))


def test_a_policy_with_an_unknown_key_is_refused_and_the_last_good_one_counts(
    shop: House,
) -> None:
    bad = POLICY.replace("    judges: tree", "    judgs: tree")
    commit = shop.push({".github/headgate.yml": bad}, "Tune the gates")
    shop.settle()
    shop.sweep()

    check = shop.checks(commit)["headgate/policy"]
    assert check.conclusion == "failure"
    assert check.remarks == (".github/headgate.yml:6 Unknown key `judgs`: did you mean `judges`?",)
    assert len(shop.commit_comments(commit)) == 1
    assert "`.github/headgate.yml:6`" in shop.commit_comments(commit)[0]

    tracking = shop.start(GOOD)
    shop.work()
    assert shop.issue(tracking)["state"] == "closed"
    mended = shop.push({".github/headgate.yml": POLICY}, "Mend the gates")
    shop.settle()
    assert shop.check_runs(mended) == {}
    assert shop.state.refusals == {}


def test_a_bad_policy_is_remembered_after_a_restart(shop: House) -> None:
    shop.push({".github/headgate.yml": "version: 1\ngatez: {}\n"}, "Drop the gates")
    shop.settle()
    shop.restart()

    tracking = shop.start(GOOD)
    shop.work()

    assert shop.issue(tracking)["state"] == "closed"
    assert "The required gate passed." in str(shop.checks(shop.ref()).get("headgate/verdict", ""))


def test_a_spec_removed_before_approval_is_withdrawn(shop: House) -> None:
    tracking = shop.plan(GOOD)

    shop.push({"specs/shop.md": None}, "Never mind")
    shop.settle()
    asked = shop.ask(tracking, "/headgate approve")

    assert shop.reactions(asked) == ["eyes", "confused"]
    assert shop.issue(tracking)["state"] == "closed"
    assert shop.runner.take() is None
