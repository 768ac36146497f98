"""Crates and workspaces of Cargo."""

import re
import tomllib

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
        # Many libraries keep no lock: their packages come all the same.
        return (
            Proposal(gates, ("cargo fetch",), _HOSTS) if _needs_packages(text) else Proposal(gates)
        )
    return Proposal(gates, ("cargo fetch --locked",), _HOSTS)


def _needs_packages(text: str) -> bool:
    try:
        cargo = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return False
    targets = cargo.get("target")
    tables = [cargo, cargo.get("workspace")]
    tables += targets.values() if isinstance(targets, dict) else []
    kinds = ("dependencies", "dev-dependencies", "build-dependencies")
    return any(isinstance(one, dict) and any(map(one.get, kinds)) for one in tables)


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
