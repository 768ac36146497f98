"""The pull that offers a first policy file where a repository has no gates.

What is offered is read off the files at the top of the tree; a person looks at it and merges it, or
does not. Deliberately absent: gates that nobody agreed to.
"""

from collections.abc import Collection

OFFER_BRANCH = "headgate/first-gates"

_PROFILES: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...] = (
    (
        "pyproject.toml",
        (
            ("build", "python3 -m compileall -q .", ""),
            ("test", "python3 -m pytest -q --junitxml=$HEADGATE_JUNIT", "true"),
        ),
    ),
    ("package.json", (("build", "npm run build --if-present", ""), ("test", "npm test", ""))),
    ("go.mod", (("build", "go build ./...", ""), ("test", "go test ./...", ""))),
    ("Cargo.toml", (("build", "cargo build", ""), ("test", "cargo test", ""))),
    ("Makefile", (("test", "make test", ""),)),
)


def first_policy(paths: Collection[str]) -> str:
    """A policy file for a tree with these paths; `make test` where nothing is recognised."""
    gates = next((gates for name, gates in _PROFILES if name in paths), _PROFILES[-1][1])
    lines = ["version: 1", "gates:"]
    for name, command, junit in gates:
        lines += [f"  {name}:", f'    run: "{command}"', "    judges: tree"]
        if junit:
            lines.append(f"    junit: {junit}")
    lines += ["  scope_check:", "    builtin: scope_check", ""]
    return "\n".join(lines)


def offer_title() -> str:
    """The pull's title."""
    return "Give Headgate its first gates"


def offer_body(tracking_issue: int | None) -> str:
    """The pull's body."""
    wanted = f" The plan in #{tracking_issue} waits for it." if tracking_issue else ""
    return (
        "Headgate lands nothing that no gate has judged, and this repository names no gates. "
        "This file is a proposal, read off the files at the top of the tree: look at the "
        f"commands, change what is wrong, and merge it.{wanted}"
    )
