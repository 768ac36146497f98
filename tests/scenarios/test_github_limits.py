"""GitHub's rate limits are respected, by urgency, without sleeping."""

from pathlib import Path

import pytest

from bot.core.journal.state import RepositoryState
from bot.core.state.rate_limits import POINTS_A_MINUTE, Priority
from bot.core.values.github_cost import Cost
from bot.localhub.model import Exchange, TokenKind
from bot.shell.perform import budget_of
from tests.scenarios.test_pulls_that_touch_specs import propose
from tests.testkit.crash import FaultInjector, Supervisor
from tests.testkit.house import House, house
from tests.testkit.specs import requirement, spec

SHOP = spec(requirement("TILL"))
CHANGES, EDGES = 50, 70
# What GitHub's description says of creating content too quickly, as far as a plan needs it.
CREATES = ("/issues", "/sub_issues", "/dependencies/blocked_by", "/comments")
FORCED_A_MINUTE = 80


def area(number: int) -> str:
    """A name that no other begins with."""
    return f"{'ABCDEFGHIJ'[number // 10]}{'KLMNOPQRST'[number % 10]}X"


def big_plan() -> str:
    """Fifty changes in a row, the first of which wait for the one before the last one, too."""
    return spec(*(requirement(area(n), after=_after(n)) for n in range(CHANGES)))


def _after(number: int) -> str:
    if number == 0:
        return ""
    both = 1 < number < 2 + EDGES - (CHANGES - 1)
    return f"{area(number - 2)}-01, REQ-{area(number - 1)}" if both else area(number - 1)


def is_opened(state: RepositoryState) -> bool:
    """Whether every issue and every link of every plan is there."""
    return (
        bool(state.changes)
        and not state.open_effects
        and all(
            c.is_sub_issue and len(c.blocked_by_linked) == len(c.planned.depends_on)
            for c in state.changes.values()
        )
    )


def is_creation(exchange: Exchange) -> bool:
    """Whether a request of ours created something that notifies people."""
    ours = exchange.token_kind is TokenKind.INSTALLATION and exchange.method == "POST"
    return ours and exchange.path.endswith(CREATES)


@pytest.mark.slow
def test_a_plan_of_fifty_opens_within_githubs_limits(
    tmp_path: Path,
) -> None:
    with house(tmp_path) as shop:
        shop.clock.stop()
        supervisor = Supervisor(shop, FaultInjector())
        shop.hub.state.exchanges.clear()
        shop.push({"specs/shop.md": big_plan()}, "Ask for much")
        began = shop.clock.now()
        supervisor.work_without_runners()
        shop.comment(int(shop.tracking()["number"]), "/headgate approve", shop.tokens["ada"])
        supervisor.work_without_runners()
        while not is_opened(shop.state):
            shop.clock.ahead += min(d.until for d in shop.state.delays.values()) - shop.clock.now()
            supervisor.beat()
            supervisor.work_without_runners()

        changes = shop.state.changes.values()
        created = [e for e in shop.hub.exchanges if is_creation(e)]
        forced_seconds = (len(created) - 1) // FORCED_A_MINUTE * 60
        assert len(changes) == CHANGES
        assert sum(len(c.planned.depends_on) for c in changes) == EDGES
        assert len(created) == 1 + 2 * CHANGES + EDGES
        assert not [e for e in shop.hub.exchanges if e.status in {403, 429}]
        assert (shop.clock.now() - began).total_seconds() <= 1.05 * forced_seconds


def spend_all(shop: House, priority: Priority) -> None:
    """Other work has used up this priority's share of the minute."""
    facts = shop.state.facts
    assert facts is not None
    one = Cost(content=1, points=6)
    while shop.ports.budget.spend(budget_of(facts), one, priority, shop.clock.now()) is None:
        pass


def test_people_get_replies_while_progress_waits(shop: House) -> None:
    tracking = shop.plan(SHOP)
    spend_all(shop, Priority.PROGRESS)

    shop.push({"specs/door.md": spec(requirement("DOOR"))}, "Ask for a door")
    shop.settle()
    asked = shop.ask(tracking, "/headgate status")

    assert len(shop.issues()) == 1
    assert "Spec run of `specs/shop.md`: proposed." in shop.reply(tracking, asked)
    shop.forward(seconds=62)
    shop.ring_due()
    assert len(shop.issues()) == 2


def test_main_moves_while_no_comment_may_be_written(shop: House) -> None:
    tracking = shop.start(SHOP)
    spend_all(shop, Priority.PEOPLE)

    shop.work()

    assert "src/till-make-the-till-work.txt" in shop.main_files()
    assert shop.issue(tracking)["state"] == "open"
    assert all("limit" in d.sentence for d in shop.state.delays.values()), shop.state.delays
    shop.forward(seconds=62)
    shop.ring_due()
    assert shop.issue(tracking)["state"] == "closed"


def reads(shop: House) -> int:
    """The number of our reads at GitHub since the exchanges were cleared."""
    return sum(
        e.method == "GET" and e.token_kind is TokenKind.INSTALLATION and ".git/" not in e.path
        for e in shop.hub.exchanges
    )


def test_every_read_is_counted(shop: House) -> None:
    shop.plan(SHOP)
    shop.forward(seconds=120)
    shop.hub.state.exchanges.clear()

    shop.sweep()

    facts, now = shop.state.facts, shop.clock.now()
    assert facts is not None
    left = POINTS_A_MINUTE - reads(shop)
    budget = shop.ports.budget
    assert 0 < left < POINTS_A_MINUTE
    assert budget.wait(budget_of(facts), Cost(points=left), Priority.LANDING, now) is None
    assert budget.wait(budget_of(facts), Cost(points=left + 1), Priority.LANDING, now) is not None


def test_with_little_github_budget_the_sweep_stops_but_commands_are_answered(
    shop: House,
) -> None:
    tracking = shop.plan(SHOP)
    propose(shop, {"specs/door.md": spec(requirement("DOOR"))})
    shop.forward(seconds=120)
    facts = shop.state.facts
    assert facts is not None
    shop.ports.budget.count(budget_of(facts), Cost(points=650), shop.clock.now())
    shop.hub.state.exchanges.clear()

    shop.sweep()
    assert reads(shop) == 0

    asked = shop.ask(tracking, "/headgate status")
    assert "Spec run of `specs/shop.md`: proposed." in shop.reply(tracking, asked)
    shop.forward(seconds=62)
    shop.hub.state.exchanges.clear()
    shop.sweep()
    assert reads(shop) > 0
