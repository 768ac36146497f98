"""The dependencies that a spec states: by id, by list or range of ids, by exact title or domain.

A reference counts only if it is unambiguous: of the file, the domain and the whole spec, the
nearest that has the name has it once. Triage reports references to unknown names.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import dataclass
from operator import itemgetter

from bot.core.plan.vocabulary import domain_of, evidence, fold
from bot.core.values.ids import RequirementId
from bot.core.values.plan_model import DependencyKind
from bot.core.values.spec_model import Reference, Requirement, Spec

# The spec states it in words: never dropped, not even to break a cycle.
CERTAIN = 100

# No real id, range or title is longer, and the range pattern tries every split.
_TARGET_MAX = 240
# A longer range is no dependency but a chapter.
_SPAN_MAX = 500
# A hundred requirements that each need a domain of a hundred are this many needs, four times over.
_NEEDS_MAX = 40_000
_NUMBERED = re.compile(r"^(?P<prefix>.*?)(?P<number>[0-9]{1,9})$")
_RANGE = re.compile(
    r"^(?P<prefix>.{0,80}?)(?P<low>[0-9]{1,9})"
    r"\s*(?:\.{2,3}|…|–|—|-|~|〜|to\b|through\b|thru\b|bis\b|至|到)\s*"
    r"(?P<again>.{0,80}?)(?P<high>[0-9]{1,9})$"
)
_LIST = re.compile(r"(?:(?<!\s)\s++)?(?:,|、|;|&|\band\b|\bund\b)\s*+")


@dataclass(frozen=True)
class Need:
    """One requirement depends on another. `pointed` is false if only the domain was named."""

    user: RequirementId
    on: RequirementId
    kind: DependencyKind
    evidence: str
    confidence: int = CERTAIN
    pointed: bool = True

    @property
    def hard(self) -> bool:
        """Whether the dependency is required; a soft one is dropped if it makes a cycle."""
        return self.confidence == CERTAIN


def explicit_needs(spec: Spec) -> tuple[Need, ...]:
    names = Names(spec)
    needs: list[Need] = []
    for requirement in spec.requirements:
        for reference in requirement.references:
            needs.extend(_needs(requirement, reference, names))
        if len(needs) > _NEEDS_MAX:
            break
    return tuple(needs)


def _needs(requirement: Requirement, reference: Reference, names: "Names") -> list[Need]:
    words = evidence(requirement.path, reference.line, reference.quote or reference.target)
    named = names.named(requirement, reference.target)
    pointed = bool(named)
    return [
        Need(requirement.id, on, DependencyKind.EXPLICIT, words, pointed=pointed)
        for on in named or names.of_domain(requirement, reference.target)
        if on != requirement.id
    ]


# The places in which a name is looked for, the nearest first: its file and domain, its file, its
# domain, the whole spec.
_Place = tuple[str | None, str | None]


class _Bearers:
    """The requirements that have one name, by place; a look-up never visits them all."""

    def __init__(self) -> None:
        self._kept: list[tuple[Requirement, str]] = []
        self._ids: defaultdict[_Place, set[RequirementId]] = defaultdict(set)

    def add(self, requirement: Requirement, domain: str) -> None:
        self._kept.append((requirement, domain))

    def nearest(self, user: Requirement, domain: str) -> tuple[RequirementId, ...]:
        """The only bearer of the nearest place that has any; empty if it has several."""
        # Most names are asked for by nobody, so places are made when one is.
        while self._kept:
            kept, of = self._kept.pop()
            for place in _places(kept, of):
                self._ids[place].add(kept.id)
        near = next((ids for p in _places(user, domain) if (ids := self._ids.get(p))), set())
        return tuple(near) if len(near) == 1 else ()


def _places(requirement: Requirement, domain: str) -> tuple[_Place, ...]:
    path = requirement.path
    return ((path, domain), (path, None), (None, domain), (None, None))


class Names:
    """Which requirements have which id, title and domain in one spec."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._ids = {str(r.id): r.id for r in spec.requirements}
        self._by_source: defaultdict[str, _Bearers] = defaultdict(_Bearers)
        self._by_title: defaultdict[str, _Bearers] = defaultdict(_Bearers)
        self._by_domain: defaultdict[str, list[RequirementId]] = defaultdict(list)
        self._by_prefix: defaultdict[str, list[tuple[int, int, Requirement]]] = defaultdict(list)
        for position, requirement in enumerate(spec.requirements):
            domain = domain_of(requirement, spec)
            self._by_domain[fold(domain)].append(requirement.id)
            for title in (requirement.title, requirement.renamed_from):
                if title:
                    self._by_title[fold(title)].add(requirement, domain)
            if requirement.source_id:
                key = _id_key(requirement.source_id)
                self._by_source[key].add(requirement, domain)
                if numbered := _NUMBERED.match(key):
                    self._by_prefix[numbered["prefix"]].append(
                        (int(numbered["number"]), position, requirement)
                    )
        for numbers in self._by_prefix.values():
            numbers.sort(key=lambda one: one[:2])

    def named(self, user: Requirement, target: str) -> tuple[RequirementId, ...]:
        """The requirements that `target` names for `user`; empty if ambiguous."""
        if target in self._ids:
            return (self._ids[target],)
        if len(target) > _TARGET_MAX or not fold(target):
            return ()
        bearers = self._by_source.get(_id_key(target)) or self._by_title.get(fold(target))
        if bearers:
            return self._one(user, bearers)
        return self._range(user, _id_key(target)) or self._list(user, target)

    def of_domain(self, user: Requirement, target: str) -> tuple[RequirementId, ...]:
        """All requirements of another domain whose exact name is `target`."""
        if fold(target) == fold(domain_of(user, self._spec)):
            return ()
        return tuple(self._by_domain.get(fold(target), ()))

    def _one(self, user: Requirement, bearers: _Bearers) -> tuple[RequirementId, ...]:
        return bearers.nearest(user, domain_of(user, self._spec))

    def _range(self, user: Requirement, target: str) -> tuple[RequirementId, ...]:
        span = _RANGE.match(target)
        if not span or span["again"] not in ("", span["prefix"]):
            return ()
        low, high = int(span["low"]), int(span["high"])
        numbers = self._by_prefix.get(span["prefix"], [])
        first = bisect_left(numbers, low, key=itemgetter(0))
        last = bisect_right(numbers, high, key=itemgetter(0))
        if last - first > _SPAN_MAX:
            return ()
        inside = [r for _, _, r in sorted(numbers[first:last], key=itemgetter(1))]
        here = [r for r in inside if r.path == user.path]
        if not here and len({r.path for r in inside}) > 1:
            return ()
        return tuple(dict.fromkeys(r.id for r in here or inside))

    def _list(self, user: Requirement, target: str) -> tuple[RequirementId, ...]:
        entries = _LIST.split(target)
        if len(entries) < 2:
            return ()
        named: list[RequirementId] = []
        for entry in entries:
            bearers = self._by_source.get(_id_key(entry))
            found = self._one(user, bearers) if bearers else self._range(user, _id_key(entry))
            if not found:
                return ()
            named.extend(found)
        return tuple(dict.fromkeys(named))


def _id_key(text: str) -> str:
    """An id as a key: `Requirement 3` and `3` are equal."""
    return fold(text).removeprefix("requirements ").removeprefix("requirement ").strip()
