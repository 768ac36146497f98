"""A reviewer opens threads and requests changes: fixed ones are answered and resolved."""

from pathlib import Path

import pytest

from action.order import AgentOrder
from bot.adapters.github.thread_shapes import THREADS, ThreadsAnswer
from bot.core.values.review import ReviewThread
from bot.localhub.faults import WEBHOOK, Fault, FaultKind
from tests.scenarios.test_reviews_of_queued_pulls import is_merged, submit
from tests.testkit.house import House
from tests.testkit.runner import accounts_for, writes_a_file
from tests.testkit.specs import requirement, spec

pytestmark = pytest.mark.slow

PRICE = "price.txt"
SAID = "Say which euros."
ACCOUNT = "It says so now, @dora; closes #1."


def _works(order: AgentOrder, tree: Path) -> None:
    """Mends the price however often it is asked to, and says so of the threads there."""
    writes_a_file(order, tree)
    (tree / PRICE).write_text(f"{order.attempt} euros\n")
    named = [one.thread for one in order.told if one.path == PRICE and one.thread]
    if named:
        accounts_for(tree, *((number, ACCOUNT) for number in named))


def _reviewed(shop: House) -> tuple[int, str]:
    """A change's pull in which dora has begun two threads and asks for changes, and her token."""
    dora = shop.hire("dora")
    shop.runner.agent = _works
    shop.start(spec(requirement("TILL")))
    agent = shop.runner.take()
    assert agent is not None
    shop.runner.do(agent)
    shop.settle()
    pull = int(shop.pull("Make the till work")["number"])
    other = next(iter(_files(shop, pull) - {PRICE}))
    shop.review(pull, PRICE, 1, SAID, dora)
    shop.review(pull, other, 1, "Why here?", dora)
    submit(shop, pull, "REQUEST_CHANGES", dora)
    shop.settle()
    return pull, dora


def _files(shop: House, pull: int) -> set[str]:
    return {one["filename"] for one in shop.api("GET", shop.repo(f"/pulls/{pull}/files")).json()}


def _query(shop: House, query: str, **variables: object) -> dict[str, object]:
    answer = shop.api("POST", "/graphql", {"query": query, "variables": variables}).json()
    assert "errors" not in answer, answer
    data: dict[str, object] = answer["data"]
    return data


def _threads(shop: House, pull: int) -> tuple[ReviewThread, ReviewThread]:
    owner, name = shop.full_name.split("/")
    found = ThreadsAnswer.model_validate(
        _query(shop, THREADS, owner=owner, name=name, number=pull)
    ).threads
    assert found is not None
    first, second = (one.to_value() for one in found.nodes)
    return first, second


def _orders(shop: House) -> list[AgentOrder]:
    return [one for one in shop.runner.taken if isinstance(one, AgentOrder)]


def test_a_thread_that_an_agent_answers_is_replied_to_and_resolved(shop: House) -> None:
    pull, dora = _reviewed(shop)

    shop.work()

    mended, other = _threads(shop, pull)
    assert (mended.is_resolved, other.is_resolved) == (True, False)
    asked, answer = mended.comments
    assert asked.body == SAID
    assert "> It says so now" in answer.body
    assert "@dora" not in answer.body
    head = shop.api("GET", shop.repo(f"/pulls/{pull}")).json()["head"]["sha"]
    assert head in answer.body
    assert [one.author for one in other.comments] == ["dora"]
    # Whether it is mended is still theirs to say.
    assert not is_merged(shop, pull)

    submit(shop, pull, "REQUEST_CHANGES", dora)
    shop.settle()
    shop.work()
    told = {one.text: one for one in _orders(shop)[-1].told}
    assert told[SAID].answered == ACCOUNT
    assert (told[SAID].thread, told["Why here?"].thread) == (0, 2)
    assert len(_threads(shop, pull)[0].comments) == 2

    submit(shop, pull, "APPROVE", dora)
    shop.settle()
    shop.work()
    assert is_merged(shop, pull)


