"""The objects of a bare repository as git keeps them in files (gitrepository-layout, gitformat-loose).

git reads and writes the same files; it takes a process for each question. What git has packed is not
found here.
"""

import hashlib
import os
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

FOLDER_MODE = "040000"


@dataclass(frozen=True)
class GitObject:
    kind: str
    content: bytes


@dataclass(frozen=True)
class Row:
    """One row of a tree; the mode has six digits."""

    mode: str
    sha: str
    name: str

    @property
    def kind(self) -> str:
        return {FOLDER_MODE: "tree", "160000": "commit"}.get(self.mode, "blob")


class ObjectFiles:
    """The objects of a repository, and those in a folder beside it that it has not taken in yet."""

    def __init__(self, folder: Path, incoming: Path | None = None) -> None:
        self._folder = folder / "objects"
        self._read_from = [self._folder] if incoming is None else [self._folder, incoming]

    def read(self, sha: str) -> GitObject | None:
        for folder in self._read_from:
            with suppress(FileNotFoundError):
                raw = zlib.decompress((folder / sha[:2] / sha[2:]).read_bytes())
                head, _, content = raw.partition(b"\0")
                return GitObject(head.partition(b" ")[0].decode(), content)
        return None

    def write(self, kind: str, content: bytes) -> str:
        raw = f"{kind} {len(content)}\0".encode() + content
        sha = hashlib.sha1(raw, usedforsecurity=False).hexdigest()
        place = self._folder / sha[:2] / sha[2:]
        if not place.exists():
            place.parent.mkdir(exist_ok=True)
            # Renamed, so that no reader sees a part of it.
            number, made = tempfile.mkstemp(prefix="tmp_obj_", dir=place.parent)
            with os.fdopen(number, "wb") as file:
                file.write(zlib.compress(raw, 1))
            Path(made).chmod(0o444)
            Path(made).replace(place)
        return sha


def rows_of(tree: bytes) -> Iterator[Row]:
    """The rows of a tree object."""
    at = 0
    while at < len(tree):
        end = tree.index(b"\0", at)
        mode, _, name = tree[at:end].partition(b" ")
        sha = tree[end + 1 : end + 21].hex()
        yield Row(mode.decode().zfill(6), sha, name.decode("utf-8", "surrogateescape"))
        at = end + 21


def tree_of_rows(rows: Mapping[str, Row]) -> bytes:
    """A tree object; git sorts a folder as if its name ended in a slash."""

    def key(row: Row) -> bytes:
        return _raw(row.name) + (b"/" if row.mode == FOLDER_MODE else b"")

    return b"".join(
        row.mode.lstrip("0").encode() + b" " + _raw(row.name) + b"\0" + bytes.fromhex(row.sha)
        for row in sorted(rows.values(), key=key)
    )


def _raw(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")
