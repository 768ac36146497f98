"""Stories of pulls that enter the queue by themselves, once they are approved and green."""

import json

import pytest

from bot.core.journal.evolve_pull_queue import (
    KEPT_OUT_MAX,
    LEFT_AT_ONCE,
    LEFT_KEPT,
)
from bot.core.state.observed import Hint, HintKind, looks
from bot.core.state.webhook import read_delivery
from bot.core.values.ids import PullNumber
from bot.core.values.lifecycle import QueuedPullState as P
from bot.core.values.repository import Role
from bot.core.values.rules import (
    BranchRule,
    Bypass,
    RepositoryRules,
    RequiredCheck,
    RuleKind,
)
from bot.core.values.seen_check import CheckEnding, SeenCheck
from tests.core.kit import World
from tests.core.queued_pulls import judge_pull, pull_of, queue_pulls, said_at
from tests.core.values import sha

AUTO = "version: 1\nauto_queue: approved\ngates:\n  test: {run: pytest}\n"
ENTERED = "so it enters the queue"


def approved(
    world: World, name: str = "mend", *, is_draft: bool = False, is_from_fork: bool = False
) -> int:
    number = world.open_pull(name, is_draft=is_draft, is_from_fork=is_from_fork)
    world.review(number, by=("ben",))
    world.settle()
    return number


def is_queued(world: World, number: int) -> bool:
    pull = world.state.queued_pulls.get(PullNumber(number))
    return pull is not None and not pull.has_left


def test_an_approved_pull_enters_says_so_and_lands() -> None:
    world = World(AUTO)
    number = approved(world)
    assert said_at(world, number).count(ENTERED) == 1
    assert "@ben has approved it" in said_at(world, number)
    assert "To remove it, comment `/headgate dequeue`" in said_at(world, number)
    check = world.check_runs[f"queue:pull-{number}:1"]
    assert "It entered automatically (`auto_queue`) after @ben approved it." in check.summary
    judge_pull(world, number)
    assert pull_of(world, number).state is P.LANDED


def test_without_the_policy_no_pull_enters_by_itself() -> None:
    world = World()
    assert not is_queued(world, approved(world))


def test_one_approval_is_needed_even_without_a_rule() -> None:
    world = World(AUTO)
    number = world.open_pull("mend")
    world.review(number)
    world.settle()
    assert not is_queued(world, number)


def test_the_policy_sets_the_number_of_needed_approvals() -> None:
    world = World(AUTO + "reviews: 2\n")
    number = approved(world)
    assert not is_queued(world, number)
    world.review(number, by=("ben", "cleo"))
    world.settle()
    assert is_queued(world, number)


def test_requested_changes_keep_a_pull_out() -> None:
    world = World(AUTO)
    number = world.open_pull("mend")
    world.review(number, by=("ben",), against=("cleo",))
    world.settle()
    assert not is_queued(world, number)


def test_an_approval_without_the_role_to_queue_does_not_count() -> None:
    world = World(AUTO + "approver: maintain\n")
    number = approved(world)
    assert not is_queued(world, number)
    world.roles["ben"] = Role.MAINTAIN
    world.settle()
    assert is_queued(world, number)


def test_a_draft_waits_until_it_is_ready() -> None:
    world = World(AUTO)
    number = approved(world, is_draft=True)
    assert not is_queued(world, number)
    world.alter_pull(number, is_draft=False)
    world.settle()
    assert is_queued(world, number)


def test_a_pull_from_a_fork_does_not_enter_by_itself() -> None:
    world = World(AUTO + "forks: {runs_on: strangers}\n")
    assert not is_queued(world, approved(world, is_from_fork=True))


def test_a_pull_from_a_fork_enters_by_itself_if_the_policy_says_so() -> None:
    world = World(AUTO + "forks: {runs_on: strangers, auto_queue: true}\n")
    assert is_queued(world, approved(world, is_from_fork=True))


def test_without_runners_for_forks_no_fork_pull_enters() -> None:
    world = World(AUTO + "forks: {auto_queue: true}\n")
    number = approved(world, is_from_fork=True)
    assert not is_queued(world, number)
    assert said_at(world, number) == ""


def test_a_queued_pull_waits_after_its_approval_is_withdrawn() -> None:
    world = World(AUTO + "reviews: none\n")
    number = approved(world)
    world.review(number)
    world.settle()
    judge_pull(world, number)
    assert pull_of(world, number).state is P.QUEUED
    world.review(number, by=("cleo",))
    world.settle()
    assert pull_of(world, number).state is P.LANDED


