"""Many hints about pulls cost one request for each hundred open pulls."""

from types import SimpleNamespace
from typing import cast

import pytest

from bot.core.journal.state import RepositoryState
from bot.core.state.observed import Hint, HintKind, Looks, looks
from bot.core.values.auto_queue import ApprovedPull
from bot.core.values.ids import IssueNumber, PullNumber
from bot.core.values.pull_review import PullReview
from bot.core.values.queue_label import QUEUE_LABEL
from bot.core.values.repository import Labelling, Pull, PullState, RepositoryFacts, Role
from bot.shell.observe_approved import REVIEWS_A_LOOK, ApprovedObserver
from bot.shell.observe_queue import NAMED_A_LOOK, pulls_seen
from bot.shell.process_ports import Ports
from tests.core.kit import World
from tests.core.queued_pulls import queue_pulls
from tests.core.values import FACTS, GATES, START, policy, sha

MANY = 200


class CountingForge:
    """The pulls of a repository, and what was asked about them."""

    def __init__(self, *pulls: Pull) -> None:
        self.all = {pull.number: pull for pull in pulls}
        self.asked: list[str] = []

    def pull(self, _: RepositoryFacts, number: PullNumber) -> Pull | None:
        self.asked.append("pull")
        return self.all.get(number)

    def open_pulls(self, _: RepositoryFacts) -> tuple[Pull, ...]:
        self.asked.append("list")
        return tuple(pull for pull in self.all.values() if pull.state is PullState.OPEN)

    def labelling(self, _: RepositoryFacts, number: IssueNumber, __: str) -> Labelling:
        self.asked.append("labelling")
        return Labelling(id=number, by="ann")

    def role(self, _: RepositoryFacts, __: str) -> Role:
        return Role.WRITE

    def reviews(self, _: RepositoryFacts, __: PullNumber) -> tuple[PullReview, ...]:
        self.asked.append("reviews")
        return ()


def _pull(number: int, *, state: PullState = PullState.OPEN, label: str = "") -> Pull:
    return Pull(
        number=PullNumber(number),
        state=state,
        head_sha=sha(f"head {number}"),
        head_branch=f"b{number}",
        base_branch="main",
        body="",
        html_url="",
        labels=(label,) if label else (),
    )


def _ports(forge: CountingForge) -> Ports:
    clock = SimpleNamespace(now=lambda: START)
    return cast(Ports, SimpleNamespace(forge=forge, clock=clock))


def _looks(kind: HintKind, state: RepositoryState, count: int = MANY) -> Looks:
    hints = tuple(Hint(kind=kind, number=number) for number in range(1, count + 1))
    return looks(state, hints, START)


def _state() -> RepositoryState:
    return World().state


def test_labels_of_many_pulls_are_read_from_the_list() -> None:
    forge = CountingForge(*(_pull(n, label=QUEUE_LABEL if n < 3 else "") for n in range(1, MANY)))
    state = _state()
    seen = pulls_seen(_ports(forge), FACTS, state, _looks(HintKind.LABEL, state))
    assert forge.asked == ["list", "labelling", "labelling"]
    acts = {number: label.act for number, label in seen.labels.items() if label.act is not None}
    assert acts.keys() == {1, 2}


def test_a_closed_pull_is_not_treated_as_missing() -> None:
    forge = CountingForge(*(_pull(n) for n in range(1, MANY)), _pull(MANY, state=PullState.MERGED))
    state = _state()
    seen = pulls_seen(_ports(forge), FACTS, state, _looks(HintKind.LABEL, state))
    assert PullNumber(MANY) not in seen.pulls
    assert None not in seen.pulls.values()


def test_a_few_pulls_are_requested_one_by_one() -> None:
    forge = CountingForge(*(_pull(n) for n in range(1, MANY)))
    state = _state()
    pulls_seen(_ports(forge), FACTS, state, _looks(HintKind.LABEL, state, NAMED_A_LOOK))
    assert forge.asked == ["pull"] * NAMED_A_LOOK


def _queued_by_label(count: int) -> tuple[World, CountingForge]:
    world = World(GATES)
    for n in range(count):
        world.label_pull(world.open_pull(f"b{n}"))
    world.settle()
    pulls = (p.model_copy(update={"labels": (QUEUE_LABEL,)}) for p in world.pulls.values())
    return world, CountingForge(*pulls)


def test_of_many_queued_pulls_only_closed_ones_are_requested_one_by_one() -> None:
    world = World(GATES)
    numbers = queue_pulls(world, *(f"b{n}" for n in range(NAMED_A_LOOK + 5)))
    gone = PullNumber(numbers[0])
    world.alter_pull(gone, state=PullState.MERGED)
    forge = CountingForge(*world.pulls.values())
    asked = looks(world.state, (Hint(kind=HintKind.MAIN),), START)
    seen = pulls_seen(_ports(forge), FACTS, world.state, asked)
    assert forge.asked == ["list", "pull"]
    assert seen.pulls == world.pulls


@pytest.mark.parametrize("is_full", [True, False])
def test_a_label_that_queued_a_pull_is_not_read_again_while_it_is_there(is_full: bool) -> None:
    world, forge = _queued_by_label(3)
    hint = Hint(kind=HintKind.EVERYTHING if is_full else HintKind.MAIN)
    seen = pulls_seen(_ports(forge), FACTS, world.state, looks(world.state, (hint,), START))
    assert "labelling" not in forge.asked
    assert not seen.labels
    one = next(iter(forge.all))
    forge.all[one] = forge.all[one].model_copy(update={"labels": ()})
    seen = pulls_seen(_ports(forge), FACTS, world.state, looks(world.state, (hint,), START))
    assert list(seen.labels) == ([one] if is_full else [])


def test_pulls_that_may_enter_by_themselves_are_read_from_the_list() -> None:
    rules = policy(f"{GATES}auto_queue: approved\n")
    forge = CountingForge(*(_pull(n) for n in range(1, MANY)))
    state = _state()
    observer = ApprovedObserver(_ports(forge))
    asked = _looks(HintKind.PULL, state)
    found: dict[PullNumber, ApprovedPull] = observer.look(
        FACTS, state, asked, (), (state.main, rules)
    )
    assert not found
    assert forge.asked == ["list", *["reviews"] * REVIEWS_A_LOOK]
