"""The filter of system calls that every command inside runs under, as a BPF program.

What a build never needs is refused: the kernel's keys, mounts, namespaces of users, io_uring, and
sockets that reach past the network namespace (AF_VSOCK, AF_ALG and the like). A policy may allow
some of it by name. Programs of another architecture's calls (32-bit) are ended, because one filter
reads one table of numbers.

The numbers are the kernel's interface and never change (`asm/unistd_64.h`, `asm-generic/unistd.h`).
"""

import errno
import platform
import struct
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from action.order import SandboxAllowance

CLONE_NEWUSER = 0x10000000
# The only families of sockets that a build needs.
_FAMILIES = (1, 2, 10, 16)  # AF_UNIX, AF_INET, AF_INET6, AF_NETLINK

_LOAD = 0x20  # BPF_LD | BPF_W | BPF_ABS
_IS_EQUAL = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_IS_AT_LEAST = 0x35  # BPF_JMP | BPF_JGE | BPF_K
_HAS_BITS = 0x45  # BPF_JMP | BPF_JSET | BPF_K
_RETURN = 0x06  # BPF_RET | BPF_K

# Where `struct seccomp_data` has them; the low half of the first argument on a little-endian machine.
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16

_ALLOW = 0x7FFF0000
_KILL_PROCESS = 0x80000000
_ERROR = 0x00050000

Instruction = tuple[int, int, int, int]


@dataclass(frozen=True)
class Machine:
    """An architecture: what the kernel calls it, its numbers, and the first of a foreign table."""

    audit: int
    keys: tuple[int, ...]
    mounts: tuple[int, ...]
    set_namespace: int
    unshare: int
    clone: int
    socket: tuple[int, ...]
    kernel: tuple[int, ...]
    foreign_from: int | None = None


# Calls since Linux 5.1 have one number everywhere.
_IO_URING = (425, 426, 427)
_NEW_MOUNTS = (428, 429, 430, 431, 432, 433, 442, 467)
_CLONE3 = 435

MACHINES = {
    "x86_64": Machine(
        audit=0xC000003E,
        keys=(248, 249, 250),
        mounts=(165, 166, 155, *_NEW_MOUNTS),
        set_namespace=308,
        unshare=272,
        clone=56,
        socket=(41, 53),
        # bpf, perf_event_open, userfaultfd
        kernel=(321, 298, 323),
        # The x32 calls.
        foreign_from=0x40000000,
    ),
    "aarch64": Machine(
        audit=0xC00000B7,
        keys=(217, 218, 219),
        mounts=(40, 39, 41, *_NEW_MOUNTS),
        set_namespace=268,
        unshare=97,
        clone=220,
        socket=(198, 199),
        kernel=(280, 241, 282),
    ),
}


def filter_here(allowed: Collection[SandboxAllowance] = ()) -> bytes | None:
    """The filter for this machine; None where its numbers are not known."""
    machine = MACHINES.get(platform.machine())
    return None if machine is None else compiled(machine, allowed)


def compiled(machine: Machine, allowed: Collection[SandboxAllowance]) -> bytes:
    """The program as the kernel reads it (`struct sock_filter`, one after another)."""
    return b"".join(struct.pack("=HBBI", *one) for one in _program(machine, allowed))


def _program(machine: Machine, allowed: Collection[SandboxAllowance]) -> Iterator[Instruction]:
    yield _load(_ARCHITECTURE)
    yield (_IS_EQUAL, 1, 0, machine.audit)
    yield _end(_KILL_PROCESS)
    yield _load(_NUMBER)
    if machine.foreign_from is not None:
        yield (_IS_AT_LEAST, 0, 1, machine.foreign_from)
        yield _end(_KILL_PROCESS)
    yield from _refuse((*machine.keys, *machine.kernel), errno.EPERM)
    if SandboxAllowance.IO_URING not in allowed:
        yield from _refuse(_IO_URING, errno.EPERM)
    if SandboxAllowance.MOUNTS not in allowed:
        yield from _refuse(machine.mounts, errno.EPERM)
    if SandboxAllowance.USER_NAMESPACES not in allowed:
        # Its flags lie in memory, where a filter cannot look; C libraries then use clone.
        yield from _refuse((_CLONE3,), errno.ENOSYS)
        yield from _refuse((machine.set_namespace,), errno.EPERM)
        for number in (machine.clone, machine.unshare):
            yield from _refuse_flag(number, CLONE_NEWUSER)
    for number in machine.socket:
        yield from _allow_only(number, _FAMILIES)
    yield _end(_ALLOW)


def _load(offset: int) -> Instruction:
    return (_LOAD, 0, 0, offset)


def _end(what: int) -> Instruction:
    return (_RETURN, 0, 0, what)


def _refuse(numbers: Iterable[int], error: int) -> Iterator[Instruction]:
    for number in numbers:
        yield (_IS_EQUAL, 0, 1, number)
        yield _end(_ERROR | error)


def _refuse_flag(number: int, flag: int) -> Iterator[Instruction]:
    yield (_IS_EQUAL, 0, 4, number)
    yield _load(_FIRST_ARGUMENT)
    yield (_HAS_BITS, 0, 1, flag)
    yield _end(_ERROR | errno.EPERM)
    yield _end(_ALLOW)


def _allow_only(number: int, values: tuple[int, ...]) -> Iterator[Instruction]:
    yield (_IS_EQUAL, 0, len(values) + 3, number)
    yield _load(_FIRST_ARGUMENT)
    for at, value in enumerate(values):
        yield (_IS_EQUAL, len(values) - at, 0, value)
    yield _end(_ERROR | errno.EAFNOSUPPORT)
    yield _end(_ALLOW)
