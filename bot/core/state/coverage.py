"""Coverage: which change, commit and tests belong to each requirement, and what is missing.

Three things are told apart: a test names the requirement; it names the current text; it passed on
main. Nothing is claimed that was not observed.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import islice

from bot.core.journal.events import RetiredChange
from bot.core.journal.state import ChangeFacts, LedgerKind, RepositoryState, SpecRun
from bot.core.spec.drafts import normal
from bot.core.spec.identity.doubtful_ids import unsettled
from bot.core.spec.policy_file import CoveredWhen
from bot.core.spec.triage.mentions import Mention, TestSnapshot
from bot.core.state.waiting import held_back_by
from bot.core.values.ids import Frozen, IssueNumber, RequirementId, Sha
from bot.core.values.lifecycle import ChangeState
from bot.core.values.spec_model import Requirement, Spec
from gates.result import GateResult

# A gate names at most so many passed tests; where more passed, its silence proves nothing.
_NAMES_REPORTED = 2_000
# One passed test shows a requirement; a few more are kept for people.
_TESTS_KEPT = 3
# A test may name an id with the first eight hexadecimal digits of the text's hash.
_VERSION_DIGITS = 8


class CoverageStatus(StrEnum):
    """How far a requirement is, from unplanned to a test that passed on main."""

    UNPLANNED = "unplanned"
    PLANNED = "planned"
    IN_PROGRESS = "in progress"
    HELD_BACK = "held back"
    FAILED = "failed"
    STOPPED = "stopped"
    NOT_NAMED = "not named"
    IMPLEMENTED = "implemented"
    DOUBTFUL = "doubtful"
    STALE = "stale"
    NOT_PASSED = "not passed"
    NAMED = "named"
    TESTED = "tested"


class Outlook(StrEnum):
    """Whether a run is planned again, or why not."""

    COVERED = "covered"
    AGAIN = "again"
    SWITCHED_OFF = "switched_off"
    CYCLES_USED_UP = "cycles_used_up"
    NOTHING_NEW = "nothing_new"
    NOT_BY_PLANNING = "not_by_planning"


_ENOUGH = {
    CoveredWhen.LANDED: frozenset(
        {
            CoverageStatus.IMPLEMENTED,
            CoverageStatus.STALE,
            CoverageStatus.NOT_PASSED,
            CoverageStatus.NAMED,
            CoverageStatus.TESTED,
        }
    ),
    CoveredWhen.NAMED: frozenset({CoverageStatus.NAMED, CoverageStatus.TESTED}),
    CoveredWhen.PASSED: frozenset({CoverageStatus.TESTED}),
}


class PassedTests(Frozen):
    """The tests that passed on a commit; `is_whole` if the list is complete."""

    names: tuple[str, ...]
    is_whole: bool


class CoverageRow(Frozen):
    """One requirement: its status, change, commit and tests; `why` says why it is not further."""

    requirement: RequirementId
    title: str
    path: str
    line: int
    status: CoverageStatus
    change: str = ""
    issue: IssueNumber | None = None
    landed: Sha | None = None
    tests: tuple[str, ...] = ()
    why: str = ""


class Coverage(Frozen):
    """One row for each requirement, in the order of the spec.

    `orphans` are mentions of ids that no requirement has.
    """

    rows: tuple[CoverageRow, ...]
    orphans: tuple[Mention, ...] = ()

    def missing(self, asked: CoveredWhen) -> tuple[CoverageRow, ...]:
        return tuple(row for row in self.rows if row.status not in _ENOUGH[asked])

    @property
    def landed(self) -> int:
        return len(self.rows) - len(self.missing(CoveredWhen.LANDED))


def coverage(
    state: RepositoryState, run: SpecRun, spec: Spec, tests: TestSnapshot | None
) -> Coverage:
    """The coverage of a spec run, from the journal and main's tests (None: not read yet)."""
    asked = [r for r in spec.requirements if r.id in run.requirements]
    named = matched(asked, tests.mentions if tests else ())
    passed = _passed_on_main(state)
    changes: dict[RequirementId, ChangeFacts] = {}
    for change in state.changes_of(run.id):
        for id_ in change.planned.requirements:
            # A later change for the same requirement counts, unless an earlier one has landed.
            if id_ not in changes or changes[id_].landed is None or change.landed is not None:
                changes[id_] = change
    rows = tuple(
        _row(state, r, changes.get(r.id), evidence(r, named.get(r.id, ()), passed)) for r in asked
    )
    doubtful = unsettled(state.decisions, state.register_now, spec)
    return Coverage(
        rows=tuple(_unvouched(row) if row.requirement in doubtful else row for row in rows)
    )


