"""A worker dies at any write, or answers are lost, while people's pulls land: the same outcome, once."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.localhub.faults import Fault, FaultKind
from tests.scenarios.test_people_queue_pulls import open_pull
from tests.simulation.baseline import say_on
from tests.simulation.laws import broken_laws
from tests.simulation.random_faults import GRAPHQL, PUSHES
from tests.testkit.crash import CrashPoint, FaultInjector, Side, Supervisor, crash_at_first_of_each
from tests.testkit.house import House, house

pytestmark = pytest.mark.slow

ANSWERED = (GRAPHQL, PUSHES, "*/issues/*/comments", "*/check-runs", "*/dispatches")

# Commits and comments have others in each run.
_NUMBERS = re.compile(r"\b[0-9a-f]{12}\b|(?<=headgate:reply )\d+")


@dataclass(frozen=True)
class _Outcome:
    """What people see at the end, without what differs between runs."""

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
    with house(folder) as story:
        yield Supervisor(story, FaultInjector(on_point))


def _day(supervisor: Supervisor, faults: tuple[Fault, ...] = ()) -> _Outcome:
    """Three pulls are queued; two land, and one is taken out again."""
    story = supervisor.story
    opened = [open_pull(story, name, {f"{name}.txt": "It.\n"}) for name in ("docs", "desk", "lamp")]
    supervisor.work()
    for fault in faults:
        story.hub.faults.add(fault)
    for number, _ in opened:
        say_on(story, number, "/headgate queue")
    supervisor.work_without_runners()
    say_on(story, opened[2][0], "/headgate dequeue")
    supervisor.finish(lambda: _is_over(story))
    story.hub.faults.clear()
    assert not broken_laws(story)
    pulls = [story.api("GET", story.repo(f"/pulls/{number}")).json() for number, _ in opened]
    return _Outcome(
        history=tuple(sorted(story.history())),
        files=frozenset(story.main_files()),
        merged=tuple(pull["merged_at"] is not None for pull in pulls),
        comments=tuple(
            tuple(sorted(_NUMBERS.sub("…", text) for text in story.comments(number)))
            for number, _ in opened
        ),
        checks=tuple(str(story.checks(head)["headgate/queue"].conclusion) for _, head in opened),
        ledger=tuple(line.kind.value for line in story.state.ledger),
    )


def _is_over(story: House) -> bool:
    state = story.state
    in_queue = [pull for pull in state.queued_pulls.values() if not pull.has_left]
    return not in_queue and not state.open_effects and not state.heard


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> _Outcome:
    with _supervised(tmp_path_factory.mktemp("calm")) as supervisor:
        return _day(supervisor)


def test_without_crashes_two_land_and_one_leaves(calm: _Outcome) -> None:
    assert calm.merged == (True, True, False)
    assert {"docs.txt", "desk.txt"} <= calm.files
    assert "lamp.txt" not in calm.files
    assert calm.ledger[1:] == ("landed", "landed")


@pytest.mark.parametrize("side", Side)
def test_a_crash_at_any_write_lands_each_pull_once(
    tmp_path: Path, calm: _Outcome, side: Side
) -> None:
    with _supervised(tmp_path, crash_at_first_of_each(side)) as supervisor:
        assert _day(supervisor) == calm
        crashed_at = " ".join(supervisor.crashes)
        for effect in ("BuildPull", "LandPull", "DeleteRefs"):
            assert f"intend {effect}" in crashed_at
            assert f"EffectDone {effect}" in crashed_at
        assert f"{side} move_main" in supervisor.crashes


@pytest.mark.parametrize("nth", [1, 2])
def test_lost_answers_land_each_pull_once(tmp_path: Path, calm: _Outcome, nth: int) -> None:
    lost = tuple(
        Fault(kind=FaultKind.LOSE_ANSWER, method="POST", path_glob=path, nth=nth)
        for path in ANSWERED
    )
    with _supervised(tmp_path) as supervisor:
        assert _day(supervisor, lost) == calm
