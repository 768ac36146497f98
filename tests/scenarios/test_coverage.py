"""Coverage: people see which commit and which tests belong to each requirement."""

import sys
from pathlib import Path

from action.order import AgentOrder
from tests.testkit.house import House
from tests.testkit.runner import writes_a_file
from tests.testkit.specs import requirement, spec

SPEC = "specs/shop/spec.md"
TESTED = f"""\
version: 1
quiet_seconds: 0
gates:
  test:
    run: PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 {sys.executable} -m pytest -q -p no:cacheprovider --junitxml=$HEADGATE_JUNIT tests
    junit: true
"""


def writes_a_test_of_the_cart(order: AgentOrder, tree: Path) -> None:
    """An agent that tests the cart by its requirement's id, and nothing else."""
    writes_a_file(order, tree)
    for asked in order.requirements:
        if "CART" in asked.id:
            place = tree / "tests" / "test_cart.py"
            place.parent.mkdir(exist_ok=True)
            place.write_text(f'def test_cart():\n    """{asked.id}"""\n    assert 1 + 1 == 2\n')


def test_the_tracking_issue_and_the_report_show_which_requirements_tests_name(shop: House) -> None:
    shop.runner.agent = writes_a_test_of_the_cart
    shop.push({SPEC: spec(requirement("CART"), requirement("TILL"))}, "A spec")
    shop.settle()
    tracking = int(shop.tracking()["number"])
    assert "Coverage:" not in shop.body(tracking)

    shop.ask(tracking, "/headgate approve")
    shop.work()

    commit = shop.ref("main")[:10]
    for text in (shop.body(tracking), shop.comments(tracking)[-1]):
        assert "Coverage: 2 of 2 requirements on main, 1 named by tests" in text
        rows = {line.split("|")[1].strip(): line for line in text.splitlines() if "REQ-" in line}
        assert "| named |" in rows["REQ-CART-01"]
        assert "`tests/test_cart.py::test_cart`" in rows["REQ-CART-01"]
        assert "| implemented |" in rows["REQ-TILL-01"]
        assert any(commit in row for row in rows.values())
    assert "2 of 2 requirements are covered, each by work on main." in shop.comments(tracking)[-1]


def writes_tests(order: AgentOrder, tree: Path) -> None:
    """An honest agent: a test for each requirement, which names it in its docstring."""
    writes_a_file(order, tree)
    for asked in order.requirements:
        name = asked.id.rpartition("#")[2].replace("-", "_").lower()
        body = f'def test_{name}_works():\n    """{asked.id}"""\n    assert 1 + 1 == 2\n'
        (tree / "tests" / f"test_{name}.py").write_text(body)


def test_an_honest_run_ends_with_a_passed_test_for_each_requirement(shop: House) -> None:
    """The policy does not require it: a gate that reports JUnit is enough."""
    shop.runner.agent = writes_tests
    shop.push(
        {
            ".github/headgate.yml": TESTED,
            "tests/test_base.py": "def test_base():\n    assert 1 + 1 == 2\n",
        },
        "Ask pytest",
    )
    shop.push({SPEC: spec(requirement("CART"), requirement("TILL"))}, "A spec")
    shop.settle()
    tracking = int(shop.tracking()["number"])
    shop.ask(tracking, "/headgate approve")
    shop.work()

    said = "2 of 2 requirements are covered, each by a test that passed on main."
    assert said in shop.comments(tracking)[-1]
    assert shop.body(tracking).count("| tested |") == 2
    assert not [i for i in shop.issues() if i["title"].startswith("Tests for ")]
    assert shop.issue(tracking)["state_reason"] == "completed"
