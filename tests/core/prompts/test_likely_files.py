"""Likely files that an order names besides the plan's: by words, by commits, at most twenty."""

import pytest

from action.order import AgentOrder, ChangeBrief, RequirementText
from bot.core.prompts.likely_files import LIKELY_MAX, likely_files

PATHS = (
    *("shop/till.py", "shop/receipt_printer.py", "shop/stock.py", "shop/tax.py", "README.md"),
    *("tests/test_receipt.py", "specs/receipts.md", ".github/receipt.yml", "web/app.js"),
)
HISTORY = [
    ("shop/receipt_printer.py", "shop/tax.py"),
    ("shop/receipt_printer.py", "shop/tax.py", "web/app.js"),
    ("shop/stock.py",),
]


def order(files: tuple[str, ...] = ()) -> AgentOrder:
    return AgentOrder(
        order_id="o1",
        repository="acme/shop",
        clone_url="https://github.com/acme/shop.git",
        base_sha="b" * 40,
        start_sha="b" * 40,
        start_ref="refs/heads/main",
        change="print",
        title="Print a receipt",
        attempt=1,
        requirements=(
            RequirementText(
                id="REQ-1",
                title="Receipts",
                statement="The till SHALL print a receipt.",
                scenarios=(),
                spec_path="specs/receipts.md",
                line=1,
            ),
        ),
        brief=ChangeBrief(files=files),
    )


def test_likely_files_include_matching_files_and_files_changed_with_them() -> None:
    found = likely_files(order(), PATHS, HISTORY)
    assert set(found[:3]) == {"shop/receipt_printer.py", "tests/test_receipt.py", "shop/till.py"}
    assert "shop/tax.py" in found
    assert {"shop/stock.py", "README.md"}.isdisjoint(found)
    # Once together may be chance.
    assert "web/app.js" not in found


def test_specs_and_configuration_files_are_not_likely_files() -> None:
    found = likely_files(order(), PATHS, HISTORY)
    assert {"specs/receipts.md", ".github/receipt.yml"}.isdisjoint(found)


def test_files_named_by_the_plan_are_not_repeated_but_related_ones_are_listed() -> None:
    history = [("shop/receipt_printer.py", "web/app.js")] * 2
    found = likely_files(order(files=("shop/receipt_printer.py",)), PATHS, history)
    assert "shop/receipt_printer.py" not in found
    assert "web/app.js" in found


def test_a_commit_over_many_files_relates_none_of_them() -> None:
    sweep = ("shop/receipt_printer.py", "shop/stock.py", *(f"a{n}.py" for n in range(40)))
    assert "shop/stock.py" not in likely_files(order(), PATHS, [sweep, sweep])


@pytest.mark.parametrize("count", [0, 5, 60])
def test_at_most_twenty_likely_files_are_listed_in_a_stable_order(count: int) -> None:
    paths = [f"receipt/part{n:02}.py" for n in range(count)] + ["other.py"]
    found = likely_files(order(), paths, [])
    assert len(found) == min(count, LIKELY_MAX)
    assert found == likely_files(order(), paths[::-1], [])


def test_a_history_without_these_files_is_accepted() -> None:
    assert likely_files(order(), (), [("gone.py",)]) == ()
