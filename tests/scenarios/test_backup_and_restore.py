"""A backup made in the middle of a run is put back after the run went on: it ends as it would have."""

import contextlib
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.core.journal.events import JournalRewound
from bot.entry.cli import app
from tests.simulation.baseline import all_work_ended, begin, end_state_of
from tests.simulation.laws import broken_laws
from tests.testkit.crash import FaultInjector, Supervisor
from tests.testkit.house import House, house

pytestmark = pytest.mark.slow


def headgate(*arguments: str) -> str:
    """The command line, with this machine's settings."""
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    return " ".join(done.output.split())


def lose_the_machine(story: House, backup: Path) -> None:
    """All that the server kept is gone; the backup is put back, as docs/operate.md says."""
    (backup / "blobs").mkdir(exist_ok=True)
    for name in ("mirrors", "blobs"):
        shutil.rmtree(story.settings.var / name, ignore_errors=True)
    shutil.copytree(backup / "blobs", story.settings.var / "blobs")
    # Page by page: the web server of this house has the files open.
    for name in ("journal.db", "inbox.db"):
        with (
            contextlib.closing(sqlite3.connect(backup / name)) as kept,
            contextlib.closing(sqlite3.connect(story.settings.var / name)) as live,
        ):
            kept.backup(live)


def run_until(supervisor: Supervisor, is_there: Callable[[], bool]) -> None:
    story = supervisor.story
    for _ in range(40):
        supervisor.work_without_runners()
        if is_there():
            return
        lease = story.runner.take()
        if lease is not None:
            story.runner.do(lease)
    raise AssertionError("it never comes to that")


def test_events_after_the_backup_are_not_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with house(tmp_path / "calm") as story:
        supervisor = Supervisor(story, FaultInjector())
        begin(supervisor)
        supervisor.finish(lambda: all_work_ended(story))
        calm = end_state_of(story)

    with house(tmp_path / "lost") as story:
        monkeypatch.setenv("HEADGATE_VAR", str(story.settings.var))
        supervisor = Supervisor(story, FaultInjector())
        begin(supervisor)
        run_until(supervisor, lambda: bool(story.state.open_orders))
        assert "Copied" in headgate("backup", str(tmp_path / "backup"))
        run_until(supervisor, lambda: any(c.landed for c in story.state.changes.values()))

        lose_the_machine(story, tmp_path / "backup")
        story.restart()
        assert not any(c.landed for c in story.state.changes.values())
        assert "Noted for 1 repository" in headgate("restored")
        supervisor.beats.full_look_at = None
        supervisor.start_again()
        supervisor.finish(lambda: all_work_ended(story), beats_max=200)

        assert story.events(JournalRewound.__name__)
        # The pull of what landed since is known to GitHub alone.
        (landed, _) = story.state.changes
        assert broken_laws(story) == [f"1 pulls of {landed}, and the journal knows of 0"]
        assert replace(end_state_of(story), attempts=()) == replace(calm, attempts=())
