"""The pull that proposes a first policy file to a repository without gates.

Gates, set-up and the hosts that set-up reaches are guessed from the files at the top of the tree.
They count only once a person merges the pull.
"""

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

OFFER_BRANCH = "headgate/first-gates"

# Files whose text says more than their name.
READ_FOR_POLICY = ("Makefile", "package.json", "pyproject.toml")

_PYPI = ("pypi.org", "files.pythonhosted.org")
_NPM = ("registry.npmjs.org",)


@dataclass(frozen=True)
class _Proposal:
    """Gates as name, command and whether they write JUnit; set-up, and the hosts that it reaches."""

    gates: tuple[tuple[str, str, bool], ...]
    setup: tuple[str, ...] = ()
    egress: tuple[str, ...] = ()


def _python(paths: Collection[str], texts: Mapping[str, str]) -> _Proposal:
    run, setup = "python3 -m", ""
    if "uv.lock" in paths:
        run, setup = "uv run python -m", "uv sync --locked"
    elif "poetry.lock" in paths:
        run, setup = "poetry run python -m", "poetry install --no-interaction"
    elif "requirements.txt" in paths or "[project]" in texts.get("pyproject.toml", ""):
        what = "-r requirements.txt" if "requirements.txt" in paths else "-e ."
        run = ".venv/bin/python -m"
        setup = f"python3 -m venv .venv && .venv/bin/pip install {what} pytest"
    gates = (
        ("build", f"{run} compileall -q . -x '[.]venv'", False),
        ("test", f"{run} pytest -q --junitxml=$HEADGATE_JUNIT", True),
    )
    return _Proposal(gates, (setup,) if setup else (), _PYPI if setup else ())


# npm writes this into a new package.json; it always fails.
_NO_TEST = "no test specified"


def _node(paths: Collection[str], texts: Mapping[str, str]) -> _Proposal:
    tool, setup = "npm", ""
    hosts: tuple[str, ...] = _NPM
    if "pnpm-lock.yaml" in paths:
        tool, setup = "pnpm", "pnpm install --frozen-lockfile"
    elif "yarn.lock" in paths:
        tool, setup = "yarn", "yarn install --immutable"
        hosts = ("registry.yarnpkg.com", *_NPM)
    elif "package-lock.json" in paths:
        setup = "npm ci"
    scripts = _scripts(texts.get("package.json", ""))
    wanted = ("build", "typecheck", "lint", "test")
    gates = tuple(
        (name, f"{tool} run {name}", False)
        for name in wanted
        if name in scripts and _NO_TEST not in scripts[name]
    )
    if not gates:
        gates = (
            ("build", f"{tool} run build --if-present", False),
            ("test", f"{tool} test", False),
        )
    return _Proposal(gates, (setup,) if setup else (), hosts if setup else ())


def _scripts(text: str) -> dict[str, str]:
    try:
        scripts = json.loads(text).get("scripts", {})
        return {str(name): str(command) for name, command in scripts.items()}
    except (ValueError, AttributeError, RecursionError):
        return {}


def _go(paths: Collection[str], _texts: Mapping[str, str]) -> _Proposal:
    gates = (("build", "go build ./...", False), ("test", "go test ./...", False))
    if "go.sum" not in paths:
        return _Proposal(gates)
    return _Proposal(gates, ("go mod download",), ("proxy.golang.org", "sum.golang.org"))


def _rust(paths: Collection[str], _texts: Mapping[str, str]) -> _Proposal:
    gates = (("build", "cargo build", False), ("test", "cargo test", False))
    if "Cargo.lock" not in paths:
        return _Proposal(gates)
    return _Proposal(gates, ("cargo fetch --locked",), ("index.crates.io", "static.crates.io"))


_TARGET = re.compile(r"^([a-z][a-z-]*)\s*:(?!=)", re.MULTILINE)


def _make(_paths: Collection[str], texts: Mapping[str, str]) -> _Proposal:
    targets = set(_TARGET.findall(texts.get("Makefile", "")))
    gates = [(name, f"make {name}", False) for name in ("build", "lint", "check", "test")]
    named = tuple(gate for gate in gates if gate[0] in targets)
    return _Proposal(named or (("test", "make test", False),))


_KINDS = (
    ("pyproject.toml", _python),
    ("package.json", _node),
    ("go.mod", _go),
    ("Cargo.toml", _rust),
    ("requirements.txt", _python),
    ("Makefile", _make),
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


def first_policy(paths: Collection[str], texts: Mapping[str, str] | None = None) -> str:
    """A policy file for a tree with these paths; its gate is `make test` if no path is known.

    `texts` are those of `READ_FOR_POLICY` that are there.
    """
    kind = next((kind for name, kind in _KINDS if name in paths), _make)
    found = kind(paths, texts or {})
    lines = ["version: 1"]
    if found.setup:
        lines += ["setup:", *(f"  - {json.dumps(command)}" for command in found.setup)]
    locks = [lock for lock in _LOCKS if lock[0] in paths]
    hosts = dict.fromkeys((*found.egress, *(host for *_, needed in locks for host in needed)))
    if hosts:
        lines += ["# What `setup` and the commands under `merge` reach.", "egress:"]
        lines += [f"  - {host}" for host in hosts]
    lines.append("gates:")
    for name, command, junit in found.gates:
        lines += [f"  {name}:", f"    run: {json.dumps(command)}", "    judges: tree"]
        if junit:
            lines.append("    junit: true")
    lines += ["  scope_check:", "    builtin: scope_check"]
    return "\n".join((*lines, *_merge_rules(paths), ""))


def _merge_rules(paths: Collection[str]) -> list[str]:
    """Files that merge by a rule."""
    listed = [name for name in _LISTS if name in paths]
    locks = [lock for lock in _LOCKS if lock[0] in paths]
    if not listed and not locks:
        return []
    lines = ["merge:", *(f"  {name}: union" for name in listed)]
    for name, command, _ in locks:
        lines += [f"  {name}:", f'    run: "{command}"']
    return lines


def offer_title() -> str:
    return "Add the first gates for Headgate"


def offer_body(tracking_issue: int | None) -> str:
    wanted = f" The plan in #{tracking_issue} waits for it." if tracking_issue else ""
    return (
        "Headgate lands a change only after gates have judged it, and this repository has no "
        "gates yet. This file is a proposal, guessed from the files at the top of the tree. Check "
        f"the commands, correct what is wrong, and merge the pull.{wanted}"
    )
