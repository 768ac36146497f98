"""Which requirements become one change, before the changes have names.

Requirements are grouped by domain, which is the author's group. What must stay together (operations
on one requirement, a small cycle) is a block and is never split. An interface that several domains
touch is a contract, a part of its own, and so is a foundation of a spec that needs several changes.
A domain above the limit is cut in the author's order; parts that depend on each other are merged or
split again. The result is acyclic unless the spec has a cycle of more requirements than a change
may have.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from heapq import heappop, heappush

from bot.core.plan import affinity
from bot.core.plan.authored import steps_with
from bot.core.plan.foundations import is_foundation
from bot.core.plan.graph import strongly_connected
from bot.core.plan.hot_spots import is_interface, touched_interfaces
from bot.core.plan.operations import operation_groups
from bot.core.plan.phrases import is_dense, plain_heading
from bot.core.plan.size import is_feature, is_name_of_function, weight
from bot.core.plan.stated_dependencies import Need
from bot.core.plan.vocabulary import distinct, domain_of, names_the_whole
from bot.core.values.ids import RequirementId
from bot.core.values.plan_model import REQUIREMENTS_PER_CHANGE_MAX, REQUIREMENTS_USUAL_MAX
from bot.core.values.spec_model import Requirement, Spec, SpecFormat

# One domain that uses it is an ordinary dependency; a shared interface is worth a change.
_SHARERS_MIN = 2
_FEW_LETTERS = 50
_ANY_WEIGHT = 10_000
_STORY = re.compile(r"Story \d+\.\d+: ")
# What their pages ask for is parts of one thing; a page of a product lists things.
_ONE_CHANGE = (SpecFormat.OPENSPEC_DELTA, SpecFormat.SPEC_KIT)
_OF_ONE_FEATURE = (*_ONE_CHANGE, SpecFormat.OPENSPEC)


@dataclass(frozen=True)
class Part:
    """`requirements` are in file order."""

    domain: str
    contract: bool
    requirements: tuple[RequirementId, ...]
    foundation: bool = False

    @property
    def is_first(self) -> bool:
        """Whether it was taken out of its domain to come before the rest."""
        return self.contract or self.foundation


def parts(spec: Spec, needs: Sequence[Need]) -> tuple[Part, ...]:
    """The parts in file order; every requirement of the spec is in exactly one."""
    hard = [need for need in needs if need.hard]
    ground = _Ground(spec, hard)
    contracts = _contracts(ground, hard)
    # Where the author has a list of tasks, foundations stand where it has them.
    is_told = 2 * sum(len(ids) for _, ids in steps_with(spec)) >= len(ground.requirements)
    grounds = frozenset[int]() if is_told else _foundations(ground, contracts)
    heaps: defaultdict[tuple[_Kind, str], list[int]] = defaultdict(list)
    result: list[_Draft] = []
    for block in range(len(ground.blocks)):
        if ground.is_knot(block):
            result.append(_Draft(ground.blocks[block].domain, _Kind.ORDINARY, (block,)))
        else:
            kind = _Kind.CONTRACT if block in contracts else _Kind.ORDINARY
            kind = _Kind.FOUNDATION if block in grounds else kind
            heaps[kind, ground.blocks[block].domain].append(block)
    alone = len({domain for _, domain in heaps}) == 1
    is_one_feature = all(d.format in _OF_ONE_FEATURE for d in spec.documents)
    is_one_change = all(d.format in _ONE_CHANGE for d in spec.documents)
    is_delta = all(d.format is SpecFormat.OPENSPEC_DELTA for d in spec.documents)
    for (kind, domain), members in heaps.items():
        loose = domain == spec.key or names_the_whole(plain_heading(domain), spec)
        loose = loose or (alone and not _fits(ground, members))
        is_many = ground.size(members) > REQUIREMENTS_USUAL_MAX
        # A capability of many requirements is a group of its author's, and no list of features. So is what
        # its author calls one change or one feature.
        if is_delta and _is_one_delta(ground, members):
            cuts = [tuple(members)]
        elif loose and is_one_feature and (is_many or is_one_change):
            cuts = _cuts(ground, members, affinity.WEIGHT_MAX)
        elif loose:
            is_listed = all(d.format is SpecFormat.KIRO for d in spec.documents)
            cuts = _loose_cuts(ground, members, is_whole=len(heaps) == 1, is_each=is_listed)
        else:
            # A story is what its author makes one piece, however much is said of it.
            most = _ANY_WEIGHT if _STORY.match(domain) else affinity.WEIGHT_MAX
            cuts = _cuts(ground, members, most)
        result.extend(_Draft(domain, kind, cut) for cut in cuts)
    return tuple(
        sorted(
            (part for draft in _untied(ground, result) for part in _parts(ground, draft)),
            key=lambda part: ground.place[part.requirements[0]],
        )
    )


@dataclass(frozen=True)
class _Block:
    """Never split. `atoms` are its smallest pieces: the operations on one requirement."""

    domain: str
    atoms: tuple[tuple[RequirementId, ...], ...]

    @property
    def members(self) -> tuple[RequirementId, ...]:
        return tuple(m for atom in self.atoms for m in atom)


class _Kind(Enum):
    """Why a part is one."""

    ORDINARY = 0
    CONTRACT = 1
    FOUNDATION = 2


@dataclass(frozen=True)
class _Draft:
    """An unfinished part: indices of blocks."""

    domain: str
    kind: _Kind
    blocks: tuple[int, ...]


class _Ground:
    """The blocks of a spec and their dependencies."""

    def __init__(self, spec: Spec, hard: Sequence[Need]) -> None:
        self.requirements = {r.id: r for r in distinct(spec)}
        self.is_mission = any(d.format is SpecFormat.MISSION for d in spec.documents)
        self.place = {r: at for at, r in enumerate(self.requirements)}
        self.domain = {r.id: domain_of(r, spec) for r in self.requirements.values()}
        self.blocks = self._blocks(operation_groups(spec), hard)
        self.home = {m: at for at, block in enumerate(self.blocks) for m in block.members}
        self.waits: dict[int, set[int]] = {at: set() for at in range(len(self.blocks))}
        for need in hard:
            if self.home[need.user] != self.home[need.on]:
                self.waits[self.home[need.user]].add(self.home[need.on])

    def is_knot(self, block: int) -> bool:
        """Whether the block is a cycle that is too large for a change."""
        return self.size((block,)) > REQUIREMENTS_USUAL_MAX

    def size(self, blocks: Iterable[int]) -> int:
        return sum(len(self.blocks[b].members) for b in blocks)

    def weight(self, block: int) -> int:
        return sum(weight(self.requirements[m]) for m in self.blocks[block].members)

    def loose_weight(self, block: int) -> int:
        """A feature with a name or a criterion of its own fills a change, however short its text is."""
        members = [self.requirements[m] for m in self.blocks[block].members]
        least = affinity.FEATURE_WEIGHT if any(map(is_feature, members)) else 0
        return max(self.weight(block), least)

    def _blocks(
        self, groups: Sequence[Sequence[RequirementId]], hard: Sequence[Need]
    ) -> list[_Block]:
        head = {r: r for r in self.requirements}
        head |= {r: group[0] for group in groups for r in group}
        edges: defaultdict[RequirementId, set[RequirementId]] = defaultdict(set)
        for need in hard:
            edges[head[need.user]].add(head[need.on])
        heads = list(dict.fromkeys(head.values()))
        members: defaultdict[RequirementId, list[RequirementId]] = defaultdict(list)
        for requirement, its_head in head.items():
            members[its_head].append(requirement)
        found = [
            _Block(self.domain[component[0]], tuple(tuple(members[h]) for h in component))
            for component in strongly_connected(heads, edges)
        ]
        return sorted(found, key=lambda block: self.place[block.atoms[0][0]])


def _contracts(ground: _Ground, hard: Sequence[Need]) -> frozenset[int]:
    """The blocks to build first: interfaces that two other domains touch, and what these need.

    A domain touches an interface if it refers to the requirement, or names what it defines. A
    contract depends only on contracts. A block that would need blocks of other domains, or more
    than one change, is not a contract.
    """
    users: defaultdict[RequirementId, set[str]] = defaultdict(set)
    for need in hard:
        foreign = ground.domain[need.user] != ground.domain[need.on]
        if need.pointed and foreign and ground.home[need.user] != ground.home[need.on]:
            users[need.on].add(ground.domain[need.user])
    for on, user in touched_interfaces(ground.requirements.values()):
        if ground.domain[user] != ground.domain[on] and ground.home[user] != ground.home[on]:
            users[on].add(ground.domain[user])
    shared = {
        ground.home[on]
        for on, domains in users.items()
        if len(domains) >= _SHARERS_MIN
        and is_interface(ground.requirements[on])
        # A story is a change of its own, whoever needs it.
        and not _STORY.match(ground.domain[on])
    }
    chosen: set[int] = set()
    for block in sorted(shared):
        closure = _closure(block, ground.waits, REQUIREMENTS_USUAL_MAX)
        domain = ground.blocks[block].domain
        if ground.size(closure) <= REQUIREMENTS_USUAL_MAX and all(
            b in shared or ground.blocks[b].domain == domain for b in closure
        ):
            chosen |= closure
    return frozenset(chosen)


def _foundations(ground: _Ground, contracts: frozenset[int]) -> frozenset[int]:
    """The blocks that everything else stands on, if there is more than one change can hold."""
    every = range(len(ground.blocks))
    domains = {block.domain for block in ground.blocks}
    if ground.size(every) <= REQUIREMENTS_USUAL_MAX and len(domains) < 2:
        return frozenset()
    found = {
        block
        for block in every
        if block not in contracts
        and not ground.is_knot(block)
        and all(is_foundation(ground.requirements[m]) for m in ground.blocks[block].members)
    }
    # What needs other work first is no foundation, and neither is the whole spec.
    found = {block for block in found if ground.waits[block] <= found | contracts}
    return frozenset(found) if len(found) < len(ground.blocks) else frozenset()


def _closure(start: int, waits: Mapping[int, set[int]], most: int) -> set[int]:
    """What a block needs, itself included; unfinished when it has more than `most`."""
    seen = {start}
    to_visit = [start]
    while to_visit and len(seen) <= most:
        fresh = waits[to_visit.pop()] - seen
        seen |= fresh
        to_visit.extend(fresh)
    return seen


def _fits(ground: _Ground, members: Sequence[int]) -> bool:
    """Whether a reviewer reads all of it in one go."""
    weighs = sum(ground.weight(block) for block in members)
    return ground.size(members) <= REQUIREMENTS_USUAL_MAX and weighs <= affinity.WEIGHT_MAX


def _is_one_delta(ground: _Ground, members: Sequence[int]) -> bool:
    """Whether a capability of one author's change is read in one go."""
    weighs = sum(ground.weight(block) for block in members)
    return (
        ground.size(members) <= REQUIREMENTS_PER_CHANGE_MAX and weighs <= affinity.DELTA_WEIGHT_MAX
    )


