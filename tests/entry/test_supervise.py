"""`headgate up` runs its parts as forks named after their slots, restarts them and ends them together."""

import multiprocessing
import os
import signal
import textwrap
from pathlib import Path

from bot.demo.process_tree import program_name
from bot.entry.die_with_parent import die_with_parent
from tests.demo.watched import eventually, is_running, output, start
from tests.needs import needs_linux

pytestmark = needs_linux

PROGRAM = """\
    import os, signal
    from pathlib import Path
    from rich.console import Console
    from bot.entry.supervise import Part, Program, Supervisor, run_in_fork

    def rest():
        name = os.environ["HEADGATE_SLOT"]
        Path(name + ".new").write_text(str(os.getpid()))
        Path(name + ".new").rename(name)
        signal.pause()

    def fail():
        raise SystemExit(3)

    print("in forks", run_in_fork(lambda: None), run_in_fork(fail))
    parts = [Part("worker-1", rest), Part("sweep", rest), Program("doorbell", ("sleep", "600"))]
    Supervisor(parts, Console(), lambda _slot: None).run()
    """


def pid_of(slot: Path) -> int:
    """The process id that a slot last wrote down."""
    return int(slot.read_text() or 0) if slot.exists() else 0


def test_parts_are_restarted_under_their_slot_and_ended_together(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(textwrap.dedent(PROGRAM))
    supervisor = start(str(tmp_path / "program.py"), folder=tmp_path)
    worker, sweep = tmp_path / "worker-1", tmp_path / "sweep"
    eventually(lambda: bool(pid_of(worker) and pid_of(sweep)))
    first = pid_of(worker)
    assert program_name(first) == "worker-1"

    os.kill(first, signal.SIGKILL)
    eventually(lambda: pid_of(worker) != first)
    assert not is_running(first)

    supervisor.send_signal(signal.SIGINT)
    assert supervisor.wait(30) == 0
    assert not is_running(pid_of(worker))
    assert not is_running(pid_of(sweep))
    assert "in forks True False" in output(tmp_path)
    assert "worker-1 ended (-9); restarting it" in output(tmp_path)


def test_parts_end_when_the_supervisor_is_killed(tmp_path: Path) -> None:
    program = PROGRAM.replace(', Program("doorbell", ("sleep", "600"))', "")
    (tmp_path / "program.py").write_text(textwrap.dedent(program))
    supervisor = start(str(tmp_path / "program.py"), folder=tmp_path)
    worker = tmp_path / "worker-1"
    eventually(lambda: bool(pid_of(worker)))
    supervisor.kill()
    supervisor.wait(30)
    eventually(lambda: not is_running(pid_of(worker)))


def test_a_part_ends_if_its_supervisor_died_before_the_kernel_was_asked() -> None:
    def orphaned() -> None:
        die_with_parent(signal.SIGTERM, parent=os.getpid())

    part = multiprocessing.get_context("fork").Process(target=orphaned)
    part.start()
    part.join(30)
    assert part.exitcode == -signal.SIGTERM


LAST = """\
    import os, signal
    from pathlib import Path
    from rich.console import Console
    from bot.entry.supervise import Part, Program, Supervisor

    def rest():
        def end(*_):
            signal.setitimer(signal.ITIMER_REAL, 0.5)
        def look(*_):
            pid = Path("doorbell").read_text().strip()
            state = Path("/proc", pid, "stat").read_text().split()[2]
            Path("seen").write_text(state)
            os._exit(0)
        signal.signal(signal.SIGTERM, end)
        signal.signal(signal.SIGALRM, look)
        Path("ready").touch()
        while True:
            signal.pause()

    doorbell = Program("doorbell", ("sh", "-c", "echo $$ > doorbell; exec sleep 600"))
    Supervisor([doorbell, Part("worker-1", rest)], Console(), lambda _slot: None).run()
    """


def test_dependencies_of_parts_end_after_them(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(textwrap.dedent(LAST))
    supervisor = start(str(tmp_path / "program.py"), folder=tmp_path)
    eventually(lambda: (tmp_path / "ready").exists() and bool(pid_of(tmp_path / "doorbell")))
    supervisor.terminate()
    assert supervisor.wait(30) == 0
    assert (tmp_path / "seen").read_text() == "S"
    assert not is_running(pid_of(tmp_path / "doorbell"))
