"""The requirements that `headgate gates run` holds a commit to, read from the specs of the commit."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from posixpath import normpath

from bot.core.spec.policy import Policy
from bot.core.spec.read import read_spec
from bot.core.spec.roots import spec_roots
from bot.core.spec.triage.mentions import is_test_file, mentions_of
from bot.core.state.asked_requirements import names_of
from bot.core.state.coverage import matched, passed_of
from bot.core.state.proof import ProofContext, with_levels
from bot.core.values.ids import RequirementId
from bot.core.values.spec_model import Requirement, Spec
from bot.ports import UserError
from gates.asked import Asked, AskedRequirement
from gates.result import GateReport

# The paths of a commit, and the bytes of one.
Paths = Callable[[str], list[str]]
Read = Callable[[str, str], bytes]


@dataclass(frozen=True)
class AskedOfCommit:
    """What a commit is held to; `others` are requirements that neither it nor its tests touch."""

    requirements: Mapping[RequirementId, Requirement]
    asked: tuple[AskedRequirement, ...]
    others: int = 0


@dataclass(frozen=True)
class Clone:
    paths: Paths
    read: Read
    base: str
    head: str
    changed: tuple[str, ...]


def asked_here(clone: Clone, policy: Policy, specs: tuple[str, ...]) -> AskedOfCommit:
    """All requirements of the named specs; unless named, those whose text the work edits, and those that a
    test of a file that it touches names. Raises `UserError` where there is no spec of that name."""
    now = _requirements(clone, clone.head, policy)
    then = _requirements(clone, clone.base, policy)
    if specs:
        chosen: dict[RequirementId, Requirement] = {}
        for place in (normpath(one).strip("/") for one in specs):
            of_it = {id_: r for id_, (spec, r) in now.items() if f"{spec}/".startswith(f"{place}/")}
            if not of_it:
                known = ", ".join(sorted({spec for spec, _ in now.values()})) or "none"
                raise UserError(
                    f"There are no requirements in {place} at HEAD. Specs with requirements: "
                    f"{known}."
                )
            chosen |= of_it
    else:
        tests = {p: clone.read(clone.head, p) for p in clone.changed if is_test_file(p)}
        all_of_them = [r for _, r in now.values()]
        named = {id_ for id_, found in matched(all_of_them, mentions_of(tests)).items() if found}
        chosen = {
            id_: r for id_, (_, r) in now.items() if id_ in named or _text(then, id_) != r.text_hash
        }
    asked = tuple(_asked(r, _text(then, id_)) for id_, r in chosen.items())
    return AskedOfCommit(chosen, asked, len(now) - len(chosen))


def with_proof(report: GateReport, policy: Policy, asked: AskedOfCommit) -> GateReport:
    """The report with the level of each requirement, as a server has it."""
    known = ProofContext(
        requirements=asked.requirements,
        passed=passed_of(report.results),
        plan=policy.test_plan,
        kept=frozenset(one.id for one in asked.asked if one.asked is Asked.KEPT),
    )
    return GateReport(
        candidate_sha=report.candidate_sha,
        tree_sha=report.tree_sha,
        definition_hash=report.definition_hash,
        results=tuple(with_levels(result, known) for result in report.results),
    )


_Known = Mapping[RequirementId, tuple[str, Requirement]]


def _requirements(clone: Clone, commit: str, policy: Policy) -> _Known:
    """By their ids, with the path of their spec."""
    paths = clone.paths(commit)
    found: list[Spec] = []
    for root in spec_roots(paths, policy.file.watch):
        inside = [path for path in paths if path == root or path.startswith(f"{root}/")]
        found.append(read_spec(root, {path: clone.read(commit, path) for path in inside}))
    return {r.id: (spec.path, r) for spec in found for r in spec.requirements}


def _text(known: _Known, id_: RequirementId) -> str:
    return known[id_][1].text_hash if id_ in known else ""


def _asked(requirement: Requirement, before: str) -> AskedRequirement:
    is_edited = before not in {"", requirement.text_hash}
    return AskedRequirement(
        id=requirement.id,
        names=names_of(requirement),
        asked=Asked.MODIFIED if is_edited else Asked.ADDED,
        scenarios=tuple(s.name for s in requirement.scenarios),
    )
