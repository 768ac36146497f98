"""What a change's requirements say that it makes or changes."""

from bot.core.plan.deterministic import plan
from tests.core.plan.kit import change, plan_of, requirement, spec


def test_a_plan_keeps_the_hash_that_people_approved() -> None:
    one = change("one", "A")
    assert plan_of(one).hash == plan_of(one.replace(edits=("orders",))).hash


def test_each_change_has_its_own_things_once_and_as_the_spec_spells_them() -> None:
    named = "The endpoint `POST /orders` MUST answer."
    made = plan(
        spec(
            requirement("A", "cart", statement=named, resources=("POST /orders", "/orders")),
            requirement("B", "cart", statement=named, resources=("POST /Orders",)),
            requirement(
                "C", "till", statement="It MUST use `package.json`.", resources=("package.json",)
            ),
        )
    )
    assert {c.edits for c in made.changes} == {("POST /orders",), ("package.json",)}