def _loose_cuts(
    ground: _Ground, members: Sequence[int], *, is_whole: bool, is_each: bool
) -> list[tuple[int, ...]]:
    """What nobody has put together: a change for each feature, until they are more than a plan shows.

    A few that are all of a spec are one change.
    """
    weights = [ground.loose_weight(block) for block in members]
    names = [all(map(is_name_of_function, _requirements(ground, block))) for block in members]
    # The criteria of a mission say when one piece of work is done.
    if not ground.is_mission and 4 * sum(names) >= 3 * len(names):
        least = affinity.LINE_WEIGHT if _are_short(ground, members) else affinity.FEATURE_WEIGHT
        weights = [max(weight, least) for weight in weights]
    fits = ground.size(members) <= REQUIREMENTS_USUAL_MAX
    # What its author has put on a page as pieces of work is one only if it is little.
    most = affinity.LOOSE_WEIGHT_MAX if is_each else affinity.UNGROUPED_WEIGHT_MAX
    if is_whole and fits and sum(weights) <= most:
        return [tuple(members)]
    bound = _bonds(ground, members)
    sizes = [ground.size((block,)) for block in members]
    cuts = affinity.split(sizes, bound, weights, affinity.LOOSE_WEIGHT_MAX)
    joined = cuts if is_each else affinity.joined(cuts, sizes, bound, weights)
    return [tuple(members[at] for at in cut) for cut in joined]


