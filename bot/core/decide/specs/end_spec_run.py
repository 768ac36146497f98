"""The end of a spec run: when no change can continue and nothing is planned again."""

from bot.core.decide.decision import Decision
from bot.core.decide.specs.replan_uncovered import ReplanOutcome, replan
from bot.core.journal.effects import TakeOverPush
from bot.core.journal.events import SpecRunEnded
from bot.core.journal.state import ChangeFacts, SpecRunState
from bot.core.state.steps_by_hand import due_steps
from bot.core.state.waiting import held_back_by


def next_steps(decision: Decision) -> None:
    for run in tuple(decision.state.spec_runs.values()):
        if run.state is not SpecRunState.RUNNING:
            continue
        is_at_rest = all(_is_settled(decision, c) for c in decision.state.changes_of(run.id))
        # A person still has to decide about a revision that waits for approval.
        if is_at_rest and run.proposed_edit is None and replan(decision, run) is ReplanOutcome.OVER:
            decision.emit(SpecRunEnded(spec_run=run.id, ended_at=decision.now))


def _is_settled(decision: Decision, change: ChangeFacts) -> bool:
    """Whether the change ended, was replaced, or waits for one that did not land.

    What a person pushed to the branch of a failed change is looked at first, and what people do by hand
    after a landing is waited for.
    """
    effects = decision.state.open_effects.values()
    if any(isinstance(e, TakeOverPush) and e.change == change.id for e in effects):
        return False
    if due_steps(change):
        return False
    is_over = change.is_ended or decision.state.is_replaced(change)
    return is_over or bool(held_back_by(decision.state, change))