@pytest.mark.parametrize("is_told", [True, False])
def test_a_reopened_thread_goes_to_the_next_agent(shop: House, *, is_told: bool) -> None:
    pull, dora = _reviewed(shop)
    shop.work()
    mended, _ = _threads(shop, pull)
    if not is_told:
        event = "pull_request_review_thread.unresolved"
        shop.hub.faults.add(Fault(kind=FaultKind.DROP, method=WEBHOOK, path_glob=event, times=9))
    opened = "mutation($thread: ID!) { unresolveReviewThread(input: {threadId: $thread}) { thread { id } } }"
    _query(shop, opened, thread=mended.id)
    shop.settle()
    if not is_told:
        shop.forward(seconds=31)
        shop.sweep()

    (change,) = shop.state.changes.values()
    assert change.threads[mended.root].is_open
    submit(shop, pull, "REQUEST_CHANGES", dora)
    shop.settle()
    shop.work()

    assert {one.text: one.thread for one in _orders(shop)[-1].told}[SAID] == 1
    again, _ = _threads(shop, pull)
    assert (again.is_resolved, len(again.comments)) == (True, 3)


@pytest.mark.parametrize(
    "fault",
    [
        Fault(kind=FaultKind.LOSE_ANSWER, method="POST", path_glob="*/replies"),
        Fault(kind=FaultKind.REFUSE_BEFORE, method="POST", path_glob="/graphql", nth=2),
        Fault(kind=FaultKind.LOSE_ANSWER, method="POST", path_glob="/graphql", nth=2),
    ],
    ids=["the answer", "before the resolving", "after the resolving"],
)
def test_a_failure_between_reply_and_resolution_leaves_one_reply(shop: House, fault: Fault) -> None:
    pull, _ = _reviewed(shop)
    while (lease := shop.runner.take()) is not None:
        if isinstance(lease.order, AgentOrder):
            shop.hub.faults.add(fault)
        shop.runner.do(lease)
        shop.settle()

    for _ in range(4):
        shop.forward(seconds=20)
        shop.ring_due()

    mended, _ = _threads(shop, pull)
    assert (mended.is_resolved, len(mended.comments)) == (True, 2)


def test_a_thread_that_a_person_answered_first_is_not_changed(shop: House) -> None:
    """Both happen while an agent works, without webhooks."""
    pull, dora = _reviewed(shop)
    mended, other = _threads(shop, pull)
    lease = shop.runner.take()
    assert lease is not None
    for event in ("pull_request_review_thread.*", "pull_request_review_comment.*"):
        shop.hub.faults.add(Fault(kind=FaultKind.DROP, method=WEBHOOK, path_glob=event, times=9))
    reply = shop.repo(f"/pulls/{pull}/comments/{mended.root}/replies")
    shop.api("POST", reply, {"body": "And whose?"}, dora).raise_for_status()

    shop.runner.do(lease)
    shop.settle()

    seen, _ = _threads(shop, pull)
    assert not seen.is_resolved
    assert [one.author for one in seen.comments][:2] == ["dora", "dora"]
    assert len(seen.comments) == 3
    assert not other.is_resolved


def test_a_thread_that_a_person_resolved_gets_no_reply(shop: House) -> None:
    pull, _ = _reviewed(shop)
    mended, _ = _threads(shop, pull)
    lease = shop.runner.take()
    assert lease is not None
    event = "pull_request_review_thread.*"
    shop.hub.faults.add(Fault(kind=FaultKind.DROP, method=WEBHOOK, path_glob=event, times=9))
    resolved = "mutation($thread: ID!) { resolveReviewThread(input: {threadId: $thread}) { thread { id } } }"
    _query(shop, resolved, thread=mended.id)

    shop.runner.do(lease)
    shop.settle()

    seen, _ = _threads(shop, pull)
    assert (seen.is_resolved, len(seen.comments)) == (True, 1)
