"""What every plan must satisfy: complete, sized, acyclic, with evidence, in order.

A plan with a finding is not carried out. Nothing is repaired and nothing raises. Every finding
names its subject and has a sentence for people.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from enum import StrEnum

from bot.core.plan.graph import shortest_cycle, strongly_connected
from bot.core.plan.operations import operation_groups
from bot.core.plan.slugs import SLUG, SLUG_MAX
from bot.core.values.ids import RequirementId, Slug
from bot.core.values.plan_model import REQUIREMENTS_PER_CHANGE_MAX, Plan, PlanFinding
from bot.core.values.spec_model import Spec

# A person corrects one cycle after another; the search from each of a thousand changes takes minutes.
_CYCLES_MAX = 50


class PlanFault(StrEnum):
    UNCOVERED = "uncovered"
    COVERED_TWICE = "covered_twice"
    UNKNOWN_REQUIREMENT = "unknown_requirement"
    TOO_LARGE = "too_large"
    EMPTY_CHANGE = "empty_change"
    DUPLICATE_SLUG = "duplicate_slug"
    INVALID_SLUG = "invalid_slug"
    UNKNOWN_DEPENDENCY = "unknown_dependency"
    SELF_DEPENDENCY = "self_dependency"
    CYCLE = "cycle"
    NO_EVIDENCE = "no_evidence"
    TWO_OWNERS = "two_owners"
    SPLIT_OPERATIONS = "split_operations"
    WRONG_ORDER = "wrong_order"


def check(plan: Plan, spec: Spec) -> tuple[PlanFinding, ...]:
    """Every reason why the plan is not valid for this spec; empty if it is valid."""
    return (
        *_coverage(plan, spec),
        *_sizes(plan),
        *_slugs(plan),
        *_edges(plan),
        *_cycles(plan),
        *_order(plan),
        *_owners(plan),
        *_operations(plan, spec),
    )


def _finding(code: PlanFault, subject: str, sentence: str) -> PlanFinding:
    return PlanFinding(code=code.value, subject=subject, sentence=sentence)


def _coverage(plan: Plan, spec: Spec) -> Iterator[PlanFinding]:
    places: defaultdict[RequirementId, list[Slug]] = defaultdict(list)
    for change in plan.changes:
        for requirement in change.requirements:
            places[requirement].append(change.slug)
    live = dict.fromkeys(r.id for r in spec.requirements)
    for requirement in live:
        if requirement not in places:
            yield _finding(
                PlanFault.UNCOVERED, requirement, f"No change carries out {requirement}."
            )
    for requirement, slugs in places.items():
        if requirement not in live:
            yield _finding(
                PlanFault.UNKNOWN_REQUIREMENT,
                requirement,
                f"{_both(slugs)} contains {requirement}, which the spec does not have.",
            )
        elif len(slugs) > 1:
            yield _finding(
                PlanFault.COVERED_TWICE,
                requirement,
                f"{requirement} is in {len(slugs)} changes: {_both(slugs)}. Keep it in one.",
            )


def _sizes(plan: Plan) -> Iterator[PlanFinding]:
    for change in plan.changes:
        size = len(change.requirements)
        if not size:
            yield _finding(
                PlanFault.EMPTY_CHANGE,
                change.slug,
                f"{change.slug} has no requirement, so it can never be proven to be done.",
            )
        if size > REQUIREMENTS_PER_CHANGE_MAX:
            yield _finding(
                PlanFault.TOO_LARGE,
                change.slug,
                f"{change.slug} has {size} requirements, but a change may have at most "
                f"{REQUIREMENTS_PER_CHANGE_MAX}. Split it.",
            )


def _slugs(plan: Plan) -> Iterator[PlanFinding]:
    for slug, times in Counter(c.slug for c in plan.changes).items():
        if times > 1:
            yield _finding(
                PlanFault.DUPLICATE_SLUG,
                slug,
                f"{times} changes have the name {slug}, so they would share a branch. Rename them.",
            )
        if not SLUG.fullmatch(slug) or len(slug) > SLUG_MAX:
            yield _finding(
                PlanFault.INVALID_SLUG,
                slug,
                f"{slug!r} is not a valid slug. Use lower-case ASCII words joined by hyphens, "
                f"at most {SLUG_MAX} characters.",
            )


def _edges(plan: Plan) -> Iterator[PlanFinding]:
    known = {c.slug for c in plan.changes}
    for change in plan.changes:
        for dependency in change.depends_on:
            if dependency.on == change.slug:
                yield _finding(
                    PlanFault.SELF_DEPENDENCY, change.slug, f"{change.slug} waits for itself."
                )
            elif dependency.on not in known:
                yield _finding(
                    PlanFault.UNKNOWN_DEPENDENCY,
                    change.slug,
                    f"{change.slug} waits for {dependency.on!r}, which is not in the plan.",
                )
            if not dependency.evidence.strip():
                yield _finding(
                    PlanFault.NO_EVIDENCE,
                    change.slug,
                    f"{change.slug} waits for {dependency.on} without evidence; quote the spec.",
                )


def _graph(plan: Plan) -> dict[Slug, dict[Slug, str]]:
    """The dependencies of each change with their evidence, without itself and unknown changes."""
    graph: dict[Slug, dict[Slug, str]] = {c.slug: {} for c in plan.changes}
    for change in plan.changes:
        for dependency in change.depends_on:
            if dependency.on in graph and dependency.on != change.slug:
                graph[change.slug].setdefault(dependency.on, dependency.evidence)
    return graph


def _cycles(plan: Plan) -> Iterator[PlanFinding]:
    """The shortest cycle through each change; each cycle is reported once."""
    graph = _graph(plan)
    for component in strongly_connected(tuple(graph), graph):
        told: set[tuple[Slug, ...]] = set()
        for slug in component[:_CYCLES_MAX] if len(component) > 1 else ():
            way = shortest_cycle(slug, component, graph)
            turn = way.index(min(way))
            cycle = way[turn:] + way[:turn]
            if cycle in told:
                continue
            told.add(cycle)
            steps = zip(cycle, (*cycle[1:], cycle[0]), strict=True)
            because = "; ".join(f"{user} waits for {on}: {graph[user][on]}" for user, on in steps)
            yield _finding(
                PlanFault.CYCLE,
                cycle[0],
                f"{' → '.join((*cycle, cycle[0]))} wait for each other. {because}.",
            )


def _order(plan: Plan) -> Iterator[PlanFinding]:
    """Dependencies inside a cycle are not checked: the cycle itself is reported."""
    graph = _graph(plan)
    place = {change.slug: at for at, change in enumerate(plan.changes)}
    ring = {
        slug: at
        for at, component in enumerate(strongly_connected(tuple(graph), graph))
        for slug in component
    }
    for user, waits in graph.items():
        for on in waits:
            if place[on] > place[user] and ring[on] != ring[user]:
                yield _finding(
                    PlanFault.WRONG_ORDER,
                    user,
                    f"{user} is before {on} in the order, but waits for it.",
                )


def _owners(plan: Plan) -> Iterator[PlanFinding]:
    owners: defaultdict[str, list[Slug]] = defaultdict(list)
    for change in plan.changes:
        for resource in dict.fromkeys(change.owns):
            owners[resource].append(change.slug)
    for resource, slugs in owners.items():
        if len(slugs) > 1:
            yield _finding(
                PlanFault.TWO_OWNERS,
                slugs[1],
                f"{_both(slugs)} both own `{resource}`. Only one change may own it, and the "
                "others wait.",
            )


def _operations(plan: Plan, spec: Spec) -> Iterator[PlanFinding]:
    home = {r: at for at, c in enumerate(plan.changes) for r in c.requirements}
    titles = {r.id: r.title for r in spec.requirements}
    for group in operation_groups(spec):
        places = sorted({home[r] for r in group if r in home})
        if len(places) > 1:
            slugs = [plan.changes[at].slug for at in places]
            yield _finding(
                PlanFault.SPLIT_OPERATIONS,
                group[0],
                f"The operations on {titles[group[0]]!r} are split over {_both(slugs)}, but the "
                "archive can apply them only together.",
            )


def _both(slugs: Iterable[Slug]) -> str:
    return " and ".join(dict.fromkeys(slugs))
