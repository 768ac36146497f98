"""Entries that people stop are removed from GitHub's merge queue."""

from pathlib import Path

import pytest

from bot.core.values.ids import EntryId, PullNumber
from bot.core.values.lifecycle import ChangeState, QueuedPullState
from bot.localhub.rule_model import RequiredCheck, Ruleset
from tests.scenarios.test_githubs_queue import RULES, approve, let_time_pass, require_queue
from tests.scenarios.test_people_queue_pulls import open_pull
from tests.scenarios.test_pulls_required import TILL
from tests.scenarios.test_reviews_of_queued_pulls import submit
from tests.testkit.crash import CrashPoint, FaultInjector, Supervisor, crash_at
from tests.testkit.house import House, house

CHECKS = (RequiredCheck("headgate/verdict"), RequiredCheck("build"))


def build_passed(shop: House, sha: str) -> None:
    """What another App says of a commit, and not of GitHub's merge groups until a test does."""
    said = {"context": "build", "state": "success"}
    shop.api("POST", shop.repo(f"/statuses/{sha}"), said).raise_for_status()


def require_build(shop: House) -> None:
    rule = Ruleset(8, "Build", ("~DEFAULT_BRANCH",), RULES, CHECKS)
    shop.hub.add_ruleset(shop.full_name, rule)


def in_githubs_queue(shop: House, number: int) -> bool:
    issue = shop.hub.repository(shop.full_name).issues[number]
    return shop.hub.merge_queue.entry_of(issue) is not None


def wait_in_githubs_queue(shop: House) -> int:
    """A person's pull that GitHub does not merge, because its group has no `build` yet."""
    require_queue(shop)
    require_build(shop)
    number, head = open_pull(shop, "docs", {"docs/read.md": "Read me.\n"})
    build_passed(shop, head)
    shop.ask(number, "/headgate queue")
    let_time_pass(shop)
    assert in_githubs_queue(shop, number)
    assert shop.state.queued_pulls[PullNumber(number)].state is QueuedPullState.LANDING
    # By now it is looked at every few minutes only.
    let_time_pass(shop, 3)
    return number


def let_groups_pass(shop: House) -> None:
    refs = shop.hub.repository(shop.full_name).refs
    for ref, sha in tuple(refs.items()):
        if ref.startswith("refs/heads/gh-readonly-queue/"):
            build_passed(shop, sha)


def test_a_freeze_takes_a_pull_out_of_githubs_queue_and_unfreeze_puts_it_back(
    shop: House,
) -> None:
    number = wait_in_githubs_queue(shop)

    shop.ask(number, "/headgate freeze the shop is down")
    shop.work()

    assert not in_githubs_queue(shop, number)
    said = "\n".join(shop.comments(number))
    assert "Headgate removes its own entries from GitHub's merge queue" in said
    assert f"Headgate removed #{number} from GitHub's merge queue" in said
    let_time_pass(shop)
    assert not in_githubs_queue(shop, number)
    assert "docs/read.md" not in shop.main_files()

    shop.ask(number, "/headgate unfreeze")
    let_time_pass(shop, 6)

    assert in_githubs_queue(shop, number)
    let_groups_pass(shop)
    let_time_pass(shop, 15)
    assert "docs/read.md" in shop.main_files()
    assert shop.state.queued_pulls[PullNumber(number)].state is QueuedPullState.LANDED
    assert sum("Headgate removed" in one for one in shop.comments(number)) == 1


def test_hold_removes_a_pull_from_githubs_queue_and_keeps_its_place(shop: House) -> None:
    number = wait_in_githubs_queue(shop)

    shop.ask(number, "/headgate hold the docs are wrong")
    shop.work()

    assert not in_githubs_queue(shop, number)
    pull = shop.state.queued_pulls[PullNumber(number)]
    hold = shop.state.entry_of(pull).hold
    assert hold is not None
    assert (hold.by, hold.why) == ("ada", "the docs are wrong")
    assert pull.state is QueuedPullState.QUEUED
    assert "@ada put it on hold" in "\n".join(shop.comments(number))

    shop.ask(number, "/headgate release")
    let_time_pass(shop, 6)
    assert in_githubs_queue(shop, number)


