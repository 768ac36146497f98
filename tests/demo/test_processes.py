"""Processes of the demo: watched, measured, and ended with all that they left behind."""

import os
import signal
import textwrap
from pathlib import Path

from bot.demo.process_tree import memory_bytes, processes_below, program_name, pss_bytes
from tests.demo.watched import eventually, is_running, output, start
from tests.needs import needs_linux

# Linux's /proc is what is looked at; elsewhere the demo ends what it started itself, and no more.
pytestmark = needs_linux

ORPHAN = "(setsid sh -c 'trap \"\" TERM; echo $$ > orphan; sleep 600' &) ; sleep 600"


def script(folder: Path, body: str) -> Path:
    """A program that has `processes` and does `body`."""
    head = """\
        import sys
        from pathlib import Path
        from bot.demo.processes import Processes
        from bot.ports import UserError

        processes = Processes(Path.cwd())
        """
    place = folder / "program.py"
    place.write_text(textwrap.dedent(head) + textwrap.dedent(body))
    return place


def test_an_orphan_that_ignores_sigterm_is_ended(tmp_path: Path) -> None:
    body = f"""
        processes.start("parent", ("sh", "-c", {ORPHAN!r}), {{}})
        processes.wait_until(lambda: Path("orphan").exists() and Path("orphan").read_text(), "parent")
        print(processes.pid("parent"))
        processes.end()
        """
    program = start(str(script(tmp_path, body)), folder=tmp_path)
    assert program.wait(60) == 0, output(tmp_path)
    assert not is_running(int((tmp_path / "orphan").read_text()))
    assert not is_running(int(output(tmp_path)))


def test_a_process_that_ends_by_itself_is_reported_with_its_last_output(tmp_path: Path) -> None:
    body = """
        processes.start("hub", ("sh", "-c", "echo the port is taken; exit 3"), {})
        try:
            processes.wait_until(lambda: False, "hub")
        except UserError as wrong:
            print(wrong.sentence)
        """
    program = start(str(script(tmp_path, body)), folder=tmp_path)
    assert program.wait(60) == 0
    assert output(tmp_path).startswith(
        "hub ended by itself (exit code 3). Its last output:\nthe port is taken\n"
    )
    assert "run the demo again" in output(tmp_path)


def test_a_slow_start_is_reported_while_the_demo_waits(tmp_path: Path) -> None:
    body = """
        import itertools
        from bot.demo import processes as module

        # Each look at the clock is ten seconds on: a machine that is thirty times as slow.
        clock = itertools.count(step=10.0)
        module.time.monotonic = lambda: next(clock)
        processes.start("hub", ("sleep", "600"), {})
        looks = iter([False] * 8 + [True])
        processes.wait_until(lambda: next(looks), "hub")
        processes.end()
        """
    program = start(str(script(tmp_path, body)), folder=tmp_path)
    assert program.wait(60) == 0, output(tmp_path)
    assert output(tmp_path).splitlines()[0] == (
        f"hub does not answer yet (20 s); its log is {tmp_path / 'hub.log'}."
    )


def test_a_deliberately_killed_process_is_no_failure_and_memory_is_counted_by_part(
    tmp_path: Path,
) -> None:
    body = """
        processes.start("runner-1", ("sh", "-c", "sleep 600 & wait"), {})
        processes.start("model", ("sleep", "600"), {})
        processes.kill("model")
        while "runner-1" not in processes.peak.parts:
            processes.check()
        print(*sorted(name for name, size in processes.peak.parts.items() if size))
        processes.end()
        """
    program = start(str(script(tmp_path, body)), folder=tmp_path)
    assert program.wait(60) == 0, output(tmp_path)
    assert set(output(tmp_path).split()) >= {"demo", "runner-1"}


def test_all_processes_below_one_are_found(tmp_path: Path) -> None:
    program = start("-c", "import subprocess; subprocess.run(['sleep', '600'])", folder=tmp_path)
    try:
        eventually(lambda: [program_name(p.pid) for p in processes_below(program.pid)] == ["sleep"])
        assert memory_bytes(program.pid) > 1_000_000
    finally:
        os.killpg(program.pid, signal.SIGKILL)
        program.wait()
    assert processes_below(program.pid) == ()
    assert memory_bytes(program.pid) == 0
    assert program_name(program.pid) == ""


def test_the_proportional_set_size_is_read_from_its_line() -> None:
    assert pss_bytes("00-ff ---p [rollup]\nRss:  9 kB\nPss:   7 kB\nPss_Dirty: 3 kB\n") == 7 * 1024
    assert pss_bytes("") == 0
