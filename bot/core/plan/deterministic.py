"""The planner without a model: the same spec gives the same plan, byte for byte.

`parts` decides what belongs together, `stated_dependencies` what depends on what, `hot_spots` who
owns what many changes touch. Only what the spec says becomes a dependency, so everything else runs
in parallel. `bot.core.plan.check` checks the result.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from bot.core.plan.authored import (
    EPIC,
    epic_number,
    first_places,
    grouped,
    parallel_runs,
    story_number,
    task_places,
)
from bot.core.plan.authored_order import check_needs, order_needs, piece_needs
from bot.core.plan.edited_things import edited_things
from bot.core.plan.foundations import foundation_needs, is_foundation
from bot.core.plan.graph import Reached, strongly_connected
from bot.core.plan.hot_spots import HotSpot, ResourceKind, Sharing, hot_spots
from bot.core.plan.interfaces import interface_needs
from bot.core.plan.makers import maker_needs
from bot.core.plan.naming import Names
from bot.core.plan.operations import delta_needs
from bot.core.plan.parts import Part, parts
from bot.core.plan.sign_in import sign_in_needs
from bot.core.plan.size import sized
from bot.core.plan.stated_dependencies import CERTAIN, Need, explicit_needs
from bot.core.plan.uses import mention_needs
from bot.core.plan.vocabulary import distinct
from bot.core.values.ids import RequirementId, Slug
from bot.core.values.plan_model import ChangeType, Dependency, DependencyKind, Plan, PlannedChange
from bot.core.values.spec_model import Operation, Requirement, Spec, SpecFormat

# A few quotes are enough for an issue.
_QUOTES_MAX = 3
# How certain it is that a shared resource of a kind is the same thing.
_SHARES_CONFIDENCE = {
    ResourceKind.SHARED_FILE: 80,
    ResourceKind.FILE: 70,
    ResourceKind.ROUTE: 60,
    ResourceKind.NAME: 50,
    ResourceKind.WORD: 40,
}
# Kinds of edges that the author has not stated. What the text quotes or orders is kept.
_GUESSED = (DependencyKind.SHARES, DependencyKind.FOUNDATION)
_ORDINARY = 2
_GROUND_SHARE = 3
_PRIORITY_WORDS = {
    "critical": 0,
    "blocker": 0,
    "must": 1,
    "high": 1,
    "should": 2,
    "medium": 2,
    "could": 3,
    "low": 3,
    "won't": 4,
    "wont": 4,
}


def plan(spec: Spec, revision: int = 1) -> Plan:
    """Empty if the spec has no requirement."""
    given, spec = spec, grouped(spec)
    needs = (*explicit_needs(spec), *delta_needs(spec))
    requirements = {r.id: r for r in distinct(spec)}
    cut = parts(spec, needs)
    names, kinds = Names(spec, cut, requirements), _kinds(spec, cut, requirements)
    # In file order, without dependencies and owners.
    drafts = [
        PlannedChange(
            slug=slug, title=title, type=kind, domain=part.domain, requirements=part.requirements
        )
        for part, slug, title, kind in zip(
            cut, names.slugs(), names.titles(kinds), kinds, strict=True
        )
    ]
    made = founded(given, drafts, needs, revision)
    # Pieces of a group have their numbers in the order of the plan.
    of = {part.requirements: part for part in cut}
    titles = names.titles(kinds, [of[change.requirements] for change in made.changes])
    titled = dict(zip((part.requirements for part in cut), titles, strict=True))
    return made.replace(
        changes=tuple(c.replace(title=titled[c.requirements]) for c in made.changes)
    )


def founded(
    spec: Spec, drafts: Sequence[PlannedChange], needs: Sequence[Need], revision: int
) -> Plan:
    """The plan from drafts: dependencies with evidence, owners, order and sizes.

    A draft's existing dependencies are kept, right or wrong; only `check` judges them.
    """
    needs = (*needs, *check_needs(spec))
    spec = grouped(spec)
    needs = (
        *needs,
        *interface_needs(spec),
        *order_needs(spec),
        *foundation_needs(spec, drafts),
        *piece_needs(spec, drafts),
        *maker_needs(spec, drafts),
        *sign_in_needs(spec, drafts),
        *mention_needs(spec),
    )
    spots = [s for s in hot_spots(drafts, spec) if s.sharing is Sharing.OWNED]
    waits = _waits(drafts, needs, spots, _Said(drafts, spec))
    owned: defaultdict[Slug, list[str]] = defaultdict(list)
    for spot in spots:
        owned[spot.changes[0]].append(spot.resource)
    changes = [_change(draft, waits[draft.slug], owned[draft.slug]) for draft in drafts]
    known = {r.id: r for r in distinct(spec)}
    changes = [
        c.replace(edits=edited_things([known[r] for r in c.requirements if r in known]))
        for c in changes
    ]
    return sized(Plan(revision=revision, changes=_ordered(changes, spec)), spec)


def _kinds(
    spec: Spec, cut: Sequence[Part], requirements: Mapping[RequirementId, Requirement]
) -> list[ChangeType]:
    fixes = {
        r.id for d in spec.documents if d.format is SpecFormat.KIRO_BUGFIX for r in d.requirements
    }
    return [_kind(part, [requirements[r] for r in part.requirements], fixes) for part in cut]


def _kind(
    part: Part, members: Sequence[Requirement], fixes: Collection[RequirementId]
) -> ChangeType:
    if all(m.id in fixes for m in members):
        return ChangeType.FIX
    if all(m.operation is Operation.REMOVED for m in members):
        return ChangeType.REMOVAL
    return ChangeType.CONTRACT if part.contract else ChangeType.FEATURE


@dataclass(frozen=True)
class _Edge:
    """A reason why one change waits for another."""

    user: Slug
    on: Slug
    kind: str
    evidence: str
    confidence: int


class _Said:
    """What the author says of changes' order, against which nothing is guessed."""

    def __init__(self, drafts: Sequence[PlannedChange], spec: Spec) -> None:
        self._urgency = _urgency(drafts, spec)
        self._story = {draft.slug: _story_place(draft) for draft in drafts}
        self._epic = {d.slug: epic_number(d.domain) for d in drafts if EPIC.match(d.domain)}
        self._needs_of_stories = any(document.story_order for document in spec.documents)
        runs = parallel_runs(spec)
        self._run = {d.slug: {runs[r] for r in d.requirements if r in runs} for d in drafts}
        tasks = task_places(spec)
        self._step = {
            d.slug: first_places(tasks, d.requirements)
            for d in drafts
            if any(r in tasks for r in d.requirements)
        }

    def allows(self, user: Slug, on: Slug) -> bool:
        """Whether it may be guessed that `user` waits for `on`."""
        if self._story[user] and self._story[on] and self._needs_of_stories:
            return False
        if self._story[user] and self._story[user] < self._story[on]:
            return False
        if self._run[user] & self._run[on]:
            return False
        return not any(
            user in said and on in said and said[user] < said[on]
            for said in (self._urgency, self._step, self._epic)
        )


