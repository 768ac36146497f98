"""A run plans uncovered requirements again, and reports at the end what is missing."""

from pathlib import Path

from action.order import AgentOrder
from tests.testkit.house import House
from tests.testkit.hub_setup import POLICY
from tests.testkit.runner import writes_a_file
from tests.testkit.specs import spec

SPEC = "specs/shop/spec.md"
ONCE = f"{POLICY}attempts_max: 1\n"


def cart(number: int) -> str:
    return (
        f"### REQ-CART-0{number}: Count the things, part {number}\nThe cart SHALL count part "
        f"{number}.\n\n#### Scenario: Part {number}\n- **WHEN** part {number} is there\n"
        f"- **THEN** it is counted\n"
    )


def breaks_the_second(order: AgentOrder, tree: Path) -> None:
    """An agent that breaks the shop wherever it is asked for the second requirement."""
    writes_a_file(order, tree)
    if any(r.id.endswith("REQ-CART-02") for r in order.requirements):
        (tree / "broken").write_text("no gate passes this\n")


def test_requirements_that_failed_together_are_tried_one_by_one(
    shop: House,
) -> None:
    shop.runner.agent = breaks_the_second
    shop.push({".github/headgate.yml": ONCE}, "One attempt is enough")
    shop.push({SPEC: spec(cart(1), cart(2), cart(3))}, "A spec")
    shop.settle()
    tracking = int(shop.tracking()["number"])
    assert "3 requirements in 1 change " in shop.body(tracking)

    shop.ask(tracking, "/headgate approve")
    shop.work()

    files = shop.main_files()
    landed = "\n".join(text for path, text in files.items() if path.startswith("src/"))
    assert ("REQ-CART-01" in landed, "REQ-CART-02" in landed) == (True, False)
    assert "REQ-CART-03" in landed
    report = shop.comments(tracking)[-1]
    assert "2 of 3 requirements landed" in report
    assert "**2 of 3 requirements are covered** (on main). These 1 are not:" in report
    assert "- REQ-CART-02 (`specs/shop/spec.md:" in report
    assert "Planned again, cycle 1: `REQ-CART-01`, `REQ-CART-02`, `REQ-CART-03`" in report
    assert "planned again" in shop.body(tracking)
    # Approved once, by a person: the replan asks for nothing that was not approved.
    assert len([c for c in shop.comments(tracking) if "/headgate approve" in c]) == 1


def test_a_requirement_without_a_test_gets_one_if_the_policy_asks(shop: House) -> None:
    def tests_only_when_told(order: AgentOrder, tree: Path) -> None:
        writes_a_file(order, tree)
        if any("name the id" in text for text in order.bearings):
            place = tree / "tests" / "test_cart.py"
            place.parent.mkdir(exist_ok=True)
            named = " ".join(r.id for r in order.requirements)
            place.write_text(f"def test_cart():\n    # {named}\n    assert 1 + 1 == 2\n")

    shop.runner.agent = tests_only_when_told
    shop.push({".github/headgate.yml": f"{POLICY}covered_when: named\n"}, "Ask for tests")
    shop.push({SPEC: spec(cart(1))}, "A spec")
    shop.settle()
    tracking = int(shop.tracking()["number"])
    shop.ask(tracking, "/headgate approve")
    shop.work()

    titles = [issue["title"] for issue in shop.issues()]
    assert [title for title in titles if title.startswith("Tests for ")]
    report = shop.comments(tracking)[-1]
    assert (
        "1 of 1 requirements are covered, each by work on main and by a test that names it."
        in report
    )
    assert shop.issue(tracking)["state"] == "closed"
