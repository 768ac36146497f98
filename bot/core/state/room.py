"""Whether there is room for more work: agents at once, judgements side by side, a sound main."""

from bot.core.journal.effects import BuildCandidate
from bot.core.journal.state import ChangeFacts, RepositoryState
from bot.core.values.ids import ChangeId
from bot.core.values.lifecycle import WITH_AGENT, ChangeState

# So many changes are judged at once: one of them lands, and the others are judged again on its main.
JUDGED_TOGETHER = 2


def with_agents(state: RepositoryState) -> tuple[ChangeFacts, ...]:
    """The changes that an agent may be at work on."""
    return tuple(c for c in state.changes.values() if c.state in WITH_AGENT)


def judged_beside(state: RepositoryState, change: ChangeFacts) -> tuple[ChangeId, ...]:
    """The other changes that are being judged, or built for it."""
    built = {e.change for e in state.open_effects.values() if isinstance(e, BuildCandidate)}
    judged = {c.id for c in state.changes.values() if c.state is ChangeState.JUDGING}
    return tuple(sorted((built | judged) - {change.id}))


def is_main_unfit(state: RepositoryState) -> bool:
    """Whether work would start from a main that fails its gates, or that nobody ever judged."""
    under = state.adoption_under(state.main) if state.main else None
    return state.frozen is not None or (
        under is not None and under.is_first and under.green is None
    )
