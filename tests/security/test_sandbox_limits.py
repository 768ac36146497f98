"""The limits of both kinds of sandbox: the kernel's keys, calls, names, memory and disk."""

import os
import platform
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

from action.order import SandboxAllowance, SandboxRule
from action.report import SandboxKind
from action.sandbox.bounds import Totals, Watch, make_group, memory_of
from action.sandbox.choice import SandboxRefusal, choose
from action.sandbox.sandbox import Command, Limits, Sandbox, shell
from action.sandbox.seccomp import MACHINES, compiled
from tests.needs import needs_bubblewrap
from tests.security.conftest import Cell

pytestmark = pytest.mark.slow

SYSCALL = (
    "import ctypes, errno, sys; c = ctypes.CDLL(None, use_errno=True); "
    "a = c.syscall(*map(int, sys.argv[1:])); print(errno.errorcode.get(ctypes.get_errno(), 'ok'))"
)


def call(cell: Cell, *arguments: int, sandbox: Sandbox | None = None) -> str:
    """What the kernel says to a system call from inside."""
    command = Command(("python", "-c", SYSCALL, *map(str, arguments)), cell.folder.tree, 20)
    return (sandbox or cell.sandbox).run(command).output_tail.strip()


def with_allowed(cell: Cell, *allowed: SandboxAllowance) -> Sandbox:
    made = cell.folder.make_sandbox(cell.sandbox.kind, os.environ, allowed=allowed)
    cell.folder.give_to(made)
    return made


def calls() -> dict[str, tuple[int, ...]]:
    """Calls by name, with this machine's numbers, as an attacker would make them."""
    machine = MACHINES[platform.machine()]
    new_user = 0x10000000
    return {
        "add_key": (machine.keys[0], 0, 0, 0, 0, 0),
        "request_key": (machine.keys[1], 0, 0, 0, 0),
        "keyctl": (machine.keys[2], 0, -3, 0),
        "io_uring_setup": (425, 1, 0),
        "mount": (machine.mounts[0], 0, 0, 0, 0, 0),
        "fsopen": (430, 0, 0),
        "open_tree": (428, -100, 0, 0),
        "unshare": (machine.unshare, new_user),
        "setns": (machine.set_namespace, -1, 0),
        "clone3": (435, 0, 0),
        "bpf": (machine.kernel[0], 0, 0, 0),
        "userfaultfd": (machine.kernel[2], 0),
        "socket(AF_VSOCK)": (machine.socket[0], 40, 1, 0),
        "socket(AF_ALG)": (machine.socket[0], 38, 5, 0),
        "socketpair(AF_VSOCK)": (machine.socket[1], 40, 1, 0, 0),
    }


