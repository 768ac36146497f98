"""Which requirements of a large domain stay together when it must be split.

Requirements that refer to one another belong together before those that name one resource, those
before those whose words meet, and neighbours in the file before strangers. All weights are whole
numbers, so that the split is the same everywhere.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations

from bot.core.plan.model import REQUIREMENTS_PER_CHANGE_MAX
from bot.core.plan.terms import fold, terms
from bot.core.spec.model import Requirement

_REFERENCE = 12
_RESOURCE = 3
_RESOURCES_AT_MOST = 6
_TERM = 1
_TERMS_AT_MOST = 4
_NEIGHBOUR = 1
# Shared by more groups than two full changes hold, a word binds no part of them.
_TERM_BEARERS_MAX = 2 * REQUIREMENTS_PER_CHANGE_MAX

Bonds = Sequence[Mapping[int, int]]


def bonds(
    groups: Sequence[Sequence[Requirement]], references: Iterable[tuple[int, int]]
) -> list[Counter[int]]:
    """For each group, how strongly it is bound to which others (by index)."""
    bound: list[Counter[int]] = [Counter() for _ in groups]
    resources = _shared([_resources(g) for g in groups], len(groups) // 2)
    words = _shared([_terms(g) for g in groups], min(_TERM_BEARERS_MAX, 2 * len(groups) // 5))
    for (left, right), count in resources.items():
        _add(bound, left, right, min(count * _RESOURCE, _RESOURCES_AT_MOST))
    for (left, right), count in words.items():
        _add(bound, left, right, min(count * _TERM, _TERMS_AT_MOST))
    for left in range(len(groups) - 1):
        _add(bound, left, left + 1, _NEIGHBOUR)
    for user, on in references:
        _add(bound, user, on, _REFERENCE)
    return bound


def split(sizes: Sequence[int], bound: Bonds) -> list[list[int]]:
    """The groups (by index) in parts of nearly equal size, none above the limit of a change.

    Each part grows from the first group that is left, by the one most bound to the part (counted
    twice) and least to what is left outside; where nothing is bound, by file order.
    """
    left = list(range(len(sizes)))
    rest_bonds = Counter({i: sum(bound[i].values()) for i in left})
    parts: list[list[int]] = []
    while left:
        rest = sum(sizes[i] for i in left)
        parts_to_come = -(-rest // REQUIREMENTS_PER_CHANGE_MAX)
        target = -(-rest // parts_to_come)
        part = [left.pop(0)]
        size = sizes[part[0]]
        gain = Counter(bound[part[0]])
        rest_bonds.subtract(bound[part[0]])
        while size < target:
            fitting = [i for i in left if size + sizes[i] <= REQUIREMENTS_PER_CHANGE_MAX]
            if not fitting:
                break
            best = max(fitting, key=lambda i: (2 * gain[i] - rest_bonds[i], -i))
            left.remove(best)
            part.append(best)
            size += sizes[best]
            gain.update(bound[best])
            rest_bonds.subtract(bound[best])
        parts.append(sorted(part))
    return parts


def _resources(group: Sequence[Requirement]) -> frozenset[str]:
    return frozenset(fold(name) for r in group for name in r.resources)


def _terms(group: Sequence[Requirement]) -> frozenset[str]:
    return terms(" ".join(f"{r.title} {' '.join(s.text for s in r.scenarios)}" for r in group))


def _shared(features: Sequence[Collection[str]], bearers_max: int) -> Counter[tuple[int, int]]:
    """How many features two groups share; what more than `bearers_max` bear tells none apart."""
    bearers: defaultdict[str, list[int]] = defaultdict(list)
    for at, names in enumerate(features):
        for name in names:
            bearers[name].append(at)
    shared: Counter[tuple[int, int]] = Counter()
    for indices in bearers.values():
        if len(indices) <= max(2, bearers_max):
            shared.update(combinations(indices, 2))
    return shared


def _add(bound: list[Counter[int]], left: int, right: int, weight: int) -> None:
    if left != right:
        bound[left][right] += weight
        bound[right][left] += weight
