"""Questions about a spec: they block the plan, are answered, and return when the text changes."""

from pathlib import Path

from tests.testkit.house import House, house
from tests.testkit.hub_setup import POLICY
from tests.testkit.specs import requirement, spec

OPEN = spec(
    requirement("TILL", says="The till SHALL answer within TBD seconds."),
    requirement("DOOR", says="The door SHALL open for TBD."),
)
UNSEEN = spec("### REQ-TILL-01: Make the till work\nThe till SHALL work as described.\n")


def test_open_questions_block_the_approval_until_all_are_answered(
    shop: House,
) -> None:
    tracking = shop.plan(OPEN)
    assert "**The plan waits for this answer.**" in shop.body(tracking)

    early = shop.ask(tracking, "/headgate approve")
    assert shop.reactions(early) == ["eyes", "confused"]
    assert "its plan waits for the answers" in shop.reply(tracking, early)

    asked = shop.ask(tracking, "/headgate answer\n1. two seconds\n2. everybody,\n   always\n")
    assert shop.reactions(asked) == ["eyes", "rocket"]
    assert "The plan waits for this answer" not in shop.body(tracking)
    assert "Answered by @ada: everybody, always" in shop.body(tracking)

    shop.ask(tracking, "/headgate approve")
    shop.work()
    assert shop.issue(tracking)["state"] == "closed"


def test_an_answer_expires_when_the_text_changes(shop: House) -> None:
    tracking = shop.plan(OPEN)
    shop.ask(tracking, "/headgate answer\n1. two seconds\n2. everybody")

    shop.push({"specs/shop.md": OPEN.replace("The till is used", "The till is hit")}, "Reword")
    shop.settle()
    shop.forward(seconds=2)

    body = shop.body(tracking)
    assert "The answer of @ada no longer counts, because the text has changed since then." in body
    assert "Answered by @ada: everybody" in body
    refused = shop.ask(tracking, "/headgate approve")
    assert shop.reactions(refused) == ["eyes", "confused"]

    shop.push({"specs/shop.md": OPEN.replace("TBD", "two")}, "Say it in the spec")
    shop.settle()
    shop.forward(seconds=2)
    approved = shop.ask(tracking, "/headgate approve")
    assert shop.reactions(approved) == ["eyes", "rocket"]


def test_a_number_that_was_not_asked_is_refused(shop: House) -> None:
    tracking = shop.plan(OPEN)

    wrong = shop.ask(tracking, "/headgate answer 9 never")
    bare = shop.ask(tracking, "/headgate answer")

    assert shop.reply(tracking, wrong) == "There is no question 9 here. Questions here: 1, 2."
    assert "needs a number and a text. Questions here: 1, 2." in shop.reply(tracking, bare)


def test_a_missing_criterion_blocks_only_under_a_strict_policy(tmp_path: Path) -> None:
    with house(tmp_path / "lenient") as shop:
        tracking = shop.plan(UNSEEN)
        assert "### Questions" in shop.body(tracking)
        assert shop.reactions(shop.ask(tracking, "/headgate approve")) == ["eyes", "rocket"]
    with house(tmp_path / "strict", policy=f"{POLICY}questions: strict\n") as shop:
        tracking = shop.plan(UNSEEN)
        assert shop.reactions(shop.ask(tracking, "/headgate approve")) == ["eyes", "confused"]
        shop.ask(tracking, "/headgate answer 1 under a second")
        assert shop.reactions(shop.ask(tracking, "/headgate approve")) == ["eyes", "rocket"]