class TestChecks:
    @staticmethod
    def world(app: int | None = None) -> World:
        world = World(AUTO)
        verdict, build = RequiredCheck(context="headgate/verdict"), RequiredCheck(context="build")
        rule = BranchRule(
            kind=RuleKind.CHECKS,
            bypass=Bypass.ALWAYS,
            checks=(verdict, build.replace(app_id=app)),
        )
        world.rules = RepositoryRules(branch="main", rules=(rule,))
        world.settle()
        return world

    @pytest.mark.parametrize("ending", [None, *CheckEnding])
    def test_a_required_check_must_be_green(self, ending: CheckEnding | None) -> None:
        world = self.world()
        if ending is not None:
            world.checks = (SeenCheck(name="build", app_id=5, ending=ending),)
        assert is_queued(world, approved(world)) is (ending is CheckEnding.GREEN)

    def test_a_required_check_of_another_app_does_not_count(self) -> None:
        world = self.world(app=5)
        world.checks = (SeenCheck(name="build", app_id=6, ending=CheckEnding.GREEN),)
        number = approved(world)
        assert not is_queued(world, number)
        world.checks = (SeenCheck(name="build", app_id=5, ending=CheckEnding.GREEN),)
        world.settle()
        assert is_queued(world, number)

    def test_external_checks_of_the_policy_must_be_green_at_the_head(self) -> None:
        world = World(AUTO + "  scan: {external: {check: scan}}\n")
        number = approved(world)
        assert not is_queued(world, number)
        world.checks = (SeenCheck(name="scan", ending=CheckEnding.GREEN),)
        world.settle()
        assert is_queued(world, number)


class TestLeavingTheQueue:
    def test_a_dequeued_pull_stays_out_until_a_push(self) -> None:
        world = World(AUTO)
        number = approved(world)
        world.say(number, "/headgate dequeue")
        world.settle()
        world.settle()
        assert pull_of(world, number).state is P.WITHDRAWN
        world.alter_pull(number, head_sha=sha("more work"))
        world.settle()
        assert is_queued(world, number)
        assert said_at(world, number).count(ENTERED) == 2

    def test_a_command_queues_a_dequeued_pull_again(self) -> None:
        world = World(AUTO)
        number = approved(world)
        world.say(number, "/headgate dequeue")
        world.settle()
        world.say(number, "/headgate queue")
        world.settle()
        assert is_queued(world, number)

    def test_a_pull_with_red_gates_stays_out(self) -> None:
        world = World(AUTO)
        number = approved(world)
        judge_pull(world, number, red=True)
        world.settle()
        if is_queued(world, number):
            judge_pull(world, number, red=True)
        world.settle()
        assert pull_of(world, number).state is P.EVICTED

    def test_a_pull_dequeued_after_losing_its_label_stays_out(self) -> None:
        world = World(AUTO)
        number = world.open_pull("mend")
        world.label_pull(number)
        world.settle()
        world.queue_labels.clear()
        world.say(number, "/headgate dequeue")
        world.review(number, by=("ben",))
        world.settle()
        assert pull_of(world, number).state is P.WITHDRAWN

    def test_a_held_pull_stays_held(self) -> None:
        world = World(AUTO)
        number = approved(world)
        world.say(number, "/headgate hold it waits for the release")
        world.settle()
        judge_pull(world, number)
        assert pull_of(world, number).state is P.QUEUED

    def test_a_dequeued_pull_stays_out_after_many_others_left(self) -> None:
        world = World(AUTO)
        number = approved(world)
        world.say(number, "/headgate dequeue")
        world.settle()
        for one in queue_pulls(world, *(f"other {n}" for n in range(LEFT_KEPT + LEFT_AT_ONCE))):
            world.say(one, "/headgate dequeue")
            world.settle()
        assert PullNumber(number) not in world.state.queued_pulls
        world.settle()
        assert not is_queued(world, number)
        assert 0 < len(world.state.kept_out) < KEPT_OUT_MAX


class TestHints:
    @staticmethod
    def suite(conclusion: str, sender: str) -> bytes:
        suite = {"conclusion": conclusion, "pull_requests": [{"id": 1, "number": 12}]}
        said = {"action": "completed", "repository": {"id": 7}, "check_suite": suite}
        return json.dumps({**said, "sender": {"type": sender}}).encode()

    @pytest.mark.parametrize(
        ("conclusion", "sender", "heard"),
        [("success", "User", True), ("failure", "User", False), ("success", "Bot", False)],
    )
    def test_a_green_check_suite_gives_hints_about_its_pulls(
        self, conclusion: str, sender: str, heard: bool
    ) -> None:
        read = read_delivery("check_suite", self.suite(conclusion, sender))
        assert read is not None
        assert read.hints == ((Hint(kind=HintKind.CHECKED, number=12),) if heard else ())

    @pytest.mark.parametrize("kind", [HintKind.CHECKED, HintKind.PULL, HintKind.REVIEWED])
    def test_hints_about_unqueued_pulls_are_read(self, kind: HintKind) -> None:
        world = World(AUTO)
        (number,) = queue_pulls(world, "mend")
        hints = (Hint(kind=kind, number=number), Hint(kind=kind, number=99))
        assert looks(world.state, hints, world.now).unqueued_pulls == (99,)
