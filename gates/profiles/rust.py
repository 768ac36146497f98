"""Crates and workspaces of Cargo."""

import re

from gates.profiles.lexed import LexedTests
from gates.profiles.profile import LockFile, Profile, Project, Proposal, ProposedGate, Sign
from gates.test_guard.tokens import Language

_HOSTS = ("index.crates.io", "static.crates.io")


def _detect(project: Project) -> Sign:
    return Sign.STRONG if "Cargo.toml" in project.paths else Sign.NONE


def _propose(project: Project) -> Proposal:
    # A project that says what its lints are has clippy; formatted is what says how.
    text = project.texts.get("Cargo.toml", "")
    has_clippy = (
        "[lints" in text
        or "[workspace.lints" in text
        or bool({"clippy.toml", ".clippy.toml"} & set(project.paths))
    )
    is_formatted = bool({"rustfmt.toml", ".rustfmt.toml"} & set(project.paths))
    lints = [
        *(["cargo clippy --all-targets"] if has_clippy else []),
        *(["cargo fmt --check"] if is_formatted else []),
    ]
    gates = (
        ProposedGate("build", "cargo build"),
        *([ProposedGate("lint", " && ".join(lints))] if lints else []),
        ProposedGate("test", "cargo test"),
    )
    if "Cargo.lock" not in project.paths:
        return Proposal(gates)
    return Proposal(gates, ("cargo fetch --locked",), _HOSTS)


PROFILE = Profile(
    name="rust",
    version="1",
    detect=_detect,
    propose=_propose,
    reads=("Cargo.toml",),
    # Every source file may hold tests.
    tests=LexedTests(re.compile(r"\.rs$"), Language.RUST),
    locks=(LockFile("Cargo.lock", "cargo update --workspace", _HOSTS),),
)
