"""GitHub limits the rate: everything waits as long as GitHub says, and then continues."""

import pytest

from bot.localhub.faults import Fault, FaultKind
from bot.localhub.model import TokenKind
from tests.testkit.house import House
from tests.testkit.specs import requirement, spec

SHOP = spec(requirement("TILL"), requirement("DOOR"))


def asked_by_us(shop: House) -> int:
    """The number of requests by our App."""
    ours = {TokenKind.INSTALLATION, TokenKind.APP_JWT}
    return sum(1 for exchange in shop.hub.exchanges if exchange.token_kind in ours)


@pytest.mark.parametrize(("told_seconds", "waits_seconds"), [(300, 300), (None, 60)])
def test_no_request_is_sent_before_the_limit_ends_and_then_work_continues(
    shop: House, told_seconds: int | None, waits_seconds: int
) -> None:
    tracking = shop.plan(SHOP)
    limit = Fault(
        kind=FaultKind.SECONDARY_LIMIT,
        method="POST",
        path_glob="*/comments",
        # The first comment is the person's own.
        nth=2,
        retry_after_seconds=told_seconds,
    )
    shop.hub.faults.add(limit)
    first = shop.ask(tracking, "/headgate help")
    asked = asked_by_us(shop)

    second = shop.ask(tracking, "/headgate why")
    shop.forward(seconds=waits_seconds / 2)
    shop.ring_due()
    shop.sweep()
    assert asked_by_us(shop) == asked
    assert shop.reply(tracking, first) == ""

    shop.forward(seconds=waits_seconds / 2 + 2)
    shop.ring_due()
    assert "/headgate approve" in shop.reply(tracking, first)
    assert "waits for approval" in shop.reply(tracking, second)


@pytest.mark.parametrize("kind", [FaultKind.TIME_OUT, FaultKind.LOSE_ANSWER])
def test_a_create_without_a_response_is_found_and_not_repeated(
    shop: House, kind: FaultKind
) -> None:
    shop.hub.faults.add(Fault(kind=kind, method="POST", path_glob="*/issues", nth=2))
    shop.start(SHOP)
    for _ in range(4):
        shop.forward(seconds=10)
        shop.ring_due()
    titles = [issue["title"] for issue in shop.issues()]
    assert len(titles) == len(set(titles)) == 3


def drifts(seconds: float) -> Fault:
    """GitHub's clock drifts from ours while the plan's issues are opened."""
    return Fault(kind=FaultKind.DRIFT, method="POST", drift_seconds=seconds, nth=5)


def test_a_github_clock_that_is_ahead_does_not_stop_work(shop: House) -> None:
    shop.hub.faults.add(drifts(45))
    tracking = shop.start(SHOP)
    shop.work()
    assert shop.issue(tracking)["state"] == "closed"
    assert "2 of 2 requirements landed" in shop.comments(tracking)[-1]


def test_a_github_clock_behind_refuses_a_quick_approval(shop: House) -> None:
    shop.hub.faults.add(drifts(-45))
    tracking = shop.plan(SHOP)

    # By GitHub's clock the words are older than the plan; nobody is taken at such words.
    early = shop.ask(tracking, "/headgate approve")
    assert "Please read it and approve again." in shop.reply(tracking, early)
    assert shop.runner.take() is None

    shop.forward(seconds=50)
    shop.ask(tracking, "/headgate approve")
    shop.work()
    assert shop.issue(tracking)["state"] == "closed"
    assert "2 of 2 requirements landed" in shop.comments(tracking)[-1]


def test_a_dispatch_that_never_starts_is_repeated(shop: House) -> None:
    shop.hub.faults.add(Fault(kind=FaultKind.LOSE_DISPATCH))
    tracking = shop.start(SHOP)
    for _ in range(12):
        shop.work()
        shop.forward(minutes=10)
        shop.ring_due()
        shop.sweep()
    assert shop.issue(tracking)["state"] == "closed"
    assert "2 of 2 requirements landed" in shop.comments(tracking)[-1]


def test_a_push_right_before_a_landing_is_adopted_and_the_candidate_rebuilt(
    shop: House,
) -> None:
    shop.hub.faults.add(
        Fault(kind=FaultKind.PUSH, method="POST", path_glob="*/check-runs", file="notes.md")
    )
    tracking = shop.start(SHOP)
    shop.work()
    shop.sweep()
    shop.work()
    assert shop.issue(tracking)["state"] == "closed"
    assert "notes.md" in shop.main_files()
    assert "Write notes.md" in shop.history()