def _urgency(drafts: Sequence[PlannedChange], spec: Spec) -> Mapping[Slug, int]:
    """How urgent the author calls each change; a contract is as urgent as who needs it first."""
    requirements = {r.id: r for r in distinct(spec)}
    urgency = {}
    for draft in drafts:
        stated = [requirements[r].priority for r in draft.requirements if r in requirements]
        if draft.type is not ChangeType.CONTRACT and any(stated):
            urgency[draft.slug] = min(priority_rank(p) for p in stated if p)
    return urgency


def _story_place(draft: PlannedChange) -> tuple[int, ...]:
    """The number of its story, empty for a contract and for what is no story."""
    number = None if draft.type is ChangeType.CONTRACT else story_number(draft.domain)
    return tuple(int(part) for part in (number or "").split(".") if part)


def _waits(
    drafts: Sequence[PlannedChange],
    needs: Sequence[Need],
    spots: Sequence[HotSpot],
    said: _Said,
) -> Mapping[Slug, Sequence[_Edge]]:
    """The dependencies of each change; soft ones, the most certain first, if they make no cycle.

    What only words suggest makes nothing wait for what the author calls less urgent, or tells or does later.
    """
    home = {r: draft.slug for draft in drafts for r in draft.requirements}
    stated = [
        _Edge(draft.slug, d.on, d.kind, d.evidence, CERTAIN)
        for draft in drafts
        for d in draft.depends_on
    ]
    stated += [
        _Edge(home[n.user], home[n.on], n.kind, n.evidence, n.confidence)
        for n in needs
        if n.user in home and n.on in home and home[n.user] != home[n.on]
    ]
    shared = [
        _Edge(
            user,
            spot.changes[0],
            DependencyKind.SHARES,
            f"{quote}, defined at {spot.evidence[0]}",
            _SHARES_CONFIDENCE[spot.kind],
        )
        for spot in spots
        for user, quote in zip(spot.changes[1:], spot.evidence[1:], strict=True)
    ]
    reached, needed = (Reached(draft.slug for draft in drafts) for _ in range(2))
    waits: dict[Slug, list[_Edge]] = {draft.slug: [] for draft in drafts}
    for edge in sorted((*stated, *shared), key=lambda e: -e.confidence):
        if edge.confidence < CERTAIN and reached.depends(edge.on, edge.user):
            continue
        is_guessed = edge.kind in _GUESSED and edge.confidence < CERTAIN
        if is_guessed and not said.allows(edge.user, edge.on):
            continue
        reached.add(edge.user, edge.on)
        if edge.kind != DependencyKind.ORDERED:
            needed.add(edge.user, edge.on)
        waits[edge.user].append(edge)
    return {slug: _told(edges, reached, needed) for slug, edges in waits.items()}


