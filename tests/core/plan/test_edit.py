"""A person's edits of a plan: what each makes of it, and what cannot be done."""

import pytest

from bot.core.plan.check import check
from bot.core.plan.deterministic import plan
from bot.core.plan.edit import Edited, EditRefusal, edited
from bot.core.plan.vocabulary import only
from bot.core.spec.read import read_spec
from bot.core.values.plan_model import ChangeSize, Plan, Planner
from tests.testkit.specs import requirement, spec

SHOP = read_spec(
    "specs/shop.md",
    {
        "specs/shop.md": (
            spec(
                requirement("CART"),
                requirement("CART").replace("01", "02"),
                requirement("PAY", after="CART"),
                requirement("MAIL"),
            )
        ).encode()
    },
)


def shape(of: Plan) -> dict[str, set[str]]:
    return {c.slug: {r.partition("#")[2] for r in c.requirements} for c in of.changes}


def after(words: str) -> Edited:
    done = edited(plan(SHOP), SHOP, tuple(words.split()))
    assert isinstance(done, Edited), done
    return done


def test_the_spec_before_any_edit() -> None:
    slugs = {c.slug for c in plan(SHOP).changes}
    assert slugs == {"cart", "pay-make-the-pay-work", "mail-make-the-mail-work"}


def test_a_change_is_split_in_two_and_what_waits_for_it_waits_for_what_it_needs() -> None:
    done = after("split cart").plan
    assert sorted(map(len, shape(done).values())) == [1, 1, 1, 1]
    assert check(done, SHOP) == ()
    pay = next(c for c in done.changes if c.slug == "pay-make-the-pay-work")
    assert len(pay.depends_on) == 1


def test_chosen_requirements_are_split_out() -> None:
    done = after("split cart REQ-CART-02").plan
    assert shape(done)["cart"] == {"REQ-CART-01"}


def test_changes_are_merged_under_the_first_ones_name() -> None:
    done = after("merge pay-make-the-pay-work mail-make-the-mail-work").plan
    assert shape(done)["pay-make-the-pay-work"] == {"REQ-PAY-01", "REQ-MAIL-01"}
    assert check(done, SHOP) == ()


def test_a_requirement_is_moved_and_an_empty_change_goes() -> None:
    done = after("move REQ-MAIL-01 to `cart`").plan
    assert "mail-make-the-mail-work" not in shape(done)
    assert "REQ-MAIL-01" in shape(done)["cart"]
    assert check(done, SHOP) == ()


def test_what_is_dropped_is_named_and_the_rest_is_whole() -> None:
    done = after("drop mail-make-the-mail-work")
    assert [r.partition("#")[2] for r in done.dropped] == ["REQ-MAIL-01"]
    kept: dict[str, str] = {r.id: "" for r in SHOP.requirements if r.id not in done.dropped}
    assert check(done.plan, only(SHOP, kept)) == ()


def test_a_size_that_a_person_said_outlives_other_edits() -> None:
    done = after("size mail-make-the-mail-work m").plan
    mail = next(c for c in done.changes if c.slug == "mail-make-the-mail-work")
    assert mail.size is ChangeSize.M
    again = edited(done, SHOP, ("split", "cart"))
    assert isinstance(again, Edited)
    mail = next(c for c in again.plan.changes if c.slug == "mail-make-the-mail-work")
    assert mail.size is ChangeSize.M


def test_an_edit_is_a_revision_by_a_person() -> None:
    done = after("split cart").plan
    assert (done.revision, done.planner) == (2, Planner.PERSON)


@pytest.mark.parametrize(
    "words",
    [
        "split pay-make-the-pay-work",
        "split nobody",
        "split cart REQ-MAIL-01",
        "split cart REQ-CART-01 REQ-CART-02",
        "merge cart nobody",
        "move REQ-NO-01 to cart",
        "move REQ-MAIL-01 to nobody",
        "drop nobody",
        "drop cart pay-make-the-pay-work mail-make-the-mail-work",
        "size nobody S",
    ],
)
def test_what_is_not_there_is_named(words: str) -> None:
    done = edited(plan(SHOP), SHOP, tuple(words.split()))
    assert isinstance(done, EditRefusal)
    assert done.unknown


@pytest.mark.parametrize(
    "words", ["", "split", "merge cart", "move x cart", "size cart XL", "sing"]
)
def test_what_is_not_an_edit_is_refused(words: str) -> None:
    done = edited(plan(SHOP), SHOP, tuple(words.split()))
    assert isinstance(done, EditRefusal)
    assert done.usage
