"""What files become of a tree when some of them are written or removed."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.localhub.object_files import FOLDER_MODE, Row

# What no path may be called (git's path.c).
_NOT_IN_A_PATH = re.compile(r"|\.\.?|(\.git|git~1)[. ]*([:\\].*)?", re.IGNORECASE | re.DOTALL)


class GitError(Exception):
    """git refused; the message is git's."""


@dataclass(frozen=True)
class FileChange:
    """A file to write (`content` None: to delete) when a commit is made here."""

    path: str
    content: bytes | None
    mode: str = "100644"


# What is wanted in a folder: files, and what is wanted in folders below.
Wanted = dict[str, "FileChange | Wanted"]


class Trees(Protocol):
    def rows(self, tree: str) -> dict[str, Row]: ...

    def write_blob(self, content: bytes) -> str: ...

    def write_tree(self, rows: Mapping[str, Row]) -> str: ...


def edited_tree(trees: "Trees", tree: str | None, wanted: Wanted) -> str | None:
    """The tree with what is wanted; None if it has become empty."""
    rows = {} if tree is None else trees.rows(tree)
    for name, change in wanted.items():
        held = rows.get(name)
        is_folder = held is not None and held.mode == FOLDER_MODE
        if isinstance(change, FileChange):
            if change.content is not None:
                rows[name] = Row(change.mode, trees.write_blob(change.content), name)
            elif held is not None and not is_folder:
                del rows[name]
        elif made := edited_tree(trees, held.sha if held and is_folder else None, change):
            rows[name] = Row(FOLDER_MODE, made, name)
        elif is_folder:
            del rows[name]
    return trees.write_tree(rows) if rows else None


def by_folder(changes: Sequence[FileChange]) -> Wanted:
    """The changes by folder, the last of a path. Raises `GitError` for what git takes for no path."""
    root: Wanted = {}
    for change in changes:
        *folders, name = change.path.split("/")
        if any(_NOT_IN_A_PATH.fullmatch(part) for part in (*folders, name)):
            raise GitError(f"Invalid path '{change.path}'")
        wanted = root
        for folder in folders:
            below = wanted.get(folder)
            if not isinstance(below, dict):
                below = wanted[folder] = {}
            wanted = below
        if change.content is not None or name not in wanted:
            wanted[name] = change
    return root
