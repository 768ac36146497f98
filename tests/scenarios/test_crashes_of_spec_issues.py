"""A worker dies at any write for a spec issue: one branch, one pull, the same outcome."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.localhub.faults import Fault, FaultKind
from tests.scenarios.test_specs_as_issues import BODY, LABEL, write
from tests.testkit.crash import CrashPoint, FaultInjector, Side, Supervisor, crash_at_first_of_each
from tests.testkit.house import House, house
from tests.testkit.specs import requirement

pytestmark = pytest.mark.slow

Pulls = list[tuple[str, str]]


@contextmanager
def _supervised(
    folder: Path, on_point: Callable[[CrashPoint], None] = lambda _: None
) -> Iterator[Supervisor]:
    with house(folder) as story:
        yield Supervisor(story, FaultInjector(on_point))


def _day(supervisor: Supervisor) -> tuple[Pulls, list[str], str]:
    """Label, edit and unlabel an issue; returns the pulls, comments and the file."""
    story = supervisor.story
    issue = write(story)
    story.api("POST", story.repo(f"/issues/{issue}/labels"), {"labels": [LABEL]})
    _come_to_rest(supervisor)
    body = f"{BODY}\n{requirement('DOOR')}"
    story.api("PATCH", story.repo(f"/issues/{issue}"), {"body": body})
    _come_to_rest(supervisor)
    text = story.commit_text(story.ref(f"headgate/specs/{issue}"))
    story.api("DELETE", story.repo(f"/issues/{issue}/labels/{LABEL}"))
    _come_to_rest(supervisor)
    return _pulls(story), story.comments(issue), text.partition("diff --git")[2]


def _pulls(story: House) -> Pulls:
    return [(p["head"]["ref"], p["state"]) for p in story.pulls()]


def _come_to_rest(supervisor: Supervisor) -> None:
    for _ in range(6):
        supervisor.work()
        supervisor.story.forward(seconds=20)
        supervisor.beat()
    supervisor.work()
    assert not supervisor.story.state.open_effects


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> tuple[Pulls, list[str], str]:
    """The outcome of the day without faults."""
    with _supervised(tmp_path_factory.mktemp("calm")) as supervisor:
        return _day(supervisor)


def test_without_crashes_there_is_one_pull_and_it_is_closed(
    calm: tuple[Pulls, list[str], str],
) -> None:
    pulls, comments, text = calm
    assert [state for _, state in pulls] == ["closed"]
    assert len(comments) == 2
    assert "REQ-DOOR" in text


@pytest.mark.parametrize("side", Side)
def test_a_crash_at_any_kind_of_write_changes_no_outcome(
    tmp_path: Path, calm: tuple[Pulls, list[str], str], side: Side
) -> None:
    with _supervised(tmp_path, crash_at_first_of_each(side)) as supervisor:
        assert _day(supervisor) == calm
        crashed_at = " ".join(supervisor.crashes)
        for effect in ("ProposeSpec", "WithdrawSpec"):
            assert f"intend {effect}" in crashed_at
            assert f"EffectDone {effect}" in crashed_at
        for write_ in ("open_pull", "edit_pull_body", "close_pull", "push heads/headgate"):
            assert f"{side} {write_}" in supervisor.crashes


def test_a_lost_response_opens_no_second_pull(
    tmp_path: Path, calm: tuple[Pulls, list[str], str]
) -> None:
    with _supervised(tmp_path) as supervisor:
        lost = Fault(kind=FaultKind.LOSE_ANSWER, method="POST", path_glob="*/pulls")
        supervisor.story.hub.faults.add(lost)
        assert _day(supervisor) == calm
