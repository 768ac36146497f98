"""The pull that proposes a first policy file to a repository without gates.

The gates are guessed from the files at the top of the tree. They count only once a person merges
the pull.
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

# Lists that changes add lines to, in no order that matters to a merge.
_LISTS = ("CHANGELOG.md", "CHANGES.md", "HISTORY.md", "NEWS.md", "AUTHORS", "CONTRIBUTORS.md")


def first_policy(paths: Collection[str]) -> str:
    """A policy file for a tree with these paths; its gate is `make test` if no path is known."""
    gates = next((gates for name, gates in _PROFILES if name in paths), _PROFILES[-1][1])
    lines = ["version: 1", "gates:"]
    for name, command, junit in gates:
        lines += [f"  {name}:", f'    run: "{command}"', "    judges: tree"]
        if junit:
            lines.append(f"    junit: {junit}")
    lines += ["  scope_check:", "    builtin: scope_check"]
    if listed := [name for name in _LISTS if name in paths]:
        lines += ["merge:", *(f"  {name}: union" for name in listed)]
    return "\n".join((*lines, ""))


def offer_title() -> str:
    return "Add the first gates for Headgate"


def offer_body(tracking_issue: int | None) -> str:
    wanted = f" The plan in #{tracking_issue} waits for it." if tracking_issue else ""
    return (
        "Headgate lands a change only after gates have judged it, and this repository has no "
        "gates yet. This file is a proposal, guessed from the files at the top of the tree. Check "
        f"the commands, correct what is wrong, and merge the pull.{wanted}"
    )
