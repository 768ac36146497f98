"""What a candidate's content depends on besides its base's tree: covered, landed and filed so far.

On main it is what the state says. On a candidate that has not landed it is that, and what those below
it carry: landing one does to the state exactly what `after` does to the ground.
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass

from bot.core.journal.candidate_facts import Carried
from bot.core.journal.state import ChangeFacts, RepositoryState
from bot.core.spec.identity.register import Entry, digest_of_entries
from bot.core.values.ids import ChangeId
from bot.core.values.replacement import replace


@dataclass(frozen=True, kw_only=True, slots=True)
class Ground:
    """The hash of each covered requirement's text, the landed changes, and each run's filed entries."""

    covered: Mapping[str, str]
    landed: Set[ChangeId]
    filed: Mapping[str, str]


def ground_of(state: RepositoryState) -> Ground:
    return Ground(
        covered=state.covered,
        landed={c.id for c in state.changes.values() if c.landed is not None},
        filed=state.register_filed,
    )


def after(ground: Ground, carried: Carried) -> Ground:
    return Ground(
        covered={**ground.covered, **carried.covers},
        landed={*ground.landed, *carried.lands},
        filed={**ground.filed, **carried.files},
    )


def with_carried(state: RepositoryState, carried: Carried) -> RepositoryState:
    """The state once this is on main: what `after` does to the ground."""
    return replace(
        state,
        covered={**state.covered, **carried.covers},
        register_filed={**state.register_filed, **carried.files},
    )


def carried_by(state: RepositoryState, change: ChangeFacts, register: tuple[Entry, ...]) -> Carried:
    """What a candidate of this change brings, with these entries in the register."""
    run = state.spec_runs[change.spec_run]
    filed = digest_of_entries(register)
    return Carried(
        covers={r: run.requirements.get(r, "") for r in change.planned.requirements},
        lands=(change.id,),
        files={run.key: filed} if filed else {},
    )
