"""The edit tool's program: runs inside the sandbox, with its rights; one edit per start.

A stand-alone program (standard library only). Reads one edit as JSON on stdin, prints what the
model is told, and exits with 1 if the edit was not made. The real path, links resolved, must lie in
the tree (the working directory) or the temporary folder.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import TypedDict

VIEW_CHARACTERS_MAX = 60_000
LISTED_MAX = 500


class Edit(TypedDict, total=False):
    """The input of `str_replace_based_edit_tool`."""

    command: str
    path: str
    file_text: str
    old_str: str
    new_str: str
    insert_line: int
    insert_text: str
    view_range: list[int]


class EditRefusedError(Exception):
    """The edit was not made; the sentence is for the model."""


def main() -> int:
    """Returns 0 if the edit was made."""
    try:
        edit: Edit = json.loads(sys.stdin.buffer.read())
        answer = perform(edit, Path.cwd())
    except EditRefusedError as refused:
        sys.stdout.write(f"Not done: {refused}\n")
        return 1
    except (OSError, UnicodeError, ValueError, TypeError) as error:
        sys.stdout.write(f"Not done: {error}\n")
        return 1
    sys.stdout.write(answer)
    return 0


def perform(edit: Edit, tree: Path) -> str:
    """Carry out one edit below `tree`."""
    path = real_path(edit.get("path", ""), tree)
    command = edit.get("command", "")
    if command == "view":
        return view(path, edit.get("view_range"))
    if command == "create":
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, edit.get("file_text", ""))
        return "The file was written.\n"
    if command == "str_replace":
        return replace(path, edit.get("old_str", ""), edit.get("new_str", ""))
    if command == "insert":
        text = edit.get("insert_text", edit.get("new_str", ""))
        return insert(path, edit.get("insert_line", 0), text)
    raise EditRefusedError(
        f"There is no command {command!r}; use view, create, str_replace or insert."
    )


def real_path(named: str, tree: Path) -> Path:
    """Where the path leads, links followed."""
    if not named:
        raise EditRefusedError("A path is needed.")
    path = (tree / named).resolve()
    allowed = (tree.resolve(), Path(tempfile.gettempdir()).resolve())
    if not any(path.is_relative_to(folder) for folder in allowed):
        raise EditRefusedError(f"{named} lies outside the work tree.")
    return path


def view(path: Path, view_range: list[int] | None) -> str:
    """A file with line numbers, or what a folder holds."""
    if path.is_dir():
        names = sorted(
            f"{child.name}/" if child.is_dir() else child.name for child in path.iterdir()
        )
        more = f"… and {len(names) - LISTED_MAX} more\n" if len(names) > LISTED_MAX else ""
        return "".join(f"{name}\n" for name in names[:LISTED_MAX]) + more
    lines = read(path).splitlines()
    first, last = 1, len(lines)
    if view_range:
        first = max(1, view_range[0])
        last = len(lines) if view_range[1] == -1 else min(view_range[1], len(lines))
    shown = "".join(
        f"{number:6}\t{line}\n" for number, line in enumerate(lines[first - 1 : last], start=first)
    )
    if len(shown) > VIEW_CHARACTERS_MAX:
        return shown[:VIEW_CHARACTERS_MAX] + "\n[cut here: ask for a view_range]\n"
    return shown


def replace(path: Path, old: str, new: str) -> str:
    """Exactly one place, or nothing."""
    text = read(path)
    found = text.count(old) if old else 0
    if found != 1:
        raise EditRefusedError(
            f"old_str occurs {found} times; it must occur exactly once, whitespace included."
        )
    write(path, text.replace(old, new))
    return "The text was replaced.\n"


def insert(path: Path, after_line: int, text: str) -> str:
    """After a line (0: at the top)."""
    lines = read(path).splitlines(keepends=True)
    if not 0 <= after_line <= len(lines):
        raise EditRefusedError(f"insert_line must be between 0 and {len(lines)}.")
    if after_line and not lines[after_line - 1].endswith("\n"):
        lines[after_line - 1] += "\n"
    lines.insert(after_line, text if text.endswith("\n") else text + "\n")
    write(path, "".join(lines))
    return "The text was inserted.\n"


def read(path: Path) -> str:
    """With its line ends as they are."""
    with path.open(encoding="utf-8", newline="") as file:
        return file.read()


def write(path: Path, text: str) -> None:
    """With its line ends as they are."""
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(text)


if __name__ == "__main__":
    sys.exit(main())
