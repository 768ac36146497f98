"""The archive content of a candidate: a delta folder's operations folded into the main specs; ids.

The rules are pure (`bot.core.spec.archive.delta`); here the files are read from the merged tree and the
edits handed back. All files or none. A change's own files go into the archive with it; the last landing
also moves the folder there.
"""

from collections.abc import Mapping

from bot.core.decide.specs.plan_new_spec import version_of
from bot.core.journal.effects import ArchiveOrder
from bot.core.spec.archive.delta import archive_folder
from bot.core.spec.archive.folding import DeltaConflict, DeltaSnapshot, Share, folded, texts_of
from bot.core.spec.archive.stale import base_hashes
from bot.core.spec.identity.register import REGISTER_FILE, REGISTER_FOLDER, Entry, filed
from bot.core.values.ids import Sha
from bot.core.values.repository import RepositoryFacts
from bot.ports import Git
from bot.shell.process_ports import Ports

# Part of what a candidate is built from (law 9): raise it when the archive rules change.
ARCHIVER_VERSION = 6

_MAIN_SPECS = "openspec/specs/"
DELTA_FOLDERS = "openspec/changes/"


def as_it_is_now(git: Git, facts: RepositoryFacts, tree: Sha, order: ArchiveOrder) -> ArchiveOrder:
    """The order, without the move into the archive where the folder was edited meanwhile."""
    if not order.finishes:
        return order
    blobs = git.blobs(facts, tree, (f"{order.folder}/",))
    version = version_of({p: blob for p, blob in blobs.items() if p not in order.artefacts})
    return order.replace(finishes=version == order.version)


def archive_edits(
    git: Git, facts: RepositoryFacts, tree: Sha, order: ArchiveOrder
) -> Mapping[str, bytes | None] | DeltaConflict:
    """The edits that fold an order's operations, and finish the folder where it is the last."""
    main = git.files(facts, tree, (_MAIN_SPECS,))
    found = git.files(facts, tree, (f"{order.folder}/",))
    artefacts = {path: found[path] for path in order.artefacts if path in found}
    folder = {path: raw for path, raw in found.items() if path not in artefacts}
    # Only this change's operations, also in the last landing: those of the others are on main
    # already, and folding them again would undo what somebody edited there since.
    share = Share(name=order.name, owned=order.owned, bases=order.bases)
    outcome = folded(texts_of(main), _below(folder, order.folder), share)
    if isinstance(outcome, DeltaConflict):
        return outcome
    edits: dict[str, bytes | None] = {
        path: None if text is None else text.encode("utf-8", "surrogateescape")
        for path, text in outcome.files.items()
    }
    target = archive_folder(order.name, order.archive_date)
    for path, raw in (artefacts | (folder if order.finishes else {})).items():
        edits[path] = None
        edits[f"{target}/{path.removeprefix(f'{order.folder}/')}"] = raw
    return edits


def bases_of(ports: Ports, facts: RepositoryFacts, commit: Sha, path: str) -> dict[str, str]:
    """What a delta folder replaces of the main specs at a commit; empty for any other spec."""
    if not path.startswith(DELTA_FOLDERS):
        return {}
    snapshot = delta_snapshot(ports, facts, commit, path)
    return base_hashes(snapshot.main, snapshot.delta)


def delta_snapshot(ports: Ports, facts: RepositoryFacts, commit: Sha, path: str) -> DeltaSnapshot:
    main = ports.git.files(facts, commit, (_MAIN_SPECS,))
    folder = ports.git.files(facts, commit, (f"{path}/",))
    return DeltaSnapshot(commit=commit, main=texts_of(main), delta=_below(folder, path))


def register_edits(
    git: Git, facts: RepositoryFacts, tree: Sha, entries: tuple[Entry, ...]
) -> Mapping[str, bytes | None]:
    """The edits that bring entries into the register; none if it has them already."""
    if not entries:
        return {}
    there = git.files(facts, tree, (f"{REGISTER_FOLDER}/", REGISTER_FILE))
    files = {path: raw.decode("utf-8", "replace") for path, raw in there.items()}
    return {
        path: None if text is None else text.encode()
        for path, text in filed(files, entries).items()
    }


def _below(files: Mapping[str, bytes], folder: str) -> dict[str, str]:
    return texts_of({path.removeprefix(f"{folder}/"): raw for path, raw in files.items()})
