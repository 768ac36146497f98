"""Reads what a candidate changes of the files that steer how it is judged, and which gates it touches."""

from bot.core.journal.effects import BuildCandidate, BuildPull
from bot.core.spec.roots import paths_under
from bot.core.spec.steering.find import Change, named_next, starters, steering, with_parts
from bot.core.spec.steering.named_files import named_files
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
    )
    if not change.changed:
        return Steering()
    shared = with_parts(change)
    before = ports.git.files(facts, effect.base, shared) if shared else {}
    after = ports.git.files(facts, candidate, shared) if shared else {}
    of_setup = _named(ports, facts, effect.base, change, effect.setup_lines)
    return steering(
        change,
        _named(ports, facts, effect.base, change, effect.gate_lines),
        of_setup if effect.setup_lines else None,
        {path: (before.get(path), after.get(path)) for path in shared},
        effect.head,
    )


def gates_beside(
    ports: Ports, facts: RepositoryFacts, effect: BuildCandidate, candidate: Sha
) -> tuple[str, ...]:
    """The gates that are about paths of which the candidate touches none."""
    if not effect.when:
        return ()
    changed = ports.git.changed_paths(facts, effect.base, candidate)
    return tuple(gate for gate, paths in effect.when.items() if not paths_under(changed, paths))


def _named(
    ports: Ports, facts: RepositoryFacts, base: Sha, change: Change, lines: tuple[str, ...]
) -> frozenset[str]:
    """What the lines name on base, and what that names in turn."""
    if not lines:
        return frozenset()
    paths = frozenset(change.base)
    named = named_files(lines, paths)
    texts = ports.git.files(facts, base, (*named, *starters(paths)))
    for _ in range(_DEPTH_MAX):
        new = named_next(texts, named, paths)
        if not new:
            break
        named |= frozenset(new)
        texts = ports.git.files(facts, base, new)
    return named
