"""What a spec run adds to a candidate: the archived delta and the register of requirement ids.

A candidate folds only operations of its own change that no earlier change has folded. The last
change to land moves the delta folder, under the date of the approval. The register is part of the
next candidate and is never pushed alone.
"""

from bot.core.decide.decision import Decision
from bot.core.journal.effects import ArchiveOrder
from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.spec.identity.register import Entry, digest_of_entries, of_spec
from bot.core.values.spec_model import Spec


def archive_order(
    decision: Decision, run: SpecRun, change: ChangeFacts, spec: Spec
) -> ArchiveOrder | None:
    """What is folded together with a change; None if the spec is not a delta folder."""
    if not run.is_delta or run.archive_date is None:
        return None
    # What an earlier change has folded is on main, and may have been edited there since.
    wanted = {
        r.id
        for r in spec.requirements
        if r.id in change.planned.requirements and decision.state.covered.get(r.id) != r.text_hash
    }
    names = [r.title for r in spec.requirements if r.id in wanted]
    names += [r.renamed_from for r in spec.requirements if r.id in wanted and r.renamed_from]
    others = [c for c in decision.state.changes_of(run.id) if c.id != change.id]
    return ArchiveOrder(
        folder=run.path,
        name=run.path.rstrip("/").rpartition("/")[2],
        owned=tuple(names),
        archive_date=run.archive_date,
        bases={**run.bases, **change.accepted_blocks},
        finishes=all(c.landed is not None or decision.state.is_replaced(c) for c in others),
    )


def register_entries(decision: Decision, run: SpecRun) -> tuple[Entry, ...]:
    """The entries of a run's spec; empty if main's register already has exactly these."""
    entries = of_spec(decision.state.register_now, run.key)
    is_filed = decision.state.register_filed.get(run.key) == digest_of_entries(entries)
    return () if is_filed else entries
