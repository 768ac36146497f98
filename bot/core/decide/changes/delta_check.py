"""Whether the spec of a change still fits main, asked whenever main has moved.

Main specs move under a delta: another spec run's archive folds something in, or a person edits
them. A change that could not be folded any more is not given to an agent; while an agent is at work
on it, people are told what repairs it, and the work goes on and is kept.

The rule: a refusal here is the refusal that the change's candidate would meet. Deliberately absent:
looking at main, and what becomes of a refused change (`steps`).
"""

from bot.core.decide.changes.candidate_content import archive_order
from bot.core.decide.decision import Decision
from bot.core.journal.events import ArchiveRefused, DeltaCompared
from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.spec.archive.folding import DeltaConflict, Share, folded
from bot.core.talk.archive_text import delta_conflict_text
from bot.core.values.lifecycle import WITH_AGENT, ChangeState

_AT_WORK = {*WITH_AGENT, ChangeState.IMPORTING}


def check_main_specs(decision: Decision, run: SpecRun) -> None:
    """Note which of the changes that agents work on main has moved away from, and which fit again."""
    for change in decision.state.changes_of(run.id):
        if change.state not in _AT_WORK or run.id not in decision.observed.deltas:
            continue
        found = delta_conflict(decision, run, change)
        sentence = delta_conflict_text(found) if found else ""
        main = decision.state.main
        if sentence != change.delta_conflict and main is not None:
            decision.emit(DeltaCompared(change=change.id, base=main, sentence=sentence))


def is_refused(decision: Decision, run: SpecRun, change: ChangeFacts) -> bool:
    """Whether main refuses the change's delta before an agent is ordered for it; then it is said."""
    found = delta_conflict(decision, run, change)
    main = decision.state.main
    if found is None or main is None:
        return False
    decision.emit(
        ArchiveRefused(
            change=change.id, base=main, sentence=delta_conflict_text(found), edited=found.edited
        )
    )
    return True


def delta_conflict(decision: Decision, run: SpecRun, change: ChangeFacts) -> DeltaConflict | None:
    """Why the change's delta does not fit main; None where it does, or where nobody has looked."""
    snapshot, spec = decision.observed.deltas.get(run.id), decision.spec_of(run)
    if snapshot is None or spec is None or snapshot.commit != decision.state.main:
        return None
    order = archive_order(decision, run, change, spec)
    if order is None:
        return None
    share = Share(name=order.name, owned=order.owned, bases=order.bases)
    outcome = folded(snapshot.main, snapshot.delta, share)
    return outcome if isinstance(outcome, DeltaConflict) else None
