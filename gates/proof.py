"""The proof of a requirement: which tests name it, and what each of them shows.

A runner says what it sees in files and what it has run; the bot adds what passed, and the level.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum


class ProofLevel(StrEnum):
    """How far a requirement is proven; each level asks what is before it, too.

    L0: a test that asserts names it. L1: the test means the approved text. L2: it passed on this
    commit. L3: it runs lines that the change added. L4: it fails by an assertion without the change.
    """

    NONE = "none"
    L0 = "L0"
    L1 = "L1"
    L2 = "L2"
    L3 = "L3"
    L4 = "L4"

    @property
    def rank(self) -> int:
        return list(ProofLevel).index(self)


@dataclass(frozen=True, kw_only=True)
class ProvingTest:
    """A test that names the requirement; `passed` None: nobody has looked.

    `version` is the hash of the text that the test says it means. `scenarios` are those that its
    words name. `runs_added` and `fails_without` are what L3 and L4 ask; None: nobody could see.
    """

    __pydantic_config__ = {"extra": "forbid"}

    path: str
    name: str
    asserts: bool = True
    version: str = ""
    scenarios: tuple[str, ...] = ()
    cases: int = 1
    passed: bool | None = None
    runs_added: bool | None = None
    fails_without: bool | None = None

    @property
    def id(self) -> str:
        return f"{self.path}::{self.name}"


@dataclass(frozen=True, kw_only=True)
class RequirementProof:
    """One requirement of the change; `why` says what keeps it from the next level.

    `thin` are the scenarios that have fewer tests that passed than `planned`.
    """

    __pydantic_config__ = {"extra": "forbid"}

    requirement: str
    scenarios: tuple[str, ...] = ()
    tests: tuple[ProvingTest, ...] = ()
    level: ProofLevel = ProofLevel.NONE
    why: str = ""
    planned: int = 0
    thin: tuple[str, ...] = ()


def proof_digest(proofs: Sequence[RequirementProof]) -> str:
    """What a ledger keeps of proofs: SHA-256 (hex) of their canonical JSON; empty for none."""
    if not proofs:
        return ""
    canonical = json.dumps([asdict(one) for one in proofs], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()
