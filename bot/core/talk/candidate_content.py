"""What is merged in a candidate, and what its spec run adds: the archived delta, the register of ids.

All of it follows from the ground that the candidate stands on, which is main or, for one that is built
on another candidate, what main will be.

A candidate folds only operations of its own change that no earlier change has folded. The last
change to land moves the delta folder, under the date of the approval; nobody does while an edit of
the folder waits or a plan for the rest of it is made. The register is part of the next candidate
and is never pushed alone.
"""

from bot.core.journal.candidate_facts import Step
from bot.core.journal.effects import ArchiveOrder
from bot.core.journal.ground import Ground
from bot.core.journal.state import ChangeFacts, RepositoryState, SpecRun
from bot.core.spec.identity.register import Entry, digest_of_entries, of_spec
from bot.core.state.artefacts import artefact_paths
from bot.core.state.refusing_rules import needs_signatures
from bot.core.talk.commit import author_of, candidate_message
from bot.core.values.spec_model import Spec


def step_for(
    state: RepositoryState, ground: Ground, run: SpecRun, change: ChangeFacts, spec: Spec
) -> Step | None:
    """The change as a member of a candidate on this ground; None where it has no work."""
    if change.head is None:
        return None
    # What GitHub signs has the App as its author.
    author = "" if needs_signatures(state) else author_of(change)
    return Step(
        entry=change.entry,
        head=change.head.sha,
        message=candidate_message(run, change, author),
        author=author,
        archive=archive_order(state, ground, run, change, spec),
        register=_register_entries(state, ground, run),
    )


def archive_order(
    state: RepositoryState, ground: Ground, run: SpecRun, change: ChangeFacts, spec: Spec
) -> ArchiveOrder | None:
    """What is folded together with a change; None if the spec is not a delta folder."""
    if not run.is_delta or run.archive_date is None:
        return None
    # What an earlier change has folded is on main, and may have been edited there since.
    wanted = {
        r.id
        for r in spec.requirements
        if r.id in change.planned.requirements and ground.covered.get(r.id) != r.text_hash
    }
    names = [r.title for r in spec.requirements if r.id in wanted]
    names += [r.renamed_from for r in spec.requirements if r.id in wanted and r.renamed_from]
    version = finished_version(state, ground, run, change)
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


def finished_version(
    state: RepositoryState, ground: Ground, run: SpecRun, change: ChangeFacts
) -> str:
    """The version of the delta folder that a change's landing archives; empty if it is not the last.

    A folder with a newer text on main is not archived by it either: the shell compares the two.
    """
    if not run.is_delta or run.proposed_edit is not None or run.replanning is not None:
        return ""
    others = [c for c in state.changes_of(run.id) if c.id != change.id]
    if not all(c.id in ground.landed or state.is_replaced(c) for c in others):
        return ""
    return state.spec_versions.get(run.path, "")


def _register_entries(state: RepositoryState, ground: Ground, run: SpecRun) -> tuple[Entry, ...]:
    """The entries of a run's spec; empty if the register there already has exactly these."""
    entries = of_spec(state.register_now, run.key)
    is_filed = ground.filed.get(run.key) == digest_of_entries(entries)
    return () if is_filed else entries
