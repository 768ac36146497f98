"""Lost webhooks are requested again or noticed by looks, and quiet looks cost almost nothing."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from bot.localhub.faults import WEBHOOK, Fault, FaultKind
from bot.localhub.model import TokenKind
from bot.shell.sweep import SweepState
from tests.testkit.crash import FaultInjector, Supervisor
from tests.testkit.house import House, house
from tests.testkit.specs import requirement, spec

SHOP = spec(requirement("TILL"))
QUOTA_UNITS_AN_HOUR = 5


@pytest.fixture
def supervisor(tmp_path: Path) -> "Callable[[House], Supervisor]":
    """A sweep of which every look is due."""

    def make(story: House) -> Supervisor:
        supervisor = Supervisor(story, FaultInjector())
        supervisor.beats = SweepState()
        return supervisor

    return make


def lose(story: House, event: str, times: int = 1) -> None:
    """Webhooks of this kind do not arrive."""
    story.hub.faults.add(Fault(kind=FaultKind.DROP, method=WEBHOOK, path_glob=event, times=times))


def redeliveries(story: House) -> int:
    """How often GitHub was asked to send something again."""
    return sum(1 for e in story.hub.exchanges if e.path.endswith("/attempts"))


def test_a_command_with_a_lost_webhook_is_run_within_a_minute(
    shop: House, supervisor: Callable[[House], Supervisor]
) -> None:
    tracking = shop.plan(SHOP)
    sweep = supervisor(shop)
    sweep.beat()
    sweep.work_without_runners()
    lose(shop, "issue_comment.created", times=1_000)
    asked = shop.comment(tracking, "/headgate approve")
    written = shop.clock.now()

    while not shop.events("AgentOrdered") and shop.clock.now() < written + timedelta(minutes=2):
        shop.forward(seconds=1)
        sweep.beat()
        sweep.work_without_runners()

    assert shop.reactions(asked) == ["eyes", "rocket"]
    assert shop.clock.now() - written < timedelta(minutes=1)


def test_a_failed_delivery_is_requested_again_and_settled_by_its_guid(
    shop: House, supervisor: Callable[[House], Supervisor]
) -> None:
    lose(shop, "push")
    shop.push({"specs/shop.md": SHOP}, "Ask for work")
    sweep = supervisor(shop)
    sweep.beats.full_look_at = shop.clock.now() + timedelta(days=1)

    for _ in range(4):
        shop.forward(seconds=61)
        sweep.beat()
        sweep.work_without_runners()

    assert redeliveries(shop) == 1
    assert "No work has started yet" in str(shop.tracking()["body"])
    again = [d for d in shop.hub.state.deliveries if d.is_redelivery]
    assert [d.status for d in again] == ["OK"]
    assert {d.guid for d in again} <= {d.guid for d in shop.hub.state.deliveries if d not in again}


def test_a_delivery_in_the_inbox_is_not_requested_again(
    shop: House, supervisor: Callable[[House], Supervisor]
) -> None:
    shop.push({"README.md": "# A shop\n"}, "Edit")
    shop.settle()
    # We took it, and GitHub did not hear that we did.
    pushed = [d for d in shop.hub.state.deliveries if d.event == "push"][-1]
    pushed.status, pushed.status_code = "timed out", 0

    sweep = supervisor(shop)
    sweep.beat()

    assert redeliveries(shop) == 0


def test_a_delivery_that_always_fails_is_requested_a_few_times_with_delays(
    shop: House, supervisor: Callable[[House], Supervisor]
) -> None:
    lose(shop, "push", times=1_000)
    shop.push({"README.md": "# A shop\n"}, "Edit")
    sweep = supervisor(shop)

    for minute in range(1, 31):
        shop.forward(minutes=1)
        sweep.beat()
        sweep.work_without_runners()
        assert redeliveries(shop) <= 1 + minute // 5

    assert redeliveries(shop) == 3


@pytest.mark.slow
def test_a_quiet_repository_costs_no_more_than_five_units_an_hour(tmp_path: Path) -> None:
    with house(tmp_path) as shop:
        shop.start(SHOP)
        shop.work()
        shop.plan(spec(requirement("DOOR")), "specs/door.md")
        sweep = Supervisor(shop, FaultInjector())
        sweep.beats = SweepState()
        sweep.beat()
        sweep.work()
        shop.hub.state.exchanges.clear()

        for _ in range(120):
            shop.forward(seconds=30)
            sweep.beat()
            sweep.work()

        asked = [e for e in shop.hub.exchanges if e.token_kind is TokenKind.INSTALLATION]
        rest = [e for e in asked if e.path.startswith(("/repos/", "/installation/", "/users/"))]
        units = [f"{e.method} {e.path}" for e in rest if e.status != 304]
        assert len(rest) > 120
        assert len(units) <= QUOTA_UNITS_AN_HOUR, units
