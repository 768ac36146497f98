"""The policy asks that code owners approve people's pulls; CODEOWNERS of main says who they are."""

import pytest

from bot.core.journal.effects import LandPull
from bot.core.journal.events import EffectIntended, PullLandAborted, PullReviewed
from bot.core.values.ids import PullNumber, Sha
from bot.shell.perform_queue import land_pull
from bot.shell.perform_task import Task
from tests.scenarios.test_people_queue_pulls import open_pull
from tests.scenarios.test_reviews_of_queued_pulls import is_merged, submit
from tests.testkit.house import House
from tests.testkit.hub_setup import POLICY

pytestmark = pytest.mark.slow

PLACE = ".github/headgate.yml"


def _asked_for(shop: House) -> tuple[str, str]:
    """The policy and owners on main; the tokens of two people who may write, of whom dora owns desks."""
    asked = POLICY + "reviews: code-owners\n"
    owners = "/desk.txt @dora @acme/joiners\n"
    shop.push({PLACE: asked, "CODEOWNERS": owners}, "Say who owns what")
    shop.settle()
    shop.judge_main()
    return shop.hire("dora"), shop.hire("bea")


def test_a_pull_waits_for_the_code_owner_of_its_files(shop: House) -> None:
    dora, bea = _asked_for(shop)
    # What the pull says of owners does not count.
    pull, _ = open_pull(shop, "desk", {"desk.txt": "A desk.\n", "CODEOWNERS": "/desk.txt @bea\n"})
    submit(shop, pull, "APPROVE", bea)

    asked = shop.ask(pull, "/headgate queue")

    said = shop.reply(pull, asked)
    assert "until @dora or `acme/joiners` as code owner approves" in said
    assert "the members of a team" in said
    shop.work()
    assert not is_merged(shop, pull)
    submit(shop, pull, "APPROVE", dora)
    shop.settle()
    shop.work()
    assert is_merged(shop, pull)


def test_files_without_owners_need_no_approval_and_the_landing_checks_owners_again(
    shop: House,
) -> None:
    _asked_for(shop)
    pull, _ = open_pull(shop, "lamp", {"lamp.txt": "A lamp.\n"})
    shop.ask(pull, "/headgate queue")
    shop.work()
    assert is_merged(shop, pull)
    (landing,) = (
        event.effect
        for event in shop.events("EffectIntended")
        if isinstance(event, EffectIntended) and isinstance(event.effect, LandPull)
    )
    again, _ = open_pull(shop, "desk", {"desk.txt": "A desk.\n"})
    facts = shop.state.facts
    assert facts is not None
    head = Sha(shop.ref("desk"))
    wanted = landing.replace(number=PullNumber(again), head=head, base=Sha(shop.ref()))

    aborted, reviewed = land_pull(Task(shop.ports, facts, shop.state, wanted, (), False))

    assert isinstance(aborted, PullLandAborted)
    assert isinstance(reviewed, PullReviewed)
    assert reviewed.approvals.owners == (("@dora", "@acme/joiners"),)


def test_a_head_with_an_unrelated_history_does_not_block_other_pulls(shop: House) -> None:
    dora, _ = _asked_for(shop)
    pull, _ = open_pull(shop, "desk", {"desk.txt": "A desk.\n"})
    shop.ask(pull, "/headgate queue")
    clone = shop.clone()
    shop.git(clone, "checkout", "-q", "--orphan", "elsewhere")
    shop.git(clone, "commit", "-q", "-m", "Begin elsewhere")
    shop.git(clone, "push", "-q", "--force", "origin", "HEAD:desk")
    lamp, _ = open_pull(shop, "lamp", {"lamp.txt": "A lamp.\n"})

    submit(shop, pull, "APPROVE", dora)
    shop.ask(pull, "/headgate queue")
    shop.ask(lamp, "/headgate queue")
    shop.work()

    assert is_merged(shop, lamp)
    assert not is_merged(shop, pull)
