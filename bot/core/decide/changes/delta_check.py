"""Whether the spec of a change still fits main, asked whenever main has moved.

Main specs move under a delta: another spec run's archive folds something in, or a person edits
them. A change that could not be folded any more is not given to an agent; while an agent is at work
on it, people are told what repairs it, and the work goes on and is kept.

The rule: a refusal here is the refusal that the change's candidate would meet. Deliberately absent:
looking at main, and what becomes of a refused change (`steps`).
"""

from bot.core.decide.changes.candidate_content import archive_order
from bot.core.decide.decision import Draft
from bot.core.journal.events import ArchiveRefused, DeltaCompared
from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.spec.archive.folding import Misfit, Share, folded
from bot.core.talk.archive_text import misfit_text
from bot.core.values.lifecycle import WITH_AGENT, ChangeState

_AT_WORK = {*WITH_AGENT, ChangeState.IMPORTING}


def heed_main_specs(draft: Draft, run: SpecRun) -> None:
    """Note which of the changes that agents work on main has moved away from, and which fit again."""
    for change in draft.state.changes_of(run.id):
        if change.state not in _AT_WORK or run.id not in draft.observed.deltas:
            continue
        found = misfit(draft, run, change)
        sentence = misfit_text(found) if found else ""
        main = draft.state.main
        if sentence != change.misfit and main is not None:
            draft.emit(DeltaCompared(change=change.id, base=main, sentence=sentence))


def is_refused(draft: Draft, run: SpecRun, change: ChangeFacts) -> bool:
    """Whether main refuses the change's delta before an agent is ordered for it; then it is said."""
    found = misfit(draft, run, change)
    main = draft.state.main
    if found is None or main is None:
        return False
    draft.emit(
        ArchiveRefused(
            change=change.id, base=main, sentence=misfit_text(found), edited=found.edited
        )
    )
    return True


def misfit(draft: Draft, run: SpecRun, change: ChangeFacts) -> Misfit | None:
    """Why the change's delta does not fit main; None where it does, or where nobody has looked."""
    sight, spec = draft.observed.deltas.get(run.id), draft.spec_of(run)
    if sight is None or spec is None or sight.commit != draft.state.main:
        return None
    order = archive_order(draft, run, change, spec)
    if order is None:
        return None
    share = Share(name=order.name, owned=order.owned, bases=order.bases)
    outcome = folded(sight.main, sight.delta, share)
    return outcome if isinstance(outcome, Misfit) else None
