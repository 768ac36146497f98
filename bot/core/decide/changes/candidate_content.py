"""What a spec run adds to a candidate: the archived delta and the register of requirement ids.

A candidate folds only operations of its own change that no earlier change has folded. The last
change to land moves the delta folder, under the date of the approval; nobody does while an edit of
the folder waits or a plan for the rest of it is made. The register is part of the next candidate
and is never pushed alone.
"""

from bot.core.decide.decision import Decision
from bot.core.journal.effects import ArchiveOrder
from bot.core.journal.state import ChangeFacts, RepositoryState, SpecRun
from bot.core.spec.identity.register import Entry, digest_of_entries, of_spec
from bot.core.state.artefacts import artefact_paths
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
    version = finished_version(decision.state, run, change)
    return ArchiveOrder(
        folder=run.path,
        name=run.path.rstrip("/").rpartition("/")[2],
        owned=tuple(names),
        archive_date=run.archive_date,
        bases={**run.bases, **change.accepted_blocks},
        finishes=bool(version),
        version=version,
        artefacts=artefact_paths(run, change),
    )


def finished_version(state: RepositoryState, run: SpecRun, change: ChangeFacts) -> str:
    """The version of the delta folder that a change's landing archives; empty if it is not the last.

    A folder with a newer text on main is not archived by it either: the shell compares the two.
    """
    if not run.is_delta or run.amendment is not None or run.replanning is not None:
        return ""
    others = [c for c in state.changes_of(run.id) if c.id != change.id]
    if not all(c.landed is not None or state.is_replaced(c) for c in others):
        return ""
    return state.spec_versions.get(run.path, "")


def register_entries(decision: Decision, run: SpecRun) -> tuple[Entry, ...]:
    """The entries of a run's spec; empty if main's register already has exactly these."""
    entries = of_spec(decision.state.register_now, run.key)
    is_filed = decision.state.register_filed.get(run.key) == digest_of_entries(entries)
    return () if is_filed else entries
