"""Whether there is room for more work: agents at once, one judgement at a time, a sound main."""

from bot.core.journal.effects import BuildCandidate
from bot.core.journal.state import ChangeFacts, RepositoryState
from bot.core.state.candidates import is_being_judged, waits_for_people
from bot.core.values.ids import ChangeId
from bot.core.values.lifecycle import WITH_AGENT


def with_agents(state: RepositoryState) -> tuple[ChangeFacts, ...]:
    """The changes that an agent may be at work on."""
    return tuple(c for c in state.changes.values() if c.state in WITH_AGENT)


def judged_beside(state: RepositoryState, change: ChangeFacts) -> tuple[ChangeId, ...]:
    """The other changes that are being judged, or built for it, and may land before this one.

    What is judged beside them is judged again on their main. One that was red once, or that waits for people,
    holds up nobody.
    """
    built = {e.change for e in state.open_effects.values() if isinstance(e, BuildCandidate)}
    judging = (c for c in state.changes.values() if is_being_judged(state, c))
    judged = {c.id for c in judging if not _holds_up_nobody(state, c)}
    return tuple(sorted((built | judged) - {change.id}))


def _holds_up_nobody(state: RepositoryState, change: ChangeFacts) -> bool:
    candidate = state.candidate_of(change)
    return candidate is not None and (bool(candidate.doubts) or waits_for_people(state, change))


def is_main_unfit(state: RepositoryState) -> bool:
    """Whether work would start from a main that fails its gates, or was never judged."""
    under = state.adoption_under(state.main) if state.main else None
    return state.frozen is not None or (
        under is not None and under.is_first and under.green is None
    )
