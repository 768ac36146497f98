"""Checks that nobody runs any more: steps of CI, hooks before a commit, and what lets them always pass."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from gates.asked_less.weaker import Edited, Less, Weaker

_CI = re.compile(
    r"^\.github/workflows/[^/]+\.ya?ml$|^\.gitlab-ci\.ya?ml$|^\.circleci/[^/]+\.ya?ml$|^\.?azure-pipelines\.ya?ml$"
    r"|^Jenkinsfile$|^\.travis\.ya?ml$|^\.buildkite/.+\.ya?ml$|^\.drone\.ya?ml$|^bitbucket-pipelines\.ya?ml$"
    r"|^\.woodpecker(?:/.+)?\.ya?ml$|^appveyor\.ya?ml$|^\.cirrus\.ya?ml$"
)
_HOOKS = re.compile(r"^\.pre-commit-config\.ya?ml$|^lefthook\.ya?ml$|^\.husky/[^/]+$")
_HOOK = re.compile(r"^\s*+(?:-\s*+)?id:\s*+[\"']?([\w.-]+)")
# Who starts the checks that a project keeps in a place of its own.
_BY = r"(?:npm|pnpm|yarn|bun|make|just|task|nox|tox|hatch|uv|poetry|rake|mix|deno|invoke)(?: run| -[sek]{1,2}| -C \S+)*"
_FAMILIES: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        name: re.compile(rf"(?<![\w./-])(?:{words})(?![\w-])")
        for name, words in {
            "tests": rf"pytest|py\.test|tox|nox|unittest|jest|vitest|mocha|ava|playwright|cypress|nextest|ctest|rspec|phpunit"
            rf"|node --test|{_BY} (?:-- )?\S*test\S*|(?:go|cargo|dotnet|mvn|gradle|\./gradlew|mix|deno|bazel|swift) (?:\S+ )?test",
            "lint": rf"flake8|pylint|ruff|eslint|biome|oxlint|standard|xo|golangci-lint(?:-action)?|semgrep|staticcheck|clippy|go vet"
            rf"|shellcheck|rubocop|stylelint|pre-commit|prek|{_BY} (?:-- )?\S*lint\S*",
            "types": rf"mypy|pyright|basedpyright|pyre|tsc|vue-tsc|{_BY} (?:-- )?\S*type\S*",
            "format": rf"black|ruff(?:-format)?|golangci-lint(?:-action)?|reorder-python-imports|prettier|gofmt|gofumpt|rustfmt|cargo fmt|isort|pre-commit|{_BY} (?:-- )?\S*f(?:or)?ma?t\S*",
            "security": r"bandit|semgrep|codeql|trivy|gitleaks|pip-audit|cargo[ -](?:audit|deny)|(?:npm|pnpm|yarn) audit|govulncheck"
            r"|osv-scanner|snyk|zizmor|github/codeql-action/\w+|EmbarkStudios/cargo-deny-action",
        }.items()
    }
)
# One target for all of them.
_ALL = re.compile(
    rf"(?<![\w./-])(?!npm ci)(?:{_BY} (?:-- )?(?:check|ci|verify|validate|all|qa)|tox|nox|pre-commit|prek)(?![\w-])"
)
# A key, which is about the step or job that it stands in, and the end of a line, which is about that line.
_KEY = re.compile(
    r"(?:continue-on-error|allow_failure):\s*[\"']?true|if:\s*+(?:false|\$\{\{\s*+false\s*+\}\})$"
)
_END = re.compile(r"(?:\|\|\s*+(?:true|:|exit 0)|;\s*+(?:true|exit 0))\s*+[\"']?$|--exit-zero\b")


def is_checks_path(path: str) -> bool:
    return is_ci(path) or _HOOKS.match(path) is not None


def is_ci(path: str) -> bool:
    return _CI.match(path) is not None


def gone(files: Sequence[Edited], others: Mapping[str, str]) -> Iterator[Weaker]:
    """What the files of CI and of hooks check no more. `others` are those that stay as they are. Never raises."""
    yield from _gone_from_ci([file for file in files if is_ci(file.path)], others)
    for file in files:
        if _HOOKS.match(file.path):
            yield from _gone_hooks(file)
    yield from _always_passes(files)


def _gone_from_ci(files: Sequence[Edited], others: Mapping[str, str]) -> Iterator[Weaker]:
    before = "\n".join(_said(file.before) for file in files)
    kept = [_said(text) for path, text in others.items() if is_ci(path)]
    after = "\n".join((*(_said(file.after) for file in files), *kept))
    if _ALL.search(after) and not _ALL.search(before):
        return
    for name, family in _FAMILIES.items():
        was = family.search(before)
        if was is not None and not family.search(after):
            file = next(one for one in files if family.search(_said(one.before)))
            said = f"CI no longer checks {name}: `{was[0]}` was the last check of this kind."
            yield Weaker(Less.CHECK, file.path, 1, said)


def _gone_hooks(file: Edited) -> Iterator[Weaker]:
    now = _hooks(file.after)
    # `ruff-check` is what ruff does.
    words = " ".join(f"{one} {one.partition('-')[0]}" for one in now)
    for hook in _hooks(file.before):
        names = f"{hook} {hook.partition('-')[0]}"
        same = [one for one in _FAMILIES.values() if one.search(names)]
        if hook not in now and not any(one.search(words) for one in same):
            yield Weaker(Less.CHECK, file.path, 1, f"The hook `{hook}` was removed.")


def _hooks(text: str) -> list[str]:
    return [found[1] for line in _said(text).splitlines() if (found := _HOOK.match(line))]


def _always_passes(files: Sequence[Edited]) -> Iterator[Weaker]:
    known = Counter(found for file in files for _, found in _passes(file.removed(), file.before))
    for file in files:
        for number, found in _passes(file.added(), file.after):
            if known[found]:
                known[found] -= 1
            else:
                said = f"This step passes even if it finds errors: `{found}`."
                yield Weaker(Less.CHECK, file.path, number, said)


def _passes(lines: Iterable[tuple[int, str]], text: str) -> Iterator[tuple[int, str]]:
    whole = text.splitlines()
    for number, line in lines:
        if line.lstrip().startswith("#"):
            continue
        key = _KEY.match(line.strip().removeprefix("- "))
        said = _block(whole, number - 1) if key else line
        found = key or _END.search(line.rstrip())
        if found is not None and any(one.search(said) for one in _FAMILIES.values()):
            yield number, found[0].strip()


def _block(lines: Sequence[str], at: int) -> str:
    """The step or job that has the key at this line."""
    depth = _depth(lines[at])

    def begins(line: str) -> bool:
        return _depth(line) == depth and line.lstrip().startswith("- ")

    def belongs(line: str) -> bool:
        return not line.strip() or _depth(line) >= depth

    start, end = at, at + 1
    while start and not begins(lines[start]) and belongs(lines[start - 1]):
        start -= 1
    while end < len(lines) and not begins(lines[end]) and belongs(lines[end]):
        end += 1
    return _said("\n".join(lines[start:end]))


def _depth(line: str) -> int:
    """Where a key begins; the dash of a list is no key."""
    return len(line) - len(line.lstrip().removeprefix("- "))


def _said(text: str) -> str:
    """Without what is commented out, and without the names of steps, which check nothing."""
    lines = (line for line in text.splitlines() if not re.match(r"\s*+(?:#|(?:-\s*+)?name:)", line))
    return "\n".join(line[:2_000] for line in lines)
