"""A model plans failed requirements and edits again."""

from pathlib import Path

from bot.core.journal.events import ModelAsked
from tests.scenarios.test_replans import ONCE, breaks_the_second, cart
from tests.testkit.house import House
from tests.testkit.model import change, handed_in, house_with_model, plan, scene
from tests.testkit.specs import requirement, spec

SPEC = "specs/shop/spec.md"
TOGETHER = plan(change("count", "REQ-CART-01", "REQ-CART-02", "REQ-CART-03"))
APART = plan(
    change("count-the-rest", "REQ-CART-01", "REQ-CART-03"),
    change("count-the-second", "REQ-CART-02"),
)


def calls(shop: House) -> int:
    return sum(1 for e in shop.events("ModelAsked") if isinstance(e, ModelAsked))


def run_to_the_end(shop: House) -> int:
    shop.runner.agent = breaks_the_second
    shop.push({SPEC: spec(cart(1), cart(2), cart(3))}, "A spec")
    shop.settle()
    tracking = int(shop.tracking()["number"])
    shop.ask(tracking, "/headgate approve")
    shop.work()
    return tracking


def test_a_model_splits_failed_requirements_and_gets_the_reasons(tmp_path: Path) -> None:
    told = r"Failed together: specs\.shop#REQ-CART-01, .*After 1 attempts"
    scenes = (scene("again", APART, task=[told]), scene("first", TOGETHER))
    with house_with_model(tmp_path, *scenes, policy=ONCE) as shop:
        tracking = run_to_the_end(shop)
        body = shop.body(tracking)
        assert "Build count-the-rest" in body
        report = shop.comments(tracking)[-1]
        assert "2 of 3 requirements landed" in report
        assert "Planned again, cycle 1 by a model: `REQ-CART-01`" in report
        assert "Planning: 2 calls to models" in report
        assert calls(shop) == 2


def test_if_the_model_fails_the_plan_is_made_by_rules_with_the_reason(tmp_path: Path) -> None:
    bad = handed_in("submit_plan", {"changes": []})
    told = r"Failed together"
    scenes = (scene("again", bad, bad, task=[told]), scene("first", TOGETHER))
    with house_with_model(tmp_path, *scenes, policy=ONCE) as shop:
        tracking = run_to_the_end(shop)
        assert "twice gave an answer without the required format" in shop.body(tracking)
        report = shop.comments(tracking)[-1]
        assert "2 of 3 requirements landed" in report
        assert "Planned again, cycle 1: `REQ-CART-01`" in report


def test_an_edit_during_a_run_is_planned_by_the_model_and_waits_for_approval(
    tmp_path: Path,
) -> None:
    whole = plan(change("till", "REQ-TILL-01"), change("door", "REQ-DOOR-01"))
    part = plan(change("till-and-cart", "REQ-TILL-01", "REQ-CART-01"))
    under_way = r"Under way, not yours: Build door \(specs\.shop#REQ-DOOR-01\)"
    scenes = (
        scene("edit", part, task=[r"Plan all 2 requirements below", under_way]),
        scene("first", whole),
    )
    with house_with_model(tmp_path, *scenes) as shop:
        tracking = shop.start(spec(requirement("TILL"), requirement("DOOR")))
        harder = requirement("TILL", says="The till SHALL work without electricity.")
        edited = spec(harder, requirement("DOOR"), requirement("CART"))
        shop.push({"specs/shop.md": edited}, "Think again")
        shop.settle()
        body = shop.body(tracking)
        assert "`till-and-cart` Build till-and-cart" in body
        assert "`/headgate approve r2`" in body
        shop.forward(seconds=2)
        shop.ask(tracking, "/headgate approve r2")
        shop.work()
        assert shop.issue(tracking)["state"] == "closed"
        assert "3 of 3 requirements landed" in shop.comments(tracking)[-1]
        assert calls(shop) == 2
