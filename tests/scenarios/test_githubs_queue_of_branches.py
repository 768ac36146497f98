"""An additional branch that requires GitHub's merge queue."""

from bot.core.journal.branches import on
from bot.core.values.candidate import MovedBy
from bot.core.values.ids import PullNumber
from bot.core.values.lifecycle import QueuedPullState
from bot.localhub.rule_model import Ruleset
from tests.scenarios.test_githubs_queue import RULES, let_time_pass
from tests.scenarios.test_leaving_githubs_queue import (
    CHECKS,
    build_passed,
    in_githubs_queue,
    let_groups_pass,
)
from tests.scenarios.test_people_queue_pulls import open_pull
from tests.scenarios.test_pulls_required import GITHUB
from tests.testkit.house import House

RELEASE = "release/1"
POLICY = {path: f"{text}\nbranches: [{RELEASE}]\n" for path, text in GITHUB.items()}


def wait_there(shop: House) -> PullNumber:
    """A person's pull in GitHub's queue of the branch, whose group has no `build` yet."""
    shop.push(POLICY)
    shop.work()
    clone = shop.clone()
    shop.git(clone, "push", "-q", "origin", f"origin/main:refs/heads/{RELEASE}")
    for installation in shop.hub.state.installations.values():
        installation.permissions["merge_queues"] = "write"
    rule = Ruleset(7, "Queue", (f"refs/heads/{RELEASE}",), RULES, CHECKS)
    shop.hub.add_ruleset(shop.full_name, rule)
    number, head = open_pull(shop, "fix", {"docs/read.md": "Read me.\n"}, base=RELEASE)
    build_passed(shop, head)
    shop.ask(number, "/headgate queue")
    let_time_pass(shop, 6)
    assert in_githubs_queue(shop, number)
    return PullNumber(number)


def test_groups_of_a_branch_are_judged_and_merged_pulls_have_landed(shop: House) -> None:
    number = wait_there(shop)

    let_groups_pass(shop)
    let_time_pass(shop, 15)

    there = on(shop.state, RELEASE)
    assert there.queued_pulls[number].state is QueuedPullState.LANDED
    assert there.ledger[-1].through is MovedBy.MERGE_QUEUE
    assert not there.freezes
    assert number not in shop.state.queued_pulls


def test_a_freeze_of_a_branch_removes_its_pull_from_githubs_queue(shop: House) -> None:
    number = wait_there(shop)

    shop.ask(number, "/headgate freeze the release is tested")
    shop.work()

    assert not in_githubs_queue(shop, number)
    assert not shop.state.freezes
    assert on(shop.state, RELEASE).queued_pulls[number].state is QueuedPullState.QUEUED
