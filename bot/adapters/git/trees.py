"""Reads and edits trees of a mirror.

The same edit gives the same tree. Only the folders on the way to an edit are read, and the new objects
are written as one small pack: two processes, whatever the size of the repository.
"""

import hashlib
import struct
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bot.adapters.git.loose_objects import loose_named, tree_entries
from bot.adapters.git.process import CallOptions, GitFailed, GitProgram, OutputTooLong
from bot.core.values.ids import Sha
from bot.ports import UserError

_REGULAR_MODES = ("100644", "100755", "100664")
_LINK_MODE = "120000"
_NEW_FILE_MODE = b"100644"
_FOLDER_MODE = b"40000"
# Object types in a pack (gitformat-pack).
_TREE_IN_PACK, _BLOB_IN_PACK = 2, 3


@dataclass(frozen=True)
class Trees:
    """Each `tree` may be a commit, too."""

    git: GitProgram
    mirror: Path

    def blobs(self, tree: Sha, prefixes: tuple[str, ...]) -> dict[str, Sha]:
        """Regular files at or below the prefixes, by path; "" means the whole tree."""
        wanted = [prefix for prefix in prefixes if prefix.strip("/")]
        if not prefixes:
            return {}
        below = [] if len(wanted) < len(prefixes) else [prefix.rstrip("/") for prefix in wanted]
        output = self.git.run(
            self.mirror, ["ls-tree", "-r", "-z", "--full-tree", tree, "--", *below]
        )
        return _regular_files(output)

    def all_blobs(self, tree: Sha, bytes_max: int) -> dict[str, Sha] | None:
        """Every regular file, by path; None where the list is longer than `bytes_max`."""
        # With the folders: there may be nothing else, and no end of them.
        listing, short = (
            ["ls-tree", "-r", "-t", "-z", "--full-tree", tree],
            CallOptions(out_bytes_max=bytes_max),
        )
        try:
            return _regular_files(self.git.run(self.mirror, listing, options=short))
        except OutputTooLong:
            return None

    def names_fit(self, tree: Sha, bytes_max: int) -> bool:
        """Whether a list of all files and folders is not longer; git is ended where it is."""
        listing = ["ls-tree", "-r", "-t", "-z", "--full-tree", "--name-only", tree]
        try:
            self.git.run(self.mirror, listing, options=CallOptions(out_bytes_max=bytes_max))
        except OutputTooLong:
            return False
        return True

    def links(self, tree: Sha) -> dict[str, str]:
        """Every link of the tree, with what it says."""
        listing = ["ls-tree", "-r", "-z", "--full-tree", tree]
        output = self.git.run(self.mirror, listing).decode("utf-8", errors="replace")
        found = {}
        for line in output.split("\0")[:-1]:
            facts, _, path = line.partition("\t")
            mode, _, sha = facts.split(" ")
            if mode == _LINK_MODE:
                found[path] = sha
        said = self.read(found.values())
        return {p: one.decode("utf-8", "replace") for p, one in zip(found, said, strict=True)}

    def entries(self, tree: Sha, paths: tuple[str, ...]) -> dict[str, str]:
        """Mode, kind and object of each of these paths that exists."""
        if not paths:
            return {}
        listing = ["ls-tree", "-r", "-z", "--full-tree", tree, "--", *paths]
        output = self.git.run(self.mirror, listing).decode("utf-8", errors="replace")
        rows = (line.partition("\t") for line in output.split("\0")[:-1])
        return {path: facts for facts, _, path in rows if path in paths}

    def files(self, tree: Sha, prefixes: tuple[str, ...]) -> dict[str, bytes]:
        blobs = self.blobs(tree, prefixes)
        contents = dict(zip(blobs.values(), self.read(blobs.values()), strict=True))
        return {path: contents[sha] for path, sha in blobs.items()}

    def read(self, names: Iterable[str]) -> list[bytes]:
        """The objects' contents, in order. Raises `GitFailed` where one is missing."""
        found = self._read(list(names))
        missing = [name for name, answer in found if answer is None]
        if missing:
            raise GitFailed(1, f"missing object {missing[0]}")
        return [content for _, answer in found if answer for _, content in [answer]]

    def edit(self, tree: Sha, edits: Mapping[str, bytes | None]) -> Sha:
        """The tree with files written or (None) removed; modes stay, new files get 100644.

        A removed folder goes with its contents; a folder that becomes empty goes, too.
        """
        wanted = _nested(edits)
        folders = _folders_of(edits)
        found = dict(self._read([f"{tree}:{folder}" for folder in folders]))
        root = found[f"{tree}:"]
        if root is None:
            raise GitFailed(1, f"missing object {tree}")
        read = {
            folder: tree_entries(answer[1])
            for folder in folders
            if (answer := found[f"{tree}:{folder}"]) and answer[0] == "tree"
        }
        for folder in folders:
            _must_be_there(read, tree, folder)
        edit = _Edit(read)
        sha = edit.rewrite("", wanted) or edit.add(_TREE_IN_PACK, b"")
        if sha != _object_id("tree", root[1]):
            self.git.run(self.mirror, ["unpack-objects", "-q"], edit.as_pack())
        return Sha(sha.hex())

    def with_folder_of(self, tree: Sha, other: Sha, folder: str) -> Sha:
        """The tree with `folder` (`outer/inner`) as in `other`, or without it if `other` has none."""
        outer, _, inner = folder.partition("/")
        names = [f"{tree}:", f"{other}:", f"{tree}:{outer}", f"{other}:{outer}"]
        (_, root), (_, root_there), (_, ours), (_, theirs) = self._read(names)
        if root is None or root_there is None:
            raise GitFailed(1, f"missing object {tree if root is None else other}")
        before = {"": tree_entries(root[1]), outer: _entries(ours)}
        there = {"": tree_entries(root_there[1]), outer: _entries(theirs)}
        _must_be_there(before if ours else {"": before[""]}, tree, outer)
        _must_be_there(there if theirs else {"": there[""]}, other, outer)
        graft = there[outer].get(inner.encode())
        if before[outer].get(inner.encode()) == graft:
            return Sha(_object_id("tree", root[1]).hex())
        wanted, below = _Folder(), _Folder()
        wanted.folders[outer.encode()] = below
        below.grafts[inner.encode()] = graft
        return self._write(_Edit(before), wanted)

    def _write(self, edit: "_Edit", wanted: "_Folder") -> Sha:
        sha = edit.rewrite("", wanted) or edit.add(_TREE_IN_PACK, b"")
        self.git.run(self.mirror, ["unpack-objects", "-q"], edit.as_pack())
        return Sha(sha.hex())

    def _read(self, names: list[str]) -> list[tuple[str, tuple[str, bytes] | None]]:
        """The type and content of each name, or None."""
        loose = {name: loose_named(self.mirror, name) for name in names}
        others = [name for name in names if loose[name] is None]
        by_git = iter(self._read_by_git(others))
        return [(name, loose[name] or next(by_git)) for name in names]

    def _read_by_git(self, names: list[str]) -> list[tuple[str, bytes] | None]:
        """By `git cat-file --batch`."""
        lines = "".join(f"{name}\n" for name in names).encode()
        output = self.git.run(self.mirror, ["cat-file", "--batch"], lines) if names else b""
        found: list[tuple[str, bytes] | None] = []
        at = 0
        for _ in names:
            end = output.index(b"\n", at)
            line = output[at:end].rsplit(b" ", 2)
            at = end + 1
            if len(line) == 3 and line[2].isdigit():
                size = int(line[2])
                found.append((line[1].decode(), output[at : at + size]))
                at += size + 1
            else:
                found.append(None)
        return found


