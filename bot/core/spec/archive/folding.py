"""Whether a change's part of a delta folder can be folded into the current main specs.

This is checked when main moves, before an agent is paid for the change, and when its candidate is
built. One refusal refuses everything; all reasons are listed with their repairs.
"""

from collections.abc import Mapping

from bot.core.spec.archive.delta import Folded, Refused, fold, operation_names
from bot.core.spec.archive.main_rules import Refusal
from bot.core.spec.archive.stale import stale_blocks
from bot.core.values.ids import Frozen, Sha


class DeltaSnapshot(Frozen):
    """A delta folder and the main specs at one commit, as texts.

    `main` maps repository paths, `delta` paths below the folder, as for `fold`.
    """

    commit: Sha
    main: dict[str, str]
    delta: dict[str, str]


class DeltaConflict(Frozen):
    """Why nothing can be folded; `edited` maps blocks that were edited since to their hashes."""

    reasons: tuple[Refusal, ...]
    edited: dict[str, str] = {}


class Share(Frozen):
    """What a change folds: the names of its requirements, and hashes of the blocks that they
    replace.
    """

    name: str
    owned: tuple[str, ...]
    bases: dict[str, str] = {}


def folded(
    main: Mapping[str, str], delta: Mapping[str, str], share: Share
) -> Folded | DeltaConflict:
    """The changed files, or why none is written."""
    gone = sorted(set(share.owned) - operation_names(delta))
    if gone:
        return DeltaConflict(reasons=tuple(_gone(share, name) for name in gone))
    owned = frozenset(share.owned)
    outcome = fold(main, delta, share.name, owned)
    if isinstance(outcome, Refused):
        return DeltaConflict(reasons=outcome.reasons)
    stale = stale_blocks(main, delta, owned, share.bases)
    if stale:
        return DeltaConflict(
            reasons=tuple(s.refusal for s in stale), edited={s.key: s.now for s in stale}
        )
    return outcome


def _gone(share: Share, name: str) -> Refusal:
    return Refusal(
        code="operation_gone",
        path=f"openspec/changes/{share.name}",
        requirement=name,
        line=1,
        sentence=f"'{name}' is not in the delta folder any more.",
        proposal="Take its operation back into the folder, or stop the change.",
    )


def texts_of(files: Mapping[str, bytes]) -> dict[str, str]:
    """The Markdown and YAML files; bytes that are not UTF-8 survive as surrogate escapes."""
    return {
        path: raw.decode("utf-8", "surrogateescape")
        for path, raw in files.items()
        if path.endswith((".md", ".yaml"))
    }