def _unvouched(row: CoverageRow) -> CoverageRow:
    """The row of a number in doubt: tests that name it may mean the requirement that it was."""
    if row.status not in _ENOUGH[CoveredWhen.LANDED]:
        return row
    why = (
        "its number now belongs to another text, and no person has confirmed that it is the "
        "same requirement"
    )
    return row.replace(status=CoverageStatus.DOUBTFUL, why=why)


def coverage_of_files(
    specs: Sequence[Spec], mentions: Sequence[Mention], passed: PassedTests | None
) -> Coverage:
    """The coverage of specs on disk without a journal: from tests alone."""
    requirements = list({r.id: r for spec in specs for r in spec.requirements}.values())
    named = matched(requirements, mentions)
    rows = []
    for requirement in requirements:
        status, tests, why = evidence(requirement, named.get(requirement.id, ()), passed)
        if status is CoverageStatus.IMPLEMENTED:
            # Files alone do not show whether it is implemented.
            status = CoverageStatus.NOT_NAMED
        rows.append(_place(requirement, status).replace(tests=tests, why=why))
    known = {m for ms in named.values() for m in ms}
    keys = {spec.key for spec in specs}
    orphans = tuple(
        m
        for m in mentions
        if m not in known and m.written.partition("#")[0] in keys and "#" in m.written
    )
    return Coverage(rows=tuple(rows), orphans=orphans)


def with_journal(
    found: Coverage, state: RepositoryState, retired: Iterable[RetiredChange]
) -> Coverage:
    """The coverage from disk, with the change and commit in which each requirement landed.

    `retired` are changes that have left the state, oldest first.
    """
    landed_in: dict[RequirementId, ChangeFacts | RetiredChange] = {
        id_: change
        for change in retired
        for id_ in change.requirements
        if change.landed is not None
    }
    landed_in |= {
        id_: change
        for change in state.changes.values()
        for id_ in change.planned.requirements
        if change.landed is not None
    }
    rows = []
    for row in found.rows:
        by = landed_in.get(row.requirement)
        if by is not None:
            status = row.status
            if status is CoverageStatus.NOT_NAMED:
                status = CoverageStatus.IMPLEMENTED
            row = row.replace(
                status=status,
                change=by.slug,
                issue=by.issue,
                landed=by.landed,
            )
        rows.append(row)
    return found.replace(rows=tuple(rows))


def _passed_on_main(state: RepositoryState) -> PassedTests | None:
    """The tests that passed on main's newest commit; None if no gate reported names."""
    for line in reversed(state.ledger):
        if line.kind is LedgerKind.LANDED and line.change in state.changes:
            return passed_of(state.results_of(state.changes[line.change]))
        if line.sha in state.adoptions and state.adoptions[line.sha].results:
            return passed_of(state.adoptions[line.sha].results)
        if line.kind is not LedgerKind.ADMITTED:
            return None
    return None


def passed_of(results: Iterable[GateResult]) -> PassedTests | None:
    """The passed tests that name a requirement; None if no gate read a JUnit report."""
    with_names = [r for r in results if r.tests is not None]
    if not with_names:
        return None
    return PassedTests(
        names=tuple(name for r in with_names for name in r.passed_tests),
        is_whole=all(r.tests is None or r.tests.passed < _NAMES_REPORTED for r in with_names),
    )


