"""What the order of a delta's operations requires of a plan.

A candidate folds only the operations of its change, so all operations on one requirement stay in
one change, and a name is freed before another requirement takes it. The rules follow OpenSpec's
merge, where names are unique in a capability. The archive reports refusals.
"""

from collections import Counter, defaultdict

from bot.core.plan.stated_dependencies import Need
from bot.core.plan.vocabulary import domain_of, evidence, fold
from bot.core.values.ids import RequirementId
from bot.core.values.plan_model import DependencyKind
from bot.core.values.spec_model import Operation, Requirement, Spec

# A mention of a name that this delta creates is strong evidence, but no requirement.
MENTION_CONFIDENCE = 90

Name = tuple[str, str]


def operation_groups(spec: Spec) -> tuple[tuple[RequirementId, ...], ...]:
    """One tuple of ids for each requirement with several operations.

    A second operation of the same kind under one name counts as another requirement of that name,
    so that a group has at most one of each kind.
    """
    final = {
        (domain_of(r, spec), fold(r.renamed_from)): fold(r.title)
        for r in spec.requirements
        if r.renamed_from and r.operation
    }
    made = {
        (domain_of(r, spec), fold(r.title))
        for r in spec.requirements
        if r.operation in (Operation.ADDED, Operation.RENAMED) or r.renamed_from
    }
    times: Counter[tuple[Name, Operation]] = Counter()
    homes: dict[RequirementId, tuple[Name, int]] = {}
    for requirement in spec.requirements:
        if requirement.operation is None:
            continue
        name = (domain_of(requirement, spec), fold(requirement.title))
        if name not in made and name in final:
            name = (name[0], final[name])
        if requirement.id not in homes:
            homes[requirement.id] = (name, times[name, requirement.operation])
            times[name, requirement.operation] += 1
    groups: defaultdict[tuple[Name, int], list[RequirementId]] = defaultdict(list)
    for requirement_id, home in homes.items():
        groups[home].append(requirement_id)
    return tuple(tuple(ids) for ids in groups.values() if len(ids) > 1)


def delta_needs(spec: Spec) -> tuple[Need, ...]:
    """Dependencies on names: to take a freed name, and (soft) to mention a new one."""
    return (*_vacated(spec), *_mentioned(spec))


def _vacated(spec: Spec) -> list[Need]:
    """`A` is renamed before another `A` is added or renamed to (rename A to B, add A)."""
    leaving: defaultdict[Name, list[Requirement]] = defaultdict(list)
    for requirement in spec.requirements:
        if requirement.renamed_from and requirement.operation:
            leaving[domain_of(requirement, spec), fold(requirement.renamed_from)].append(
                requirement
            )
    return [
        Need(
            taker.id,
            leaver.id,
            DependencyKind.DELTA,
            evidence(leaver.path, leaver.line_start, f"{leaver.renamed_from} → {leaver.title}"),
        )
        for taker in spec.requirements
        if taker.operation in (Operation.ADDED, Operation.RENAMED) or taker.renamed_from
        for leaver in leaving.get((domain_of(taker, spec), fold(taker.title)), ())
        if leaver.id != taker.id
    ]


def _mentioned(spec: Spec) -> list[Need]:
    """A requirement that names, in backticks, the exact title that this delta adds or renames to."""
    makers: defaultdict[str, list[Requirement]] = defaultdict(list)
    for requirement in spec.requirements:
        if requirement.operation in (Operation.ADDED, Operation.RENAMED):
            makers[fold(requirement.title)].append(requirement)
    return [
        Need(
            user.id,
            makers[fold(resource)][0].id,
            DependencyKind.DELTA,
            evidence(user.path, user.line_start, resource),
            MENTION_CONFIDENCE,
        )
        for user in spec.requirements
        for resource in user.resources
        if len(makers.get(fold(resource), ())) == 1 and makers[fold(resource)][0].id != user.id
    ]
