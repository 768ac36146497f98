"""What gates are told of a change's requirements: how tests may name them, and what becomes of them."""

from bot.core.journal.state import ChangeFacts, RepositoryState
from bot.core.values.spec_model import Operation, Requirement, Spec
from gates.asked import Asked, AskedRequirement


def asked_requirements(
    state: RepositoryState, spec: Spec | None, change: ChangeFacts
) -> tuple[AskedRequirement, ...]:
    """In the spec's order; without a spec there are none, and no test may go."""
    wanted = set(change.planned.requirements)
    return tuple(
        AskedRequirement(
            id=r.id,
            names=names_of(r),
            asked=_asked(state, r),
            scenarios=tuple(s.name for s in r.scenarios),
        )
        for r in (spec.requirements if spec else ())
        if r.id in wanted
    )


def names_of(requirement: Requirement) -> tuple[str, ...]:
    """The ways in which a test may name it."""
    said = (requirement.id.partition("#")[2], requirement.source_id)
    return tuple(dict.fromkeys(name for name in said if name))


def _asked(state: RepositoryState, requirement: Requirement) -> Asked:
    match requirement.operation:
        case Operation.REMOVED:
            return Asked.REMOVED
        case Operation.MODIFIED:
            return Asked.MODIFIED
        case Operation.RENAMED:
            return Asked.KEPT
        case Operation.ADDED | None:
            landed = state.covered.get(requirement.id)
            if landed is None:
                return Asked.ADDED
            return Asked.KEPT if landed == requirement.text_hash else Asked.MODIFIED
