"""Started for every sandboxed command: changes to the sandbox's user and isolates it.

A stand-alone program (standard library only, run with `-I -S`), because our packages may not be
readable for the sandbox's user. Its first argument is a `Plan` as `marshal` writes it, in
hexadecimal; what follows is the command. A root harness first shows the wanted paths under a
private mount namespace, so that interpreters below a closed home stay reachable for that user, and
only then changes to it. No secret may be passed: arguments and environment are readable inside.
Every sandboxed command waits for its imports.
"""

from __future__ import annotations

import ctypes
import marshal
import os
import signal
import struct
import sys
import warnings  # noqa: F401 - `os.execvp` wants it when Python's modules may be out of reach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn, TypedDict

    class Bind(TypedDict):
        source: str
        target: str
        writable: bool

    class Layer(TypedDict):
        """At `place` the folders of `shown` can be written: what changes goes to `upper`."""

        place: str
        shown: str
        upper: str
        work: str

    class Plan(TypedDict):
        """How to enter: `kind` is `bubblewrap` or `unshare`, `uid` None where nothing is dropped.

        `group` is where a process enters the command's cgroup; empty where there is none.
        """

        kind: str
        uid: int | None
        binds: list[Bind]
        layers: list[Layer]
        links: list[tuple[str, str]]
        group: str


CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000
MS_NOSUID = 0x2
MS_NODEV = 0x4
MS_NOEXEC = 0x8
MS_BIND = 0x1000
MS_REC = 0x4000
MS_PRIVATE = 0x40000
MNT_DETACH = 2
PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS = 38
# mount_setattr(2) has the same number on every architecture; Linux 5.12 and later.
SYS_MOUNT_SETATTR = 442
AT_FDCWD = -100
AT_RECURSIVE = 0x8000
MOUNT_ATTR_RDONLY = 0x1
MOUNT_ATTR_NOSUID = 0x2
MOUNT_ATTR_NODEV = 0x4
AF_INET = 2
SOCK_DGRAM = 2
SIOCSIFFLAGS = 0x8914
IFF_UP_RUNNING = 0x1 | 0x40

# Covered by a tmpfs in a mount namespace of our own; it exists and can be walked by everybody.
STAGE = "/tmp"  # noqa: S108
# Memory that belongs to no process; a browser needs some of it.
SHARED_MEMORY_BYTES = 1024**3
HOST_NAME = "headgate"
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")

libc = ctypes.CDLL(None, use_errno=True)


def main() -> NoReturn:
    """Never returns: ends as the command or with exit code 125 and a sentence on stderr."""
    plan: Plan = marshal.loads(bytes.fromhex(sys.argv[1]))  # noqa: S302 - the harness wrote it
    command = sys.argv[2:]
    try:
        if plan["group"]:
            write(plan["group"], "0")
        binds = plan["binds"]
        if plan["uid"] is not None:
            binds = stage(binds, plan["layers"])
            drop_to(plan["uid"])
        elif plan["layers"]:
            enter_own_user()
            lay_over(plan["layers"], "userxattr")
        check(libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "prctl")
        if plan["kind"] == "bubblewrap":
            arguments = bubblewrap_arguments(binds, plan["links"])
            os.execvp("bwrap", ["bwrap", *arguments, "--", *command])  # noqa: S606 - becoming the command is the point
        enter_namespaces(binds, plan["links"], command)
    except OSError as error:
        sys.stderr.write(f"headgate: the sandbox could not be built: {error}\n")
        sys.stderr.flush()
        os._exit(125)


def write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def check(answer: int, what: str) -> None:
    if answer != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    answer = libc.mount(
        source.encode(),
        target.encode(),
        kind.encode() or None,
        ctypes.c_ulong(flags),
        options.encode() or None,
    )
    check(answer, f"mount {target}")


