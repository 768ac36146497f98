"""What a profile is: it knows one kind of project, by three small protocols.

It says whether a project is of its kind, which gates and set-up a first policy proposes, and how
tests are read. All of it is pure: a profile sees paths and texts, never a checkout.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

from gates.test_guard.found_test import TestFile

_GATE = re.compile(r"[a-z][a-z0-9_-]{0,49}")
# Gates of Headgate's own that a first policy has beside those of the profile.
OWN_GATES = ("scope_check", "secrets", "tests", "guardrails", "base_tests", "spec_verify")
# Of these, the ones that go by the names of tests in JUnit.
GO_BY_NAMES = frozenset({"base_tests", "spec_verify"})
_HOST = re.compile(r"[a-z0-9][a-z0-9.:-]*")


@dataclass(frozen=True)
class Project:
    paths: Collection[str]
    texts: Mapping[str, str]


class ProfileError(Exception):
    """A profile cannot be used; the sentence says which, why, and what to do."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class Sign(IntEnum):
    """How much says that a project is of a kind; the strongest sign decides."""

    NONE = 0
    WEAK = 1
    STRONG = 2


@dataclass(frozen=True)
class ProposedGate:
    """A gate's name and shell line; `junit`: it writes JUnit XML to `$HEADGATE_JUNIT`."""

    name: str
    command: str
    junit: bool = False

    def __post_init__(self) -> None:
        if not _GATE.fullmatch(self.name) or self.name in OWN_GATES:
            raise ValueError(f"{self.name!r} is not a valid name for a gate")


@dataclass(frozen=True)
class Proposal:
    """Gates by unique names, lines of set-up, and the hosts that set-up reaches."""

    gates: tuple[ProposedGate, ...]
    setup: tuple[str, ...] = ()
    egress: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raises ValueError for what no policy may say."""
        if len({gate.name for gate in self.gates}) < len(self.gates):
            raise ValueError("two gates have the same name")
        for host in self.egress:
            if not _HOST.fullmatch(host):
                raise ValueError(f"{host!r} is not a host")


@dataclass(frozen=True)
class LockFile:
    name: str
    remake: str
    egress: tuple[str, ...]


class TestAdapter(Protocol):
    """Which files hold tests, and which tests a file holds; `read` never raises."""

    def is_test_path(self, path: str) -> bool: ...
    def read(self, path: str, source: str) -> TestFile: ...


@dataclass(frozen=True, kw_only=True)
class Profile:
    """One kind of project. Another `version` may judge the same tests otherwise.

    `reads` names files at the top of a tree whose text says more than their name.
    """

    name: str
    version: str
    detect: Callable[[Project], Sign]
    propose: Callable[[Project], Proposal]
    tests: TestAdapter | None = None
    reads: tuple[str, ...] = ()
    locks: tuple[LockFile, ...] = ()
