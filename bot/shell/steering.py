"""Reads what a candidate changes of the files that steer how it is judged, and which gates it touches."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from bot.core.journal.effects import BuildCandidate, BuildPull
from bot.core.spec.roots import paths_under
from bot.core.spec.steering.find import (
    Change,
    configurations,
    import_roots,
    named_by_configuration,
    named_by_lines,
    named_next,
    starters,
    steering,
    with_parts,
)
from bot.core.spec.steering.tree_links import Links
from bot.core.values.ids import Sha
from bot.core.values.repository import RepositoryFacts
from bot.core.values.steering import Steering
from bot.shell.process_ports import Ports

# A script that starts a script that starts …; deeper is not followed.
_DEPTH_MAX = 6


class Repository(Protocol):
    def changed_paths(self, old: Sha, new: Sha) -> tuple[str, ...]: ...

    def blobs(self, tree: Sha, prefixes: tuple[str, ...]) -> Mapping[str, Sha]: ...

    def links(self, tree: Sha) -> Mapping[str, str]: ...

    def files(self, tree: Sha, prefixes: tuple[str, ...]) -> Mapping[str, bytes]: ...


@dataclass(frozen=True)
class _Mirrored:
    ports: Ports
    facts: RepositoryFacts

    def changed_paths(self, old: Sha, new: Sha) -> tuple[str, ...]:
        return self.ports.git.changed_paths(self.facts, old, new)

    def blobs(self, tree: Sha, prefixes: tuple[str, ...]) -> Mapping[str, Sha]:
        return self.ports.git.blobs(self.facts, tree, prefixes)

    def links(self, tree: Sha) -> Mapping[str, str]:
        return self.ports.git.links(self.facts, tree)

    def files(self, tree: Sha, prefixes: tuple[str, ...]) -> Mapping[str, bytes]:
        return self.ports.git.files(self.facts, tree, prefixes)


@dataclass(frozen=True)
class Judged:
    """Two commits, and the lines by which the second is judged. `own_paths` are what we wrote into it ourselves."""

    base: Sha
    candidate: Sha
    head: str
    gate_lines: tuple[str, ...]
    setup_lines: tuple[str, ...]
    own_paths: tuple[str, ...] = ()


def steering_of(
    ports: Ports,
    facts: RepositoryFacts,
    effect: BuildCandidate | BuildPull,
    candidate: Sha,
    own_paths: tuple[str, ...],
) -> Steering:
    lines = effect.gate_lines, effect.setup_lines
    judged = Judged(effect.base, candidate, effect.head, *lines, own_paths)
    return steering_between(_Mirrored(ports, facts), judged)


def steering_between(repository: Repository, judged: Judged) -> Steering:
    base, candidate = judged.base, judged.candidate
    changed = repository.changed_paths(base, candidate)
    change = Change(
        base=repository.blobs(base, ("",)),
        candidate=repository.blobs(candidate, ("",)),
        changed=tuple(path for path in changed if path not in judged.own_paths),
        links=repository.links(base),
    )
    if not change.changed:
        return Steering()
    shared = with_parts(change)
    before = repository.files(base, shared) if shared else {}
    after = repository.files(candidate, shared) if shared else {}
    links = Links.of(frozenset(change.base), change.links)
    settings = configurations(change.base)
    said = repository.files(base, settings) if settings else {}
    of_gates = named_by_lines(judged.gate_lines, links) | named_by_configuration(said, links)
    of_setup = named_by_lines(judged.setup_lines, links)
    return steering(
        change,
        _followed(repository, base, of_gates, links),
        _followed(repository, base, of_setup, links) if judged.setup_lines else None,
        {path: (before.get(path), after.get(path)) for path in shared},
        judged.head,
        import_roots(judged.gate_lines, said),
    )


def gates_beside(
    ports: Ports, facts: RepositoryFacts, effect: BuildCandidate, candidate: Sha
) -> tuple[str, ...]:
    """The gates that are about paths of which the candidate touches none."""
    touched = _touching(ports, facts, effect, candidate, effect.when)
    return tuple(gate for gate in effect.when if gate not in touched)


def gates_raised(
    ports: Ports, facts: RepositoryFacts, effect: BuildCandidate, candidate: Sha
) -> tuple[str, ...]:
    return _touching(ports, facts, effect, candidate, effect.required_for)


def _touching(
    ports: Ports,
    facts: RepositoryFacts,
    effect: BuildCandidate,
    candidate: Sha,
    gates: Mapping[str, tuple[str, ...]],
) -> tuple[str, ...]:
    """The gates of whose paths the candidate touches one."""
    changed = ports.git.changed_paths(facts, effect.base, candidate) if gates else ()
    return tuple(gate for gate, paths in gates.items() if paths_under(changed, paths))


def _followed(
    repository: Repository, base: Sha, named: frozenset[str], links: Links
) -> frozenset[str]:
    """What is named on base, and what that names in turn."""
    texts = repository.files(base, (*sorted(named), *starters(links.paths)))
    for _ in range(_DEPTH_MAX):
        new = named_next(texts, named, links)
        if not new:
            break
        named |= frozenset(new)
        texts = repository.files(base, new)
    return named
