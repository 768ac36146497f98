"""A few bad days for every change; `make simulate` lives through thousands."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import cast

import pytest

from bot.core.values.repository import Issue, RepositoryFacts
from bot.localhub.faults import FaultKind
from bot.localhub.model import Actor, TokenKind
from bot.ports import Forge
from tests.scenarios.test_people_at_pulls_and_issues import push_to_branch, up_to_the_pull
from tests.simulation.__main__ import printed
from tests.simulation.baseline import all_work_ended, begin, push
from tests.simulation.day import Outcome, run_day
from tests.simulation.house_troubles import Trouble
from tests.simulation.laws import broken_laws
from tests.simulation.lives import Life
from tests.testkit.crash import CrashPoint, FaultInjector, Killed, Side, Supervisor
from tests.testkit.house import house
from tests.testkit.specs import requirement, spec
from tests.testkit.store_faults import StoreFault

pytestmark = pytest.mark.slow

# Short days, each with another kind of trouble most of the time.
SEEDS = range(1, 16)


Days = Callable[[int], Outcome]


@pytest.fixture(scope="module")
def days(tmp_path_factory: pytest.TempPathFactory) -> Days:
    """The day of a seed, lived through once."""
    return cache(lambda seed: run_day(seed, tmp_path_factory.mktemp(f"day-{seed}")))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_day_with_faults_breaks_no_law(days: Days, seed: int) -> None:
    outcome = days(seed)
    assert not outcome.breaches, printed(outcome)


def test_every_kind_of_fault_happens_on_some_day(days: Days) -> None:
    applied = {fault for seed in SEEDS for fault in days(seed).applied}
    assert {fault.kind for fault in applied} == set(FaultKind)
    refused = {f.status for f in applied if f.kind is FaultKind.REFUSE_BEFORE}
    assert refused & {409, 422}
    assert refused & {500, 502, 503}
    pushed = {f.branch for f in applied if f.kind is FaultKind.PUSH}
    assert pushed == {"", "headgate/*"}


def test_every_kind_of_repository_event_happens_on_some_day(days: Days) -> None:
    lived = [life for seed in SEEDS for life in days(seed).lived]
    assert set(lived) == set(Life)


def test_every_kind_of_internal_failure_happens_on_some_day(days: Days) -> None:
    met = {trouble for seed in SEEDS for trouble in days(seed).met}
    assert met >= set(Trouble)
    assert met >= set(StoreFault)


class BlindForge:
    """A GitHub client that never finds the issues that it opened."""

    def __init__(self, forge: Forge) -> None:
        self._forge = forge

    def issues_by_us(self, _repository: RepositoryFacts, _since: datetime) -> tuple[Issue, ...]:
        """None of them."""
        return ()

    def __getattr__(self, name: str) -> object:
        return getattr(self._forge, name)


def test_repeating_a_create_without_checking_breaks_a_law(tmp_path: Path) -> None:
    with house(tmp_path) as story:
        dead: list[CrashPoint] = []

        def on_point(point: CrashPoint) -> None:
            if point.names == ("open_issue",) and point.side is Side.AFTER and not dead:
                dead.append(point)
                raise Killed(str(point))

        supervisor = Supervisor(story, FaultInjector(on_point))
        supervisor.wrap_ports = lambda ports: replace(
            ports, forge=cast("Forge", BlindForge(ports.forge))
        )
        begin(supervisor)
        supervisor.finish(lambda: all_work_ended(story))
        assert any(re.match(r"issue .* is there 2 times", b) for b in broken_laws(story))


def test_every_law_detects_a_breach(tmp_path: Path) -> None:
    with house(tmp_path) as story:
        supervisor = Supervisor(story, FaultInjector())
        begin(supervisor)
        supervisor.finish(lambda: all_work_ended(story))
        assert broken_laws(story) == []
        hub = story.hub
        repository = hub.repository(story.full_name)
        ours = next(c.user for i in repository.issues.values() for c in i.comments if c.app)
        bot = Actor(TokenKind.INSTALLATION, account=ours, app=hub.state.apps[story.settings.app_id])
        change = next(iter(story.state.changes.values()))
        issue = repository.issues[int(change.issue or 0)]
        tracking = next(i for i in repository.issues.values() if i.number != issue.number)

        hub.comments.add(tracking, bot, tracking.comments[-1].body)
        assert any("comment on" in breach for breach in broken_laws(story))
        hub.issues.reopen(issue, bot)
        assert any("and its issue is open" in breach for breach in broken_laws(story))
        hub.commit_files(story.full_name, {"broken": b"x"}, "Past everybody", "ada")
        assert any("the ledger has" in breach for breach in broken_laws(story))
        assert any("agents at once" in breach for breach in broken_laws(story, agents_max=0))


@pytest.mark.parametrize("is_overwritten", [True, False])
def test_losing_a_persons_push_to_a_change_breaks_a_law(
    tmp_path: Path, is_overwritten: bool
) -> None:
    with house(tmp_path) as story:
        story.start(spec(requirement("TILL")))
        up_to_the_pull(story)
        branch = story.pull("Make the till work")["head"]["ref"]
        repository = story.hub.repository(story.full_name)
        shown = repository.refs[f"refs/heads/{branch}"]
        push_to_branch(story, branch, {"by_hand.txt": "better\n"})
        if is_overwritten:
            story.hub.refs.force(
                repository, story.hub.as_user("ada"), f"refs/heads/{branch}", shown
            )
        push(story, {"README.md": "# Another\n"}, "Move main")
        story.work()
        lost = [b for b in broken_laws(story) if "to a change's branch is lost" in b]
        assert bool(lost) is is_overwritten