def _are_short(ground: _Ground, members: Sequence[int]) -> bool:
    """Whether it is a long list of a few words each: `Add notes`, `Add logo`."""
    said = [one.statement for block in members for one in _requirements(ground, block)]
    return len(said) > REQUIREMENTS_USUAL_MAX and all(
        len(text) <= (_FEW_LETTERS // 4 if is_dense(text) else _FEW_LETTERS) for text in said
    )


def _cuts(ground: _Ground, members: Sequence[int], most: int) -> list[tuple[int, ...]]:
    weights = [ground.weight(block) for block in members]
    are_sentences = not any(
        is_feature(r) for block in members for r in _requirements(ground, block)
    )
    room = REQUIREMENTS_USUAL_MAX
    if are_sentences or most == _ANY_WEIGHT:
        room = REQUIREMENTS_PER_CHANGE_MAX
    if ground.size(members) <= room and sum(weights) <= most:
        return [tuple(members)]
    sizes = [ground.size((block,)) for block in members]
    cuts = affinity.split(sizes, _bonds(ground, members), weights, most)
    return [tuple(members[at] for at in cut) for cut in cuts]


def _bonds(ground: _Ground, members: Sequence[int]) -> affinity.Bonds:
    index = {block: at for at, block in enumerate(members)}
    groups = [_requirements(ground, block) for block in members]
    references = [(index[u], index[on]) for u in members for on in ground.waits[u] if on in index]
    return affinity.bonds(groups, references)


def _requirements(ground: _Ground, block: int) -> list[Requirement]:
    return [ground.requirements[m] for m in ground.blocks[block].members]


def _untied(ground: _Ground, drafts: Sequence[_Draft]) -> list[_Draft]:
    """The drafts without cycles: drafts that depend on each other are merged, or split again."""
    part_of = {block: at for at, draft in enumerate(drafts) for block in draft.blocks}
    waits = {
        at: {part_of[on] for block in draft.blocks for on in ground.waits[block]} - {at}
        for at, draft in enumerate(drafts)
    }
    result: list[_Draft] = []
    for component in strongly_connected(range(len(drafts)), waits):
        tied = [drafts[at] for at in component]
        kinds = {draft.kind for draft in tied}
        kind = next(iter(kinds)) if len(kinds) == 1 else _Kind.ORDINARY
        blocks = sorted(block for draft in tied for block in draft.blocks)
        if len(tied) == 1:
            result.extend(tied)
        elif ground.size(blocks) <= REQUIREMENTS_USUAL_MAX:
            result.append(_Draft(_main_domain(ground, blocks), kind, tuple(blocks)))
        else:
            result.extend(
                _Draft(ground.blocks[run[0]].domain, kind, tuple(sorted(run)))
                for run in _runs(ground, blocks)
            )
    return result


def _runs(ground: _Ground, blocks: Sequence[int]) -> list[list[int]]:
    """Runs of a topological order that stays in one domain as long as possible.

    Runs of such an order cannot depend on each other in a cycle.
    """
    inside = set(blocks)
    missing = {block: len(ground.waits[block] & inside) for block in blocks}
    users: defaultdict[int, list[int]] = defaultdict(list)
    for block in blocks:
        for on in ground.waits[block] & inside:
            users[on].append(block)
    place = {block: at for at, block in enumerate(blocks)}
    free: list[int] = []
    free_of: defaultdict[str, list[int]] = defaultdict(list)
    done: set[int] = set()

    def release(block: int) -> None:
        heappush(free, place[block])
        heappush(free_of[ground.blocks[block].domain], place[block])

    for block in blocks:
        if not missing[block]:
            release(block)
    runs: list[list[int]] = []
    domain = ""
    while len(done) < len(blocks):
        for heap in (free, free_of[domain]):
            while heap and blocks[heap[0]] in done:
                heappop(heap)
        same = free_of[domain]
        block = blocks[(same or free)[0]]
        fits = runs and ground.size((*runs[-1], block)) <= REQUIREMENTS_USUAL_MAX
        if same and fits:
            runs[-1].append(block)
        else:
            runs.append([block])
        domain = ground.blocks[block].domain
        done.add(block)
        for user in users[block]:
            missing[user] -= 1
            if not missing[user]:
                release(user)
    return runs


def _main_domain(ground: _Ground, blocks: Sequence[int]) -> str:
    domains = [ground.domain[m] for block in blocks for m in ground.blocks[block].members]
    return Counter(domains).most_common(1)[0][0]


def _parts(ground: _Ground, draft: _Draft) -> list[Part]:
    """One part, except for a cycle that is too large: it is split, and `check` reports it."""
    cuts: list[list[RequirementId]] = [[]]
    for block in draft.blocks:
        for atom in ground.blocks[block].atoms:
            if len(cuts[-1]) + len(atom) > REQUIREMENTS_PER_CHANGE_MAX:
                cuts.append([])
            cuts[-1].extend(atom)
    return [
        Part(
            draft.domain,
            draft.kind is _Kind.CONTRACT,
            tuple(sorted(cut, key=ground.place.__getitem__)),
            draft.kind is _Kind.FOUNDATION,
        )
        for cut in cuts
    ]
