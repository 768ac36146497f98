"""The archive content of a candidate: a delta folder's operations folded into the main specs.

The rules are pure (`bot.core.spec.delta`); here the files are read from the merged tree and the
edits handed back. All files or none. The last landing also moves the folder into the archive.
"""

from collections.abc import Mapping

from bot.core.ids import Frozen, Sha
from bot.core.journal.effects import ArchiveOrder
from bot.core.repository import RepositoryFacts
from bot.core.spec.delta import Refused, archived_name, fold
from bot.shell.bench import Bench

# Part of what a candidate is built from (law 9): raise it when the archive rules change.
ARCHIVER_VERSION = 2

_MAIN_SPECS = "openspec/specs/"
_ARCHIVE = "openspec/changes/archive"


class ArchiveProblem(Frozen):
    """Why nothing was folded."""

    sentence: str


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
        first = folded.reasons[0]
        return ArchiveProblem(
            sentence=f"{first.path}:{first.line} {first.sentence} {first.proposal}".strip()
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


def _texts(files: Mapping[str, bytes]) -> dict[str, str]:
    return {
        path: raw.decode("utf-8", "surrogateescape")
        for path, raw in files.items()
        if path.endswith((".md", ".yaml"))
    }
