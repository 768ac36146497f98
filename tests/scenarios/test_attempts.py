"""Attempts: a red candidate goes back to the agent with the reason, a few times."""

from pathlib import Path

import pytest

from action.order import AgentOrder
from action.report import AgentEnding, AgentReport, TokenUse
from tests.testkit.house import House, house
from tests.testkit.runner import Runner, writes_a_file
from tests.testkit.specs import requirement, spec

TILL = "src/till-make-the-till-work.txt"
SHOP = spec(requirement("TILL"), requirement("DOOR"), requirement("PRINTER", after="TILL"))


def breaks_once(order: AgentOrder, tree: Path) -> None:
    """Breaks the gate first; fixes it after it is told that the gate failed."""
    writes_a_file(order, tree)
    if order.retry is None:
        (tree / "broken").write_text("by the first attempt\n")
        (tree / "kept.txt").write_text("written by the first attempt\n")
    else:
        (tree / "broken").unlink()


def breaks_the_till(order: AgentOrder, tree: Path) -> None:
    """Never gets the till right."""
    writes_a_file(order, tree)
    if order.change.startswith("till"):
        (tree / "broken").write_text(f"attempt {order.attempt}\n")


def agent_orders(shop: House, change: str) -> list[AgentOrder]:
    """The agent orders for a change that were ever leased, oldest first."""
    return [
        o for o in shop.runner.taken if isinstance(o, AgentOrder) and o.change.startswith(change)
    ]


def test_after_a_red_gate_the_second_attempt_lands(
    shop: House,
) -> None:
    shop.runner.agent = breaks_once
    tracking = shop.start(spec(requirement("TILL")))
    lease = shop.runner.take()
    assert lease is not None
    elsewhere = shop.push({"docs/hours.md": "Nine to five.\n"}, "Write the hours down")
    shop.settle()
    shop.runner.do(lease)

    shop.work()

    first, second = agent_orders(shop, "till")
    assert first.retry is None
    assert second.attempt == 2
    assert second.retry is not None
    assert second.retry.reason == "gates_failed"
    assert [(g.gate, g.ending) for g in second.retry.failed_gates] == [("test", "failed")]
    assert second.base_sha == elsewhere
    files = shop.main_files()
    assert "broken" not in files
    assert files["kept.txt"] == "written by the first attempt"
    assert shop.issue(tracking)["state"] == "closed"
    report = shop.comments(tracking)[-1]
    assert "| 2 | 3 | 6 | 2,400 |" in report
    till = shop.body(shop.number("Make the till work"))
    assert "| 1 | gates red |" in till
    assert "| 2 | landed |" in till


@pytest.mark.slow
def test_a_change_out_of_attempts_blocks_only_its_dependents(
    shop: House,
) -> None:
    shop.runner.agent = breaks_the_till
    tracking = shop.start(SHOP)

    shop.work()

    till, printer = shop.number("Make the till work"), shop.number("Make the printer work")
    assert "### Failed\n\nAfter 3 attempts: Did not pass: test (failed)." in shop.body(till)
    assert "### Held back" in shop.body(printer) or "held back" in shop.body(tracking)
    files = shop.main_files()
    assert "src/door-make-the-door-work.txt" in files
    assert TILL not in files
    assert len(agent_orders(shop, "till")) == 3
    report = shop.comments(tracking)[-1]
    assert "### Report: 1 of 3 requirements landed" in report
    assert "failed (attempts used up): After 3 attempts" in report
    assert "**`printer-make-the-printer-work`** was held back by `till-make-the-till-work`." in (
        report
    )
    assert shop.issue(tracking)["state"] == "closed"
    assert shop.issue(tracking)["state_reason"] == "not_planned"
    assert shop.pull("Make the till work")["state"] == "closed"
    assert shop.issue(till)["state"] == "open"

    shop.runner.agent = writes_a_file_without_the_break
    asked = shop.ask(till, "/headgate retry")
    shop.work()

    assert shop.reactions(asked) == ["eyes", "rocket"]
    assert TILL in shop.main_files()
    assert "src/printer-make-the-printer-work.txt" in shop.main_files()
    assert "3 of 3 requirements landed" in shop.comments(tracking)[-1]
    assert "interventions: ada: retry" in shop.comments(tracking)[-1].replace("\u200b", "")
    assert shop.issue(tracking)["state_reason"] == "completed"
    assert [i["state"] for i in shop.issues()] == ["closed"] * 4


def writes_a_file_without_the_break(order: AgentOrder, tree: Path) -> None:
    """The agent after its mistake was corrected."""
    writes_a_file(order, tree)
    (tree / "broken").unlink(missing_ok=True)


@pytest.mark.parametrize(
    ("ending", "said"),
    [
        (AgentEnding.GAVE_UP, "The requirement contradicts itself."),
        (AgentEnding.OUT_OF_TOKENS, "400,000 tokens were used up."),
        (AgentEnding.NOTHING_CHANGED, "The agent changed nothing."),
    ],
)
def test_an_agent_without_a_result_is_ordered_again_with_the_reason(
    shop: House, ending: AgentEnding, said: str
) -> None:
    shop.start(spec(requirement("TILL")))
    lease = shop.runner.take()
    assert lease is not None
    shop.runner.report(
        lease,
        AgentReport(
            order_id=lease.order.order_id,
            ending=ending,
            sentence=said,
            model="a-model",
            turns=9,
            tokens=TokenUse(input=7_000),
        ),
    )
    shop.runner.complete(lease.job)
    shop.settle()

    till = shop.number("Make the till work")
    assert f"| 1 | {ending.replace('_', ' ')} | {said} | 9 | 7,000 |" in shop.body(till)
    shop.work()
    second = agent_orders(shop, "till")[-1]
    assert second.retry is not None
    assert (second.retry.reason, second.retry.sentence) == ("agent_ended", said)
    assert TILL in shop.main_files()


def test_the_policy_sets_the_number_of_attempts(tmp_path: Path) -> None:
    policy = "version: 1\nquiet_seconds: 0\nattempts_max: 1\ngates:\n  test:\n    run: sh gate.sh\n"
    with house(tmp_path, policy=policy) as shop:
        shop.runner.agent = breaks_the_till
        tracking = shop.start(spec(requirement("TILL")))

        shop.work()

        assert isinstance(shop.runner, Runner)
        assert len(agent_orders(shop, "till")) == 1
        assert "After 1 attempts" in shop.comments(tracking)[-1]


def test_the_report_shows_the_cost_if_the_policy_has_a_price(tmp_path: Path) -> None:
    policy = (
        "version: 1\nquiet_seconds: 0\ngates:\n  test:\n    run: sh gate.sh\n"
        "prices:\n  a-model:\n    input: 3.0\n    output: 15.0\n"
    )
    with house(tmp_path, policy=policy) as shop:
        tracking = shop.start(spec(requirement("TILL")))
        shop.work()
        assert "Tokens: 1,200; cost: $0.01" in shop.comments(tracking)[-1]


def test_without_a_price_the_cost_is_unknown_and_not_zero(shop: House) -> None:
    tracking = shop.start(spec(requirement("TILL")))
    shop.work()
    assert (
        "cost: unknown (the policy's `prices` has no price for `a-model`)"
        in (shop.comments(tracking)[-1])
    )
