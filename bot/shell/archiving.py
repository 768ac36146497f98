"""The archive content of a candidate: a delta folder's operations folded into the main specs; ids.

The rules are pure (`bot.core.spec.delta`); here the files are read from the merged tree and the
edits handed back. All files or none. The last landing also moves the folder into the archive.
"""

from collections.abc import Mapping

from bot.core.ids import Frozen, Sha
from bot.core.journal.effects import ArchiveOrder
from bot.core.repository import RepositoryFacts
from bot.core.spec.delta import Refused, archived_name, fold
from bot.core.spec.register import REGISTER_PATH, Entry, filed
from bot.core.spec.stale import base_hashes, stale_blocks
from bot.core.talk.archive_text import HOW_TO_FOLD_IT_ALL_THE_SAME, said_of
from bot.shell.bench import Bench

# Part of what a candidate is built from (law 9): raise it when the archive rules change.
ARCHIVER_VERSION = 2

_MAIN_SPECS = "openspec/specs/"
DELTA_FOLDERS = "openspec/changes/"
_ARCHIVE = "openspec/changes/archive"


class ArchiveProblem(Frozen):
    """Why nothing was folded; `edited` are the blocks that were edited since the plan, if any."""

    sentence: str
    edited: dict[str, str] = {}


def archive_edits(
    bench: Bench, facts: RepositoryFacts, tree: Sha, order: ArchiveOrder
) -> Mapping[str, bytes | None] | ArchiveProblem:
    """The edits that fold an order's operations, and finish the folder where it is the last."""
    main = bench.git.files(facts, tree, (_MAIN_SPECS,))
    folder = bench.git.files(facts, tree, (f"{order.folder}/",))
    below = {path.removeprefix(f"{order.folder}/"): raw for path, raw in folder.items()}
    # Only this change's operations, also in the last landing: those of the others are on main
    # already, and folding them again would undo what somebody edited there since.
    folded = fold(_texts(main), _texts(below), order.name, frozenset(order.owned))
    if isinstance(folded, Refused):
        return ArchiveProblem(sentence=said_of(folded.reasons))
    stale = stale_blocks(_texts(main), _texts(below), frozenset(order.owned), order.bases)
    if stale:
        return ArchiveProblem(
            sentence=f"{said_of(tuple(s.refusal for s in stale))} {HOW_TO_FOLD_IT_ALL_THE_SAME}",
            edited={s.key: s.now for s in stale},
        )
    edits: dict[str, bytes | None] = {
        path: None if text is None else text.encode("utf-8", "surrogateescape")
        for path, text in folded.files.items()
    }
    if order.finishes:
        target = f"{_ARCHIVE}/{archived_name(order.name, order.archive_date)}"
        for path, raw in folder.items():
            edits[path] = None
            edits[f"{target}/{path.removeprefix(f'{order.folder}/')}"] = raw
    return edits


def bases_of(bench: Bench, facts: RepositoryFacts, commit: Sha, path: str) -> dict[str, str]:
    """What a delta folder replaces of the main specs at a commit; empty for any other spec."""
    if not path.startswith(DELTA_FOLDERS):
        return {}
    main = bench.git.files(facts, commit, (_MAIN_SPECS,))
    folder = bench.git.files(facts, commit, (f"{path}/",))
    below = {name.removeprefix(f"{path}/"): raw for name, raw in folder.items()}
    return base_hashes(_texts(main), _texts(below))


def register_edits(
    bench: Bench, facts: RepositoryFacts, tree: Sha, entries: tuple[Entry, ...]
) -> Mapping[str, bytes | None]:
    """The edit that brings entries into the register's file; none where they stand there."""
    if not entries:
        return {}
    before = bench.git.files(facts, tree, (REGISTER_PATH,)).get(REGISTER_PATH, b"")
    after = filed(before.decode("utf-8", "replace"), entries).encode()
    return {REGISTER_PATH: after} if after != before else {}


def _texts(files: Mapping[str, bytes]) -> dict[str, str]:
    return {
        path: raw.decode("utf-8", "surrogateescape")
        for path, raw in files.items()
        if path.endswith((".md", ".yaml"))
    }
