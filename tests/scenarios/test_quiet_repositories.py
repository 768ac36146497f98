"""A quiet repository without webhooks: moved branches are noticed within a minute."""

from collections.abc import Callable, Mapping
from datetime import timedelta

import pytest

from bot.core.spec.policy_file import POLICY_PATH
from bot.localhub.faults import WEBHOOK, Fault, FaultKind
from bot.shell.sweep import QUIET_LOOK_EVERY, SweepState
from tests.testkit.crash import FaultInjector, Supervisor
from tests.testkit.house import House
from tests.testkit.hub_setup import POLICY
from tests.testkit.specs import requirement, spec

RELEASE = "release/1"
TELLING = f"{POLICY}adopted: tell\nbranches: [{RELEASE}]\n"


class Night:
    """A sweep and a worker beside a repository of which no webhook tells."""

    def __init__(self, shop: House) -> None:
        self.shop = shop
        shop.push({POLICY_PATH: TELLING}, "Tell of commits that nobody judged")
        shop.work()
        self.push_to_release({"notes.md": "# Release 1\n"})
        shop.sweep()
        shop.work()
        shop.clock.stop()
        self.sweep = Supervisor(shop, FaultInjector())
        self.beats = self.sweep.beats = SweepState()
        never = shop.clock.now() + timedelta(days=3_650)
        self.beats.installations_listed_at = self.beats.deliveries_at = never

    def fall_quiet(self) -> None:
        """Until it is looked at every ten minutes only, and was a minute ago."""
        self._lose_webhooks()
        self.pass_time(45 * 60, step=5)
        (rhythm,) = self.beats.schedules.values()
        assert rhythm.every == QUIET_LOOK_EVERY
        self.pass_time(int((rhythm.next_at - self.shop.clock.now()).total_seconds()) + 60)
        (rhythm,) = self.beats.schedules.values()
        assert rhythm.next_at - self.shop.clock.now() > timedelta(minutes=8)

    def _lose_webhooks(self) -> None:
        lost = Fault(kind=FaultKind.DROP, method=WEBHOOK, path_glob="*", times=1_000_000)
        self.shop.hub.faults.add(lost)

    def pass_time(self, seconds: int, step: int = 1) -> None:
        for _ in range(seconds // step):
            self.shop.forward(seconds=step)
            self.sweep.beat()
            self.sweep.work_without_runners()

    def seconds_until(self, is_so: Callable[[], bool], most: int = 90, step: int = 1) -> int:
        for second in range(step, most, step):
            self.pass_time(step, step)
            if is_so():
                return second
        raise AssertionError(f"nothing was seen in {most} seconds")

    def push_to_release(self, files: Mapping[str, str]) -> None:
        clone = self.shop.clone()
        if self.shop.state.branches:
            self.shop.git(clone, "checkout", "-q", RELEASE)
        for path, text in files.items():
            (clone / path).write_text(text)
        self.shop.git(clone, "add", "-A")
        self.shop.git(clone, "commit", "-q", "-m", "Push to the release")
        self.shop.git(clone, "push", "-q", "origin", f"HEAD:refs/heads/{RELEASE}")

    def graphql(self) -> int:
        return sum(1 for e in self.shop.hub.exchanges if e.path.endswith("/graphql"))

    def has_issue(self, title: str) -> bool:
        return any(title in str(issue["title"]) for issue in self.shop.issues())


@pytest.fixture
def night(shop: House) -> Night:
    return Night(shop)


def test_a_commit_that_bypassed_headgate_opens_an_incident_within_a_minute(night: Night) -> None:
    night.fall_quiet()
    night.shop.push({"src/roof.txt": "tiles\n"}, "Mend the roof")
    assert night.seconds_until(lambda: night.has_issue("reached main without Headgate")) <= 60


def test_a_pushed_spec_is_planned_within_a_minute(night: Night) -> None:
    night.fall_quiet()
    night.shop.push({"specs/shop.md": spec(requirement("TILL"))}, "Ask for work")
    assert night.seconds_until(lambda: bool(night.shop.events("PlanMade"))) <= 60


def test_a_bypassing_commit_on_another_branch_opens_an_incident_within_a_minute(
    night: Night,
) -> None:
    night.fall_quiet()
    night.push_to_release({"notes.md": "# Release 1, and more\n"})
    title = f"reached {RELEASE} without Headgate"
    assert night.seconds_until(lambda: night.has_issue(title)) <= 60


def test_a_quiet_repository_writes_no_events(night: Night) -> None:
    night.fall_quiet()
    before = len(night.shop.every_event())
    asked = night.graphql()
    night.pass_time(300)
    assert len(night.shop.every_event()) == before
    assert 5 <= night.graphql() - asked <= 7


@pytest.mark.parametrize(
    "fault",
    [
        Fault(kind=FaultKind.PAGE, path_glob="*/graphql", times=1_000),
        Fault(kind=FaultKind.TRUNCATE, path_glob="*/graphql", times=1_000),
        Fault(kind=FaultKind.REFUSE_BEFORE, path_glob="*/graphql", times=1_000),
        Fault(kind=FaultKind.REFUSE_BEFORE, path_glob="*/graphql", times=1_000, status=404),
        Fault(kind=FaultKind.SECONDARY_LIMIT, path_glob="*/graphql", retry_after_seconds=90),
    ],
    ids=["page", "half", "502", "404", "limit"],
)
def test_without_graphql_a_look_every_ten_minutes_remains(night: Night, fault: Fault) -> None:
    night.fall_quiet()
    night.shop.hub.faults.add(fault)
    night.shop.push({"src/roof.txt": "tiles\n"}, "Mend the roof")
    seen = night.seconds_until(lambda: night.has_issue("without Headgate"), most=660, step=5)
    assert 60 < seen <= 600