def set_mount_attributes(target: str, attributes: int, flags: int) -> None:
    """mount_setattr(2): unlike a remount it keeps what it is not told to change."""
    wanted = struct.pack("QQQQ", attributes, 0, 0, 0)
    answer = libc.syscall(
        SYS_MOUNT_SETATTR,
        AT_FDCWD,
        target.encode(),
        ctypes.c_uint(flags),
        wanted,
        ctypes.c_size_t(len(wanted)),
    )
    check(answer, f"mount_setattr {target}")


def lay_over(layers: list[Layer], option: str) -> None:
    """Cover each place by an overlay of what is shown there, in this mount namespace alone."""
    for layer in layers:
        folders = f"lowerdir={layer['shown']},upperdir={layer['upper']},workdir={layer['work']}"
        mount("overlay", layer["place"], "overlay", MS_NOSUID | MS_NODEV, f"{folders},{option}")


def enter_own_user() -> None:
    """A user namespace in which we may mount; our user stays who it is."""
    uid, gid = os.getuid(), os.getgid()
    check(libc.unshare(CLONE_NEWUSER | CLONE_NEWNS), "unshare")
    map_user(uid, gid)
    mount("none", "/", "", MS_REC | MS_PRIVATE)


def map_user(uid: int, gid: int) -> None:
    """The new namespace knows one user and one group."""
    write("/proc/self/uid_map", f"{uid} {uid} 1")
    write("/proc/self/setgroups", "deny")
    write("/proc/self/gid_map", f"{gid} {gid} 1")


def stage(binds: list[Bind], layers: list[Layer]) -> list[Bind]:
    """Show every source below `STAGE` in a private mount namespace (needs root)."""
    check(libc.unshare(CLONE_NEWNS), "unshare")
    mount("none", "/", "", MS_REC | MS_PRIVATE)
    # A renamed folder of the lower tree keeps its contents there.
    lay_over(layers, "redirect_dir=on")
    # Opened before `STAGE` is covered, because sources may lie below it.
    opened = [os.open(bind["source"], os.O_PATH) for bind in binds]
    mount("tmpfs", STAGE, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755")
    staged: list[Bind] = []
    for number, (descriptor, bind) in enumerate(zip(opened, binds, strict=True)):
        place = f"{STAGE}/{number}"
        make_mount_point(place, like=bind["source"], descriptor=descriptor)
        mount(f"/proc/self/fd/{descriptor}", place, "", MS_BIND | MS_REC)
        os.close(descriptor)
        staged.append({**bind, "source": place})
    return staged


def make_mount_point(place: str, like: str, descriptor: int) -> None:
    """Make an empty folder or file to mount on, of the kind of what is mounted."""
    shown = f"/proc/self/fd/{descriptor}" if descriptor >= 0 else like
    os.makedirs(os.path.dirname(place), exist_ok=True)
    if os.path.isdir(shown):
        os.makedirs(place, exist_ok=True)
    elif not os.path.exists(place):
        write(place, "")


def drop_to(uid: int) -> None:
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    # Changing the user makes /proc/self root's own; uid_map must be writable for us again.
    check(libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0), "prctl")


def bubblewrap_arguments(binds: list[Bind], links: list[tuple[str, str]]) -> list[str]:
    """The isolation as bubblewrap's options."""
    arguments = [
        "--unshare-all",
        "--unshare-user",
        "--die-with-parent",
        "--new-session",
        "--as-pid-1",
        "--hostname",
        HOST_NAME,
        "--cap-drop",
        "ALL",
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        "--size",
        str(SHARED_MEMORY_BYTES),
        "--tmpfs",
        "/dev/shm",  # noqa: S108 - a mount inside
    ]
    for target, link in links:
        arguments += ["--symlink", target, link]
    for bind in binds:
        how = "--bind" if bind["writable"] else "--ro-bind"
        arguments += [how, bind["source"], bind["target"]]
    return [*arguments, "--remount-ro", "/"]