def blobs_below(every: Mapping[str, Sha], prefixes: tuple[str, ...]) -> dict[str, Sha]:
    """What `Trees.blobs` finds at or below the prefixes, out of all that there is."""
    wanted = [prefix.rstrip("/") for prefix in prefixes]
    return {
        path: sha
        for path, sha in every.items()
        if any(not one or path == one or path.startswith(f"{one}/") for one in wanted)
    }


def _regular_files(listing: bytes) -> dict[str, Sha]:
    """Of what `ls-tree -r -z` says, by path."""
    found = {}
    for line in listing.decode("utf-8", errors="replace").split("\0")[:-1]:
        facts, _, path = line.partition("\t")
        mode, _, sha = facts.split(" ")
        if mode in _REGULAR_MODES:
            found[path] = Sha(sha)
    return found


class _Folder:
    """The edits in one folder, by name: new contents, removals (None), subfolders, and entries of
    another tree.
    """

    def __init__(self) -> None:
        self.files: dict[bytes, bytes | None] = {}
        self.folders: dict[bytes, _Folder] = {}
        self.grafts: dict[bytes, tuple[bytes, bytes] | None] = {}


@dataclass
class _Edit:
    before: Mapping[str, dict[bytes, tuple[bytes, bytes]]]
    objects: dict[bytes, tuple[int, bytes]] = field(default_factory=dict)

    def rewrite(self, path: str, wanted: _Folder) -> bytes | None:
        """The id of the folder's new tree, or None if it is empty."""
        entries = dict(self.before.get(path, {}))
        for name, content in wanted.files.items():
            mode, _ = entries.pop(name, (_NEW_FILE_MODE, b""))
            if content is not None:
                kept = mode if mode.decode() in _REGULAR_MODES else _NEW_FILE_MODE
                entries[name] = (kept, self.add(_BLOB_IN_PACK, content))
        for name, graft in wanted.grafts.items():
            entries.pop(name, None)
            if graft is not None:
                entries[name] = graft
        for name, folder in wanted.folders.items():
            below = f"{path}/{name.decode()}" if path else name.decode()
            tree = self.rewrite(below, folder)
            if tree is not None:
                entries[name] = (_FOLDER_MODE, tree)
            elif name in entries and entries[name][0] == _FOLDER_MODE:
                del entries[name]
        if not entries:
            return None
        # git sorts a folder as if its name ended in a slash.
        ordered = sorted(
            entries.items(), key=lambda one: one[0] + (b"/" if one[1][0] == _FOLDER_MODE else b"")
        )
        lines = (mode + b" " + name + b"\0" + sha for name, (mode, sha) in ordered)
        return self.add(_TREE_IN_PACK, b"".join(lines))

    def add(self, kind: int, content: bytes) -> bytes:
        sha = _object_id("tree" if kind == _TREE_IN_PACK else "blob", content)
        self.objects[sha] = (kind, content)
        return sha

    def as_pack(self) -> bytes:
        """The added objects as a pack (gitformat-pack, version 2)."""
        parts = [struct.pack(">4sII", b"PACK", 2, len(self.objects))]
        for kind, content in self.objects.values():
            size = len(content)
            byte = kind << 4 | size & 0x0F
            size >>= 4
            head = bytearray()
            while size:
                head.append(byte | 0x80)
                byte = size & 0x7F
                size >>= 7
            head.append(byte)
            parts += [bytes(head), zlib.compress(content, 1)]
        pack = b"".join(parts)
        return pack + hashlib.sha1(pack, usedforsecurity=False).digest()


