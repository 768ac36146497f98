"""Two specs are at work at once, and a change of each edits the same file."""

from pathlib import Path

from action.order import AgentOrder
from bot.core.values.lifecycle import OrderState
from tests.testkit.house import house
from tests.testkit.specs import requirement, spec

EDITS = "`src/prices.csv` SHALL have a line for the {}."
START = {"src/prices.csv": "bread 3\n"}


def adds_its_line(order: AgentOrder, tree: Path) -> None:
    """Rewrites the one line that the file has, so that two at once would be a conflict."""
    place = tree / "src/prices.csv"
    ware = "milk" if "milk" in order.change else "eggs"
    place.write_text(f"{place.read_text().strip()} {ware}\n")


def test_the_second_spec_starts_from_the_landed_work_of_the_first(tmp_path: Path) -> None:
    with house(tmp_path, START) as shop:
        shop.runner.agent = adds_its_line
        first = shop.start(spec(requirement("MILK", says=EDITS.format("milk"))), "specs/milk.md")
        second = shop.start(spec(requirement("EGGS", says=EDITS.format("eggs"))), "specs/eggs.md")
        shop.settle()
        assert [o.state for o in shop.state.orders.values() if o.change].count(
            OrderState.PLACED
        ) == 1
        assert "| waiting | 0 | – | #" in shop.body(second)

        shop.work()

        assert shop.main_files()["src/prices.csv"].strip() == "bread 3 milk eggs"
        taken = [o for o in shop.runner.taken if isinstance(o, AgentOrder)]
        assert [o.attempt for o in taken] == [1, 1]
        for tracking in (first, second):
            assert shop.issue(tracking)["state"] == "closed"


def test_a_person_can_start_the_second_spec_at_once(tmp_path: Path) -> None:
    with house(tmp_path, START) as shop:
        shop.runner.agent = adds_its_line
        shop.start(spec(requirement("MILK", says=EDITS.format("milk"))), "specs/milk.md")
        shop.start(spec(requirement("EGGS", says=EDITS.format("eggs"))), "specs/eggs.md")
        waiting = next(c for c in shop.state.changes.values() if c.attempt == 0 and c.order is None)
        assert waiting.issue is not None
        shop.ask(waiting.issue, "/headgate why")
        assert "another spec also edits src/prices.csv" in shop.comments(waiting.issue)[-1]

        shop.ask(waiting.issue, "/headgate now")
        shop.settle()

        assert all(c.order is not None for c in shop.state.changes.values())
