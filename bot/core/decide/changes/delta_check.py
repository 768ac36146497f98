"""Whether the delta of a change still fits main, checked whenever main has moved.

Another spec run or a person may change the main specs. A change whose delta no longer fits is not
ordered from an agent; if an agent already works on it, people get a comment and the work continues.
The check here refuses exactly what building the candidate would refuse.
"""

from bot.core.decide.decision import Decision
from bot.core.journal.events import ArchiveRefused, DeltaCompared
from bot.core.journal.ground import ground_of
from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.spec.archive.folding import DeltaConflict, Share, folded
from bot.core.talk.archive_text import delta_conflict_text
from bot.core.talk.candidate_content import archive_order
from bot.core.values.lifecycle import WITH_AGENT, ChangeState

_AT_WORK = {*WITH_AGENT, ChangeState.IMPORTING}


def check_main_specs(decision: Decision, run: SpecRun) -> None:
    """Record which changes with an agent no longer fit main, and which fit again."""
    for change in decision.state.changes_of(run.id):
        if change.state not in _AT_WORK or run.id not in decision.observed.deltas:
            continue
        found = delta_conflict(decision, run, change)
        sentence = delta_conflict_text(found) if found else ""
        main = decision.state.main
        if sentence != change.delta_conflict and main is not None:
            decision.emit(DeltaCompared(change=change.id, base=main, sentence=sentence))


def refuse_if_conflicting(decision: Decision, run: SpecRun, change: ChangeFacts) -> bool:
    """Record a refusal if the change's delta does not fit main; True if so."""
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
    """Why the change's delta does not fit main; None if it fits or has not been checked yet."""
    snapshot, spec = decision.observed.deltas.get(run.id), decision.spec_of(run)
    if snapshot is None or spec is None or snapshot.commit != decision.state.main:
        return None
    order = archive_order(decision.state, ground_of(decision.state), run, change, spec)
    if order is None:
        return None
    share = Share(name=order.name, owned=order.owned, bases=order.bases)
    outcome = folded(snapshot.main, snapshot.delta, share)
    return outcome if isinstance(outcome, DeltaConflict) else None
