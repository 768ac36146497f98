"""Both kinds of sandbox: what an agent or a test suite may try inside; one attack per test."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from action.agents.budget import Budget
from action.agents.edit_program import EditRefusedError, perform
from action.agents.rounds import Rounds
from action.agents.tools import EDIT, Tools
from action.order import AgentSettings, SandboxRule
from action.report import SandboxKind
from action.sandbox.choice import SandboxRefusal, choose
from action.sandbox.sandbox import SANDBOX_UID, Command, Limits, Sandbox, SandboxEndedError, shell
from action.sandbox.view import View, system_view
from tests.security.conftest import Cell

pytestmark = pytest.mark.slow

BEATEN = "while [ ! -s beat ]; do sleep 0.05; done"


@pytest.mark.attack(
    "A command keeps the privileges of the runner's user",
    held="`action.sandbox.enter.drop_to`: a user of its own",
)
def test_a_command_runs_without_privileges(cell: Cell) -> None:
    ended = cell.run("id -u; pwd; echo 1 >file; python -c 'print(6 * 7)'; git --version")

    assert ended.is_success, ended.output_tail
    uid, cwd, answer, _ = ended.output_tail.splitlines()
    assert uid == str(SANDBOX_UID if os.geteuid() == 0 else os.geteuid())
    assert cwd == str(cell.folder.tree)
    assert answer == "42"
    assert (cell.folder.tree / "file").read_text() == "1\n"


def test_the_working_directory_is_set_in_pwd(cell: Cell) -> None:
    ended = cell.sandbox.run(Command(("printenv", "PWD"), cell.folder.tree, 20))
    assert ended.output_tail.strip() == str(cell.folder.tree)


def test_the_end_of_a_command_is_noticed_at_once(
    cell: Cell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python's own wait sleeps up to 50 ms between two looks: a third of a gate that does nothing."""
    looks: list[float] = []
    monkeypatch.setattr(subprocess, "time", SimpleNamespace(sleep=looks.append))

    assert cell.run("sleep 0.2; exit 3").exit_code == 3
    timed_out = cell.sandbox.run(Command(shell("sleep 60"), cell.folder.tree, 0.3))

    assert timed_out.timed_out
    assert looks == []


@pytest.mark.attack(
    "Reading the environment of other processes in `/proc`",
    held="a process namespace and a `/proc` of its own: `action.sandbox.enter`",
)
def test_no_process_of_the_machine_can_be_seen_or_read(
    cell: Cell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "runtime-token")
    child = subprocess.Popen(["sleep", "30"])
    try:
        ended = cell.run(
            "ls -d /proc/[0-9]* | wc -l; "
            f"cat /proc/*/environ /proc/*/cmdline | tr '\\0' '\\n'; ls /proc/{child.pid}; "
            "cat /proc/1/environ | tr '\\0' '\\n'"
        )
    finally:
        child.kill()
        child.wait()
    assert int(ended.output_tail.splitlines()[0]) < 10
    assert "runtime-token" not in ended.output_tail
    assert "ACTIONS_" not in ended.output_tail
    assert f"cannot access '/proc/{child.pid}'" in ended.output_tail


