"""A spec that is edited while its run is under way: only affected changes are stopped."""

from tests.testkit.house import House
from tests.testkit.specs import requirement, spec

TWO = spec(requirement("TILL"), requirement("DOOR"))
HARDER = spec(
    requirement("TILL", says="The till SHALL work without electricity."), requirement("DOOR")
)
THREE = spec(requirement("TILL"), requirement("DOOR"), requirement("CART", after="TILL"))


def edit(shop: House, text: str) -> None:
    """Push the edited spec and wait until it was handled."""
    shop.push({"specs/shop.md": text}, "Think again")
    shop.settle()
    shop.forward(seconds=2)


def test_an_added_requirement_is_a_revision_and_lands_in_the_same_run(shop: House) -> None:
    tracking = shop.start(TWO)

    edit(shop, THREE)

    assert "- Added: `REQ-CART-01`" in shop.comments(tracking)[-1]
    assert "Plan of `specs/shop.md`, revision 2" in shop.body(tracking)
    assert "`/headgate approve r2`" in shop.body(tracking)
    assert "Make the cart work" not in [i["title"] for i in shop.issues()]
    shop.work()
    assert shop.issue(tracking)["state"] == "open"
    assert len(shop.pulls("closed")) == 2

    asked = shop.ask(tracking, "/headgate approve r2")
    assert shop.reactions(asked) == ["eyes", "rocket"]
    shop.work()

    assert shop.issue(tracking)["state"] == "closed"
    assert shop.issue(shop.number("Make the cart work"))["state"] == "closed"
    assert "3 of 3 requirements landed" in shop.comments(tracking)[-1]


def test_a_changed_requirement_stops_its_change_which_continues_with_the_new_text(
    shop: House,
) -> None:
    tracking = shop.start(TWO)
    till, door = shop.number("Make the till work"), shop.number("Make the door work")

    edit(shop, HARDER)

    assert "changed `REQ-TILL-01`, so this change is stopped" in shop.comments(till)[-1]
    assert shop.comments(door) == []
    shop.work()
    assert shop.issue(door)["state"] == "closed"
    assert shop.issue(till)["state"] == "open"

    shop.ask(tracking, "/headgate approve")
    lease = shop.runner.take()
    assert lease is not None
    assert "without electricity" in lease.order.model_dump_json()
    shop.runner.do(lease)
    shop.work()
    assert shop.issue(tracking)["state"] == "closed"
    assert "2 of 2 requirements landed" in shop.comments(tracking)[-1]


def test_a_reverted_edit_leaves_the_run_as_approved(shop: House) -> None:
    tracking = shop.start(TWO)
    edit(shop, HARDER)

    edit(shop, TWO)

    assert "revision 1" in shop.body(tracking)
    assert "was edited while this run is in progress" not in shop.body(tracking)
    shop.work()
    assert shop.issue(tracking)["state"] == "closed"
    assert "2 of 2 requirements landed" in shop.comments(tracking)[-1]


def test_a_removed_requirement_removes_its_change_and_keeps_the_work(
    shop: House,
) -> None:
    tracking = shop.start(TWO)
    till, door = shop.number("Make the till work"), shop.number("Make the door work")

    edit(shop, spec(requirement("DOOR")))
    assert "- Removed: `REQ-TILL-01`" in shop.comments(tracking)[-1]
    assert (
        "- The plan loses the change `till-make-the-till-work`; its work is kept."
        in shop.comments(tracking)[-1]
    )
    shop.ask(tracking, "/headgate approve r2")
    shop.work()

    assert shop.issue(till)["state_reason"] == "not_planned"
    assert shop.issue(door)["state_reason"] == "completed"
    assert shop.issue(tracking)["state"] == "closed"


def test_an_approval_of_a_hidden_revision_does_not_count(shop: House) -> None:
    tracking = shop.start(TWO)

    shop.push({"specs/shop.md": THREE}, "Ask for more")
    shop.comment(tracking, "/headgate approve r2")
    shop.settle()

    assert "/headgate approve r2" in shop.body(tracking)
    shop.work()
    assert shop.issue(tracking)["state"] == "open"


def test_a_question_about_an_edit_blocks_its_approval(shop: House) -> None:
    tracking = shop.start(TWO)
    edit(shop, spec(requirement("TILL"), requirement("DOOR"), requirement("CART", says="TBD")))

    early = shop.ask(tracking, "/headgate approve r2")
    assert shop.reactions(early) == ["eyes", "confused"]

    shop.ask(tracking, "/headgate answer 1 It holds ten things.")
    assert shop.reactions(shop.ask(tracking, "/headgate approve r2")) == ["eyes", "rocket"]
    shop.work()
    assert shop.issue(tracking)["state"] == "closed"
