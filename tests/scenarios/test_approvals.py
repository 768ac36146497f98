"""An approval counts only for the revision that the person saw."""

from tests.testkit.house import House
from tests.testkit.specs import requirement, spec

ONE = spec(requirement("TILL"))
TWO = spec(requirement("TILL"), requirement("DOOR"))


def test_an_approval_written_before_the_plan_changed_is_refused_and_can_be_given_again(
    shop: House,
) -> None:
    tracking = shop.plan(ONE)
    shop.forward(seconds=10)
    stale = shop.comment(tracking, "/headgate approve")
    held = shop.hold_deliveries()
    shop.forward(seconds=10)
    shop.plan(TWO)

    shop.bell.deliveries += held
    shop.settle()

    assert shop.reactions(stale) == ["eyes", "confused"]
    assert shop.reply(tracking, stale) == (
        "The plan was not approved. When you wrote that comment, this issue showed revision 1. "
        "The plan is now at revision 2. Please read it and approve again."
    )
    assert shop.runner.take() is None
    shop.forward(seconds=10)
    fresh = shop.ask(tracking, "/headgate approve")
    assert shop.reactions(fresh) == ["eyes", "rocket"]
    assert "Approved by @ada." in shop.body(tracking)


def test_a_revision_that_is_not_shown_cannot_be_approved_by_number(shop: House) -> None:
    tracking = shop.plan(ONE)

    wrong = shop.ask(tracking, "/headgate approve r2")
    right = shop.ask(tracking, "/headgate approve r1")

    assert shop.reply(tracking, wrong) == (
        "`r2` is not the revision that this issue shows, which is `r1`."
    )
    assert shop.reactions(right) == ["eyes", "rocket"]


def test_an_edit_before_approval_is_planned_again_in_the_same_issue(shop: House) -> None:
    tracking = shop.plan(TWO)

    assert shop.plan(ONE) == tracking

    assert "revision 2" in shop.body(tracking)
    assert "REQ-DOOR-01" not in shop.body(tracking)
    assert [i["number"] for i in shop.issues()] == [tracking]
    shop.forward(seconds=2)
    shop.ask(tracking, "/headgate approve")
    shop.work()
    assert [p["title"] for p in shop.pulls()] == ["Make the till work"]


def test_an_edit_without_a_new_meaning_starts_no_work(shop: House) -> None:
    tracking = shop.start(ONE)
    shop.work()

    thanks = ONE.replace("## Requirements", "Thanks to everybody.\n\n## Requirements")
    shop.push({"specs/shop.md": thanks}, "Say thanks")
    shop.settle()

    assert int(shop.tracking()["number"]) == tracking
    assert shop.runner.take() is None


def test_the_policys_approver_role_is_required(shop: House) -> None:
    policy = shop.main_files()[".github/headgate.yml"]
    shop.push({".github/headgate.yml": f"{policy}\napprover: admin\n"}, "Only admins approve")
    shop.settle()
    tracking = shop.plan(ONE)
    shop.hire("dora")

    asked = shop.ask(tracking, "/headgate approve", "dora")

    assert (
        shop.reply(tracking, asked)
        == "`/headgate approve` needs the role admin; @dora has the role write here."
    )
    assert shop.runner.take() is None
