"""`/headgate plan …`: people edit the plan in the issue, and the same check applies to them."""

from tests.testkit.house import House
from tests.testkit.specs import requirement, spec

THREE = spec(requirement("CART"), requirement("PAY", after="CART"), requirement("MAIL"))


def test_an_edited_plan_is_a_new_revision_that_can_be_approved_and_run(shop: House) -> None:
    tracking = shop.plan(THREE)
    comment = shop.ask(
        tracking, "/headgate plan merge cart-make-the-cart-work pay-make-the-pay-work"
    )
    assert "rocket" in shop.reactions(comment), shop.reply(tracking, comment)
    body = shop.body(tracking)
    assert "revision 2" in body
    assert "in 2 changes" in body
    assert "Made by a person's edits, and checked." in body
    # Until somebody approves it, an edit costs no issues.
    assert [i["number"] for i in shop.issues()] == [tracking]
    # An approval of the very second in which a revision came counts for the one before.
    shop.forward(seconds=2)
    shop.ask(tracking, "/headgate approve")
    shop.work()
    assert shop.issue(tracking)["state"] == "closed"


def test_a_dropped_requirement_leaves_the_plan(shop: House) -> None:
    tracking = shop.plan(THREE)
    shop.ask(tracking, "/headgate plan drop REQ-MAIL-01")
    body = shop.body(tracking)
    assert "2 requirements in 2 changes" in body
    # An approval of the very second in which a revision came counts for the one before.
    shop.forward(seconds=2)
    shop.ask(tracking, "/headgate approve")
    shop.work()
    assert shop.issue(tracking)["state"] == "closed"
    assert "2 of 2 requirements landed" in "\n".join(shop.comments(tracking))


def test_an_impossible_edit_of_the_plan_is_refused_with_a_reason(shop: House) -> None:
    tracking = shop.plan(THREE)
    shown = shop.body(tracking)
    wrong = shop.ask(tracking, "/headgate plan move REQ-MAIL-01 to nowhere")
    assert "`nowhere` cannot be found" in shop.reply(tracking, wrong)
    vague = shop.ask(tracking, "/headgate plan improve")
    assert "`/headgate plan split CHANGE`" in shop.reply(tracking, vague)
    again = shop.ask(tracking, "/headgate plan again")
    assert "No model can be used here" in shop.reply(tracking, again)
    assert shop.body(tracking) == shown


def test_edits_need_write_permission_and_an_unapproved_plan(shop: House) -> None:
    tracking = shop.plan(THREE)
    stranger = shop.ask(tracking, "/headgate plan drop REQ-MAIL-01", "eve")
    assert "needs the role write" in shop.reply(tracking, stranger)
    shop.ask(tracking, "/headgate approve")
    late = shop.ask(tracking, "/headgate plan drop REQ-MAIL-01")
    assert "only a plan that waits for approval can be edited" in shop.reply(tracking, late)
