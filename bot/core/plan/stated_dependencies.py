"""The dependencies that a spec states: by id, by list or range of ids, by exact title or domain.

A reference counts only if it is unambiguous: of the file, the domain and the whole spec, the
nearest that has the name has it once. Triage reports references to unknown names.
"""

import re
from collections import defaultdict
from dataclasses import dataclass

from bot.core.plan.vocabulary import domain_of, evidence, fold
from bot.core.values.ids import RequirementId
from bot.core.values.plan_model import DependencyKind
from bot.core.values.spec_model import Reference, Requirement, Spec

# The spec states it in words: never dropped, not even to break a cycle.
CERTAIN = 100

# No real id, range or title is longer, and the range pattern tries every split.
_TARGET_MAX = 240
_NUMBERED = re.compile(r"^(?P<prefix>.*?)(?P<number>[0-9]{1,9})$")
_RANGE = re.compile(
    r"^(?P<prefix>.*?)(?P<low>[0-9]{1,9})"
    r"\s*(?:\.{2,3}|…|–|—|-|~|〜|to\b|through\b|thru\b|bis\b|至|到)\s*"
    r"(?P<again>.*?)(?P<high>[0-9]{1,9})$"
)
_LIST = re.compile(r"\s*(?:,|、|;|&|\band\b|\bund\b)\s*")


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


class Names:
    """Which requirements have which id, title and domain in one spec."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._ids = {str(r.id): r.id for r in spec.requirements}
        self._by_source: defaultdict[str, list[Requirement]] = defaultdict(list)
        self._by_title: defaultdict[str, list[Requirement]] = defaultdict(list)
        self._by_domain: defaultdict[str, list[Requirement]] = defaultdict(list)
        self._by_prefix: defaultdict[str, list[tuple[int, Requirement]]] = defaultdict(list)
        for requirement in spec.requirements:
            self._by_domain[fold(domain_of(requirement, spec))].append(requirement)
            for title in (requirement.title, requirement.renamed_from):
                if title and requirement not in self._by_title[fold(title)]:
                    self._by_title[fold(title)].append(requirement)
            if requirement.source_id:
                self._by_source[_id_key(requirement.source_id)].append(requirement)
                if numbered := _NUMBERED.match(_id_key(requirement.source_id)):
                    self._by_prefix[numbered["prefix"]].append(
                        (int(numbered["number"]), requirement)
                    )

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
        return tuple(r.id for r in self._by_domain.get(fold(target), ()))

    def _one(self, user: Requirement, bearers: list[Requirement]) -> tuple[RequirementId, ...]:
        for near in self._scopes(user, bearers):
            ids = {r.id for r in near}
            if len(ids) == 1:
                return tuple(ids)
            if ids:
                return ()
        return ()

    def _scopes(
        self, user: Requirement, bearers: list[Requirement]
    ) -> tuple[list[Requirement], ...]:
        domain = domain_of(user, self._spec)
        same_file = [r for r in bearers if r.path == user.path]
        same_domain = [r for r in bearers if domain_of(r, self._spec) == domain]
        return ([r for r in same_file if r in same_domain], same_file, same_domain, bearers)

    def _range(self, user: Requirement, target: str) -> tuple[RequirementId, ...]:
        span = _RANGE.match(target)
        if not span or span["again"] not in ("", span["prefix"]):
            return ()
        low, high = int(span["low"]), int(span["high"])
        inside = [r for n, r in self._by_prefix.get(span["prefix"], ()) if low <= n <= high]
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
