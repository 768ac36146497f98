"""Which requirements of a large domain stay together when it must be split.

Strongest first: requirements that refer to each other, that name the same resource, that use the
same words, that are neighbours in the file. All weights are integers, so that the split is the same
everywhere.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from heapq import heappop, heappush
from itertools import combinations

from bot.core.plan.vocabulary import fold, terms
from bot.core.values.plan_model import REQUIREMENTS_PER_CHANGE_MAX
from bot.core.values.spec_model import Requirement

_REFERENCE = 12
_RESOURCE = 3
_RESOURCES_AT_MOST = 6
_TERM = 1
_TERMS_AT_MOST = 4
_NEIGHBOUR = 1
# A word in more groups than two full changes have does not connect them.
_TERM_BEARERS_MAX = 2 * REQUIREMENTS_PER_CHANGE_MAX
# A resource of ten full changes connects nothing, and the number of pairs grows quadratically.
_RESOURCE_BEARERS_MAX = 10 * REQUIREMENTS_PER_CHANGE_MAX

Bonds = Sequence[Mapping[int, int]]


def bonds(
    groups: Sequence[Sequence[Requirement]], references: Iterable[tuple[int, int]]
) -> list[Counter[int]]:
    """For each group (by index), how strongly it is connected to the others."""
    bound: list[Counter[int]] = [Counter() for _ in groups]
    resources = _shared(
        [_resources(g) for g in groups], min(_RESOURCE_BEARERS_MAX, len(groups) // 2)
    )
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

    Each part starts with the first group that is left, and grows by the group most connected to the
    part (counted twice) and least to the rest; without connections, in file order.
    """
    front = _Front(sizes, bound)
    first, rest = 0, sum(sizes)
    parts: list[list[int]] = []
    while first < len(sizes):
        if front.is_taken(first):
            first += 1
            continue
        parts_to_come = -(-rest // REQUIREMENTS_PER_CHANGE_MAX)
        target = -(-rest // parts_to_come)
        front.begin(first)
        part = [first]
        size = sizes[first]
        while size < target:
            best = front.best(REQUIREMENTS_PER_CHANGE_MAX - size)
            if best is None:
                break
            front.take(best)
            part.append(best)
            size += sizes[best]
        rest -= size
        parts.append(sorted(part))
    return parts


class _Front:
    """The groups that have no part yet, with the best candidate for a growing part first.

    A heap for each size of group. A changed score is added anew and its older entry is skipped, so
    that a domain of thousands of groups is split in nearly linear time.
    """

    def __init__(self, sizes: Sequence[int], bound: Bonds) -> None:
        self._sizes, self._bound = sizes, bound
        self._taken = [False] * len(sizes)
        self._gain: Counter[int] = Counter()
        self._rest = [sum(b.values()) for b in bound]
        self._heaps: dict[int, list[tuple[int, int]]] = {size: [] for size in sizes}
        for at in range(len(sizes)):
            self._enter(at)

    def is_taken(self, at: int) -> bool:
        return self._taken[at]

    def begin(self, at: int) -> None:
        others, self._gain = self._gain, Counter()
        for other in others:
            self._enter(other)
        self.take(at)

    def take(self, at: int) -> None:
        self._taken[at] = True
        for other, weight in self._bound[at].items():
            self._gain[other] += weight
            self._rest[other] -= weight
            self._enter(other)

    def best(self, room: int) -> int | None:
        """The group of at most `room` requirements that is most connected to the part, or None."""
        tops = [
            heap[0] for size, heap in self._heaps.items() if size <= room and self._has_top(heap)
        ]
        return min(tops)[1] if tops else None

    def _has_top(self, heap: list[tuple[int, int]]) -> bool:
        while heap and (self._taken[heap[0][1]] or heap[0][0] != self._standing(heap[0][1])):
            heappop(heap)
        return bool(heap)

    def _standing(self, at: int) -> int:
        return self._rest[at] - 2 * self._gain[at]

    def _enter(self, at: int) -> None:
        if not self._taken[at]:
            heappush(self._heaps[self._sizes[at]], (self._standing(at), at))


def _resources(group: Sequence[Requirement]) -> frozenset[str]:
    return frozenset(fold(name) for r in group for name in r.resources)


def _terms(group: Sequence[Requirement]) -> frozenset[str]:
    return terms(" ".join(f"{r.title} {' '.join(s.text for s in r.scenarios)}" for r in group))


def _shared(features: Sequence[Collection[str]], bearers_max: int) -> Counter[tuple[int, int]]:
    """How many features two groups share; features of more than `bearers_max` groups do not count."""
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