@pytest.mark.attack(
    "Reading tokens from the environment",
    held="`action.sandbox.view.ENVIRONMENT_ALLOWED`",
)
def test_the_environment_is_an_allow_list(cell: Cell, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_ENV", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "HEADGATE_READ_TOKEN"):
        monkeypatch.setenv(name, "stolen")
    sandbox = cell.folder.make_sandbox(cell.sandbox.kind, os.environ)

    line = "env; tr '\\0' '\\n' </proc/self/environ"
    ended = sandbox.run(Command(shell(line), cell.folder.tree, 20))

    names = {line.partition("=")[0] for line in ended.output_tail.splitlines()}
    assert "stolen" not in ended.output_tail
    assert {"PATH", "HOME", "TMPDIR", "CI"} <= names
    assert not [name for name in names if name.startswith(("GITHUB_", "ACTIONS_", "AWS_"))]


@pytest.mark.attack(
    "Talking to the network, or to a service of the runner on loopback",
    held="a network namespace with nothing but a loopback of its own",
)
def test_only_the_loopback_network_is_available(cell: Cell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        ended = cell.run(
            f"(echo >/dev/tcp/127.0.0.1/{port}) 2>&1; (echo >/dev/tcp/1.1.1.1/443) 2>&1; "
            "cat /proc/net/dev | tail -n +3 | cut -d: -f1; "
            "python -c \"import socket; s = socket.create_server(('127.0.0.1', 0)); "
            "socket.create_connection(s.getsockname()); print('loopback works')\""
        )
    refused, unreachable, *rest = ended.output_tail.splitlines()
    assert "Connection refused" in ended.output_tail
    assert "Network is unreachable" in ended.output_tail
    assert refused
    assert unreachable
    assert [line.strip() for line in rest][-2:] == ["lo", "loopback works"]


@pytest.mark.attack(
    "Talking to a service of the runner by an abstract unix socket",
    held="the network namespace, which abstract names belong to",
)
def test_abstract_sockets_of_the_machine_cannot_be_reached(cell: Cell) -> None:
    name = f"\0headgate-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(name)
        listener.listen()
        ended = cell.run(
            f'python -c "import socket; socket.socket(socket.AF_UNIX).connect({name!r})"'
        )
    assert "ConnectionRefusedError" in ended.output_tail


@pytest.mark.attack(
    "Reading or writing the machine's files, mounting over them",
    held="`action.sandbox.view`: only what is listed is shown, read-only",
)
def test_files_outside_the_tree_can_be_neither_written_nor_seen(cell: Cell, outside: Path) -> None:
    ended = cell.run(
        f"echo x >>{outside}; cat {outside}; echo x >>/usr/bin/env; touch /usr/x /etc/x /x; "
        "echo x >>/etc/passwd; ls /root/.ssh /home /var /run /opt; ls /etc/shadow; "
        "mount -o remount,rw /usr; mount -t tmpfs none /usr; chroot / true; umount /proc; true"
    )
    assert outside.read_text() == "outside"
    assert f"cat: {outside}: No such file" in ended.output_tail
    assert not Path("/usr/x").exists()
    for gone in ("/home", "/var", "/run", "/opt", "/etc/shadow"):
        assert f"cannot access '{gone}'" in ended.output_tail


@pytest.mark.attack(
    "Writing a tool of the runner that its owner's own rights would let a command write",
    held="`action.sandbox.enter`: what is shown is mounted to be read, whoever may write it outside",
)
def test_shown_folders_are_read_only_even_if_writable_outside(cell: Cell, outside: Path) -> None:
    outside.parent.chmod(0o777)
    more = cell.folder.make_sandbox(cell.sandbox.kind, os.environ, also_shown=(outside.parent,))
    line = f"cat {outside}; echo x >>{outside}; touch {outside.parent}/x"

    ended = more.run(Command(shell(line), cell.folder.tree, 20))

    assert ended.output_tail.startswith("outside")
    assert ended.output_tail.count("Read-only file system") == 2
    assert outside.read_text() == "outside"
    assert list(outside.parent.iterdir()) == [outside]


@pytest.mark.attack(
    "Reading the harness's own repository, writing what it gives",
    held="`action.harness.folder`: neither is mounted to be written",
)
def test_the_harness_own_folder_is_not_shown(cell: Cell) -> None:
    ended = cell.run(
        f"ls {cell.folder.root}; cat {cell.folder.git}/config; touch {cell.folder.given}/x"
    )

    assert "git\n" not in ended.output_tail
    assert "No such file" in ended.output_tail
    assert not (cell.folder.given / "x").exists()


@pytest.mark.attack(
    "The edit tool led out of the tree by a link",
    held="it runs inside the sandbox, and `action.agents.edit_program` resolves the path",
)
def test_the_edit_tool_does_not_follow_a_symlink_out_of_the_tree(cell: Cell, outside: Path) -> None:
    cell.run(f"ln -s {outside} link; ln -s {outside.parent} folder; ln -s /etc etc")
    rounds = Rounds((), cell.sandbox, cell.folder.tree, Budget(AgentSettings()))
    tools = Tools(cell.sandbox, cell.folder.tree, rounds)
    for path in ("link", f"folder/{outside.name}", "etc/hosts", "../../x", str(outside)):
        for command in ("view", "create"):
            given = {"command": command, "path": path, "file_text": "stolen"}
            answer = tools.use(EDIT, given, 20)
            assert answer.is_error, answer
            assert "outside the work tree" in answer.text
    assert outside.read_text() == "outside"


@pytest.mark.attack(
    "The edit tool given a path outside the tree",
    held="`action.agents.edit_program.perform`",
)
def test_the_edit_program_refuses_paths_outside_the_tree(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "link").symlink_to("/etc")
    for path in ("link/passwd", "/etc/passwd", "../" * 20 + "etc/passwd", ""):
        with pytest.raises(EditRefusedError):
            perform({"command": "view", "path": path}, tree)


@pytest.mark.attack(
    "A process in the background waits for the next command",
    held="every command has a process namespace of its own, which ends with it",
)
def test_a_background_process_does_not_outlive_its_command(cell: Cell) -> None:
    started = time.monotonic()
    line = (
        "(while true; do date +%s%N >beat; sleep 0.05; done) >/dev/null 2>&1 & setsid sleep 300 &"
    )
    ended = cell.run(f"{line} disown -a; {BEATEN}; cat beat")

    assert ended.is_success
    before = (cell.folder.tree / "beat").read_bytes()
    assert not threading.Event().wait(0.3)
    assert (cell.folder.tree / "beat").read_bytes() == before
    assert time.monotonic() - started < 60


@pytest.mark.attack(
    "A command that ignores signals",
    held="the first process of the namespace is killed, and all with it",
)
def test_a_timeout_kills_processes_that_ignore_signals(cell: Cell) -> None:
    ended = cell.run("trap '' TERM INT HUP; (trap '' TERM; sleep 300) & sleep 300", 1.0)

    assert ended.timed_out
    assert ended.exit_code is None
    assert ended.seconds < 10


def test_ending_the_sandbox_ends_the_command_and_starts_no_other(cell: Cell) -> None:
    timer = threading.Timer(0.5, cell.sandbox.end)
    timer.start()
    ended = cell.run("sleep 300", 60)

    assert ended.seconds < 20
    assert not ended.is_success
    with pytest.raises(SandboxEndedError):
        cell.run("true")


@pytest.mark.attack(
    "A fork bomb",
    held="`action.sandbox.sandbox.Limits`: processes",
)
def test_a_fork_bomb_is_limited_and_killed(cell: Cell) -> None:
    small = Sandbox(
        cell.sandbox.kind, cell.sandbox._view, cell.sandbox._writable, Limits(processes_max=60)
    )
    flood = (
        "import os, time\n"
        "made = 0\n"
        "try:\n"
        "    while made < 500:\n"
        "        if os.fork() == 0:\n"
        "            time.sleep(60)\n"
        "        made += 1\n"
        "except BlockingIOError:\n"
        "    print('bounded', made)\n"
    )
    ended = small.run(Command(("python", "-c", flood), cell.folder.tree, 30))

    word, made = ended.output_tail.split()
    assert word == "bounded"
    assert int(made) < 60


@pytest.mark.attack(
    "A file or a process that grows without end",
    held="`action.sandbox.sandbox.Limits`: file size, memory",
)
def test_files_and_memory_are_limited(cell: Cell) -> None:
    small = Sandbox(
        cell.sandbox.kind,
        cell.sandbox._view,
        cell.sandbox._writable,
        Limits(file_bytes_max=1_000_000, memory_bytes_max=200_000_000),
    )
    command = Command(
        shell("head -c 5000000 /dev/zero >big; python -c 'x = bytearray(10**9)'"),
        cell.folder.tree,
        30,
    )
    ended = small.run(command)

    assert (cell.folder.tree / "big").stat().st_size <= 1_000_000
    assert "MemoryError" in ended.output_tail


@pytest.mark.attack(
    "Output without end",
    held="only its last 64 kB are kept",
)
def test_the_sandbox_keeps_only_the_end_of_a_large_output(cell: Cell) -> None:
    ended = cell.run("yes | head -c 30000000; echo the end")

    assert ended.output_bytes > 30_000_000
    assert len(ended.output_tail) <= 64_000
    assert ended.output_tail.endswith("the end\n")


@pytest.mark.attack(
    "Gaining a capability, opening a device",
    held="capabilities are dropped and `no_new_privs` is set; `/dev` is a small one",
)
def test_no_privilege_can_be_gained(cell: Cell) -> None:
    ended = cell.run(
        "grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status; su -c id; "
        "unshare -r id -u; cat /dev/kmsg; cat /dev/vda /dev/sda; ls /dev/mem"
    )
    status = dict(line.split(":\t") for line in ended.output_tail.splitlines()[:3])
    assert int(status["CapEff"], 16) == 0
    assert int(status["CapBnd"], 16) == 0
    assert status["NoNewPrivs"] == "1"
    assert "cannot access '/dev/mem'" in ended.output_tail
    assert "/dev/kmsg: No such file" in ended.output_tail


@pytest.mark.attack(
    "Outliving the harness",
    held="the parent-death signal",
)
def test_the_sandbox_ends_with_the_harness(cell: Cell) -> None:
    beat = cell.folder.tree / "beat"
    # It ends by itself, so that nothing is left where it does outlive us.
    line = f"for n in $(seq 1600); do date +%s%N >{beat}; sleep 0.05; done"
    arguments = cell.sandbox._arguments(Command(shell(line), cell.folder.tree, 60))
    program = (
        "import json, subprocess, sys\n"
        "subprocess.Popen(json.loads(sys.stdin.read()), env={'PATH': '/usr/bin:/bin'}, "
        "start_new_session=True)\n"
        "print('started', flush=True)\n"
        "import signal; signal.pause()\n"
    )
    harness = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    )
    assert harness.stdin is not None
    harness.stdin.write(json.dumps(arguments).encode())
    harness.stdin.close()
    deadline = time.monotonic() + 60
    while not beat.exists() and time.monotonic() < deadline:
        threading.Event().wait(0.05)
    assert beat.exists()

    harness.kill()
    harness.wait()

    before: bytes | None = None
    while (seen := beat.read_bytes()) != before:
        assert time.monotonic() < deadline, "the sandbox outlives its harness"
        before = seen
        threading.Event().wait(0.4)


@pytest.mark.attack(
    "An order on a runner without a sandbox",
    held="`action.sandbox.choice.choose`: refused, unless the policy permits it",
)
def test_without_a_working_sandbox_the_refusal_names_the_package_to_install(cell: Cell) -> None:
    def broken(kind: SandboxKind) -> Sandbox:
        empty = View((), (), {"PATH": "/nonexistent"})
        return Sandbox(kind, empty, (), Limits())

    refused = choose(SandboxRule.REQUIRED, broken)

    assert isinstance(refused, SandboxRefusal)
    assert "apt-get install bubblewrap" in refused.sentence
    permitted = choose(SandboxRule.NONE_ALLOWED, broken)
    assert isinstance(permitted, Sandbox)
    assert permitted.kind is SandboxKind.NONE


@pytest.mark.attack(
    "Outliving a command where the policy permits no sandbox",
    held="the first process adopts orphans and kills them",
)
def test_no_process_survives_even_without_a_sandbox(cell: Cell) -> None:
    bare = cell.folder.make_sandbox(SandboxKind.NONE, os.environ)
    line = "(setsid sh -c 'for n in $(seq 400); do date +%s%N >beat; sleep 0.05; done') >/dev/null 2>&1 &"
    for command, seconds in ((f"{line} {BEATEN}", 30), (f"{line} sleep 60", 1.5)):
        bare.run(Command(shell(command), cell.folder.tree, seconds))
        before = (cell.folder.tree / "beat").read_bytes()
        assert not threading.Event().wait(0.3)
        assert (cell.folder.tree / "beat").read_bytes() == before


@pytest.mark.attack(
    "Reading credentials that lie beside tools",
    held="`action.sandbox.view.TOOL_FOLDERS`: an allow-list",
)
def test_the_view_shows_tools_but_not_the_credentials_beside_them(tmp_path: Path) -> None:
    home = tmp_path / "home"
    for name in (".cargo/bin/cargo", ".cargo/credentials.toml", "bin/tool", ".ssh/id"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).touch()
    outer = {"HOME": str(home), "PATH": f"{home}/.cargo/bin:{home}/bin:{home}:/usr/bin"}

    view = system_view(outer)

    shown = {str(one.target) for one in view.shown}
    assert f"{home}/.cargo/bin" in shown
    assert f"{home}/bin" in shown
    assert not [path for path in shown if str(home).startswith(path) and path != "/usr"]
    assert not any(one.writable for one in view.shown)
