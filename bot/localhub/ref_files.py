"""Refs moved by their files, as git does it (gitrepository-layout): a lock beside each, then all or none.

What is packed, or stands in the way of another name, is left to git.
"""

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from bot.localhub.github_json import ZERO_SHA

# A ref, where it goes (`ZERO_SHA`: it ends), and where it has to be before; None if that does not matter.
Step = tuple[str, str, str | None]

_USUAL = re.compile(r"refs(/[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*){2,}")


def moved_by_files(folder: Path, steps: Sequence[Step]) -> bool:
    """False where nothing has been moved: git must do it, or refuse."""
    names = [ref for ref, _, _ in steps]
    is_usual = all(_USUAL.fullmatch(ref) and ".lock" not in ref for ref in names)
    if not is_usual or (folder / "packed-refs").exists():
        return False
    locks: list[Path] = []
    try:
        for ref, after, before in steps:
            place = folder / ref
            place.parent.mkdir(parents=True, exist_ok=True)
            lock = place.with_name(f"{place.name}.lock")
            number = os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
            locks.append(lock)
            with os.fdopen(number, "w", encoding="ascii") as file:
                file.write(f"{after}\n")
            if before not in (None, _held(place)):
                return False
        for (ref, after, _), lock in zip(steps, locks, strict=True):
            _take(folder / ref, lock, after)
    except OSError:
        return False
    finally:
        for lock in locks:
            lock.unlink(missing_ok=True)
    return True


def _held(place: Path) -> str:
    """Raises `OSError` for a folder."""
    try:
        return place.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return ZERO_SHA


def _take(place: Path, lock: Path, after: str) -> None:
    if after != ZERO_SHA:
        lock.replace(place)
        return
    place.unlink(missing_ok=True)
    lock.unlink()
    with suppress(OSError):
        for part in place.parents:
            if part.parent.name == "refs":
                break
            part.rmdir()
