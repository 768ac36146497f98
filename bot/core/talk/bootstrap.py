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

# Lock files that their own tools make anew, and the hosts that these need.
_NPM = ("registry.npmjs.org",)
_PYPI = ("pypi.org", "files.pythonhosted.org")
_LOCKS = (
    ("package-lock.json", "npm install --package-lock-only --ignore-scripts", _NPM),
    ("pnpm-lock.yaml", "pnpm install --lockfile-only --ignore-scripts", _NPM),
    ("poetry.lock", "poetry lock", _PYPI),
    ("uv.lock", "uv lock", _PYPI),
    ("Cargo.lock", "cargo update --workspace", ("index.crates.io", "static.crates.io")),
    ("go.sum", "go mod tidy", ("proxy.golang.org", "sum.golang.org")),
    ("Gemfile.lock", "bundle lock", ("rubygems.org", "index.rubygems.org")),
)


def first_policy(paths: Collection[str]) -> str:
    """A policy file for a tree with these paths; its gate is `make test` if no path is known."""
    gates = next((gates for name, gates in _PROFILES if name in paths), _PROFILES[-1][1])
    lines = ["version: 1", "gates:"]
    for name, command, junit in gates:
        lines += [f"  {name}:", f'    run: "{command}"', "    judges: tree"]
        if junit:
            lines.append(f"    junit: {junit}")
    lines += ["  scope_check:", "    builtin: scope_check"]
    return "\n".join((*lines, *_merge_rules(paths), ""))


def _merge_rules(paths: Collection[str]) -> list[str]:
    """Files that merge by a rule, and the hosts that these rules need."""
    listed = [name for name in _LISTS if name in paths]
    locks = [lock for lock in _LOCKS if lock[0] in paths]
    if not listed and not locks:
        return []
    lines = ["merge:", *(f"  {name}: union" for name in listed)]
    for name, command, _ in locks:
        lines += [f"  {name}:", f'    run: "{command}"']
    hosts = dict.fromkeys(host for *_, needed in locks for host in needed)
    if not hosts:
        return lines
    return [
        *lines,
        "# Commands under `merge` reach these hosts.",
        "egress:",
        *(f"  - {h}" for h in hosts),
    ]


def offer_title() -> str:
    return "Add the first gates for Headgate"


def offer_body(tracking_issue: int | None) -> str:
    wanted = f" The plan in #{tracking_issue} waits for it." if tracking_issue else ""
    return (
        "Headgate lands a change only after gates have judged it, and this repository has no "
        "gates yet. This file is a proposal, guessed from the files at the top of the tree. Check "
        f"the commands, correct what is wrong, and merge the pull.{wanted}"
    )
