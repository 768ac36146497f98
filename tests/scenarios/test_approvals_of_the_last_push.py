"""A rule requires an approval of the newest push by somebody other than the pusher."""

import pytest

from bot.core.journal.effects import LandPull
from bot.core.journal.events import EffectIntended, PullLandAborted, PullReviewed
from bot.core.values.ids import PullNumber, Sha
from bot.localhub.faults import Fault, FaultKind
from bot.localhub.rule_model import RefRule, Ruleset
from bot.shell.perform_queue import land_pull
from bot.shell.perform_task import Task
from tests.scenarios.test_people_queue_pulls import open_pull
from tests.scenarios.test_reviews_of_queued_pulls import is_merged, submit
from tests.testkit.house import House

pytestmark = pytest.mark.slow


def _ruled(shop: House) -> tuple[str, str]:
    """The rule, which our App may bypass; the tokens of two people who may write."""
    assert shop.state.facts is not None
    shop.hub.add_ruleset(
        shop.full_name,
        Ruleset(
            id=77,
            name="Others approve",
            branches=("~DEFAULT_BRANCH",),
            rules=frozenset({RefRule.PULL_REQUEST}),
            approvals_min=1,
            needs_last_push=True,
            bypass_app_ids=frozenset({shop.state.facts.app_id}),
        ),
    )
    return shop.hire("dora"), shop.hire("bea")


def _push_as(shop: House, branch: str, token: str, path: str, text: str) -> None:
    """Somebody writes a file on a branch."""
    asked = {"message": "More", "content": text, "branch": branch}
    shop.api("PUT", shop.repo(f"/contents/{path}"), asked, token).raise_for_status()
    shop.settle()


def _update_branch(shop: House, branch: str, token: str) -> None:
    """Somebody merges main into a branch."""
    asked = {"base": branch, "head": "main"}
    shop.api("POST", shop.repo("/merges"), asked, token).raise_for_status()
    shop.settle()


def test_the_last_pusher_cannot_approve_a_queued_pull(shop: House) -> None:
    dora, bea = _ruled(shop)
    pull, _ = open_pull(shop, "desk", {"desk.txt": "A desk.\n"})
    _push_as(shop, "desk", dora, "lamp.txt", "QSBsYW1wLgo=")
    submit(shop, pull, "APPROVE", dora)

    asked = shop.ask(pull, "/headgate queue")

    assert "who may be @dora" in shop.reply(pull, asked)
    shop.work()
    assert not is_merged(shop, pull)
    submit(shop, pull, "APPROVE", bea)
    shop.settle()
    shop.work()
    assert is_merged(shop, pull)


def test_merging_main_does_not_hide_the_last_pusher_of_work(shop: House) -> None:
    """Only the push of work is reviewable; a merge of main makes neither of them an approver."""
    pull, _ = open_pull(shop, "desk", {"desk.txt": "A desk.\n"})
    shop.push({"chair.txt": "A chair.\n"}, "Bring a chair")
    shop.settle()
    shop.judge_main()
    dora, bea = _ruled(shop)
    _push_as(shop, "desk", dora, "lamp.txt", "QSBsYW1wLgo=")
    _update_branch(shop, "desk", bea)
    for token in (dora, bea):
        submit(shop, pull, "APPROVE", token)

    asked = shop.ask(pull, "/headgate queue")

    said = shop.reply(pull, asked)
    assert "@dora" in said
    assert "@bea" in said
    shop.work()
    assert not is_merged(shop, pull)


def test_two_approvals_are_needed_if_the_last_pusher_is_unknown(shop: House) -> None:
    dora, bea = _ruled(shop)
    pull, _ = open_pull(shop, "desk", {"desk.txt": "A desk.\n"})
    glob = "*/activity"
    hidden = Fault(kind=FaultKind.REFUSE_BEFORE, method="GET", path_glob=glob, status=404, times=99)
    shop.hub.faults.add(hidden)
    submit(shop, pull, "APPROVE", dora)
    shop.ask(pull, "/headgate queue")
    shop.work()
    assert not is_merged(shop, pull)

    submit(shop, pull, "APPROVE", bea)
    shop.settle()

    seen = shop.state.queued_pulls[PullNumber(pull)]
    assert (seen.approvals.by, seen.approvals.by_pushers) == (("bea",), ("dora",))
    assert not seen.waits_for_reviews


def test_the_landing_checks_the_last_pusher_again(shop: House) -> None:
    dora, bea = _ruled(shop)
    pull, _ = open_pull(shop, "desk", {"desk.txt": "A desk.\n"})
    submit(shop, pull, "APPROVE", bea)
    shop.ask(pull, "/headgate queue")
    shop.work()
    assert is_merged(shop, pull)
    (landing,) = (
        event.effect
        for event in shop.events("EffectIntended")
        if isinstance(event, EffectIntended) and isinstance(event.effect, LandPull)
    )
    again, _ = open_pull(shop, "lamp", {"lamp.txt": "A lamp.\n"})
    _push_as(shop, "lamp", dora, "bulb.txt", "QSBidWxiLgo=")
    submit(shop, again, "APPROVE", dora)
    facts = shop.state.facts
    assert facts is not None
    head = Sha(shop.ref("lamp"))
    wanted = landing.replace(number=PullNumber(again), head=head, base=Sha(shop.ref()))

    aborted, reviewed = land_pull(Task(shop.ports, facts, shop.state, wanted, (), False))

    assert isinstance(aborted, PullLandAborted)
    assert isinstance(reviewed, PullReviewed)
    assert reviewed.approvals.by_pushers == ("dora",)
