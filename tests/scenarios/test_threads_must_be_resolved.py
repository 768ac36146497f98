"""A rule of main requires resolved review threads, and our App may bypass it."""

import pytest

from bot.core.decide.changes.end_without_landing import landing_of
from bot.core.journal.effects import LandPull
from bot.core.journal.events import (
    ChangeReviewed,
    EffectIntended,
    LandAborted,
    PullLandAborted,
    PullReviewed,
)
from bot.core.values.ids import PullNumber, Sha
from bot.localhub.rule_model import RefRule, Ruleset
from bot.shell.perform_landing import land_candidate
from bot.shell.perform_queue import land_pull
from bot.shell.perform_task import Task
from tests.scenarios.test_people_queue_pulls import open_pull
from tests.scenarios.test_reviews_of_queued_pulls import is_merged
from tests.testkit.house import House
from tests.testkit.specs import requirement, spec

pytestmark = pytest.mark.slow

_RESOLVE = """mutation($thread: ID!) {
  resolveReviewThread(input: {threadId: $thread}) { thread { isResolved } }
}"""


def _ruled(shop: House) -> str:
    """The rule; the token of somebody who may write."""
    assert shop.state.facts is not None
    shop.hub.add_ruleset(
        shop.full_name,
        Ruleset(
            id=78,
            name="All is answered",
            branches=("~DEFAULT_BRANCH",),
            rules=frozenset({RefRule.PULL_REQUEST}),
            needs_resolution=True,
            bypass_app_ids=frozenset({shop.state.facts.app_id}),
        ),
    )
    return shop.hire("dora")


def _resolve_all(shop: House, pull: int, token: str) -> None:
    assert shop.state.facts is not None
    for one in shop.ports.forge.review_threads(shop.state.facts, PullNumber(pull)):
        asked = {"query": _RESOLVE, "variables": {"thread": one.id}}
        answer = shop.api("POST", "/graphql", asked, token).json()
        assert "errors" not in answer, answer
    shop.settle()


def test_a_persons_pull_waits_until_its_threads_are_resolved(shop: House) -> None:
    dora = _ruled(shop)
    pull, _ = open_pull(shop, "desk", {"desk.txt": "A desk.\n"})
    shop.review(pull, "desk.txt", 1, "Which wood?", dora)

    asked = shop.ask(pull, "/headgate queue")

    said = "until 1 open thread of reviews is resolved, as a rule requires (`desk.txt:1`)"
    assert said in shop.reply(pull, asked)
    assert said in shop.reply(pull, shop.ask(pull, "/headgate why"))
    shop.work()
    assert not is_merged(shop, pull)

    _resolve_all(shop, pull, dora)
    shop.work()
    assert is_merged(shop, pull)


def test_a_thread_opened_in_the_queue_is_noticed(shop: House) -> None:
    dora = _ruled(shop)
    pull, _ = open_pull(shop, "desk", {"desk.txt": "A desk.\n"})
    shop.ask(pull, "/headgate queue")
    shop.review(pull, "desk.txt", 1, "Which wood?", dora)
    shop.settle()

    assert shop.state.queued_pulls[PullNumber(pull)].unresolved == ("desk.txt:1",)


def test_a_change_waits_until_its_threads_are_resolved(shop: House) -> None:
    tracking = shop.plan(spec(requirement("TILL")))
    dora = _ruled(shop)
    shop.ask(tracking, "/headgate approve")
    agent = shop.runner.take()
    assert agent is not None
    shop.runner.do(agent)
    shop.settle()
    pull = int(shop.pull("Make the till work")["number"])
    path = shop.api("GET", shop.repo(f"/pulls/{pull}/files")).json()[0]["filename"]
    shop.review(pull, path, 1, "Say which euros.", dora)
    shop.settle()
    shop.work()
    assert not is_merged(shop, pull)
    (change,) = (c for c in shop.state.changes.values() if c.pull == pull)
    assert change.unresolved == (f"{path}:1",)

    _resolve_all(shop, pull, dora)
    shop.work()
    assert is_merged(shop, pull)


def test_the_landing_checks_threads_again(shop: House) -> None:
    dora = _ruled(shop)
    pull, _ = open_pull(shop, "desk", {"desk.txt": "A desk.\n"})
    shop.ask(pull, "/headgate queue")
    shop.work()
    assert is_merged(shop, pull)
    (landing,) = (
        event.effect
        for event in shop.events("EffectIntended")
        if isinstance(event, EffectIntended) and isinstance(event.effect, LandPull)
    )
    again, _ = open_pull(shop, "lamp", {"lamp.txt": "A lamp.\n"})
    shop.review(again, "lamp.txt", 1, "Which bulb?", dora)
    facts = shop.state.facts
    assert facts is not None
    head = Sha(shop.ref("lamp"))
    wanted = landing.replace(number=PullNumber(again), head=head, base=Sha(shop.ref()))

    aborted, reviewed = land_pull(Task(shop.ports, facts, shop.state, wanted, (), False))

    assert isinstance(aborted, PullLandAborted)
    assert isinstance(reviewed, PullReviewed)
    assert reviewed.approvals.unresolved == ("lamp.txt:1",)


def test_the_landing_of_a_change_checks_threads_again(shop: House) -> None:
    tracking = shop.plan(spec(requirement("TILL")))
    dora = _ruled(shop)
    shop.ask(tracking, "/headgate approve")
    agent = shop.runner.take()
    assert agent is not None
    shop.runner.do(agent)
    shop.settle()
    pull = int(shop.pull("Make the till work")["number"])
    path = shop.api("GET", shop.repo(f"/pulls/{pull}/files")).json()[0]["filename"]
    shop.review(pull, path, 1, "Say which euros.", dora)
    (change,) = (c for c in shop.state.changes.values() if c.pull == pull)
    candidate = shop.state.candidate_of(change)
    assert candidate is not None
    wanted = landing_of(change, candidate, PullNumber(pull)).replace(needs_resolution=True)
    assert shop.state.facts is not None

    found = land_candidate(Task(shop.ports, shop.state.facts, shop.state, wanted, (), False))

    aborted, reviewed = found
    assert isinstance(aborted, LandAborted)
    assert isinstance(reviewed, ChangeReviewed)
    assert reviewed.approvals.unresolved == (f"{path}:1",)
    assert not is_merged(shop, pull)
