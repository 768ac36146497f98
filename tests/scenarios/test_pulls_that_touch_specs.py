"""A pull that touches a spec shows what its merge would start."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.testkit.house import House, house
from tests.testkit.hub_setup import PERMISSIONS, POLICY
from tests.testkit.openspec import DOOR_DELTA, FOLDER, PROPOSAL, TILL, TILL_DELTA
from tests.testkit.people import SeenCheck
from tests.testkit.specs import requirement, spec

GOOD = spec(requirement("TILL"))
TWO = spec(requirement("TILL"), requirement("DOOR"))
OPEN = spec(requirement("TILL", says="The till SHALL answer within TBD seconds."))


def propose(shop: House, files: dict[str, str | None], branch: str = "idea") -> tuple[int, str]:
    """Open a pull that changes files and deliver its webhooks; returns its number and head."""
    head = push_branch(shop, files, branch)
    asked = {"title": "An idea", "head": branch, "base": "main", "body": ""}
    answer = shop.api("POST", shop.repo("/pulls"), asked)
    answer.raise_for_status()
    shop.settle()
    return int(answer.json()["number"]), head


def push_branch(shop: House, files: dict[str, str | None], branch: str) -> str:
    """Files on main as it is now, on a branch; the new commit."""
    clone = shop.clone()
    for path, text in files.items():
        place = clone / path
        if text is None:
            place.unlink()
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
    shop.git(clone, "add", "-A")
    shop.git(clone, "commit", "-q", "-m", "An idea")
    shop.git(clone, "push", "-q", "--force", "origin", f"HEAD:{branch}")
    return shop.git(clone, "rev-parse", "HEAD")


def told(shop: House, head: str) -> SeenCheck:
    """The check run `headgate/spec` at a commit."""
    return shop.checks(head)["headgate/spec"]


@pytest.fixture
def market(tmp_path: Path) -> Iterator[House]:
    """A repository with an OpenSpec folder."""
    with house(tmp_path, {"openspec/specs/till/spec.md": TILL}) as story:
        yield story


def test_a_pull_shows_the_parsed_requirements_and_the_plan(shop: House) -> None:
    _, head = propose(shop, {"specs/shop.md": f"{TWO}\nWe had cake.\n"})

    check = told(shop, head)
    assert check.conclusion == "success"
    assert check.title == "2 requirements understood"
    assert "Read as req-id: 2 requirements, 2 scenarios." in check.summary
    assert "- new change: `till-make-the-till-work` Make the till work" in check.summary
    assert f"/team/shop/blob/{head}/specs/shop.md#L5-L10" in check.text
    assert "The till SHALL work as described." in check.text
    assert shop.issues() == []


def test_a_pull_without_specs_gets_no_check(shop: House) -> None:
    _, head = propose(shop, {"README.md": "# Ours\n"})
    shop.sweep()

    assert shop.check_runs(head) == {}


def test_a_blocking_finding_fails_the_check_at_its_line(shop: House) -> None:
    _, head = propose(shop, {"specs/shop.md": f"# Shop\n\n```\n\n{GOOD}"})

    check = told(shop, head)
    assert check.conclusion == "failure"
    assert "blocking finding" in check.title
    assert any(r.startswith("specs/shop.md:3 This code block is never") for r in check.remarks)

    mended = push_branch(shop, {"specs/shop.md": GOOD}, "idea")
    shop.settle()

    assert told(shop, mended).conclusion == "success"


def test_the_plan_is_shown_as_a_difference_and_updated_when_main_moves(shop: House) -> None:
    shop.plan(GOOD)
    _, head = propose(shop, {"specs/shop.md": TWO})
    assert "- new change: `door-make-the-door-work`" in told(shop, head).summary
    assert "till-make-the-till-work" not in told(shop, head).summary

    shop.push({"specs/shop.md": TWO}, "The same, by hand")
    shop.settle()
    shop.push({"specs/shop.md": GOOD}, "And back")
    shop.settle()

    assert "- new change: `door-make-the-door-work`" in told(shop, head).summary
    runs = shop.api("GET", shop.repo(f"/commits/{head}/check-runs?filter=all")).json()
    names = [r["external_id"] for r in runs["check_runs"]]
    assert len(names) == len(set(names))


def test_the_sweep_replaces_a_lost_webhook_and_publishes_once(shop: House) -> None:
    _, head = push_branch(shop, {"specs/shop.md": GOOD}, "idea"), shop.ref("idea")
    body = {"title": "An idea", "head": "idea", "base": "main"}
    shop.api("POST", shop.repo("/pulls"), body).raise_for_status()
    shop.hold_deliveries()
    assert shop.check_runs(head) == {}

    for _ in range(3):
        shop.sweep()

    runs = shop.api("GET", shop.repo(f"/commits/{head}/check-runs?filter=all")).json()
    assert [r["name"] for r in runs["check_runs"]] == ["headgate/spec"]


def test_another_apps_check_with_our_name_is_not_edited(shop: House) -> None:
    other = shop.hub.register_app("mimic", None, "x", PERMISSIONS, ())
    shop.hub.install_app(other.app_id, "team")
    head = push_branch(shop, {"specs/shop.md": GOOD}, "idea")
    theirs = {
        "name": "headgate/spec",
        "head_sha": head,
        "external_id": "spec-pull:1:r1",
        "status": "completed",
        "conclusion": "failure",
    }
    token = shop.app_token(other.app_id)
    made = shop.api("POST", shop.repo("/check-runs"), theirs, token).json()["id"]

    propose(shop, {"specs/shop.md": GOOD})

    head = shop.ref("idea")
    assert shop.api("GET", shop.repo(f"/check-runs/{made}")).json()["conclusion"] == "failure"
    assert told(shop, head).conclusion == "success"


def test_a_delta_is_test_folded_against_main(market: House) -> None:
    files: dict[str, str | None] = {
        f"{FOLDER}/proposal.md": PROPOSAL,
        f"{FOLDER}/specs/till/spec.md": TILL_DELTA,
        f"{FOLDER}/specs/door/spec.md": DOOR_DELTA,
    }
    _, head = propose(market, files)
    assert told(market, head).conclusion == "success"

    market.push(
        {"openspec/specs/till/spec.md": TILL.replace("Requirement: Sum up", "Requirement: Add up")},
        "Rename by hand",
    )
    market.settle()

    check = told(market, head)
    assert check.conclusion == "failure"
    assert any(
        r.startswith(f"{FOLDER}/specs/till/spec.md:3 ") and "Sum up" in r for r in check.remarks
    )


def test_a_pull_that_weakens_main_specs_outside_a_delta_says_so(market: House) -> None:
    weaker = TILL.replace("The till SHALL sum", "The till MAY sum")
    _, head = propose(market, {"openspec/specs/till/spec.md": weaker})

    check = told(market, head)
    assert check.conclusion == "success"
    assert check.remarks == (
        "openspec/specs/till/spec.md:8 'Sum up' said must and says may now. Is it meant to bind less?",
    )


@pytest.mark.parametrize("guard", ["off", "warn", "fail"])
def test_a_deleted_requirement_is_reported_as_the_policy_says(tmp_path: Path, guard: str) -> None:
    with house(tmp_path, {"specs/shop.md": TWO}, f"{POLICY}losses: '{guard}'\n") as shop:
        _, head = propose(shop, {"specs/shop.md": GOOD})

        check = told(shop, head)
        assert check.conclusion == ("failure" if guard == "fail" else "success")
        assert any("is deleted here" in r for r in check.remarks) is (guard != "off")


def test_an_archive_by_hand_is_not_a_loss(market: House) -> None:
    delta = "## REMOVED Requirements\n\n### Requirement: Sum up\n**Reason**: nobody pays.\n"
    add = TILL + TILL.partition("## Requirements")[2].replace("Sum up", "Greet")
    market.push({"openspec/specs/till/spec.md": add}, "Greet")
    market.push({f"{FOLDER}/specs/till/spec.md": delta}, "Pay no more")
    market.settle()
    old = f"{FOLDER}/specs/till/spec.md"
    new = old.replace("changes/", "changes/archive/2026-01-01-")
    left = add.replace(TILL.partition("## Requirements")[2], "\n", 1)
    _, head = propose(market, {old: None, new: delta, "openspec/specs/till/spec.md": left})

    assert not [r for r in told(market, head).remarks if "deleted" in r]


def test_an_answer_on_the_pull_is_valid_after_the_merge(
    shop: House,
) -> None:
    number, head = propose(shop, {"specs/shop.md": OPEN})
    check = told(shop, head)
    assert check.conclusion == "failure"
    assert "1 question to answer first" in check.title
    assert "- **1.** [`specs/shop.md:6`]" in check.summary

    token = shop.hire("ben")
    stranger = shop.ask(number, "/headgate answer 1 Now.", "eve")
    asked = shop.ask(number, "/headgate answer 1 within `2` seconds", "ben")

    assert token
    assert "needs the role write; @eve has the role read here." in shop.reply(number, stranger)
    assert "Answered by @ben: within" in shop.reply(number, asked)
    assert told(shop, head).conclusion == "success"
    assert "Answered by @ben: within" in told(shop, head).summary

    shop.api("PUT", shop.repo(f"/pulls/{number}/merge"), {}).raise_for_status()
    shop.settle()
    shop.judge_main()
    tracking = int(shop.tracking()["number"])
    assert "Answered by @ben: within" in shop.body(tracking)
    shop.ask(tracking, "/headgate approve")
    lease = shop.runner.take()
    assert lease is not None
    assert "Decided by ben: within `2` seconds" in lease.order.model_dump_json()
