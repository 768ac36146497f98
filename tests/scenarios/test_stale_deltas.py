"""Main specs change under a planned delta: no agent is paid for work that cannot be folded."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from action.order import AgentOrder
from action.report import AgentEnding, AgentReport, SandboxKind
from tests.testkit.house import House, house
from tests.testkit.openspec import PROPOSAL, RENAMED, ROUNDED, TILL, TILL_DELTA, TILL_PATH
from tests.testkit.runner import writes_a_file

TAXES = "openspec/changes/add-taxes"
CENTS = "openspec/changes/round-sums"
CENTS_DELTA = TILL_DELTA.replace("with taxes", "rounded").replace("and their taxes", "in cents")
NO_FIT = "This change's spec no longer fits the main specs."


@pytest.fixture
def market(tmp_path: Path) -> Iterator[House]:
    """A repository with an OpenSpec folder."""
    with house(tmp_path, {TILL_PATH: TILL}) as story:
        yield story


def _propose(market: House, folder: str, delta: str) -> int:
    """Push a delta folder; its tracking issue."""
    before = {int(i["number"]) for i in market.issues()}
    files = {f"{folder}/proposal.md": PROPOSAL, f"{folder}/specs/till/spec.md": delta}
    market.push(files, f"Propose {folder}")
    market.settle()
    market.judge_main()
    return min({int(i["number"]) for i in market.issues()} - before)


def _agents(market: House) -> int:
    return len([o for o in market.runner.taken if isinstance(o, AgentOrder)])


def test_a_stale_delta_is_refused_before_an_agent_is_ordered(
    market: House,
) -> None:
    taxes = _propose(market, TAXES, TILL_DELTA)
    cents = _propose(market, CENTS, CENTS_DELTA)
    market.ask(taxes, "/headgate approve")
    market.work()
    assert "with taxes" in market.main_files()[TILL_PATH]

    market.ask(cents, "/headgate approve")
    market.work()

    assert _agents(market) == 1
    report = market.comments(cents)[-1]
    assert "0 of 1 requirements landed" in report
    assert "'Sum up' was edited on main after this was planned" in report
    assert "Main now also says: 'The till SHALL sum up the prices, with taxes.'" in report
    assert "To apply the delta to the current text on main, comment `/headgate retry`" in report

    market.ask(cents, "/headgate retry")
    market.work()

    assert _agents(market) == 2
    assert "rounded" in market.main_files()[TILL_PATH]


def test_an_edit_during_agent_work_is_reported_once_and_the_work_lands_after_the_revert(
    market: House,
) -> None:
    tracking = _propose(market, TAXES, TILL_DELTA)
    market.ask(tracking, "/headgate approve")
    lease = market.runner.take()
    assert lease is not None
    change = max(int(i["number"]) for i in market.issues())

    market.push({TILL_PATH: RENAMED}, "Rename by hand")
    market.settle()
    market.sweep()

    (told,) = [c for c in market.comments(change) if NO_FIT in c]
    assert "specs/till/spec.md:3" in told
    assert "'Sum up'" in told
    assert "continues, and its work is kept" in told

    market.push({TILL_PATH: TILL}, "Rename it back")
    market.settle()
    market.runner.do(lease)
    market.work()

    assert _agents(market) == 1
    assert "with taxes" in market.main_files()[TILL_PATH]
    assert len([c for c in market.comments(change) if NO_FIT in c]) == 1
    assert "1 of 1 requirements landed" in market.comments(tracking)[-1]


def test_an_agent_that_gave_up_on_a_stale_delta_has_no_successor(market: House) -> None:
    tracking = _propose(market, TAXES, TILL_DELTA)
    market.ask(tracking, "/headgate approve")
    lease = market.runner.take()
    assert lease is not None

    market.push({TILL_PATH: ROUNDED}, "Round by hand")
    market.settle()
    market.runner.do_all()
    market.settle()
    gave_up = AgentReport(
        order_id=lease.order.order_id,
        ending=AgentEnding.GAVE_UP,
        sentence="The till is rounded already.",
        seconds=60,
        sandbox=SandboxKind.NONE,
    )
    market.runner.report(lease, gave_up)
    market.runner.complete(lease.job)
    market.work()

    assert _agents(market) == 1
    report = market.comments(tracking)[-1]
    assert "failed (archive refused)" in report
    assert "it is rounded to a cent" in report


def test_red_work_with_a_stale_delta_gets_no_second_agent(
    market: House,
) -> None:
    def breaks_the_shop(order: AgentOrder, tree: Path) -> None:
        writes_a_file(order, tree)
        (tree / "broken").write_text("")

    market.runner.agent = breaks_the_shop
    tracking = _propose(market, TAXES, TILL_DELTA)
    market.ask(tracking, "/headgate approve")
    agent = market.runner.take()
    assert agent is not None
    market.runner.do(agent)
    market.settle()
    gates = market.runner.take()
    assert gates is not None

    market.push({TILL_PATH: ROUNDED}, "Round by hand")
    market.settle()
    market.runner.do(gates)
    market.work()

    assert _agents(market) == 1
    report = market.comments(tracking)[-1]
    assert "failed (archive refused)" in report
    assert "it is rounded to a cent" in report