def matched(
    requirements: Sequence[Requirement], mentions: Iterable[Mention]
) -> Mapping[RequirementId, tuple[Mention, ...]]:
    """The mentions of each requirement.

    A whole id must match exactly. The part after `#` is enough if only one requirement has it, or
    if the test's path names the spec.
    """
    local: defaultdict[str, list[Requirement]] = defaultdict(list)
    for requirement in requirements:
        for name in {requirement.id.partition("#")[2], requirement.source_id or ""}:
            if name:
                local[name].append(requirement)
    in_names = {slug: members for name, members in local.items() if len(slug := _as_name(name)) > 3}
    found: defaultdict[RequirementId, list[Mention]] = defaultdict(list)
    for mention in mentions:
        for member in _meant(mention, local, in_names):
            if mention not in found[member.id]:
                found[member.id].append(mention)
    return {id_: tuple(ms) for id_, ms in found.items()}


def _meant(
    mention: Mention,
    local: Mapping[str, Sequence[Requirement]],
    in_names: Mapping[str, Sequence[Requirement]],
) -> list[Requirement]:
    """The requirements that a mention means; empty if it is ambiguous."""
    spec_key, _, name = mention.written.rpartition("#")
    if spec_key:
        return [m for m in local.get(name, ()) if m.id == mention.written or _is_minted(name)]
    members = list(local.get(name, ()))
    if not members and mention.written == mention.test:
        test_name = f"_{_as_name(mention.test)}_"
        members = [m for name, ms in in_names.items() if f"_{name}_" in test_name for m in ms]
    alike = Counter(m.id.partition("#")[2] for m in {m.id: m for m in members}.values())
    return [
        m
        for m in members
        if alike[m.id.partition("#")[2]] == 1 or _is_minted(name) or _is_near(m, mention)
    ]


def evidence(
    requirement: Requirement, named: Sequence[Mention], passed: PassedTests | None
) -> tuple[CoverageStatus, tuple[str, ...], str]:
    if not named:
        return CoverageStatus.IMPLEMENTED, (), "no test names it"
    tests = tuple(dict.fromkeys(_shown_test(m) for m in named))
    fresh = _fresh(requirement, named)
    if not fresh:
        version = requirement.text_hash[:_VERSION_DIGITS]
        return (
            CoverageStatus.STALE,
            tests,
            f"its tests name another version of the text (now `{version}`)",
        )
    if passed is None:
        return CoverageStatus.NAMED, tests, "no gate reported which tests passed"
    if any(has_passed(m, passed.names) for m in fresh):
        return CoverageStatus.TESTED, tests, ""
    if passed.is_whole:
        return CoverageStatus.NOT_PASSED, tests, "no test that names it has passed"
    return CoverageStatus.NAMED, tests, "too many tests passed to list them all by name"


def _fresh(requirement: Requirement, named: Iterable[Mention]) -> list[Mention]:
    """The mentions that refer to the present text."""
    version = requirement.text_hash[:_VERSION_DIGITS]
    return [m for m in named if not m.version or m.version[:_VERSION_DIGITS] == version]


def naming_tests(
    requirements: Sequence[Requirement], mentions: Iterable[Mention], names: Sequence[str]
) -> tuple[str, ...]:
    """Of the names of passed tests, for each requirement the first few that name it."""
    found: dict[str, None] = {}
    known = matched(requirements, mentions)
    for requirement in requirements:
        fresh = _fresh(requirement, known.get(requirement.id, ()))
        mine = (name for name in names if any(has_passed(m, (name,)) for m in fresh))
        found.update(dict.fromkeys(islice(mine, _TESTS_KEPT)))
    return tuple(found)


def _shown_test(mention: Mention) -> str:
    """A test as pytest names it: `tests/test_cart.py::test_sum`."""
    return f"{mention.path}::{mention.test}" if mention.test else mention.path


