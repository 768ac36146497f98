"""Actions of people between the decision to land a pull and the move of its branch."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

from bot.core.journal.branches import on
from bot.core.journal.effects import LandPull
from bot.core.values.ids import PullNumber
from bot.core.values.lifecycle import QueuedPullState
from bot.shell.perform_queue import land_pull
from bot.shell.perform_task import Task
from tests.scenarios.test_branches_with_a_queue import RELEASE, open_pull, serve
from tests.testkit.house import House


def about_to_land(shop: House, base: str) -> LandPull:
    """A pull that has passed its gates; a hold is all that keeps the effect from being intended."""
    number = PullNumber(open_pull(shop, "fix", base))
    shop.ask(number, "/headgate queue")
    shop.ask(number, "/headgate hold")
    shop.work()
    state = on(shop.state, "" if base == "main" else base)
    pull = state.queued_pulls[number]
    candidate = state.candidate_of(pull)
    assert candidate is not None
    assert pull.state is QueuedPullState.QUEUED
    return LandPull(
        number=number,
        base=candidate.base,
        candidate=candidate.sha,
        head=candidate.head,
        tree=candidate.tree,
        branch_of_queue=state.on_branch,
    )


def land(shop: House, landing: LandPull) -> list[str]:
    """What the landing says, as `bot.shell.perform` has it done."""
    facts = shop.state.facts
    assert facts is not None
    there = facts.replace(default_branch=landing.branch_of_queue or facts.default_branch)
    return [e.type for e in land_pull(Task(shop.ports, there, shop.state, landing, (), False))]


@contextmanager
def _draft(shop: House, number: int) -> Iterator[None]:
    pull = shop.hub.repository(shop.full_name).issues[number].pull
    assert pull is not None
    pull.draft = True
    yield
    pull.draft = False


@contextmanager
def _closed(shop: House, number: int) -> Iterator[None]:
    path = shop.repo(f"/pulls/{number}")
    shop.api("PATCH", path, {"state": "closed"}).raise_for_status()
    yield
    shop.api("PATCH", path, {"state": "open"}).raise_for_status()


@contextmanager
def _retargeted(shop: House, number: int) -> Iterator[None]:
    path = shop.repo(f"/pulls/{number}")
    before = shop.api("GET", path).json()["base"]["ref"]
    other = "main" if before == RELEASE else RELEASE
    shop.api("PATCH", path, {"base": other}).raise_for_status()
    yield
    shop.api("PATCH", path, {"base": before}).raise_for_status()


@contextmanager
def _forced(shop: House, number: int) -> Iterator[None]:
    clone = shop.clone()
    before = shop.ref("fix")
    shop.git(clone, "checkout", "-q", "fix")
    shop.git(clone, "commit", "-q", "--amend", "-m", "Another fix")
    shop.git(clone, "push", "-q", "--force", "origin", "HEAD:fix")
    yield
    shop.git(clone, "push", "-q", "--force", "origin", f"{before}:refs/heads/fix")


ATTACKS: tuple[Callable[[House, int], AbstractContextManager[None]], ...] = (
    _draft,
    _closed,
    _retargeted,
    _forced,
)


@pytest.mark.parametrize("base", ["main", RELEASE])
def test_last_moment_changes_by_a_person_abort_the_landing(shop: House, base: str) -> None:
    serve(shop)
    landing = about_to_land(shop, base)
    before = shop.ref("main"), shop.ref(RELEASE)
    for attack in ATTACKS:
        with attack(shop, landing.number):
            assert land(shop, landing) == ["PullLandAborted", "PullWithdrawn"], attack
            assert (shop.ref("main"), shop.ref(RELEASE)) == before, attack
    # All of it is as it was, and it lands.
    assert land(shop, landing) == ["PullLanded"]
    assert shop.ref(base) == landing.candidate


def test_a_manual_merge_in_the_same_second_is_not_repeated(shop: House) -> None:
    serve(shop)
    landing = about_to_land(shop, RELEASE)
    path = shop.repo(f"/pulls/{landing.number}/merge")
    shop.api("PUT", path, {"merge_method": "merge"}).raise_for_status()
    merged = shop.ref(RELEASE)
    assert merged != landing.candidate
    assert land(shop, landing) == ["PullLandAborted", "PullWithdrawn"]
    assert shop.ref(RELEASE) == merged
    shop.work()
    state = on(shop.state, RELEASE)
    assert state.queued_pulls[landing.number].state is QueuedPullState.WITHDRAWN
    assert [line.kind.value for line in state.ledger][-1] == "adopted"
    assert "It was merged by @ada." in shop.comments(landing.number)[-1]


def test_a_deleted_branch_is_not_recreated(shop: House) -> None:
    serve(shop)
    landing = about_to_land(shop, RELEASE)
    git = shop.hub.repository(shop.full_name).git
    shop.git(git.folder, "update-ref", "-d", f"refs/heads/{RELEASE}")
    assert land(shop, landing)[0] == "PullLandAborted"
    assert not git.commit_sha(RELEASE)
    shop.work()
    assert not git.commit_sha(RELEASE)
