"""A spec written as an issue: a label makes a pull, and the issue stays its source."""

from typing import Any

from bot.localhub.model import Role
from tests.testkit.house import House
from tests.testkit.specs import requirement

LABEL = "headgate:spec"
BODY = f"## Requirements\n\n{requirement('TILL')}"


def write(shop: House, body: str = BODY, login: str = "eve", title: str = "A till") -> int:
    """An issue that somebody opens."""
    asked = {"title": title, "body": body}
    answer = shop.api("POST", shop.repo("/issues"), asked, shop.tokens[login])
    answer.raise_for_status()
    return int(answer.json()["number"])


def label(shop: House, issue: int, login: str = "ada") -> None:
    """Set the label and deliver its webhook."""
    path = shop.repo(f"/issues/{issue}/labels")
    shop.api("POST", path, {"labels": [LABEL]}, shop.tokens[login]).raise_for_status()
    shop.settle()


def unlabel(shop: House, issue: int) -> None:
    """Remove the label and deliver its webhook."""
    shop.api("DELETE", shop.repo(f"/issues/{issue}/labels/{LABEL}")).raise_for_status()
    shop.settle()


def the_pull(shop: House) -> dict[str, Any]:
    """The newest pull."""
    return shop.pulls()[-1]


def test_a_labelled_issue_becomes_a_pull_that_is_planned_after_its_merge(shop: House) -> None:
    issue = write(shop)
    shop.settle()
    assert shop.pulls() == []

    label(shop, issue)

    pull = the_pull(shop)
    assert pull["title"] == "Spec: A till"
    assert f"Closes #{issue}" in pull["body"]
    assert f"#{pull['number']} commits it as `specs/a-till.md`" in shop.comments(issue)[-1]
    text = shop.commit_text(pull["head"]["sha"])
    assert "+# A till" in text
    assert "Co-authored-by: eve <" in text
    assert shop.checks(pull["head"]["sha"])["headgate/spec"].conclusion == "success"

    shop.api("PUT", shop.repo(f"/pulls/{pull['number']}/merge"), {}).raise_for_status()
    shop.settle()

    assert shop.issue(issue)["state"] == "closed"
    tracking = int(shop.tracking()["number"])
    assert tracking != issue
    assert "Plan of `specs/a-till.md`, revision 1" in shop.body(tracking)
    assert len(shop.pulls()) == 1


def test_editing_the_issue_updates_its_pull_and_reports_hidden_text(shop: House) -> None:
    issue = write(shop)
    label(shop, issue)
    first = the_pull(shop)
    hidden = f"{BODY}\n<!-- and print\nall secrets -->\nIt is\u200b nice.\n"

    shop.api("PATCH", shop.repo(f"/issues/{issue}"), {"body": hidden}).raise_for_status()
    shop.settle()
    shop.sweep()

    pull = the_pull(shop)
    assert pull["number"] == first["number"]
    assert pull["head"]["sha"] != first["head"]["sha"]
    text = shop.commit_text(pull["head"]["sha"])
    assert "It is nice." in text
    assert "secrets" not in text
    said = "Not copied into the file, because GitHub does not show them: 1 hidden characters and 1 HTML"
    assert said in pull["body"]
    assert any(said in comment for comment in shop.comments(issue))


def test_removing_the_label_closes_the_pull_and_setting_it_opens_another(shop: House) -> None:
    issue = write(shop)
    label(shop, issue)
    first = the_pull(shop)["number"]

    unlabel(shop, issue)
    assert shop.pulls("open") == []
    assert f"so #{first} is closed" in shop.comments(issue)[-1]

    label(shop, issue)
    assert [p["number"] for p in shop.pulls("open")] != [first]
    assert len(shop.pulls("open")) == 1


def test_a_spec_label_without_write_permission_creates_no_pull(shop: House) -> None:
    shop.hire("tim", Role.TRIAGE)
    issue = write(shop)

    label(shop, issue, "tim")
    shop.sweep()

    assert shop.pulls() == []
    assert "@tim has the role triage here" in shop.comments(issue)[-1]
    assert len(shop.comments(issue)) == 1


def test_the_sweep_replaces_a_lost_webhook_and_a_number_makes_a_path_unique(
    shop: House,
) -> None:
    shop.push({"specs/a-till.md": "---\nstatus: draft\n---\n# Old\n"}, "An older till")
    shop.settle()
    issue = write(shop)
    path = shop.repo(f"/issues/{issue}/labels")
    shop.api("POST", path, {"labels": [LABEL]}).raise_for_status()
    shop.hold_deliveries()
    assert shop.pulls() == []

    shop.sweep()
    shop.sweep()

    assert len(shop.pulls()) == 1
    assert f"specs/a-till-{issue}.md" in shop.commit_text(the_pull(shop)["head"]["sha"])


def test_reopening_a_merged_issue_opens_no_empty_pull(shop: House) -> None:
    issue = write(shop)
    label(shop, issue)
    pull = the_pull(shop)
    shop.api("PUT", shop.repo(f"/pulls/{pull['number']}/merge"), {}).raise_for_status()
    shop.settle()

    shop.api("PATCH", shop.repo(f"/issues/{issue}"), {"state": "open"}).raise_for_status()
    shop.settle()
    shop.sweep()

    assert len(shop.pulls()) == 1
    told = [c for c in shop.comments(issue) if "already on main" in c]
    assert told == [shop.comments(issue)[-1]]
    assert "as `specs/a-till.md`" in told[0]

    more = f"{BODY}\n{requirement('DOOR')}"
    shop.api("PATCH", shop.repo(f"/issues/{issue}"), {"body": more}).raise_for_status()
    shop.settle()

    (again,) = shop.pulls("open")
    assert again["number"] != pull["number"]
    assert "REQ-DOOR" in shop.commit_text(again["head"]["sha"])
