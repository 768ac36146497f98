"""A worker dies at any write, or answers are lost, while people's pulls land: the same outcome, once."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.core.journal.branches import on
from bot.core.journal.state import RepositoryState
from bot.localhub.faults import Fault, FaultKind
from tests.scenarios.test_people_queue_pulls import open_pull
from tests.simulation.baseline import say_on
from tests.simulation.laws import broken_laws
from tests.simulation.random_faults import GRAPHQL, PUSHES
from tests.testkit.crash import CrashPoint, FaultInjector, Side, Supervisor, crash_at_first_of_each
from tests.testkit.house import House, house
from tests.testkit.hub_setup import POLICY

pytestmark = pytest.mark.slow

ANSWERED = (GRAPHQL, PUSHES, "*/issues/*/comments", "*/check-runs", "*/dispatches")

# Commits and comments have others in each run.
_NUMBERS = re.compile(r"\b[0-9a-f]{12}\b|(?<=headgate:reply )\d+")


MAIN, RELEASE = "main", "release/1"
BRANCHES = (MAIN, RELEASE)


@dataclass(frozen=True)
class _Outcome:
    """What people see at the end of the branch that pulls land on, without what differs between runs."""

    history: tuple[str, ...]
    files: frozenset[str]
    merged: tuple[bool, ...]
    comments: tuple[tuple[str, ...], ...]
    checks: tuple[str, ...]
    ledger: tuple[str, ...]


@contextmanager
def _supervised(
    folder: Path, on_point: Callable[[CrashPoint], None] = lambda _: None
) -> Iterator[Supervisor]:
    with house(folder, policy=f"{POLICY}branches: [{RELEASE}]\n") as story:
        story.git(story.clone(), "push", "-q", "origin", f"HEAD:refs/heads/{RELEASE}")
        yield Supervisor(story, FaultInjector(on_point))


def _day(supervisor: Supervisor, base: str, faults: tuple[Fault, ...] = ()) -> _Outcome:
    """Three pulls are queued; two land, and one is taken out again."""
    story = supervisor.story
    names = ("docs", "desk", "lamp")
    opened = [open_pull(story, name, {f"{name}.txt": "It.\n"}, base) for name in names]
    supervisor.work()
    for fault in faults:
        story.hub.faults.add(fault)
    for number, _ in opened:
        say_on(story, number, "/headgate queue")
    supervisor.work_without_runners()
    say_on(story, opened[2][0], "/headgate dequeue")
    supervisor.finish(lambda: _is_over(story, base))
    story.hub.faults.clear()
    assert not broken_laws(story)
    pulls = [story.api("GET", story.repo(f"/pulls/{number}")).json() for number, _ in opened]
    folder = story.hub.repository(story.full_name).git.folder
    subjects = story.git(folder, "log", "--format=%s", base).splitlines()
    return _Outcome(
        history=tuple(sorted(subjects)),
        files=frozenset(story.git(folder, "ls-tree", "--name-only", base).splitlines()),
        merged=tuple(pull["merged_at"] is not None for pull in pulls),
        comments=tuple(
            tuple(sorted(_NUMBERS.sub("…", text) for text in story.comments(number)))
            for number, _ in opened
        ),
        checks=tuple(str(story.checks(head)["headgate/queue"].conclusion) for _, head in opened),
        ledger=tuple(line.kind.value for line in _queue_of(story, base).ledger),
    )


def _queue_of(story: House, base: str) -> RepositoryState:
    return on(story.state, "" if base == MAIN else base)


def _is_over(story: House, base: str) -> bool:
    state = _queue_of(story, base)
    in_queue = [pull for pull in state.queued_pulls.values() if not pull.has_left]
    return not in_queue and not state.open_effects and not state.heard


@pytest.fixture(scope="module", params=BRANCHES)
def calm(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, _Outcome]:
    """The branch that the pulls ask for, and how the day ends there if nothing goes wrong."""
    with _supervised(tmp_path_factory.mktemp("calm")) as supervisor:
        return request.param, _day(supervisor, request.param)


def test_without_crashes_two_pulls_land_and_one_leaves(calm: tuple[str, _Outcome]) -> None:
    _, outcome = calm
    assert outcome.merged == (True, True, False)
    assert {"docs.txt", "desk.txt"} <= outcome.files
    assert "lamp.txt" not in outcome.files
    assert outcome.ledger[1:] == ("landed", "landed")


@pytest.mark.parametrize("side", Side)
def test_a_crash_at_any_write_lands_each_pull_once(
    tmp_path: Path, calm: tuple[str, _Outcome], side: Side
) -> None:
    base, outcome = calm
    with _supervised(tmp_path, crash_at_first_of_each(side)) as supervisor:
        assert _day(supervisor, base) == outcome
        crashed_at = " ".join(supervisor.crashes)
        for effect in ("BuildPull", "LandPull", "DeleteRefs"):
            assert f"intend {effect}" in crashed_at
            assert f"EffectDone {effect}" in crashed_at
        assert f"{side} move_main" in supervisor.crashes


@pytest.mark.parametrize("nth", [1, 2])
def test_lost_answers_land_each_pull_once(
    tmp_path: Path, calm: tuple[str, _Outcome], nth: int
) -> None:
    base, outcome = calm
    lost = tuple(
        Fault(kind=FaultKind.LOSE_ANSWER, method="POST", path_glob=path, nth=nth)
        for path in ANSWERED
    )
    with _supervised(tmp_path) as supervisor:
        assert _day(supervisor, base, lost) == outcome
