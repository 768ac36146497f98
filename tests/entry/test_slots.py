"""Names of lease holders: law 5 needs a different name for each process."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.entry.slots import dead_holders_at

_HOLD = (
    "import sys; from pathlib import Path; from bot.entry.slots import holder_at;"
    "print(holder_at(Path(sys.argv[1]), 'worker'), flush=True); sys.stdin.read()"
)


@contextmanager
def process(var: Path) -> Iterator[str]:
    """A process that holds a name until the end, which is sudden."""
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(var)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        try:
            yield child.stdout.readline().strip()
        finally:
            child.kill()


def test_two_processes_of_one_slot_have_two_names(tmp_path: Path) -> None:
    with process(tmp_path) as first, process(tmp_path) as second:
        assert first != second


def test_a_slot_name_is_held_until_exit_without_a_warning(tmp_path: Path) -> None:
    """Python complains of files that its end finds open."""
    argv = [sys.executable, "-X", "dev", "-c", _HOLD, str(tmp_path)]
    done = subprocess.run(argv, input="", capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_two_machines_of_one_host_name_have_two_names(tmp_path: Path) -> None:
    with process(tmp_path / "a") as first, process(tmp_path / "b") as second:
        assert first != second
        assert first.rpartition("/")[0] == second.rpartition("/")[0]


def test_a_process_gets_its_name_back_after_it_was_killed(tmp_path: Path) -> None:
    with process(tmp_path) as first:
        assert list(dead_holders_at(tmp_path, "worker")) == []
    assert list(dead_holders_at(tmp_path, "worker")) == [first]
    with process(tmp_path) as again:
        assert again == first
