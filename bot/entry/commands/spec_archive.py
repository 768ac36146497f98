"""`headgate spec archive`: merges a delta folder into the main specs on disk, and archives it.

It does what OpenSpec's own `archive NAME --yes` does in that folder: the same files afterwards, the
same exit code. All or nothing: if a later write fails, what was written is restored.
`bot.core.spec.archive.delta` has the rules.
"""

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from bot.core.spec.archive.delta import Folded, Refused, archived_name, fold
from bot.core.spec.formats.tasks import open_tasks
from bot.core.spec.markers import OPENSPEC_SCHEMAS
from bot.entry.terminal import Terminal

_FOLDER_MARKS = (".openspec.yaml", "proposal.md", "tasks.md", "design.md")
# OpenSpec looks this deep for delta folders that lie in another folder.
_NESTING_MAX = 3
# The file that OpenSpec holds while it archives, so that two archives exclude one another.
_LOCK = ".openspec-archive.lock"


def archive_delta(name: str, root: Path, as_json: bool) -> int:
    """Merge `openspec/changes/NAME` into the main specs and move it into the archive."""
    console = Terminal(soft_wrap=True, highlight=False)
    try:
        shown = _archived(name, root / "openspec")
    except (_ArchiveRefused, OSError) as error:
        reasons = list(error.reasons) if isinstance(error, _ArchiveRefused) else [str(error)]
        _print(console, as_json, {"status": "refused", "reasons": reasons}, "\n".join(reasons))
        return 1
    warnings = shown["warnings"]
    lines = [*(warnings if isinstance(warnings, list) else [])]
    _print(
        console,
        as_json,
        shown,
        "\n".join([*lines, f"{name} is archived as {shown['archived_as']}"]),
    )
    return 0


class _ArchiveRefused(Exception):
    def __init__(self, *reasons: str) -> None:
        super().__init__(*reasons)
        self.reasons = reasons


def _archived(name: str, base: Path) -> dict[str, object]:
    folder = _delta_folder(name, base)
    # The local date, as OpenSpec takes it.
    today = datetime.now(UTC).astimezone().date()
    target = base / "changes" / "archive" / archived_name(name, today)
    _refuse_taken(target)
    folded = fold(
        _texts(base.parent, base / "specs"),
        _texts(folder, folder),
        name,
        schemas=OPENSPEC_SCHEMAS | _own_schemas(base),
    )
    if isinstance(folded, Refused):
        raise _ArchiveRefused(
            *(f"{r.path}:{r.line} {r.sentence} {r.proposal}".strip() for r in folded.reasons)
        )
    tasks = folder / "tasks.md"
    left = open_tasks(tasks.read_bytes()) if tasks.is_file() else 0
    warnings = (
        [f"tasks.md still has {left} open task(s). The folder was archived anyway."] if left else []
    )
    target.parent.mkdir(parents=True, exist_ok=True)
    with _locked(target):
        _put(base, folded, lambda: shutil.move(folder, target))
    return {
        "status": "archived",
        "archived_as": target.name,
        "files": sorted(folded.files),
        "totals": folded.totals.model_dump(),
        "warnings": [*warnings, *folded.warnings],
    }


def _delta_folder(name: str, base: Path) -> Path:
    """The delta folder of a change; refuses a path, a link or a folder of delta folders."""
    folder = base / "changes" / name
    is_name = name not in {"", ".", "..", "archive"} and not set(name) & {"/", "\\"}
    if not is_name or not folder.is_dir():
        raise _ArchiveRefused(f"There is no delta folder {folder}.")
    if folder.is_symlink():
        raise _ArchiveRefused(f"{folder} is a symbolic link. Replace it by the real folder.")
    for place in (folder, base / "specs"):
        _refuse_outside_links(place)
    nested = sorted(_nested(folder, 1)) if not _is_change(folder) and not _own_files(folder) else []
    if nested:
        inner = nested[0].relative_to(base / "changes").as_posix()
        raise _ArchiveRefused(
            f"{folder} is not a delta folder but contains some, for example {inner}. "
            f"Move it to openspec/changes/{inner.replace('/', '-')}."
        )
    return folder


def _refuse_outside_links(folder: Path) -> None:
    """A link that leads out of the folder would be read from, or written to, somewhere else."""
    inside = folder.resolve()
    for place in folder.rglob("*"):
        if place.is_symlink() and not place.resolve().is_relative_to(inside):
            raise _ArchiveRefused(
                f"{place} is a symbolic link to a place outside {folder}. Replace it by a file."
            )


def _is_change(folder: Path) -> bool:
    has_specs = any(
        p.is_file() and not _is_hidden(p, folder) for p in (folder / "specs").rglob("*")
    )
    return has_specs or any((folder / mark).is_file() for mark in _FOLDER_MARKS)


def _is_hidden(path: Path, folder: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(folder).parts)


def _own_files(folder: Path) -> bool:
    return any(not p.is_dir() and not p.name.startswith(".") for p in folder.iterdir())


def _nested(folder: Path, depth: int) -> Iterator[Path]:
    if depth > _NESTING_MAX:
        return
    for inner in folder.iterdir():
        if not inner.is_dir() or inner.name.startswith("."):
            continue
        if _is_change(inner):
            yield inner
        else:
            yield from _nested(inner, depth + 1)


def _own_schemas(base: Path) -> set[str]:
    return {p.parent.name for p in (base / "schemas").glob("*/schema.yaml")}


def _refuse_taken(target: Path) -> None:
    if os.path.lexists(target):
        raise _ArchiveRefused(f"{target} already exists.")


@contextmanager
def _locked(target: Path) -> Iterator[None]:
    """Hold OpenSpec's own lock on the archive, and check again that the target does not exist."""
    lock = target.parent / _LOCK
    try:
        lock.touch(exist_ok=False)
    except FileExistsError as error:
        raise _ArchiveRefused(
            f"Another `headgate spec archive` is running. If not, remove {lock}."
        ) from error
    try:
        _refuse_taken(target)
        yield
    finally:
        lock.unlink()


def _put(base: Path, folded: Folded, then: Callable[[], object]) -> None:
    """Write the files and call `then`; if either fails, every file is as before."""
    places = {base.parent / path: text for path, text in folded.files.items()}
    before = {place: place.read_bytes() if place.exists() else None for place in places}
    try:
        for place, text in places.items():
            _write(place, None if text is None else text.encode("utf-8", "surrogateescape"))
        then()
    except OSError:
        for place, raw in before.items():
            _write(place, raw)
        raise
    finally:
        for place in places:
            _prune(place.parent, base / "specs")


def _write(place: Path, raw: bytes | None) -> None:
    """Write a file; with None, remove it."""
    if raw is None:
        if place.exists():
            place.unlink()
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(raw)


def _prune(folder: Path, stop: Path) -> None:
    """Remove folders that a retired capability leaves empty."""
    while folder != stop and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


def _texts(root: Path, folder: Path) -> Mapping[str, str]:
    return {
        p.relative_to(root).as_posix(): p.read_bytes().decode("utf-8", "surrogateescape")
        for p in sorted(folder.rglob("*"))
        if p.is_file()
    }


def _print(console: Terminal, as_json: bool, shown: Mapping[str, object], text: str) -> None:
    console.out(json.dumps(shown, ensure_ascii=False, indent=2) if as_json else text)
