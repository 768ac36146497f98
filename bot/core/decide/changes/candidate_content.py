"""What a spec run itself puts into a candidate: the archive content of its delta folder, its register.

The rule: a candidate folds only the operations of its change, and only those that no earlier change
has folded; the last landing moves the folder, under the date recorded at approval. Ids travel with the next candidate and are never pushed on their own.
"""

from bot.core.decide.decision import Decision
from bot.core.journal.effects import ArchiveOrder
from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.spec.identity.register import Entry, digest_of_entries, of_spec
from bot.core.values.spec_model import Spec


def archive_order(
    decision: Decision, run: SpecRun, change: ChangeFacts, spec: Spec
) -> ArchiveOrder | None:
    """What is folded with a change; None where the spec is no delta folder."""
    if not run.is_delta or run.archive_date is None:
        return None
    # What an earlier change has folded already is on main, and may have been edited there since.
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
    """The entries of a run's spec that main's register does not hold yet."""
    entries = of_spec(decision.state.register_now, run.key)
    is_filed = decision.state.register_filed.get(run.key) == digest_of_entries(entries)
    return () if is_filed else entries
