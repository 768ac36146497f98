"""A pull that edits a spec shows what its merge does to ids, and the plan agrees."""

from tests.scenarios.test_pulls_that_touch_specs import propose, push_branch, told
from tests.testkit.house import House
from tests.testkit.specs import requirement, spec

SHOP = "specs/shop.md"
KEPT = requirement("DOOR")
OLD = requirement("TILL", says="The till SHALL sum up the prices of all things in the basket.")
LIKE = requirement("CASH", says="The till SHALL count the weights of the things on a scale.")
HEEDED = LIKE.replace("Make the cash work", "Make the till work")


def test_an_uncertain_id_is_shown_and_can_be_fixed_before_the_merge(shop: House) -> None:
    tracking = shop.plan(spec(OLD, KEPT))
    number, head = propose(shop, {SHOP: spec(LIKE, KEPT)})
    check = told(shop, head)
    assert check.conclusion == "success"
    assert "**Ids after the merge**" in check.summary
    assert (
        "- uncertain: `specs.shop#REQ-CASH-01` “Make the cash work” counts as new, and "
        "`specs.shop#REQ-TILL-01` “Make the till work” as removed" in check.summary
    )
    assert "| REQ-DOOR-01 `specs.shop#REQ-DOOR-01` |" in check.text

    mended = push_branch(shop, {SHOP: spec(HEEDED, KEPT)}, "idea")
    shop.settle()
    assert "**Ids after the merge**" not in told(shop, mended).summary
    assert "| REQ-CASH-01 `specs.shop#REQ-TILL-01` |" in told(shop, mended).text

    shop.api("PUT", shop.repo(f"/pulls/{number}/merge"), {}).raise_for_status()
    shop.settle()
    assert "REQ-TILL-01" in shop.body(tracking)
    assert "REQ-CASH-01" not in shop.body(tracking)
    assert "**Ids**" not in shop.body(tracking)


def test_a_merged_uncertain_id_is_shown_in_the_plan(shop: House) -> None:
    tracking = shop.plan(spec(OLD, KEPT))
    shop.push({SHOP: spec(LIKE, KEPT)}, "Another till")
    shop.settle()

    body = shop.body(tracking)
    assert body.count("- uncertain: `specs.shop#REQ-CASH-01` “Make the cash work”") == 1
    assert "texts are" in body
