"""Evolve: one event onto a state. Total: any event on any state gives a state.

Facts only: nothing is decided here, and an event that no longer fits (late, doubled) changes
nothing. Each entity has a table of its own beside this file that says which events it folds, and
changes, spec runs, orders and dialogues move by the tables in `transitions` alone. No fold walks a map
of the state; a copy of one is cheap, as each is of bounded size (docs/state_bounds.md).
"""

from collections.abc import Iterable, Mapping

from bot.core.journal import events as ev
from bot.core.journal.branches import branch_of_event, on
from bot.core.journal.evolve_access import ACCESS_FOLDS
from bot.core.journal.evolve_candidate import CANDIDATE_FOLDS
from bot.core.journal.evolve_change import CHANGE_FOLDS
from bot.core.journal.evolve_dialogue import DIALOGUE_FOLDS
from bot.core.journal.evolve_effects import EFFECT_FOLDS
from bot.core.journal.evolve_evidence import EVIDENCE_FOLDS
from bot.core.journal.evolve_freezes import FREEZE_FOLDS
from bot.core.journal.evolve_incidents import INCIDENT_FOLDS
from bot.core.journal.evolve_main import MAIN_FOLDS
from bot.core.journal.evolve_model_advice import ADVICE_FOLDS
from bot.core.journal.evolve_orders import ORDER_FOLDS
from bot.core.journal.evolve_pauses import PAUSE_FOLDS
from bot.core.journal.evolve_people import PEOPLE_FOLDS
from bot.core.journal.evolve_pull_queue import PULL_QUEUE_FOLDS
from bot.core.journal.evolve_questions import QUESTION_FOLDS
from bot.core.journal.evolve_queue_issue import QUEUE_ISSUE_FOLDS
from bot.core.journal.evolve_runs import RUN_FOLDS
from bot.core.journal.evolve_smoke import SMOKE_FOLDS
from bot.core.journal.evolve_specs import SPEC_FOLDS
from bot.core.journal.fold_table import Fold, Folds
from bot.core.journal.state import RepositoryState
from bot.core.values.ids import Frozen
from bot.core.values.replacement import replace

# In the order in which they fold an event that several know.
ENTITIES: Mapping[str, Folds] = {
    # Before what moves by a report, since it must not be stale.
    "evidence": EVIDENCE_FOLDS,
    "repository": ACCESS_FOLDS,
    "main": MAIN_FOLDS,
    # Before its order, which must not have ended.
    "smoke": SMOKE_FOLDS,
    "spec": SPEC_FOLDS,
    "spec run": RUN_FOLDS,
    "question": QUESTION_FOLDS,
    "dialogue": DIALOGUE_FOLDS,
    "model advice": ADVICE_FOLDS,
    "people": PEOPLE_FOLDS,
    "pause": PAUSE_FOLDS,
    "freeze": FREEZE_FOLDS,
    "order": ORDER_FOLDS,
    "effect": EFFECT_FOLDS,
    # Before its change and its pull, since these must not have moved.
    "candidate": CANDIDATE_FOLDS,
    "pull queue": PULL_QUEUE_FOLDS,
    "queue issue": QUEUE_ISSUE_FOLDS,
    "incident": INCIDENT_FOLDS,
    "change": CHANGE_FOLDS,
}

# Events that change no state, and why they are written down.
HISTORY_ONLY: Mapping[type[Frozen], str] = {
    ev.LateReportKept: "for a person who looks for the report of an order that was given up",
}


def _by_class() -> Mapping[type[Frozen], tuple[Fold, ...]]:
    found: dict[type[Frozen], tuple[Fold, ...]] = {}
    for table in ENTITIES.values():
        for event, fold_one in table.items():
            found[event] = (*found.get(event, ()), fold_one)
    return found


_FOLDS = _by_class()


def fold(events: Iterable[ev.Event], state: RepositoryState | None = None) -> RepositoryState:
    """The state after all events, beginning from `state` or from nothing."""
    result = state or RepositoryState()
    for event in events:
        result = evolve(result, event)
    return result


def evolve(state: RepositoryState, event: ev.Event) -> RepositoryState:
    branch = branch_of_event(state, event)
    after = state if branch is None else on(state, branch)
    for fold_one in _FOLDS.get(type(event), ()):
        after = fold_one(after, event)
    return replace(on(after, state.on_branch), events=state.events + 1)


def is_news(event: ev.Event, before: RepositoryState, after: RepositoryState) -> bool:
    """Whether an event moved the state, or is written for people alone."""
    return type(event) in HISTORY_ONLY or replace(after, events=before.events) != before
