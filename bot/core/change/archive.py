"""What of a spec run's own material goes into a candidate: the archive content of its delta folder.

The rule: a candidate folds only the operations of its change, and only those that no earlier change
has folded; the last landing moves the folder, under the date recorded at approval.
"""

from bot.core.draft import Draft
from bot.core.journal.effects import ArchiveOrder
from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.spec.model import Spec


def archive_order(
    draft: Draft, run: SpecRun, change: ChangeFacts, spec: Spec
) -> ArchiveOrder | None:
    """What is folded with a change; None where the spec is no delta folder."""
    if not run.path.startswith("openspec/changes/") or run.archive_date is None:
        return None
    # What an earlier change has folded already is on main, and may have been edited there since.
    wanted = {
        r.id
        for r in spec.requirements
        if r.id in change.planned.requirements and draft.state.covered.get(r.id) != r.text_hash
    }
    names = [r.title for r in spec.requirements if r.id in wanted]
    names += [r.renamed_from for r in spec.requirements if r.id in wanted and r.renamed_from]
    others = [c for c in draft.state.changes_of(run.id) if c.id != change.id]
    return ArchiveOrder(
        folder=run.path,
        name=run.path.rstrip("/").rpartition("/")[2],
        owned=tuple(names),
        archive_date=run.archive_date,
        finishes=all(c.landed is not None or draft.state.is_replaced(c) for c in others),
    )
