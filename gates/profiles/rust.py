"""Crates and workspaces of Cargo."""

import re

from gates.profiles.lexed import LexedTests
from gates.profiles.profile import LockFile, Profile, Project, Proposal, ProposedGate, Sign
from gates.test_guard.tokens import Language

_HOSTS = ("index.crates.io", "static.crates.io")


def _detect(project: Project) -> Sign:
    return Sign.STRONG if "Cargo.toml" in project.paths else Sign.NONE


def _propose(project: Project) -> Proposal:
    gates = (ProposedGate("build", "cargo build"), ProposedGate("test", "cargo test"))
    if "Cargo.lock" not in project.paths:
        return Proposal(gates)
    return Proposal(gates, ("cargo fetch --locked",), _HOSTS)


PROFILE = Profile(
    name="rust",
    version="1",
    detect=_detect,
    propose=_propose,
    # Every source file may hold tests.
    tests=LexedTests(re.compile(r"\.rs$"), Language.RUST),
    locks=(LockFile("Cargo.lock", "cargo update --workspace", _HOSTS),),
)
