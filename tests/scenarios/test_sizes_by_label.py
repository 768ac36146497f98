"""A label on a change's issue sets its size, by webhook or by the sweep, and the plan shows it."""

from action.order import AgentOrder
from bot.localhub.model import Role
from tests.testkit.house import House
from tests.testkit.specs import requirement, spec

BIG, SMALL = "headgate:size-M", "headgate:size-S"


def label(shop: House, issue: int, name: str, login: str = "ada") -> None:
    path = shop.repo(f"/issues/{issue}/labels")
    shop.api("POST", path, {"labels": [name]}, shop.tokens[login]).raise_for_status()


def unlabel(shop: House, issue: int, name: str) -> None:
    shop.api("DELETE", shop.repo(f"/issues/{issue}/labels/{name}")).raise_for_status()


def test_a_label_makes_a_change_large_until_it_is_removed(shop: House) -> None:
    tracking = shop.start(spec(requirement("TILL")))
    till = shop.number("Make the till work")
    assert "Sizes: 1 S, 0 M." in shop.body(tracking)

    label(shop, till, BIG)
    shop.settle()
    assert "M (label by @ada)" in shop.body(tracking)

    unlabel(shop, till, BIG)
    shop.settle()
    assert "Sizes: 1 S, 0 M." in shop.body(tracking)

    label(shop, till, BIG)
    label(shop, till, SMALL)
    shop.settle()
    assert "S (label by @ada)" in shop.body(tracking)

    unlabel(shop, till, SMALL)
    shop.settle()
    # The order that was placed before the label is another one's: the next one has the size.
    shop.ask(tracking, "/headgate stop")
    shop.ask(till, "/headgate retry")
    lease = shop.runner.take()
    assert lease is not None
    assert isinstance(lease.order, AgentOrder)
    assert lease.order.agent.limits.dollars_max == 2.0


def test_the_sweep_notices_a_label_with_a_lost_webhook(shop: House) -> None:
    tracking = shop.start(spec(requirement("TILL")))
    label(shop, shop.number("Make the till work"), BIG)
    shop.hold_deliveries()

    shop.sweep()
    assert "M (label by @ada)" in shop.body(tracking)

    unlabel(shop, shop.number("Make the till work"), BIG)
    shop.hold_deliveries()
    shop.sweep()
    assert "label by" not in shop.body(tracking)


def test_a_size_label_without_write_permission_is_refused(shop: House) -> None:
    tracking = shop.start(spec(requirement("TILL")))
    till = shop.number("Make the till work")
    shop.hire("tim", Role.TRIAGE)
    label(shop, till, BIG, "tim")
    shop.settle()
    shop.sweep()
    assert "has the role triage here" in shop.comments(till)[-1]
    assert len([c for c in shop.comments(till) if "has the role" in c]) == 1
    assert "Sizes: 1 S, 0 M." in shop.body(tracking)
