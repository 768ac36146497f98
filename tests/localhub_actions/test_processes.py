"""Ending processes, masking secrets, and the files that a step may write."""

import base64
import queue
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from bot.localhub.actions.action_store import ActionMissingError, FoundAction
from bot.localhub.actions.client import ServiceClient
from bot.localhub.actions.commands import FileCommandError, key_values, line_command
from bot.localhub.actions.frame import Frame, JobState
from bot.localhub.actions.job_log import JobLog
from bot.localhub.actions.masking import Masker
from bot.localhub.actions.processes import (
    Command,
    Ended,
    Ending,
    GracePeriods,
    Stop,
    StopSwitch,
    run_command,
)
from bot.localhub.actions.runner_messages import Conclusion
from bot.localhub.actions.step_execution import StepDependencies, StepExecution
from bot.localhub.actions.workflow import Defaults, Step
from tests.localhub_actions.kit import eventually

QUICK = GracePeriods(interrupt_seconds=0.2, terminate_seconds=0.2)
# For processes that react to a signal, however busy the machine is.
PATIENT = GracePeriods(interrupt_seconds=30, terminate_seconds=30)
PATIENT_AFTER_INTERRUPT = GracePeriods(interrupt_seconds=0.2, terminate_seconds=30)


@pytest.fixture(autouse=True)
def as_in_a_runner() -> Iterator[None]:
    """A runner has a handler for SIGINT: what it starts does not ignore that, also where a shell has
    started the tests in the background.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


class Running:
    """A shell script under `run_command` in a thread."""

    def __init__(self, script: str, folder: Path, grace_periods: GracePeriods = QUICK) -> None:
        self.switch = StopSwitch()
        self.lines: list[str] = []
        self._ended: queue.SimpleQueue[Ended] = queue.SimpleQueue()
        command = Command(["bash", "-c", script], {"PATH": "/usr/bin:/bin"}, folder)

        def run() -> None:
            ended = run_command(
                command,
                lambda raw: self.lines.append(raw.decode().strip()),
                self.switch,
                frozenset(),
                None,
                grace_periods,
            )
            self._ended.put(ended)

        threading.Thread(target=run, daemon=True).start()

    def said(self, line: str) -> None:
        """Wait for a line."""
        eventually(lambda: line in self.lines)

    def ended(self) -> Ended:
        """Wait for the end."""
        return self._ended.get(timeout=40)


def test_each_signal_is_sent_after_the_one_before_had_no_effect(tmp_path: Path) -> None:
    polite = Running("trap 'echo int; exit 3' INT; echo up; sleep 60 & wait", tmp_path, PATIENT)
    polite.said("up")
    polite.switch.pull(Stop.CANCEL)
    assert polite.ended() == Ended(Ending.STOPPED, 3)

    deaf = Running(
        "trap '' INT; trap 'echo term; exit 4' TERM; echo up; sleep 60 & wait",
        tmp_path,
        PATIENT_AFTER_INTERRUPT,
    )
    deaf.said("up")
    deaf.switch.pull(Stop.CANCEL)
    assert deaf.ended() == Ended(Ending.STOPPED, 4)

    stubborn = Running(
        "trap '' INT TERM; (trap '' INT TERM; echo child $BASHPID; while :; do sleep 0.02; done) &"
        "echo up; wait; while :; do sleep 0.02; done",
        tmp_path,
    )
    stubborn.said("up")
    eventually(lambda: any(line.startswith("child") for line in stubborn.lines))
    child = next(line.split()[1] for line in stubborn.lines if line.startswith("child"))
    stubborn.switch.pull(Stop.CANCEL)
    assert stubborn.ended() == Ended(Ending.STOPPED, -9)
    eventually(lambda: not Path(f"/proc/{child}").exists() or "Z" in _state(child))


def _state(pid: str) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2]
    except OSError:
        return "Z"


def test_a_step_that_was_wanted_after_a_cancellation_runs(tmp_path: Path) -> None:
    switch = StopSwitch()
    switch.pull(Stop.CANCEL)
    command = Command([sys.executable, "-S", "-c", "print('still')"], {}, tmp_path)
    lines: list[bytes] = []
    ended = run_command(command, lines.append, switch, switch.pulled, None, QUICK)
    assert ended == Ended(Ending.EXITED, 0)
    assert lines == [b"still\n"]


@pytest.mark.parametrize("stop", Stop)
def test_a_stop_that_comes_while_a_step_starts_ends_it(stop: Stop, tmp_path: Path) -> None:
    switch = StopSwitch()
    known = switch.pulled
    switch.pull(stop)
    endless = Command(["sleep", "300"], {"PATH": "/usr/bin:/bin"}, tmp_path)
    ended = run_command(endless, lambda _: None, switch, known, 30, QUICK)
    assert ended.ending is Ending.STOPPED


def test_a_stop_between_the_decision_for_a_step_and_its_start_ends_it(tmp_path: Path) -> None:
    switch = StopSwitch()

    def stopped_meanwhile(_: Frame, __: str) -> dict[str, str]:
        switch.pull(Stop.SHUTDOWN)
        return {}

    def no_action(uses: str) -> FoundAction:
        raise ActionMissingError(uses)

    client = ServiceClient("http://127.0.0.1:9")
    client.close()
    dependencies = StepDependencies(
        JobLog(client, 1, Masker()),
        Defaults(),
        tmp_path,
        QUICK,
        no_action,
        stopped_meanwhile,
        {"PATH": "/usr/bin:/bin"},
    )
    frame = Frame(JobState({}, {}, switch, tmp_path), {})
    step = Step(run="exec sleep 300", timeout_minutes="0.5")
    assert StepExecution(dependencies).execute(step, frame, "slow") is Conclusion.CANCELLED


def test_a_child_that_keeps_the_output_open_does_not_block_the_step(tmp_path: Path) -> None:
    running = Running("sleep 300 & echo done", tmp_path)
    assert running.ended() == Ended(Ending.EXITED, 0)
    assert running.lines == ["done"]


@given(st.text(alphabet=st.characters(codec="ascii", exclude_categories=("C", "Z")), min_size=9))
def test_a_secret_is_masked_as_plain_text_and_in_base64(secret: str) -> None:
    masker = Masker()
    masker.add(secret)
    assert secret not in masker.mask(f"x{secret}y")
    for prefix in ("", "u", "us"):
        encoded = base64.b64encode(f"{prefix}{secret}:tail".encode()).decode()
        assert masker.mask(encoded) != encoded


def test_multi_line_secrets_are_masked_line_by_line() -> None:
    masker = Masker()
    masker.add("-----BEGIN\nmiddle part\n")
    assert masker.mask("the middle part here") == "the *** here"
    masker.add("")
    assert masker.mask("nothing") == "nothing"


def test_workflow_commands_are_parsed_from_a_line() -> None:
    command = line_command("  ::error file=a%2Cb.py,line=7,endLine=9,title=A%3AB::50%25%0Adone")
    assert command is not None
    assert command.properties == {"file": "a,b.py", "line": "7", "endline": "9", "title": "A:B"}
    assert command.value == "50%\ndone"
    assert line_command("std::vector<int>::iterator") is None
    assert line_command("::not a command") is None


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("a=1\n\nb=x=y<<z\n", [("a", "1"), ("b", "x=y<<z")]),
        ("a<<END\none=1\n\ntwo\nEND\nb=2\n", [("a", "one=1\n\ntwo"), ("b", "2")]),
        ("empty=\n", [("empty", "")]),
    ],
)
def test_command_files_are_read_as_pairs(text: str, pairs: list[tuple[str, str]]) -> None:
    assert list(key_values(text)) == pairs


@pytest.mark.parametrize("text", ["nonsense", "=value", "a<<\nx\n", "a<<END\nnever closed\n"])
def test_invalid_command_files_are_refused(text: str) -> None:
    with pytest.raises(FileCommandError):
        list(key_values(text))