def enter_namespaces(
    binds: list[Bind], links: list[tuple[str, str]], command: list[str]
) -> NoReturn:
    """The same isolation by system calls, without bubblewrap; exits with the command's code."""
    uid, gid = os.getuid(), os.getgid()
    check(
        libc.unshare(
            CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS
        ),
        "unshare",
    )
    map_user(uid, gid)
    first = os.fork()
    if first == 0:
        try:
            check(libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "prctl")
            os.setsid()
            raise_loopback()
            check(libc.sethostname(HOST_NAME.encode(), len(HOST_NAME)), "sethostname")
            build_root(binds, links)
            give_up_capabilities()
            os.execv(command[0], command)  # noqa: S606 - becoming the command is the point
        except OSError as error:
            sys.stderr.write(f"headgate: the sandbox could not be built: {error}\n")
            sys.stderr.flush()
            os._exit(125)
    _, status = os.waitpid(first, 0)
    code = os.waitstatus_to_exitcode(status)
    os._exit(code if code >= 0 else 128 - code)


def raise_loopback() -> None:
    """A new network namespace has nothing but a loopback that is down.

    Python's own modules may be out of reach by now, so none is imported.
    """
    descriptor = libc.socket(AF_INET, SOCK_DGRAM, 0)
    check(min(descriptor, 0), "socket")
    request = struct.pack("16sH14x", b"lo", IFF_UP_RUNNING)
    check(libc.ioctl(descriptor, ctypes.c_ulong(SIOCSIFFLAGS), request), "ioctl")
    os.close(descriptor)


def build_root(binds: list[Bind], links: list[tuple[str, str]]) -> None:
    """A root of its own on a tmpfs: what is bound, /proc, a small /dev; everything else is gone."""
    mount("none", "/", "", MS_REC | MS_PRIVATE)
    opened = [os.open(bind["source"], os.O_PATH) for bind in binds]
    devices = {name: os.open(f"/dev/{name}", os.O_PATH) for name in DEVICES}
    mount("tmpfs", STAGE, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755")
    for name in ("proc", "dev", ".old"):
        os.mkdir(f"{STAGE}/{name}")
    # Before the old /proc goes: the kernel shows a fresh one only to who could see all of it.
    mount("proc", f"{STAGE}/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    build_devices(devices)
    for target, link in links:
        os.symlink(target, STAGE + link)
    for descriptor, bind in zip(opened, binds, strict=True):
        place = STAGE + bind["target"]
        make_mount_point(place, like=bind["source"], descriptor=descriptor)
        mount(f"/proc/self/fd/{descriptor}", place, "", MS_BIND | MS_REC)
        attributes = (
            MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | (0 if bind["writable"] else MOUNT_ATTR_RDONLY)
        )
        set_mount_attributes(place, attributes, AT_RECURSIVE)
        os.close(descriptor)
    os.chdir(STAGE)
    check(libc.pivot_root(b".", b".old"), "pivot_root")
    os.chdir("/")
    check(libc.umount2(b"/.old", MNT_DETACH), "umount")
    os.rmdir("/.old")
    set_mount_attributes("/", MOUNT_ATTR_RDONLY, 0)


def build_devices(devices: dict[str, int]) -> None:
    """The devices that programs expect, and shared memory."""
    dev = f"{STAGE}/dev"
    for name, descriptor in devices.items():
        write(f"{dev}/{name}", "")
        mount(f"/proc/self/fd/{descriptor}", f"{dev}/{name}", "", MS_BIND)
        os.close(descriptor)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        os.symlink(f"/proc/self/fd/{number}", f"{dev}/{name}")
    os.symlink("/proc/self/fd", f"{dev}/fd")
    os.mkdir(f"{dev}/shm")
    options = f"mode=1777,size={SHARED_MEMORY_BYTES}"
    mount("tmpfs", f"{dev}/shm", "tmpfs", MS_NOSUID | MS_NODEV, options)


def give_up_capabilities() -> None:
    """Drop all capabilities for good; the exec that follows clears the rest of the sets."""
    with open("/proc/sys/kernel/cap_last_cap", encoding="utf-8") as file:
        last = int(file.read())
    for capability in range(last + 1):
        check(libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0), "prctl")
    check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl")


if __name__ == "__main__":
    main()
