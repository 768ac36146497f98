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

VIEW_CHARACTERS_MAX = 24_000
LISTED_MAX = 500
# Lines shown around an edit, and places shown where a text is not unique.
AROUND = 4
PLACES_MAX = 10


class Edit(TypedDict, total=False):
    command: str
    path: str
    file_text: str
    old_str: str
    new_str: str
    insert_line: int
    insert_text: str
    view_range: list[int]


COMMANDS = ("view", "create", "str_replace", "insert")


class EditRefusedError(Exception):
    """The edit was not made; the sentence is for the model."""


def main() -> int:
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
    command = edit.get("command", "")
    unknown = sorted(set(edit) - set(Edit.__annotations__))
    if unknown:
        known = ", ".join(Edit.__annotations__)
        raise EditRefusedError(f"Unknown: {', '.join(unknown)}. The keys are {known}.")
    if command not in COMMANDS:
        raise EditRefusedError(f"There is no command {command!r}; use {', '.join(COMMANDS)}.")
    path = real_path(edit.get("path", ""), tree)
    if command == "view":
        return view(path, edit.get("view_range"))
    if command == "create":
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, edit.get("file_text", ""))
        return "The file was written.\n"
    if command == "str_replace":
        return replace(path, edit.get("old_str", ""), edit.get("new_str", ""))
    text = edit.get("insert_text", edit.get("new_str", ""))
    return insert(path, edit.get("insert_line", 0), text)


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
    lines = lines_of(read(path))
    first, last = 1, len(lines)
    if view_range:
        first = max(1, view_range[0])
        last = len(lines) if view_range[1] == -1 else min(view_range[1], len(lines))
        if first > last:
            raise EditRefusedError(f"There are no such lines; the file has {len(lines)}.")
    return numbered(lines, first, last)


def lines_of(text: str) -> list[str]:
    """Lines as grep and compilers count them: a form feed ends none. Without their ends."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return lines[:-1] if lines and not lines[-1] else lines


def numbered(lines: list[str], first: int, last: int) -> str:
    """The lines with their numbers, as many as fit."""
    shown: list[str] = []
    room = VIEW_CHARACTERS_MAX
    for number in range(first, last + 1):
        line = f"{number:6}\t{lines[number - 1]}\n"
        room -= len(line)
        if room < 0:
            if not shown:
                shown.append(line[:VIEW_CHARACTERS_MAX] + "\n")
            shown.append(f"[cut before line {number} of {len(lines)}: ask for a view_range]\n")
            break
        shown.append(line)
    return "".join(shown)


def around(text: str, first: int, last: int) -> str:
    """The lines of an edit with some before and after it."""
    lines = lines_of(text)
    return numbered(lines, max(1, first - AROUND), min(len(lines), last + AROUND))


def replace(path: Path, old: str, new: str) -> str:
    """Exactly one place, or nothing."""
    text = read(path)
    if not old:
        raise EditRefusedError("old_str is missing or empty; use insert, or create.")
    if "\r\n" in text and "\r" not in old:
        # A view shows no carriage return, so nobody can write one.
        old, new = old.replace("\n", "\r\n"), new.replace("\n", "\r\n")
    found = text.count(old)
    if found == 0:
        raise EditRefusedError(
            "old_str does not occur in the file; it must be letter for letter, white space included."
        )
    if found > 1:
        raise EditRefusedError(
            f"old_str occurs {found} times, at these lines; take more lines around it:\n"
            + places(text, old)
        )
    changed = text.replace(old, new)
    write(path, changed)
    first = text[: text.index(old)].count("\n") + 1
    last = first + new.count("\n")
    return f"The text was replaced. The lines are now:\n{around(changed, first, last)}"


def places(text: str, old: str) -> str:
    """The first line of each place where a text stands."""
    lines = lines_of(text)
    shown: list[str] = []
    start = 0
    while len(shown) < PLACES_MAX and (start := text.find(old, start)) >= 0:
        number = text[:start].count("\n") + 1
        shown.append(f"{number:6}\t{lines[number - 1]}\n")
        start += len(old)
    return "".join(shown)


def insert(path: Path, after_line: int, text: str) -> str:
    """After a line (0: at the top)."""
    whole = read(path)
    lines = whole.split("\n")
    count = len(lines_of(whole))
    if not 0 <= after_line <= count:
        raise EditRefusedError(f"insert_line must be between 0 and {count}.")
    neighbour = lines[max(0, after_line - 1)]
    end = "\r\n" if neighbour.endswith("\r") else "\n"
    added = lines_of(text)
    before = "".join(line + "\n" for line in lines[:after_line])
    rest = "\n".join(lines[after_line:])
    changed = before + "".join(line + end for line in added) + rest
    write(path, changed)
    return "The text was inserted. The lines are now:\n" + around(
        changed, after_line + 1, after_line + len(added)
    )


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
