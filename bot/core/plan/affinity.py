"""Where a large domain is cut when it must be split.

The author's order stays: a part is a run of it. It is not cut, strongest first, between
requirements that refer to each other, that name the same resource, that use the same words. All
weights are integers, so that the split is the same everywhere.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations, pairwise

from bot.core.plan.vocabulary import fold, terms
from bot.core.values.plan_model import REQUIREMENTS_USUAL_MAX
from bot.core.values.spec_model import Requirement

_REFERENCE = 12
_RESOURCE = 3
_RESOURCES_AT_MOST = 6
_TERM = 1
_TERMS_AT_MOST = 4
_NEIGHBOUR = 1
# A word in more groups than two full changes have does not connect them.
_TERM_BEARERS_MAX = 2 * REQUIREMENTS_USUAL_MAX
# More text than this is more than one reviewer reads in one go.
WEIGHT_MAX = 30
# What its author calls one change, a reviewer reads in one go as far as this.
DELTA_WEIGHT_MAX = 45
# Of what nobody has put together, less is a change.
UNGROUPED_WEIGHT_MAX = 22
# Of what stands alone in the author's list, six light items are a change and two features are not.
LOOSE_WEIGHT_MAX = 12
FEATURE_WEIGHT = 7
LINE_WEIGHT = 4
# A plan of more changes is read by nobody.
LOOSE_CHANGES_MAX = 15
# A resource of ten full changes connects nothing, and the number of pairs grows quadratically.
_RESOURCE_BEARERS_MAX = 10 * REQUIREMENTS_USUAL_MAX

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


def split(
    sizes: Sequence[int],
    bound: Bonds,
    weights: Sequence[int] | None = None,
    most: int = WEIGHT_MAX,
) -> list[list[int]]:
    """The groups (by index) in runs of the author's order: as few as the limits allow.

    Of the ways to cut, the one that keeps most together what is connected, in parts of nearly
    equal size. Only a single group may weigh more than a change should.
    """
    heavy = weights or [0] * len(sizes)
    # For each start: the cost of the rest, and where its first part ends.
    best: list[tuple[int, int, int]] = [(0, 0, len(sizes))] * (len(sizes) + 1)
    for first in reversed(range(len(sizes))):
        found: list[tuple[int, int, int]] = []
        size = weight = kept = 0
        for end in range(first + 1, len(sizes) + 1):
            size += sizes[end - 1]
            weight += heavy[end - 1]
            if end > first + 1 and (size > REQUIREMENTS_USUAL_MAX or weight > most):
                break
            kept += sum(bound[end - 1].get(at, 0) for at in range(first, end - 1))
            parts, cost, _ = best[end]
            found.append((parts + 1, cost + size * size - 2 * kept, -end))
        best[first] = min(found)
    cuts, at = [], 0
    while at < len(sizes):
        end = -best[at][2]
        cuts.append(list(range(at, end)))
        at = end
    return cuts


def joined(
    cuts: Sequence[Sequence[int]], sizes: Sequence[int], bound: Bonds, weights: Sequence[int]
) -> list[list[int]]:
    """Neighbours joined, the most connected and lightest first, until there are few enough changes."""
    runs = [list(cut) for cut in cuts]
    # More than these never become few enough.
    if sum(sizes) > LOOSE_CHANGES_MAX * REQUIREMENTS_USUAL_MAX:
        return runs
    while len(runs) > LOOSE_CHANGES_MAX:
        fits = [
            at
            for at, (one, other) in enumerate(pairwise(runs))
            if sum(sizes[i] for i in (*one, *other)) <= REQUIREMENTS_USUAL_MAX
            and sum(weights[i] for i in (*one, *other)) <= UNGROUPED_WEIGHT_MAX
        ]
        if not fits:
            break

        def cost(at: int) -> tuple[int, int]:
            one, other = runs[at], runs[at + 1]
            kept = sum(bound[i].get(j, 0) for i in one for j in other)
            return sum(weights[i] for i in (*one, *other)) - kept, at

        at = min(fits, key=cost)
        runs[at : at + 2] = [[*runs[at], *runs[at + 1]]]
    return runs


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