@pytest.mark.attack(
    "Reading the keys of the runner's session, leaving a key for the next order",
    held="`action.sandbox.inside.leave_keys_behind`: a session keyring of the command's own",
)
@pytest.mark.parametrize(
    "kind",
    [pytest.param(SandboxKind.BUBBLEWRAP, marks=needs_bubblewrap), SandboxKind.UNSHARE],
)
def test_the_keys_of_the_runners_session_stay_outside(kind: SandboxKind, tmp_path: Path) -> None:
    runner = textwrap.dedent(
        """
        import ctypes, os, sys
        from pathlib import Path
        from action.harness.folder import order_folder
        from action.report import SandboxKind
        from action.sandbox.sandbox import Command
        join, add = map(int, sys.argv[2:4])
        c = ctypes.CDLL(None, use_errno=True)
        assert c.syscall(join, 1, None) > 0
        assert c.syscall(add, b"user", b"runner-secret", b"x", 1, -3) > 0
        assert "runner-secret" in Path("/proc/keys").read_text()
        with order_folder({"PATH": os.environ["PATH"], "RUNNER_TEMP": "/tmp"}) as folder:
            sandbox = folder.make_sandbox(SandboxKind(sys.argv[1]), os.environ)
            folder.give_to(sandbox)
            # Without the filter, which would hide that there is nothing to be found.
            sandbox._filter = b""
            hunt = (
                "import ctypes; c = ctypes.CDLL(None, use_errno=True); "
                f"k = c.syscall({join}, 10, -3, b'user', b'runner-secret', 0); "
                "print('found' if k > 0 else 'nothing', ctypes.get_errno())"
            )
            print(sandbox.run(Command(("python", "-c", hunt), folder.tree, 20)).output_tail)
        """
    )
    machine = MACHINES[platform.machine()]
    done = subprocess.run(
        [sys.executable, "-c", runner, kind, str(machine.keys[2]), str(machine.keys[0])],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    # ENOKEY
    assert done.stdout.split() == ["nothing", "126"]


@pytest.mark.attack(
    "System calls that no build needs: keys, mounts, user namespaces, io_uring, bpf, AF_VSOCK, AF_ALG",
    held="`action.sandbox.seccomp.compiled`: a filter in the first process of every command",
)
@pytest.mark.parametrize("name", calls())
def test_unneeded_system_calls_are_refused(cell: Cell, name: str) -> None:
    refused = {"clone3": "ENOSYS"}.get(name, "EAFNOSUPPORT" if "socket" in name else "EPERM")
    assert call(cell, *calls()[name]) == refused


@pytest.mark.attack(
    "Root in a user namespace, with mounts whose memory no limit counts",
    held="`action.sandbox.seccomp.compiled`: neither `unshare` nor `clone` makes one",
)
def test_no_user_namespace_can_be_made_inside(cell: Cell) -> None:
    ended = cell.run("unshare -r id -u; unshare -rm mount -t tmpfs none /mnt")

    assert ended.output_tail.count("Operation not permitted") == 2


@pytest.mark.parametrize(
    ("name", "allowed"),
    [
        ("unshare", SandboxAllowance.USER_NAMESPACES),
        ("clone3", SandboxAllowance.USER_NAMESPACES),
        ("mount", SandboxAllowance.MOUNTS),
        ("io_uring_setup", SandboxAllowance.IO_URING),
    ],
)
def test_a_policy_can_allow_a_system_call_by_name(
    cell: Cell, name: str, allowed: SandboxAllowance
) -> None:
    more = with_allowed(cell, allowed)
    before = {one: call(cell, *calls()[one], sandbox=more) for one in calls()}

    # The kernel itself answers now, or the call is done.
    assert before[name] in {"ok", "EINVAL", "EFAULT"} or (name, before[name]) == ("mount", "EFAULT")
    assert before["keyctl"] == "EPERM"


def test_threads_processes_sockets_and_tools_work_under_the_filter(cell: Cell) -> None:
    program = (
        "import socket, subprocess, threading; t = threading.Thread(target=print, args=('thread',)); "
        "t.start(); t.join(); subprocess.run(['true'], check=True); a, b = socket.socketpair(); "
        "[socket.socket(f).close() for f in (socket.AF_INET, socket.AF_INET6)]; "
        "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close(); "
        "print('fine')"
    )
    ended = cell.run(f'python -c "{program}"; git init -q x && echo made')

    assert ended.output_tail.split() == ["thread", "fine", "made"], ended.output_tail


@pytest.mark.attack(
    "Calls of a table of numbers that the filter does not read (32-bit programs)",
    held="`action.sandbox.seccomp.compiled`: the process is ended",
)
def test_system_calls_of_another_architecture_end_the_process(cell: Cell) -> None:
    # The x32 calls; a machine without them says that there is no such call.
    command = ("python", "-c", SYSCALL, str(0x40000000 + 250), "0", "-3", "0")
    ended = cell.sandbox.run(Command(command, cell.folder.tree, 20))
    if MACHINES[platform.machine()].foreign_from is None:
        assert ended.output_tail.strip() == "ENOSYS"
        return

    assert ended.signal == 31


def test_an_unknown_machine_architecture_has_no_sandbox(
    cell: Cell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "pdp11")

    refused = choose(SandboxRule.REQUIRED, lambda kind: with_allowed(cell))

    assert isinstance(refused, SandboxRefusal)
    assert "no filter of system calls is known for pdp11" in refused.sentence


@pytest.mark.parametrize("machine", MACHINES)
def test_every_jump_of_a_filter_stays_inside_it(machine: str) -> None:
    program = compiled(MACHINES[machine], ())
    count = len(program) // 8
    for at in range(count):
        code, yes, no = program[at * 8], program[at * 8 + 2], program[at * 8 + 3]
        if code in (0x15, 0x35, 0x45):
            assert at + 1 + max(yes, no) < count


def test_the_user_inside_has_a_name_and_git_an_author(cell: Cell) -> None:
    ended = cell.run(
        "whoami; id -gn; python -c 'import os, pwd; print(pwd.getpwuid(os.getuid()).pw_dir)'; "
        "git init -q x; cd x; git commit -q --allow-empty -m x && git log --format='%an %ae'; "
        "getent passwd | wc -l"
    )

    assert ended.output_tail.split() == [
        *("headgate", "headgate", str(cell.folder.home)),
        *("headgate", "agent", "agent@headgate.invalid", "3"),
    ], ended.output_tail


def small(cell: Cell, **limits: int) -> Sandbox:
    return Sandbox(cell.sandbox.kind, cell.sandbox._view, cell.sandbox._writable, Limits(**limits))


HOGS = "for n in 1 2 3 4; do python -c 'x = bytearray(10**8); import time; time.sleep(20)' & done; wait"


@pytest.mark.attack(
    "Many processes that take the machine's memory together",
    held="`action.sandbox.bounds`: a cgroup for every command, or a look every second",
)
@pytest.mark.parametrize("has_group", [True, False], ids=["cgroup", "looked at"])
def test_memory_of_all_processes_together_is_bounded(
    cell: Cell, has_group: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not has_group:
        monkeypatch.setattr("action.sandbox.sandbox.make_group", lambda _bytes: None)
    made = small(cell, memory_total_bytes=250_000_000)

    ended = made.run(Command(shell(HOGS), cell.folder.tree, 25))

    assert "of memory" in ended.output_tail
    assert ended.seconds < 24


@pytest.mark.attack(
    "Filling the runner's disk with many files",
    held="`action.sandbox.bounds.Watch`: the command is ended",
)
def test_files_of_a_command_together_are_bounded(cell: Cell) -> None:
    made = small(cell, disk_total_bytes=30_000_000)
    line = (
        "for n in $(seq 40); do head -c 5000000 /dev/zero >~/f$n; sleep 0.1; done; sleep 60; echo x"
    )

    ended = made.run(Command(shell(line), cell.folder.tree, 70))

    assert "its files use more than 28 MiB of the disk" in ended.output_tail
    assert ended.seconds < 20
    assert not ended.is_success


def test_a_nearly_full_disk_ends_the_command(cell: Cell, monkeypatch: pytest.MonkeyPatch) -> None:
    free = iter([4 * 1024**3] * 4)
    monkeypatch.setattr("action.sandbox.bounds._free", lambda _folder: next(free, 10 * 1024**2))

    ended = cell.run("sleep 60", 70)

    assert "the runner's disk has only 10 MiB left" in ended.output_tail
    assert ended.seconds < 20


@pytest.mark.attack(
    "Shared memory that belongs to no process",
    held="`action.sandbox.enter.SHARED_MEMORY_BYTES`",
)
def test_shared_memory_is_bounded(cell: Cell) -> None:
    ended = cell.run("df --output=size -B1 /dev/shm | tail -1; touch /dev/shm/x && echo made")

    assert ended.output_tail.split() == [str(1024**3), "made"]


FILES_IN_MEMORY = """
import os, time
for _ in range(6):
    os.write(os.memfd_create("x"), b"x" * 100_000_000)
time.sleep(20)
"""
SEGMENTS = """
import ctypes, time
c = ctypes.CDLL(None)
c.shmat.restype, c.shmdt.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
for _ in range(6):
    at = c.shmat(c.shmget(0, 100_000_000, 0o1600), None, 0)
    ctypes.memset(at, 1, 100_000_000)
    c.shmdt(at)
time.sleep(20)
"""


# Holds 400 MB in a file in memory until its end of input.
EARLIER_IN_MEMORY = """
import os, sys
os.write(os.memfd_create("x"), bytes(400_000_000))
print("held", flush=True)
sys.stdin.read()
"""
# Waits for its end of input, and takes 400 MB in a file in memory for some seconds.
OTHERS_IN_MEMORY = """
import sys, tempfile, time
sys.stdin.read()
with tempfile.TemporaryFile(dir="/dev/shm") as file:
    for _ in range(400):
        file.write(bytes(1_000_000))
    file.flush()
    time.sleep(3)
    print("written")
"""


@pytest.mark.attack(
    "Memory in files without a name, or in shared segments that no process has attached",
    held="`action.sandbox.bounds.Watch`: shared memory that was added since the command began counts",
)
@pytest.mark.parametrize("program", [FILES_IN_MEMORY, SEGMENTS], ids=["files", "segments"])
def test_memory_that_belongs_to_no_process_is_limited(
    cell: Cell, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("action.sandbox.sandbox.make_group", lambda _bytes: None)
    made = small(cell, memory_total_bytes=250_000_000)

    ended = made.run(Command(("python", "-c", program), cell.folder.tree, 25))

    assert "of memory" in ended.output_tail
    assert ended.seconds < 19


def test_memory_freed_late_by_an_earlier_command_does_not_raise_the_limit(
    cell: Cell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("action.sandbox.sandbox.make_group", lambda _bytes: None)
    made = small(cell, memory_total_bytes=250_000_000)
    earlier = [sys.executable, "-c", EARLIER_IN_MEMORY]
    with subprocess.Popen(earlier, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        ending = threading.Timer(1, process.stdin.close)
        ending.start()
        program = f"import time; time.sleep(3)\n{FILES_IN_MEMORY}"
        ended = made.run(Command(("python", "-c", program), cell.folder.tree, 25))
        ending.join()

    assert "of memory" in ended.output_tail
    assert ended.seconds < 19


def test_the_next_command_begins_when_shared_memory_was_given_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("action.sandbox.bounds._LEFT_BYTES", 0)
    held = iter([10, 610, 300, 10, 610])
    monkeypatch.setattr("action.sandbox.bounds._shared_memory", lambda: next(held))

    Watch(0, (), Totals(0, 0), None).settle()

    assert list(held) == [610]


def test_files_of_other_processes_in_memory_do_not_end_a_command(
    cell: Cell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("action.sandbox.sandbox.make_group", lambda _bytes: None)
    made = small(cell, memory_total_bytes=250_000_000)
    others = [sys.executable, "-c", OTHERS_IN_MEMORY]
    with subprocess.Popen(others, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        program = "import time; print('begun', flush=True); time.sleep(3); print('done')"
        writing = threading.Timer(1, process.stdin.close)
        writing.start()
        ended = made.run(Command(("python", "-c", program), cell.folder.tree, 25))
        writing.join()
        assert process.stdout.read() == b"written\n"

    assert "done" in ended.output_tail


def test_shared_memory_of_processes_counts_once() -> None:
    program = (
        "import os, time; x = bytearray(b'x' * 60_000_000); "
        "[os.fork() == 0 and time.sleep(30) for _ in range(3)]; print('made', flush=True); time.sleep(30)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, start_new_session=True
    )
    assert process.stdout is not None
    try:
        process.stdout.readline()
        assert 60_000_000 < memory_of(process.pid) < 150_000_000
    finally:
        os.killpg(process.pid, 9)
        process.communicate()


def test_no_process_group_of_a_command_remains(cell: Cell) -> None:
    group = make_group(10**9)
    if group is None:
        # This machine lets us make none; memory is looked at.
        return
    home = group.entrance.parents[1]
    group.remove()

    cell.run("sleep 0.1 & disown; true")

    assert list(home.glob(f"headgate-{os.getpid()}-*")) == []


def test_a_group_of_a_living_harness_is_left_to_it() -> None:
    first = make_group(10**9)
    if first is None:
        return
    home = first.entrance.parents[1]
    # Pids end at four million, so nobody has this one.
    abandoned = home / "headgate-99999999-1"
    abandoned.mkdir()

    second = make_group(10**9)

    assert second is not None
    assert first.entrance.exists()
    assert not abandoned.exists()
    first.remove()
    second.remove()