def test_dequeue_removes_a_pull_from_both_queues(shop: House) -> None:
    number = wait_in_githubs_queue(shop)

    shop.ask(number, "/headgate dequeue")
    shop.work()
    let_time_pass(shop, 6)

    assert not in_githubs_queue(shop, number)
    assert shop.state.queued_pulls[PullNumber(number)].state is QueuedPullState.WITHDRAWN
    assert "docs/read.md" not in shop.main_files()


def test_a_pull_that_github_already_merged_counts_as_landed(shop: House) -> None:
    number = wait_in_githubs_queue(shop)
    # GitHub merges it, and nobody has looked yet.
    shop.hold_deliveries()
    let_groups_pass(shop)
    assert not in_githubs_queue(shop, number)

    shop.ask(number, "/headgate dequeue")
    let_time_pass(shop)

    assert "docs/read.md" in shop.main_files()
    assert shop.state.queued_pulls[PullNumber(number)].state is QueuedPullState.LANDED
    assert shop.state.ledger[-1].through == "GitHub's merge queue"


def test_requested_changes_remove_a_pull_from_githubs_queue(shop: House) -> None:
    dora = shop.hire("dora")
    number = wait_in_githubs_queue(shop)
    submit(shop, number, "REQUEST_CHANGES", dora)
    let_time_pass(shop, 15)

    assert not in_githubs_queue(shop, number)
    assert shop.state.queued_pulls[PullNumber(number)].state is not QueuedPullState.LANDED


def test_a_pull_that_becomes_a_draft_is_removed_from_githubs_queue(shop: House) -> None:
    number = wait_in_githubs_queue(shop)
    pull = shop.hub.repository(shop.full_name).issues[number].pull
    assert pull is not None
    pull.draft = True
    let_time_pass(shop, 15)

    assert not in_githubs_queue(shop, number)
    assert "It is a draft" in shop.comments(number)[-1]


@pytest.mark.parametrize("command", ["hold", "stop"])
def test_holding_a_change_removes_its_pull_from_githubs_queue(tmp_path: Path, command: str) -> None:
    with house(tmp_path) as shop:

        def on_point(point: CrashPoint) -> None:
            if str(point) == "before enqueue":
                (change,) = shop.state.changes.values()
                candidate = shop.state.candidate_of(change)
                assert candidate is not None
                build_passed(shop, candidate.sha)

        supervisor = Supervisor(shop, FaultInjector(on_point))
        approve(shop)
        require_build(shop)

        def is_there() -> bool:
            (change,) = shop.state.changes.values()
            return change.pull is not None and in_githubs_queue(shop, change.pull)

        supervisor.finish(is_there)
        (change,) = shop.state.changes.values()
        assert change.pull is not None
        shop.ask(shop.number("Make the till work"), f"/headgate {command}")
        let_time_pass(shop)

        assert not in_githubs_queue(shop, change.pull)
        (change,) = shop.state.changes.values()
        is_held = shop.state.entry_of(change).hold is not None
        assert (change.state is ChangeState.STOPPED, is_held) == (
            command == "stop",
            command == "hold",
        )
        assert "from GitHub's merge queue" in shop.comments(change.pull or 0)[-1]
        assert TILL not in shop.main_files()


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["before dequeue", "after dequeue"])
def test_a_crash_while_leaving_githubs_queue_removes_the_pull_once(
    tmp_path: Path, moment: str
) -> None:
    with house(tmp_path) as shop:
        number = wait_in_githubs_queue(shop)
        supervisor = Supervisor(shop, FaultInjector(crash_at(moment)))
        shop.comment(number, "/headgate hold", shop.tokens["ada"])

        supervisor.finish(lambda: shop.state.entries[EntryId(f"pull:{number}")].hold is not None)

        assert supervisor.crashes == [moment]
        assert not in_githubs_queue(shop, number)
        issue = shop.hub.repository(shop.full_name).issues[number]
        assert len(shop.hub.merge_queue.removals(issue)) == 1