def _nested(edits: Mapping[str, bytes | None]) -> _Folder:
    """The edits by folder. Raises `UserError` for a path that git could not hold."""
    root = _Folder()
    for path, content in edits.items():
        parts = path.split("/")
        if any(part in ("", ".", "..") or part.casefold() == ".git" for part in parts):
            raise UserError(f"`{path}` is not a valid path in a repository.")
        if "\0" in path or "\n" in path:
            raise UserError(f"`{path!r}` is not a path that Headgate may write.")
        folder = root
        for part in parts[:-1]:
            folder = folder.folders.setdefault(part.encode(), _Folder())
        folder.files[parts[-1].encode()] = content
    _refuse_file_and_folder(root)
    return root


def _refuse_file_and_folder(folder: _Folder) -> None:
    for name, below in folder.folders.items():
        if folder.files.get(name) is not None:
            raise UserError(f"`{name.decode()}` cannot be a file and a folder at the same time.")
        _refuse_file_and_folder(below)


def _folders_of(edits: Mapping[str, bytes | None]) -> list[str]:
    folders = {""}
    for path in edits:
        while "/" in path:
            path = path.rpartition("/")[0]
            folders.add(path)
    return sorted(folders)


def _must_be_there(
    read: Mapping[str, dict[bytes, tuple[bytes, bytes]]], tree: Sha, folder: str
) -> None:
    """Raises `GitFailed` for a folder that the tree has and git could not read."""
    outer, _, name = folder.rpartition("/")
    mode, _ = read.get(outer, {}).get(name.encode(), (b"", b""))
    if folder not in read and mode == _FOLDER_MODE:
        raise GitFailed(1, f"missing object {tree}:{folder}")


def _entries(answer: tuple[str, bytes] | None) -> dict[bytes, tuple[bytes, bytes]]:
    """The entries of a folder; empty if the object is not a folder."""
    return tree_entries(answer[1]) if answer is not None and answer[0] == "tree" else {}


def _object_id(kind: str, content: bytes) -> bytes:
    head = f"{kind} {len(content)}\0".encode()
    return hashlib.sha1(head + content, usedforsecurity=False).digest()
