"""Projects with a `package.json`: npm, pnpm or Yarn, in JavaScript or TypeScript."""

import json
import re

from gates.profiles.lexed import LexedTests
from gates.profiles.profile import LockFile, Profile, Project, Proposal, ProposedGate, Sign
from gates.test_guard.tokens import Language

_NPM = ("registry.npmjs.org",)
_SCRIPTS = ("build", "typecheck", "lint", "test")
# npm writes this into a new package.json; it always fails.
_NO_TEST = "no test specified"
# The default globs of jest, vitest and mocha, and of `node --test`.
_TESTS = re.compile(
    r"(?:[.\-_](?:test|spec)|(?:^|/)test)\.[cm]?[jt]sx?$|(?:^|/)(?:__tests__|tests?|spec)/.*\.[cm]?[jt]sx?$"
)


def _detect(project: Project) -> Sign:
    return Sign.STRONG if "package.json" in project.paths else Sign.NONE


def _propose(project: Project) -> Proposal:
    tool, setup = "npm", ""
    hosts: tuple[str, ...] = _NPM
    if "pnpm-lock.yaml" in project.paths:
        tool, setup = "pnpm", "pnpm install --frozen-lockfile"
    elif "yarn.lock" in project.paths:
        tool, setup = "yarn", "yarn install --immutable"
        hosts = ("registry.yarnpkg.com", *_NPM)
    elif "package-lock.json" in project.paths:
        setup = "npm ci"
    elif _needs_packages(project.texts.get("package.json", "")):
        setup = "npm install"
    scripts = _scripts(project.texts.get("package.json", ""))
    gates = tuple(
        ProposedGate(name, f"{tool} run {name}")
        for name in _SCRIPTS
        if name in scripts and _NO_TEST not in scripts[name]
    ) or (
        ProposedGate("build", f"{tool} run build --if-present"),
        ProposedGate("test", f"{tool} test"),
    )
    return Proposal(gates, (setup,), hosts) if setup else Proposal(gates)


def _needs_packages(text: str) -> bool:
    try:
        package = json.loads(text)
        return bool(package.get("dependencies") or package.get("devDependencies"))
    except (ValueError, AttributeError, RecursionError):
        return False


def _scripts(text: str) -> dict[str, str]:
    try:
        scripts = json.loads(text).get("scripts", {})
        return {str(name): str(command) for name, command in scripts.items()}
    except (ValueError, AttributeError, RecursionError):
        return {}


PROFILE = Profile(
    name="node",
    version="1",
    detect=_detect,
    propose=_propose,
    tests=LexedTests(_TESTS, Language.JAVASCRIPT),
    reads=("package.json",),
    locks=(
        LockFile("package-lock.json", "npm install --package-lock-only --ignore-scripts", _NPM),
        LockFile("pnpm-lock.yaml", "pnpm install --lockfile-only --ignore-scripts", _NPM),
    ),
)
