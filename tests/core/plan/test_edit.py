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


def test_the_unedited_plan_is_as_expected() -> None:
    slugs = {c.slug for c in plan(SHOP).changes}
    assert slugs == {"cart", "pay-make-the-pay-work", "mail-make-the-mail-work"}


def test_splitting_a_change_keeps_only_needed_dependencies() -> None:
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


def test_moving_the_last_requirement_removes_the_empty_change() -> None:
    done = after("move REQ-MAIL-01 to `cart`").plan
    assert "mail-make-the-mail-work" not in shape(done)
    assert "REQ-MAIL-01" in shape(done)["cart"]
    assert check(done, SHOP) == ()


def test_dropping_a_change_names_its_requirements_and_keeps_the_rest() -> None:
    done = after("drop mail-make-the-mail-work")
    assert [r.partition("#")[2] for r in done.dropped] == ["REQ-MAIL-01"]
    kept: dict[str, str] = {r.id: "" for r in SHOP.requirements if r.id not in done.dropped}
    assert check(done.plan, only(SHOP, kept)) == ()


def test_a_size_set_by_a_person_survives_other_edits() -> None:
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
def test_an_unknown_name_in_an_edit_is_reported(words: str) -> None:
    done = edited(plan(SHOP), SHOP, tuple(words.split()))
    assert isinstance(done, EditRefusal)
    assert done.unknown


@pytest.mark.parametrize(
    "words", ["", "split", "merge cart", "move x cart", "size cart XL", "sing"]
)
def test_an_invalid_edit_is_refused_with_usage(words: str) -> None:
    done = edited(plan(SHOP), SHOP, tuple(words.split()))
    assert isinstance(done, EditRefusal)
    assert done.usage