def _place(requirement: Requirement, status: CoverageStatus) -> CoverageRow:
    return CoverageRow(
        requirement=requirement.id,
        title=requirement.source_id or requirement.title,
        path=requirement.path,
        line=requirement.line_start,
        status=status,
    )


def _row(
    state: RepositoryState,
    requirement: Requirement,
    change: ChangeFacts | None,
    seen: tuple[CoverageStatus, tuple[str, ...], str],
) -> CoverageRow:
    status, tests, why = seen
    if change is None:
        has_landed = state.covered.get(requirement.id) == requirement.text_hash
        if not has_landed:
            status, why = CoverageStatus.UNPLANNED, "no change was planned for it"
        row = _place(requirement, status)
        return row.replace(tests=tests, why=why)
    if change.landed is None:
        status, why = _unlanded(state, change)
    return _place(requirement, status).replace(
        change=change.slug,
        issue=change.issue,
        landed=change.landed,
        tests=tests,
        why=why,
    )


def _unlanded(state: RepositoryState, change: ChangeFacts) -> tuple[CoverageStatus, str]:
    match change.state:
        case ChangeState.FAILED:
            return CoverageStatus.FAILED, change.sentence
        case ChangeState.STOPPED:
            return CoverageStatus.STOPPED, change.sentence
        case ChangeState.WAITING:
            blockers = held_back_by(state, change)
            if blockers:
                return CoverageStatus.HELD_BACK, f"held back by {', '.join(blockers)}"
            return CoverageStatus.PLANNED, ""
        case _:
            return CoverageStatus.IN_PROGRESS, ""


def has_passed(mention: Mention, names: Iterable[str]) -> bool:
    """Whether a test is among the names that JUnit reports give, in the forms of known runners."""
    stem = mention.path.rpartition("/")[2].partition(".")[0]
    if not mention.test:
        return any(stem in name for name in names)
    pattern = re.compile(rf"(?:^|::|[. /]){re.escape(mention.test)}(?:$|[\[({{ ])")
    return any(
        mention.test in name and pattern.search(name) and _may_stand_in(mention.path, stem, name)
        for name in names
    )


_JAVASCRIPT = re.compile(r"\.[cm]?[jt]sx?$")
_JAVASCRIPT_FILE = re.compile(r"\.[cm]?[jt]sx?\b")
# Files of Rust that have their folder's name, or their crate's.
_UNNAMED_IN_RUST = frozenset({"lib", "main", "mod"})


def _may_stand_in(path: str, stem: str, name: str) -> bool:
    """Whether a test named in a report may be in a file, by the module, package or file in its name.

    The reporter of `node --test` and jest-junit name no file.
    """
    if "." not in name or stem in name:
        return True
    if path.endswith(".go"):
        folder = path.rpartition("/")[0].rpartition("/")[2]
        return not folder or re.search(rf"(?:^|/){re.escape(folder)}\.", name) is not None
    if _JAVASCRIPT.search(path):
        return not _JAVASCRIPT_FILE.search(name)
    return path.endswith(".rs") and stem in _UNNAMED_IN_RUST


def _as_name(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", normal(text)).strip("_")


def _is_minted(written: str) -> bool:
    """Whether a local id ends in a digest: then it is unique among all specs."""
    return re.search(r"(?:^|[#-])[a-z2-7]{6}(?:[a-z2-7]{4})?$", written) is not None


def _is_near(requirement: Requirement, mention: Mention) -> bool:
    """Whether the test's path names the spec: `tests/cart/…` belongs to `specs/cart/spec.md`."""
    key = re.split(r"[^a-z0-9]+", requirement.id.partition("#")[0].lower())
    words = set(re.split(r"[^a-z0-9]+", mention.path.lower()))
    distinctive = {part for part in key if len(part) > 2 and part not in {"specs", "spec", "docs"}}
    return bool(distinctive & words)
