"""Reads what a candidate changes of the files that steer how it is judged, and which gates it touches."""

from collections.abc import Mapping

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


def steering_of(
    ports: Ports,
    facts: RepositoryFacts,
    effect: BuildCandidate | BuildPull,
    candidate: Sha,
    own_paths: tuple[str, ...],
) -> Steering:
    """`own_paths` are what we wrote into the candidate ourselves."""
    changed = ports.git.changed_paths(facts, effect.base, candidate)
    change = Change(
        base=ports.git.blobs(facts, effect.base, ("",)),
        candidate=ports.git.blobs(facts, candidate, ("",)),
        changed=tuple(path for path in changed if path not in own_paths),
        links=ports.git.links(facts, effect.base),
    )
    if not change.changed:
        return Steering()
    shared = with_parts(change)
    before = ports.git.files(facts, effect.base, shared) if shared else {}
    after = ports.git.files(facts, candidate, shared) if shared else {}
    links = Links.of(frozenset(change.base), change.links)
    settings = configurations(change.base)
    said = ports.git.files(facts, effect.base, settings) if settings else {}
    of_gates = named_by_lines(effect.gate_lines, links) | named_by_configuration(said, links)
    of_setup = named_by_lines(effect.setup_lines, links)
    return steering(
        change,
        _followed(ports, facts, effect.base, of_gates, links),
        _followed(ports, facts, effect.base, of_setup, links) if effect.setup_lines else None,
        {path: (before.get(path), after.get(path)) for path in shared},
        effect.head,
        import_roots(effect.gate_lines, said),
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
    """The gates that are required for what the candidate touches."""
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
    ports: Ports, facts: RepositoryFacts, base: Sha, named: frozenset[str], links: Links
) -> frozenset[str]:
    """What is named on base, and what that names in turn."""
    texts = ports.git.files(facts, base, (*sorted(named), *starters(links.paths)))
    for _ in range(_DEPTH_MAX):
        new = named_next(texts, named, links)
        if not new:
            break
        named |= frozenset(new)
        texts = ports.git.files(facts, base, new)
    return named