def _told(edges: Sequence[_Edge], reached: Reached[Slug], needed: Reached[Slug]) -> list[_Edge]:
    """Without those that follow from others: who waits for a page waits for its table, too.

    What the author states is told. A need does not follow from what is only an order.
    """
    on = {edge.on for edge in edges}
    needs = {edge.on for edge in edges if edge.kind != DependencyKind.ORDERED}

    def follows(edge: _Edge) -> bool:
        if edge.kind == DependencyKind.ORDERED:
            return any(reached.is_above(by, edge.on) for by in on)
        is_ground = edge.kind == DependencyKind.FOUNDATION
        return is_ground and any(needed.is_above(by, edge.on) for by in needs)

    return [edge for edge in edges if not follows(edge)]


def _change(draft: PlannedChange, edges: Sequence[_Edge], owned: Sequence[str]) -> PlannedChange:
    """The draft with one dependency for each change that it needs, for the most certain reason."""
    reasons: defaultdict[Slug, list[_Edge]] = defaultdict(list)
    for edge in edges:
        reasons[edge.on].append(edge)
    depends_on = tuple(
        Dependency(on=on, kind=why[0].kind, evidence=_quotes(why)) for on, why in reasons.items()
    )
    kind = draft.type
    if owned and kind is ChangeType.FEATURE:
        kind = ChangeType.CROSS_CUTTING
    return draft.replace(depends_on=depends_on, owns=tuple(owned), type=kind)


def _quotes(why: Sequence[_Edge]) -> str:
    return "; ".join(list(dict.fromkeys(edge.evidence for edge in why))[:_QUOTES_MAX])


def _ordered(changes: Sequence[PlannedChange], spec: Spec) -> tuple[PlannedChange, ...]:
    """Each after what it waits for; else contracts and grounds first, then by priority, by the list of
    tasks, and as the author has written them.
    """
    requirements = {r.id: r for r in distinct(spec)}
    tasks = task_places(spec)
    slugs = {change.slug for change in changes}
    waits = {c.slug: {d.on for d in c.depends_on} & slugs - {c.slug} for c in changes}
    awaited = Counter(on for needs in waits.values() for on in needs)
    heads = {change.domain: change.slug for change in reversed(changes)}
    urgency = _urgency(changes, spec)
    first = min(urgency.values(), default=0)

    def rank(change: PlannedChange) -> tuple[bool, bool, int, int, tuple[int, ...]]:
        ranks = (requirements[r].priority for r in change.requirements if r in requirements)
        priority = min((priority_rank(p) for p in ranks), default=_ORDINARY)
        follows = change.type is not ChangeType.CONTRACT
        # What a third of all others wait for is what they stand on.
        stands = _GROUND_SHARE * awaited[change.slug] < len(changes) or awaited[change.slug] < 2
        # Unless the author wants others before it.
        stands = stands or urgency.get(change.slug, first) > first
        if change.slug != heads[change.domain]:
            # Pieces of one group are read in the author's order, but for what was taken out to come first.
            members = [requirements[r] for r in change.requirements if r in requirements]
            stands = stands or not all(map(is_foundation, members))
        place = first_places(tasks, change.requirements)
        story = _story_place(change)
        if len(story) > 1:
            # Stories of epics are told in the order in which they are built.
            return follows, True, _ORDINARY, place, story
        return follows, stands, priority, place, story

    ranks = [rank(change) for change in changes]
    place = {change.slug: at for at, change in enumerate(changes)}
    missing = {slug: set(needs) for slug, needs in waits.items()}
    free = [(ranks[at], at) for at, change in enumerate(changes) if not missing[change.slug]]
    heapify(free)
    users: defaultdict[Slug, list[Slug]] = defaultdict(list)
    for slug, needs in waits.items():
        for on in needs:
            users[on].append(slug)
    told: list[PlannedChange] = []
    while missing:
        if not free:
            # A circle is in no order, and `check` tells it; but what waits for it comes after it.
            circle = strongly_connected(tuple(missing), missing)[0]
            for slug in circle:
                missing[slug] -= set(circle)
            free = sorted((ranks[place[slug]], place[slug]) for slug in circle)
        _, at = heappop(free)
        told.append(changes[at])
        del missing[changes[at].slug]
        for user in users[changes[at].slug]:
            if user in missing and changes[at].slug in missing[user]:
                missing[user].discard(changes[at].slug)
                if not missing[user]:
                    heappush(free, (ranks[place[user]], place[user]))
    return tuple(told)


def priority_rank(priority: str | None) -> int:
    """0 is the most urgent; unknown is ordinary. Used only to order equals, never as a dependency."""
    text = (priority or "").casefold().strip()
    if numbered := re.search(r"[0-9]", text):
        return int(numbered[0])
    words = re.findall(r"[a-z']+", text.replace("’", "'"))
    return next((_PRIORITY_WORDS[w] for w in words if w in _PRIORITY_WORDS), _ORDINARY)
