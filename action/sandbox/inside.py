"""The first process inside the sandbox: keys, limits, proxies to the harness, then the command.

A stand-alone program (standard library only, run with `-I -S`). Its first argument is `Inside` as
`marshal` writes it, in hexadecimal; what follows is the command. It is pid 1 of the namespace, so
that nothing outlives it; where there is no namespace it adopts the command's orphans and ends them
itself. A proxy is a port on loopback whose connections go to a unix socket that the harness listens
on. Every sandboxed command waits for its imports: what is not always needed is imported where it is.
"""

from __future__ import annotations

import ctypes
import errno
import marshal
import os
import resource
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket
    from typing import NoReturn, TypedDict

    class ProxyPlan(TypedDict):
        """A unix socket of the harness, and the variables that name its port (`{port}`)."""

        socket: str
        env: dict[str, str]

    class Inside(TypedDict):
        """What the first process sets up before the command; limits are by name of `RLIMIT_*`.

        `filter` is a program for seccomp(2); empty where none is known for the machine.
        """

        cwd: str
        proxies: list[ProxyPlan]
        limits: dict[str, int]
        filter: bytes


PR_SET_SECCOMP = 22
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
SECCOMP_MODE_FILTER = 2
INSTRUCTION_BYTES = 8
KEYCTL_JOIN_SESSION_KEYRING = 1
KEYCTL_BY_MACHINE = {"x86_64": 250, "aarch64": 219}
COPY_BYTES = 65_536
# `socket.SHUT_WR`.
SHUT_WR = 1

libc = ctypes.CDLL(None, use_errno=True)


class FilterProgram(ctypes.Structure):
    """`struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def main() -> NoReturn:
    """Never returns: ends with the command's exit code (128 + n after signal n)."""
    plan: Inside = marshal.loads(bytes.fromhex(sys.argv[1]))  # noqa: S302 - the harness wrote it
    command = sys.argv[2:]
    try:
        leave_keys_behind()
        if plan["filter"]:
            filter_calls(plan["filter"])
    except OSError as error:
        sys.stderr.write(f"headgate: the sandbox could not be built: {error}\n")
        sys.stderr.flush()
        os._exit(125)
    if os.getpid() != 1:
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        signal.signal(signal.SIGTERM, lambda *_: end_everything(143))
    os.umask(0o022)
    for proxy in plan["proxies"]:
        port = forward_port(proxy["socket"])
        for name, value in proxy["env"].items():
            os.environ[name] = value.replace("{port}", str(port))
    child = os.fork()
    if child == 0:
        become(command, plan)
    while True:
        ended, status = os.wait()
        if ended == child:
            code = os.waitstatus_to_exitcode(status)
            end_everything(code if code >= 0 else 128 - code)


def leave_keys_behind() -> None:
    """Join a new session keyring: the runner's keys stay behind, and ours end with the command."""
    number = KEYCTL_BY_MACHINE.get(os.uname().machine)
    if number is None:
        return
    if libc.syscall(number, KEYCTL_JOIN_SESSION_KEYRING, None) < 0:
        error = ctypes.get_errno()
        # A kernel without keys has none to leave; some containers refuse all of it.
        if error not in (errno.ENOSYS, errno.EPERM):
            raise OSError(error, f"keyctl: {os.strerror(error)}")


def filter_calls(program: bytes) -> None:
    """From here on the kernel asks this program about every call, for our children, too."""
    instructions = ctypes.create_string_buffer(program, len(program))
    given = FilterProgram(len(program) // INSTRUCTION_BYTES, ctypes.addressof(instructions))
    for option, *values in (
        (PR_SET_NO_NEW_PRIVS, 1, 0),
        (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(given)),
    ):
        if libc.prctl(option, *values, 0, 0) != 0:
            error = ctypes.get_errno()
            raise OSError(error, f"seccomp: {os.strerror(error)}")


def become(command: list[str], plan: Inside) -> NoReturn:
    """Become the command, in its folder and under its limits."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        for name, limit in plan["limits"].items():
            number = getattr(resource, f"RLIMIT_{name}")
            hard = resource.getrlimit(number)[1]
            bounded = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
            resource.setrlimit(number, (bounded, bounded))
        os.chdir(plan["cwd"])
        # bubblewrap says where it was itself, and some programs believe it.
        os.environ["PWD"] = plan["cwd"]
        program = find_program(command[0])
        if program is None:
            sys.stderr.write(f"headgate: {command[0]}: no such program in the sandbox\n")
            sys.stderr.flush()
            os._exit(127)
        os.execv(program, command)  # noqa: S606 - becoming the command is the point
    except (OSError, ValueError) as error:
        sys.stderr.write(f"headgate: {command[0]} could not be started: {error}\n")
        sys.stderr.flush()
        os._exit(126)


def find_program(name: str) -> str | None:
    """As `shutil.which`, whose import would take twice as long as the rest."""
    folders = os.get_exec_path() if "/" not in name else None
    places = [name] if folders is None else [f"{folder}/{name}" for folder in folders]
    for place in places:
        is_folder = os.access(f"{place}/", os.F_OK)
        if os.access(place, os.X_OK) and not is_folder:
            return place
    return None


def end_everything(code: int) -> NoReturn:
    """End; as pid 1 the kernel ends the others, otherwise every child and orphan is killed."""
    if os.getpid() != 1:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while children := own_children():
            for child in children:
                os.kill(child, signal.SIGKILL)
            os.wait()
    os._exit(code)


def own_children() -> list[int]:
    with open(f"/proc/self/task/{os.getpid()}/children", encoding="utf-8") as listed:
        return [int(child) for child in listed.read().split()]


def forward_port(path: str) -> int:
    """Listen on a free port of loopback and relay each connection to the unix socket."""
    import socket
    import threading

    listener = socket.create_server(("127.0.0.1", 0))
    port = int(listener.getsockname()[1])
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        while True:
            near, _ = listener.accept()
            threading.Thread(target=relay, args=(near, path), daemon=True).start()
    listener.close()
    return port


def relay(near: socket.socket, path: str) -> None:
    """Copy both directions of one connection, half-closes included."""
    import socket
    import threading

    with near, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as far:
        try:
            far.connect(path)
        except OSError:
            return
        back = threading.Thread(target=copy, args=(far, near), daemon=True)
        back.start()
        copy(near, far)
        back.join()


def copy(source: socket.socket, sink: socket.socket) -> None:
    try:
        while chunk := source.recv(COPY_BYTES):
            sink.sendall(chunk)
        sink.shutdown(SHUT_WR)
    except OSError:
        return


if __name__ == "__main__":
    main()
