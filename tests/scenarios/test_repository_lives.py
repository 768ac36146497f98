"""Renames, transfers, suspensions, removals and permissions: noticed by webhook or by the sweep."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.core.values.lifecycle import ChangeState, SpecRunState
from bot.core.values.repository import AwayReason
from bot.localhub.faults import WEBHOOK, Fault, FaultKind
from bot.localhub.model import Installation, Repository
from bot.shell import intake
from bot.shell.sweep import INSTALLATIONS_EVERY, SweepState, sweep
from tests.testkit.crash import ports_on_story_clock
from tests.testkit.house import House, house
from tests.testkit.specs import requirement, spec

SHOP = spec(requirement("TILL"))
HEARD = pytest.mark.parametrize("is_heard", [True, False], ids=["webhook", "sweep"])


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[House]:
    """A house whose App's signatures keep to the story's clock."""
    with house(tmp_path) as story:
        story.restart(ports_on_story_clock(story))
        yield story


def repository(story: House) -> Repository:
    return story.hub.repository(story.full_name)


def installation(story: House) -> Installation:
    return list(story.hub.state.installations.values())[-1]


def happens(story: House, is_heard: bool, what: Callable[[], None]) -> None:
    """Something happens at GitHub; where no webhook brings it, the sweep looks everywhere."""
    if not is_heard:
        for glob in (
            "installation*",
            "repository*",
            "create*",
            "delete*",
            "push*",
            "pull_request*",
        ):
            lost = Fault(kind=FaultKind.DROP, method=WEBHOOK, path_glob=glob, times=20)
            story.hub.faults.add(lost)
    what()
    story.settle()
    if not is_heard:
        story.hub.faults.clear()
        beat(story)


def beat(story: House) -> None:
    """The sweep, of which every look is due."""
    story.forward(seconds=INSTALLATIONS_EVERY.total_seconds() + 1)
    sweep(story.ports, SweepState())
    story.settle()


def landed(story: House) -> bool:
    return {c.state for c in story.state.changes.values()} == {ChangeState.LANDED}


@HEARD
def test_work_continues_after_a_rename(shop: House, is_heard: bool) -> None:
    shop.start(SHOP)
    ada = shop.hub.as_user("ada")

    happens(shop, is_heard, lambda: shop.hub.lives.rename(repository(shop), ada, "store"))
    shop.full_name = "team/store"
    # Whoever takes the former name is not heard.
    shop.hub.add_repository("team", "shop")
    shop.work()

    assert landed(shop)
    assert shop.state.facts is not None
    assert shop.state.facts.full_name == "team/store"
    assert f"{shop.url}/team/store/commit/" in shop.body(int(shop.tracking()["number"]))


def test_an_order_that_was_dispatched_before_a_rename_gets_its_lease(shop: House) -> None:
    shop.start(SHOP)
    run = next(iter(shop.state.orders.values())).workflow_run
    shop.hub.lives.rename(repository(shop), shop.hub.as_user("ada"), "store")
    shop.full_name = "team/store"

    shop.work()

    assert landed(shop)
    assert next(o for o in shop.state.orders.values() if o.workflow_run == run).leased_at


@HEARD
def test_a_repository_that_was_transferred_is_followed(shop: House, is_heard: bool) -> None:
    shop.start(SHOP)
    shop.hub.add_organization("acme")
    app = installation(shop).app.id
    new = shop.hub.install_app(app, "acme")
    # Callers name our workflows; a private runner group is the new owner's business.
    ada, acme = shop.hub.as_user("ada"), shop.hub.account("acme")

    happens(shop, is_heard, lambda: shop.hub.lives.transfer(repository(shop), ada, acme))
    shop.full_name = "acme/shop"
    shop.work()

    assert landed(shop)
    assert shop.state.facts is not None
    assert (shop.state.facts.full_name, shop.state.facts.installation_id) == ("acme/shop", new)


@HEARD
def test_a_renamed_default_branch_is_main_from_then_on(shop: House, is_heard: bool) -> None:
    shop.start(SHOP)
    ada = shop.hub.as_user("ada")

    happens(
        shop,
        is_heard,
        lambda: shop.hub.lives.rename_branch(repository(shop), ada, "main", "trunk"),
    )
    shop.work()

    assert landed(shop)
    assert shop.ref("trunk") == shop.state.main
    assert {p["base"]["ref"] for p in shop.pulls()} == {"trunk"}


@HEARD
def test_a_suspension_pauses_work_that_continues_afterwards(shop: House, is_heard: bool) -> None:
    tracking = shop.start(SHOP)

    happens(shop, is_heard, lambda: shop.hub.apps.suspend(installation(shop)))
    assert shop.state.away is not None
    assert shop.state.away.reason is AwayReason.SUSPENDED
    refused = shop.comment(tracking, "/headgate stop")
    shop.runner.do_all()
    beat(shop)
    assert [c.state for c in shop.state.changes.values()] == [ChangeState.ORDERED]
    assert not shop.reactions(refused)

    happens(shop, is_heard, lambda: shop.hub.apps.unsuspend(installation(shop)))
    assert shop.state.away is None
    assert any("its installation is suspended" in c for c in shop.comments(tracking))
    assert shop.reactions(refused) == ["eyes", "rocket"]
    assert [r.state for r in shop.state.spec_runs.values()] == [SpecRunState.STOPPED]


@HEARD
def test_an_archived_repository_is_not_touched_until_it_is_unarchived(
    shop: House, is_heard: bool
) -> None:
    shop.start(SHOP)
    ada = shop.hub.as_user("ada")

    happens(shop, is_heard, lambda: shop.hub.lives.archive(repository(shop), ada))
    if not is_heard:
        # Nobody said so: what the next write is answered says it.
        shop.runner.do_all()
        beat(shop)
    assert shop.state.away is not None
    assert shop.state.away.reason is AwayReason.ARCHIVED
    shop.runner.do_all()
    beat(shop)

    happens(shop, is_heard, lambda: shop.hub.lives.unarchive(repository(shop), ada))
    assert shop.state.away is None
    assert any(
        "the repository is archived" in c for c in shop.comments(int(shop.tracking()["number"]))
    )
    shop.work()
    assert landed(shop)
    assert [change.attempt for change in shop.state.changes.values()] == [1]


def test_a_spec_waits_while_issues_are_switched_off(shop: House) -> None:
    repository(shop).has_issues = False
    shop.push({"specs/shop.md": SHOP}, "Ask for work")
    shop.settle()
    assert shop.state.away is not None
    assert shop.state.away.reason is AwayReason.NO_ISSUES

    repository(shop).has_issues = True
    beat(shop)
    shop.judge_main()
    assert shop.state.away is None
    shop.ask(int(shop.tracking()["number"]), "/headgate approve")
    shop.work()
    assert landed(shop)


def test_locked_issues_do_not_prevent_a_landing(shop: House) -> None:
    tracking = shop.start(SHOP)
    for issue in repository(shop).issues.values():
        issue.locked = True
    before = shop.comments(tracking)
    asked = shop.ask(tracking, "/headgate status")
    assert shop.reactions(asked)

    shop.work()

    assert landed(shop)
    assert len(shop.comments(tracking)) == len(before) + 1
    assert "1 of 1" in shop.body(tracking)
    assert shop.issue(tracking)["state"] == "closed"


def lose_webhooks(story: House) -> None:
    story.hub.faults.add(Fault(kind=FaultKind.DROP, method=WEBHOOK, path_glob="*", times=100))


def test_work_handed_in_during_a_suspension_is_accepted(shop: House) -> None:
    shop.start(SHOP)
    lease = shop.runner.take()
    assert lease is not None
    lose_webhooks(shop)
    shop.hub.apps.suspend(installation(shop))

    shop.runner.do(lease)
    shop.settle()

    assert shop.state.away is not None
    assert shop.state.away.reason is AwayReason.SUSPENDED
    assert not shop.state.refused
    shop.hub.apps.unsuspend(installation(shop))
    shop.hub.faults.clear()
    beat(shop)
    shop.work()
    assert landed(shop)
    assert [c.attempt for c in shop.state.changes.values()] == [1]


def test_a_comment_that_could_not_be_read_is_answered_later(shop: House) -> None:
    tracking = shop.start(SHOP)
    asked = shop.comment(tracking, "/headgate why")
    deliveries = shop.hold_deliveries()
    lose_webhooks(shop)
    shop.hub.apps.suspend(installation(shop))

    intake.digest(shop.ports, *deliveries)
    shop.settle()

    assert shop.state.away is not None
    shop.hub.apps.unsuspend(installation(shop))
    beat(shop)
    assert shop.reply(tracking, asked)


def test_a_runner_of_a_suspended_installation_gets_no_lease(shop: House) -> None:
    shop.start(SHOP)
    before = len(shop.runner.taken)
    happens(shop, True, lambda: shop.hub.apps.suspend(installation(shop)))

    shop.runner.do_all()

    assert len(shop.runner.taken) == before
    happens(shop, True, lambda: shop.hub.apps.unsuspend(installation(shop)))
    shop.work()
    assert landed(shop)


@HEARD
def test_a_removed_installation_stops_changes_and_keeps_their_work(
    shop: House, is_heard: bool
) -> None:
    shop.start(SHOP)
    shop.runner.do_all()
    shop.settle()
    (change,) = shop.state.changes.values()
    assert change.head is not None
    held = installation(shop)
    held.repository_ids = {repository(shop).id}

    happens(shop, is_heard, lambda: shop.hub.apps.remove_repositories(held, [repository(shop)]))
    assert shop.state.away is not None
    assert shop.state.away.reason is AwayReason.REMOVED
    shop.forward(hours=1)
    shop.ring_due()
    assert [r.state for r in shop.state.spec_runs.values()] == [SpecRunState.STOPPED]

    happens(shop, is_heard, lambda: shop.hub.apps.add_repositories(held, [repository(shop)]))
    tracking = shop.tracking()
    assert tracking["state"] == "closed"
    status = shop.body(int(change.issue or 0))
    assert "Stopped by the removal of Headgate from this repository." in status
    shop.ask(int(tracking["number"]), "/headgate retry")
    # The gates that were ordered before the removal, and that nobody took, are ordered again soon.
    shop.forward(seconds=31)
    shop.ring_due()
    shop.work()
    assert landed(shop)
    assert shop.state.changes[change.id].attempt == 1


def test_a_removed_app_stops_all_work(shop: House) -> None:
    shop.start(SHOP)
    shop.hub.apps.uninstall(installation(shop))
    shop.settle()
    shop.forward(hours=1)
    shop.ring_due()
    beat(shop)
    assert [r.state for r in shop.state.spec_runs.values()] == [SpecRunState.STOPPED]
    written = shop.state.events
    for _ in range(3):
        shop.forward(minutes=10)
        beat(shop)
    assert shop.state.events == written


def test_the_sweep_notices_a_revoked_permission_without_activity(
    shop: House,
) -> None:
    held = installation(shop)
    # An App without a webhook has no delivery that could be asked for again.
    shop.hub.state.apps[held.app.id].is_hook_active = False
    shop.hub.apps.accept_permissions(held, {**held.permissions, "checks": "read"})
    beat(shop)
    assert shop.state.away is not None
    assert shop.state.away.lacks == ("checks: write",)


@HEARD
def test_work_waits_and_names_a_revoked_permission(shop: House, is_heard: bool) -> None:
    tracking = shop.start(SHOP)
    held = installation(shop)
    all_of_them = dict(held.permissions)

    happens(
        shop,
        is_heard,
        lambda: shop.hub.apps.accept_permissions(held, {**all_of_them, "checks": "read"}),
    )
    assert any("its installation lacks `checks: write`" in c for c in shop.comments(tracking))
    shop.runner.do_all()

    happens(shop, is_heard, lambda: shop.hub.apps.accept_permissions(held, all_of_them))
    shop.work()
    assert landed(shop)


def test_each_further_revoked_permission_is_logged_at_once(
    shop: House, caplog: pytest.LogCaptureFixture
) -> None:
    held = installation(shop)
    lacking = {**held.permissions, "checks": "read"}
    happens(shop, True, lambda: shop.hub.apps.accept_permissions(held, lacking))
    more = {**lacking, "actions": "read"}
    happens(shop, True, lambda: shop.hub.apps.accept_permissions(held, more))
    lines = [record for record in caplog.records if record.message == "access_lost"]
    said = [str(getattr(record, "says", "")) for record in lines]
    assert len(said) == 2
    assert "`checks: write`" in said[0]
    assert "`actions: write`, `checks: write`" in said[1]
