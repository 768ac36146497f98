"""`headgate coverage`: which requirements of a checkout are named by tests, for people and for CI.

`--junit` adds which tests passed; `--repository` adds, from its journal, which change and commit
landed each requirement. Exit codes: 0 all covered, 1 something is not, 2 wrong usage.
"""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bot.core.spec.policy import Policy
from bot.core.spec.policy_file import POLICY_PATH, CoveredWhen
from bot.core.spec.read import read_spec
from bot.core.spec.roots import spec_roots
from bot.core.spec.triage.mentions import is_test_file, mentions_of
from bot.core.state.coverage import Coverage, PassedTests, coverage_of_files, with_journal
from bot.core.values.spec_model import Spec
from bot.entry.commands.plan import bytes_of
from bot.entry.commands.policy_here import policy_at
from bot.entry.local_journal import landed_in, not_in_journal
from bot.entry.terminal import Terminal
from bot.ports import UserError
from gates.evidence import UnreadableReportError
from gates.failure_locations import FailureLocations
from gates.junit import read_reports

# Folders of dependencies and of generated files.
_IGNORED_FOLDERS = {".git", ".hg", "node_modules", ".venv", "venv", "__pycache__", "target", "dist"}


@dataclass(frozen=True)
class CoverageOptions:
    root: Path
    junit: tuple[Path, ...]
    covered_when: str
    repository: str
    as_json: bool


def print_coverage(options: CoverageOptions) -> int:
    if not options.root.is_dir():
        return _usage_error(f"There is no folder {options.root}.")
    try:
        asked = _asked(options)
    except ValueError:
        names = ", ".join(CoveredWhen)
        return _usage_error(f"'{options.covered_when}' is not one of {names}.")
    if asked is CoveredWhen.LANDED and not options.repository:
        return _usage_error("The journal knows what has landed, so --repository is required.")
    try:
        passed = _passed(options)
    except UserError as wrong:
        return _usage_error(wrong.sentence)
    except UnreadableReportError as problem:
        return _usage_error(f"The JUnit report cannot be read: {problem}.")
    try:
        policy = policy_at(options.root / POLICY_PATH, options.root)
    except UserError as wrong:
        return _usage_error(wrong.sentence)
    paths = sorted(_paths(options.root))
    specs = _specs(options.root, paths, policy)
    tests = {p: (options.root / p).read_bytes() for p in paths if is_test_file(p)}
    found = coverage_of_files(specs, mentions_of(tests), passed)
    if options.repository:
        known = landed_in(options.repository)
        if known is None:
            return _usage_error(not_in_journal(options.repository))
        found = with_journal(found, *known)
    if options.as_json:
        _print_json(found, asked)
    else:
        _print(found, asked)
    return int(bool(found.missing(asked)) or not found.rows)


def _asked(options: CoverageOptions) -> CoveredWhen:
    if options.covered_when:
        return CoveredWhen(options.covered_when)
    return CoveredWhen.PASSED if options.junit else CoveredWhen.NAMED


def _passed(options: CoverageOptions) -> PassedTests | None:
    if not options.junit:
        return None
    reports = [bytes_of(path) for path in options.junit]
    seen = read_reports(reports, FailureLocations((), options.root))
    return PassedTests(
        names=seen.passed_tests, is_whole=seen.counts.passed == len(seen.passed_tests)
    )


def _paths(root: Path) -> Iterator[str]:
    for folder, names, files in os.walk(root):
        names[:] = [name for name in names if name not in _IGNORED_FOLDERS]
        for name in files:
            path = Path(folder) / name
            if path.is_file() and not path.is_symlink():
                yield path.relative_to(root).as_posix()


def _specs(root: Path, paths: list[str], policy: Policy) -> list[Spec]:
    """The specs that start work, and OpenSpec's main specs, which describe what has landed."""
    roots = [*spec_roots(paths, policy.file.watch)]
    roots += [p for p in paths if p.startswith("openspec/specs/") and p.endswith("/spec.md")]
    specs = []
    for one in roots:
        inside = [p for p in paths if p == one or p.startswith(f"{one}/")]
        specs.append(read_spec(one, {p: (root / p).read_bytes() for p in inside}))
    return specs


def _print(found: Coverage, asked: CoveredWhen) -> None:
    out = Terminal(soft_wrap=True, highlight=False)
    for row in found.rows:
        by = f" by {row.change} at {row.landed[:10]}" if row.landed else ""
        shown = ", ".join(row.tests) or row.why
        out.out(f"{row.path}:{row.line}: {row.title}: {row.status}{by}: {shown}")
    for orphan in found.orphans:
        out.out(f"{orphan.path}:{orphan.line} names {orphan.written}, but no spec has this id")
    if not found.rows:
        out.out(
            "No spec was found here. A spec has requirements and is in a folder of `watch` in "
            f"{POLICY_PATH} (default: specs/, openspec/, .specify/, .kiro/)."
        )
        return
    missing = len(found.missing(asked))
    out.out(f"{len(found.rows) - missing} of {len(found.rows)} requirements are {asked}.")


def _print_json(found: Coverage, asked: CoveredWhen) -> None:
    missing = {row.requirement for row in found.missing(asked)}
    shown: Mapping[str, object] = {
        "covered_when": asked.value,
        "covered": len(found.rows) - len(missing),
        "total": len(found.rows),
        "requirements": [
            {**row.model_dump(mode="json"), "covered": row.requirement not in missing}
            for row in found.rows
        ],
        "orphans": [m.model_dump(mode="json") for m in found.orphans],
    }
    Terminal(soft_wrap=True).out(json.dumps(shown, ensure_ascii=False, indent=2))


def _usage_error(sentence: str) -> int:
    Terminal(stderr=True, soft_wrap=True, highlight=False).print(sentence)
    return 2
