"""How a command ends, and that nothing of it goes on afterwards."""

import resource
import threading
from pathlib import Path

import pytest

from gates.execute import CAPTURE_BYTES_MAX, Command, CommandEnd, CommandOutcome, run_command
from gates.wording import LOG_TAIL_CHARS_MAX
from tests.gates.checkouts import eventually, is_running


def run(folder: Path, line: str, timeout_seconds: float = 30.0) -> CommandOutcome:
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
    command = Command("it", line, folder, environment, timeout_seconds)
    return run_command(command, lambda _sentence: None)


@pytest.mark.parametrize(
    ("line", "end", "exit_code", "reason"),
    [
        ("true", CommandEnd.EXITED, 0, ""),
        ("exit 7", CommandEnd.EXITED, 7, ""),
        ("kill -SEGV $$", CommandEnd.SIGNALLED, None, "SIGSEGV"),
        ("kill -KILL $$", CommandEnd.SIGNALLED, None, "SIGKILL"),
        ("kill -40 $$", CommandEnd.SIGNALLED, None, "signal 40"),
        ("no-such-program", CommandEnd.EXITED, 127, ""),
        ("bad \0 line", CommandEnd.NOT_STARTED, None, "embedded null byte"),
        (f": {'x' * 3_000_000}", CommandEnd.NOT_STARTED, None, "Argument list too long"),
    ],
    ids=lambda value: str(value)[:20].replace("\0", "NUL"),
)
def test_how_a_command_ended(
    tmp_path: Path, line: str, end: CommandEnd, exit_code: int | None, reason: str
) -> None:
    outcome = run(tmp_path, line)
    assert (outcome.end, outcome.exit_code, outcome.reason) == (end, exit_code, reason)


def test_a_command_in_a_missing_folder_is_not_started(tmp_path: Path) -> None:
    outcome = run(tmp_path / "gone", "true")
    assert outcome.end is CommandEnd.NOT_STARTED
    assert "gone does not exist" in outcome.reason


@pytest.mark.parametrize("line", ["false\ntrue", "false; true", "false | true"])
def test_a_line_after_a_failing_one_does_not_hide_the_failure(tmp_path: Path, line: str) -> None:
    assert run(tmp_path, line).exit_code == 1


def test_both_streams_are_kept_in_order_and_nothing_is_read(tmp_path: Path) -> None:
    outcome = run(tmp_path, "echo one; echo two >&2; cat; echo three")
    assert outcome.log_tail == "one\ntwo\nthree\n"


def test_only_the_end_of_a_large_output_is_kept(tmp_path: Path) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    outcome = run(tmp_path, "head -c 200000000 /dev/zero | tr '\\0' x; echo; echo the end")
    grown_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert outcome.exit_code == 0
    assert len(outcome.log_tail) == LOG_TAIL_CHARS_MAX
    assert outcome.log_tail.startswith("[… 200000009 bytes in all; this is the end]\n")
    assert outcome.log_tail.endswith("x\nthe end\n")
    assert grown_kib * 1024 < 40 * CAPTURE_BYTES_MAX


def test_terminal_sequences_and_broken_text_are_made_plain(tmp_path: Path) -> None:
    outcome = run(
        tmp_path,
        r"printf '\033[31mred\033[0m\r\n\033]8;;http://x\033\\link\a\0 \377 50%%\r100%%\n'",
    )
    assert outcome.log_tail == "red\nlink � 50%\n100%\n"


def test_a_command_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    outcome = run(tmp_path, "echo begun; sleep 60", 0.3)
    assert (outcome.end, outcome.exit_code) == (CommandEnd.TIMED_OUT, None)
    assert outcome.reason == "ran longer than 0.3 s"
    assert outcome.log_tail == "begun\n"
    assert outcome.seconds < 10


def test_a_command_may_still_write_its_report_when_time_is_up(tmp_path: Path) -> None:
    run(tmp_path, "trap 'echo report > report.txt; exit 0' TERM; sleep 60 & wait", 1.0)
    assert (tmp_path / "report.txt").read_text() == "report\n"


IGNORES_SIGTERM = "trap '' TERM; echo $$ >> pids; for i in {1..150}; do sleep 0.2; done"
# It would be a bomb without the depth at which it stops.
FORKS = (
    "f() { echo $BASHPID >> pids; [ $1 -gt 6 ] && exec sleep 30; f $(($1 + 1)) & "
    "f $(($1 + 1)) & wait; }; trap '' TERM; f 1"
)
DAEMON = "setsid bash -c 'setsid bash -c \"echo \\$\\$ >> pids; exec sleep 60\" &' &"


@pytest.mark.parametrize(
    ("line", "running"),
    [
        (IGNORES_SIGTERM, 1),
        (f"for i in 1 2 3; do ( {IGNORES_SIGTERM.replace('$$', '$BASHPID')} ) & done; wait", 3),
        (f"{DAEMON} sleep 60", 1),
        (FORKS, 10),
    ],
    ids=["ignores SIGTERM", "children ignore it", "daemon", "fork bomb"],
)
def test_no_process_outlives_a_timeout(tmp_path: Path, line: str, running: int) -> None:
    assert run(tmp_path, line, 1.0).end is CommandEnd.TIMED_OUT
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    assert len(pids) >= running
    assert eventually(lambda: not any(is_running(pid) for pid in pids))


def test_a_daemon_left_by_a_passing_command_is_killed_at_once(
    tmp_path: Path,
) -> None:
    outcome = run(tmp_path, f"{DAEMON} while [ ! -s pids ]; do sleep 0.05; done; echo done")
    assert (outcome.exit_code, outcome.log_tail) == (0, "done\n")
    assert outcome.seconds < 20
    assert not is_running(int((tmp_path / "pids").read_text()))


def test_other_children_of_this_process_are_left_alone(tmp_path: Path) -> None:
    outcomes: list[CommandOutcome] = []
    (tmp_path / "outer").mkdir()
    (tmp_path / "inner").mkdir()
    outer = threading.Thread(
        target=lambda: outcomes.append(
            run(
                tmp_path / "outer",
                "echo $$ > pid; while [ ! -e go ]; do sleep 0.05; done; echo went",
            )
        )
    )
    outer.start()
    assert eventually((tmp_path / "outer/pid").exists)
    assert run(tmp_path / "inner", "true").exit_code == 0
    (tmp_path / "outer/go").touch()
    outer.join()
    assert [(one.exit_code, one.log_tail) for one in outcomes] == [(0, "went\n")]
